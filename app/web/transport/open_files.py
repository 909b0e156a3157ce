"""Keep some file descriptors free, and say when connections have to be refused for that.

The event loop closes connections without a word once no descriptor is left, and then the database and the pages can't
open any either. So the last few descriptors are not given to connections.
"""

import time
from collections.abc import Callable
from typing import Any, Final

import structlog

RESERVED: Final = 16
"""Descriptors that connections leave to the database, files and workers."""
LOG_SECONDS: Final = 60.0

log = structlog.get_logger("web")


def allowed_files() -> int | None:
    """Return how many files this process may have open at once, or None if the system has no such limit."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


class OpenFiles:
    """Decides whether there is a descriptor for one more connection; logs at most once a minute that there is none."""

    def __init__(
        self, allowed: int | None, refused: Callable[[], None], now: Callable[[], float] = time.monotonic
    ) -> None:
        """`refused` counts each connection that is not accepted. `now` gives seconds."""
        self._allowed = allowed
        self._refused = refused
        self._now = now
        self._logged: float | None = None
        self._since_logged = 0

    def accepts(self, transport: Any) -> bool:
        """Return whether a new connection may stay. The system gives each the lowest free descriptor."""
        if self._allowed is None:
            return True
        connection = transport.get_extra_info("socket")
        if connection is None or connection.fileno() < self._allowed - RESERVED:
            return True
        self._refused()
        self._since_logged += 1
        now = self._now()
        if self._logged is None or now - self._logged >= LOG_SECONDS:
            log.error(
                "connections refused: too many open files; raise the limit (ulimit -n, LimitNOFILE)",
                count=self._since_logged,
                allowed=self._allowed,
            )
            self._logged, self._since_logged = now, 0
        return False
