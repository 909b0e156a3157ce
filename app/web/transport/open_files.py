"""Keep some file descriptors free, and log when connections are refused for this reason.

Without a free descriptor, the event loop closes new connections without a log line. The database and the pages then
can't open files either. So the last few descriptors are not given to connections.
"""

import time
from collections.abc import Callable
from typing import Any, Final

import structlog

RESERVED: Final = 16
"""Descriptors reserved for the database, files and workers."""
LOG_SECONDS: Final = 60.0

log = structlog.get_logger("web")


def open_file_limit() -> int | None:
    """Return the number of files and connections this process may have open, or None if the system sets no limit."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


class DescriptorLimit:
    """Decides whether a new connection may stay, so that some file descriptors stay free for database and files.

    Refusals are logged, at most once a minute.
    """

    def __init__(
        self, allowed: int | None, refused: Callable[[], None], now: Callable[[], float] = time.monotonic
    ) -> None:
        """Set the limit `allowed`, or None for no limit.

        `refused` is called for each refused connection. `now` returns seconds.
        """
        self._allowed = allowed
        self._refused = refused
        self._now = now
        self._logged: float | None = None
        self._since_logged = 0

    def has_descriptor_for(self, transport: Any) -> bool:
        """Return whether a new connection may stay; if not, count the refusal, and log it at most once a minute.

        The system gives the lowest free descriptor, so its number tells how full the process is.
        """
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
