"""Steps after a commit that may fail alone. The command is stored, so an error must not stop the other steps."""

import logging
from collections.abc import Callable
from typing import TypeAlias

logger = logging.getLogger(__name__)

Attempt: TypeAlias = Callable[..., bool]
"""`attempt(part, work, *args)` of a `FailureCounter`."""


class FailureCounter:
    """Runs the steps of one room; logs and counts those that fail."""

    def __init__(self, room_id: str, count_failure: Callable[[str], None]) -> None:
        """`count_failure`: gets the name of each step that failed."""
        self._room_id = room_id
        self._count_failure = count_failure

    def attempt(self, part: str, work: Callable[..., object], *args: object) -> bool:
        """Do one step after a commit, such as setting timers, and return whether it succeeded.

        Errors are logged and counted under the name `part` and not raised, so that later steps still run.
        """
        try:
            work(*args)
        except Exception:
            logger.exception("room %s: part of an update failed: %s", self._room_id, part)
            self._count_failure(part)
            return False
        return True
