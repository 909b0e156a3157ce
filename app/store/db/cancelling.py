"""Cancel the statements of a database's connections from another thread, when a program is told to stop."""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, Protocol

import sqlalchemy as sa

POLL_SECONDS: Final = 0.2
"""Seconds between two looks at the signal to stop."""
CANCEL_SECONDS: Final = 2.0
"""Seconds that PostgreSQL may take to accept a request to cancel."""


class StopSignal(Protocol):
    """Tells whether to stop, such as a `threading.Event`."""

    def is_set(self) -> bool:
        """Return whether to stop."""
        ...


NEVER: Final[StopSignal] = threading.Event()
"""A signal that is never set."""


@contextmanager
def cancel_statements(engines: Sequence[sa.Engine], stop: StopSignal) -> Iterator[None]:
    """Cancel each statement on new connections of these engines from when `stop` is set, until the context ends.

    A cancelled statement raises a driver's error, and its transaction is rolled back.
    """
    if stop is NEVER:
        yield
        return
    connections: list[Any] = []
    ended = threading.Event()

    def remember(connection: Any, _record: object) -> None:
        connections.append(connection)

    def watch() -> None:
        while not ended.wait(POLL_SECONDS):
            if stop.is_set():
                for connection in [*connections]:
                    _cancel(connection)

    for engine in engines:
        sa.event.listen(engine, "connect", remember)
    thread = threading.Thread(target=watch, name="store-cancel", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _cancel(connection: Any) -> None:
    """Cancel the running statement of a driver's connection, if there is one."""
    with suppress(Exception):  # the connection is closed, or lost
        if isinstance(connection, sqlite3.Connection):
            connection.interrupt()
        else:
            connection.cancel_safe(timeout=CANCEL_SECONDS)
