"""Track whether entries and people can be saved, from the results of real commits.

A full disk or a locked file can still be read, so that a test query proves nothing. An error state begins with a write
that fails or takes long, or after several refusals without a success between. It ends with a success. In quiet times
and during an error state, a probe writes an entry and a person and rolls both back.
"""

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable
from typing import Final, Literal, TypeAlias, get_args

from app.rooms.ports.storage import StorageUnavailable

SLOW_SECONDS: Final = 2.0
"""A write that takes longer than this starts an error state."""
AGAIN_SECONDS: Final = 1.0
"""Seconds between two checks during an error state, and its shortest duration."""

MOST_REFUSALS: Final = 3
"""Number of consecutive refusals of one kind of save that starts an error state."""
QUIET_SECONDS: Final = 10.0
"""After this time without a success of each kind, `can_save` uses the probe."""

Kind: TypeAlias = Literal["entries", "people"]
"""Kinds of data that are saved often, and can fail independently."""
HealthListener: TypeAlias = Callable[[str | None], None]
"""Gets the reason when writing fails, then again every second; None when it works again."""

logger = logging.getLogger(__name__)


class WriteHealth:
    """Watches whether one database can be written, by the results of real writes.

    Used on the event loop only.
    """

    def __init__(self, probe: Callable[[], Awaitable[object]]) -> None:
        """Start in the healthy state.

        `probe` writes test data without leaving a change, and raises if that fails.
        """
        self.write_error: str | None = None
        """Why nothing can be written; None if writing works."""
        self.has_lock = True
        """False while this node has lost the database lock: a restore or migration may be running."""
        self.background_connections = 0
        """Number of background connections to the database that were opened so far."""
        self._probe = probe
        self._listeners: list[HealthListener] = []
        self._numbers = itertools.count()
        self._pending_writes: dict[int, float] = {}
        """Start time of each unfinished write, in event loop time, oldest first."""
        self._refusals: dict[Kind, int] = dict.fromkeys(get_args(Kind), 0)
        """Consecutive refusals of each kind."""
        self._last_saved: dict[Kind, float] = {}
        """Time of the last successful save of each kind, in event loop time."""
        self._last_failure = 0.0
        """Time of the last failure, in event loop time."""
        self._lost_connections: set[str] = set()
        """Names of the background connections that are lost at the moment."""
        self._outage_start: float | None = None
        """Start of the current outage, in event loop time. Each outage is logged once."""
        self._timer: asyncio.TimerHandle | None = None
        self._probe_task: asyncio.Task[None] | None = None
        self._closed = False

    def subscribe(self, listener: HealthListener) -> Callable[[], None]:
        """Call `listener` with the reason when the database can't be written, and with None when it can again.

        During an error state it is called every second. Returns the function to unsubscribe.
        """
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def write_started(self) -> int:
        """Record that a write to the database has started, and return its number.

        A slow write starts an error state.
        """
        number = next(self._numbers)
        self._pending_writes[number] = asyncio.get_running_loop().time()
        if self._timer is None:
            self._schedule_check(SLOW_SECONDS)
        return number

    def write_finished(self, write: int) -> None:
        """Record that the write with this number has ended: the database answered, even if it refused the write.

        This can end an error state.
        """
        del self._pending_writes[write]
        self._clear_error_if_recovered()

    def save_succeeded(self, kind: Kind) -> None:
        """Record that data of this kind, log entries or people, was saved. This can end an error state."""
        self._last_saved[kind] = asyncio.get_running_loop().time()
        if self._refusals[kind]:
            self._refusals[kind] = 0
            self._clear_error_if_recovered()

    def save_refused(self, kind: Kind, error: Exception) -> None:
        """Record that the database answered, but refused to save data of this kind for an unexpected reason.

        The third refusal in sequence starts an error state.
        """
        self._refusals[kind] += 1
        if self._refusals[kind] >= MOST_REFUSALS:
            self._report_error(f"{kind} can’t be saved: {type(error).__name__}")

    async def can_save(self) -> bool:
        """Return whether log entries and people can be saved now; used by the server's readiness check.

        If a kind was not saved in the last ten seconds, test data is written and rolled back. False while the database
        lock is lost.
        """
        now = asyncio.get_running_loop().time()
        quiet = any(now - self._last_saved.get(kind, -QUIET_SECONDS) >= QUIET_SECONDS for kind in get_args(Kind))
        if quiet and self.write_error is None:
            if self._probe_task is None or self._probe_task.done():
                self._probe_task = asyncio.get_running_loop().create_task(self._run_probe(), name="database probe")
            await asyncio.shield(self._probe_task)
        return self.write_error is None and self.has_lock

    def _clear_error_if_recovered(self) -> None:
        if (
            self.write_error is not None
            and max(self._refusals.values()) < MOST_REFUSALS
            and asyncio.get_running_loop().time() - self._last_failure >= AGAIN_SECONDS
        ):
            self._publish_status(None)

    def report_failure(self, why: str, write: int | None = None) -> None:
        """Record that the database was unavailable for a read, or for a write (`write` is its number).

        An error state starts. `why`: the reason, for people.
        """
        if write is not None:
            del self._pending_writes[write]
        self._report_error(why)

    def connection_lost(self, name: str, why: str) -> None:
        """Record that the background connection `name` is lost, or not restored; `why` is the reason, for the log.

        An outage begins when it can't be restored at once: an idle connection may notice late that an outage was.
        """
        if name in self._lost_connections:
            self._begin_outage(f"{name}: {why}")
        self._lost_connections.add(name)

    def connection_restored(self, name: str) -> None:
        """Record that a background connection to the database was opened. The end of an outage is logged."""
        self.background_connections += 1
        self._lost_connections.discard(name)
        self._end_outage()

    def _begin_outage(self, why: str) -> None:
        if self._outage_start is None and not self._closed:
            self._outage_start = asyncio.get_running_loop().time()
            logger.error("database outage: %s", why)

    def _end_outage(self) -> None:
        if self._outage_start is not None and self.write_error is None and not self._lost_connections:
            seconds = asyncio.get_running_loop().time() - self._outage_start
            self._outage_start = None
            logger.warning("database outage is over after %.1f seconds", seconds)

    def close(self) -> None:
        """Stop the timer and the test writes of the health check."""
        self._closed = True
        for each in (self._timer, self._probe_task):
            if each is not None:
                each.cancel()

    def _report_error(self, why: str) -> None:
        self._last_failure = asyncio.get_running_loop().time()
        if self.write_error is None and not self._closed:
            self._publish_status(why)
            self._schedule_check(AGAIN_SECONDS)

    def _publish_status(self, why: str | None) -> None:
        self.write_error = why
        if why is None:
            self._end_outage()
        else:
            self._begin_outage(why)
        for listener in tuple(self._listeners):
            try:
                listener(why)
            except Exception:  # the other listeners must still be called
                logger.exception("a listener of the database state failed")

    def _schedule_check(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if not self._closed:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._check_pending_writes)

    def _check_pending_writes(self) -> None:
        """Check the age of the oldest unfinished write, and start an error state if it is too old.

        During an error state, repeat the reason to the listeners, and write test data if no write is pending.
        """
        self._timer = None
        loop = asyncio.get_running_loop()
        now = loop.time()
        waited = now - min(self._pending_writes.values(), default=now)
        if self.write_error is not None:
            self._publish_status(self.write_error)
            if not self._pending_writes and (self._probe_task is None or self._probe_task.done()):
                self._probe_task = loop.create_task(self._run_probe(), name="database")
            self._schedule_check(AGAIN_SECONDS)
        elif waited >= SLOW_SECONDS:
            self._report_error(f"a write takes more than {SLOW_SECONDS:g} seconds")
        elif self._pending_writes:
            self._schedule_check(SLOW_SECONDS - waited)

    async def _run_probe(self) -> None:
        try:
            await self._probe()
        except StorageUnavailable:
            return  # already recorded
        except Exception as error:
            self._report_error(f"saving is refused: {type(error).__name__}")
            return
        for kind in self._refusals:
            self._refusals[kind] = 0
            self._last_saved[kind] = asyncio.get_running_loop().time()
        self._clear_error_if_recovered()
