"""The interface of the clock that rooms use."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The source of the current time for loaded rooms; replaceable, so that tests can set the time."""

    def now(self) -> datetime:
        """Return the current time as an aware UTC datetime."""
        ...
