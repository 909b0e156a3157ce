"""Short writes to SQLite that are made where they are asked for, on the event loop's thread.

An entry takes SQLite 20 microseconds and the disk 200. To wake a thread for it, and to be woken by it, takes half as
long again, since both want the interpreter, and on one core the processor, too. So where nothing else is being written
and the disk has been quick, the loop's thread writes by itself. What it waits for the disk is not lost: another thread
does meanwhile what comes after, which gets the interpreter when SQLite lets go of it.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable
from typing import Final

from .inserting import Statement
from .meanwhile import Meanwhile

SLOW_SECONDS: Final = 0.002
"""What a write takes at most, the rest being done meanwhile, where the disk is quick."""
AWAY: Final = 50
"""After one that took longer, writes are left to the thread that writes for so many times as long, and nobody waits but
who wrote: for a slow disk the loop waits a fiftieth of the time at most."""
ASLEEP: Final = 10.0
"""Seconds after which a disk that nothing was written to may be asleep, and take its time to wake up: the first write
then is left to the thread that writes."""
WRITES_AT_MOST: Final = 400
"""Until SQLite is asked to move its log into the file, in the thread that writes: it would do so by itself, with the
write that makes a thousand pages of it, and two are what nearly every such write takes."""


class Shortcut:
    """Writes with the connection of a thread that has nothing to do meanwhile. `close` it before that connection."""

    def __init__(self, busy_seconds: float) -> None:
        """`busy_seconds`: how long the connection waits for other processes in the thread that writes."""
        self._patience = f"PRAGMA busy_timeout={busy_seconds * 1000:.0f}"
        self._is_patient = True
        """Whether the connection would wait for another process."""
        self._meanwhile = Meanwhile("store-meanwhile")
        self._not_before = 0.0
        self._wrote_at = -ASLEEP
        """When something was written last, by whichever thread."""
        self._writes = 0

    @property
    def is_open(self) -> bool:
        """Whether the disk is awake, and has been quick lately."""
        now = time.monotonic()
        return now >= self._not_before and now - self._wrote_at < ASLEEP

    @property
    def is_untidy(self) -> bool:
        """Whether `tidy` should be called."""
        return self._writes >= WRITES_AT_MOST

    def write(self, driver: sqlite3.Connection, statement: Statement, meanwhile: Callable[[], Iterable[None]]) -> None:
        """Run a statement that is a transaction of its own, and have something else done until it is on the disk; or
        raise what the driver raises, at once if another process writes."""
        if self._is_patient:
            driver.execute("PRAGMA busy_timeout=0")
            self._is_patient = False
        self._writes += 1
        began = time.monotonic()
        with self._meanwhile.doing(meanwhile):
            driver.execute(*statement)
        self._wrote_at = now = time.monotonic()
        if now - began > SLOW_SECONDS:
            self._not_before = now + AWAY * (now - began)

    def wrote(self) -> None:
        """Know that the thread that writes has written something."""
        self._wrote_at = time.monotonic()

    def leave(self, driver: sqlite3.Connection) -> None:
        """Give the connection back to the thread that writes, which calls this."""
        if not self._is_patient:
            driver.execute(self._patience)
            self._is_patient = True

    def tidy(self, driver: sqlite3.Connection) -> None:
        """Move SQLite's log into the file, as far as nobody reads it; in the thread that writes."""
        self._writes = 0
        driver.execute("PRAGMA wal_checkpoint(PASSIVE)").close()

    def close(self) -> None:
        """Let go of the other thread."""
        self._meanwhile.close()
