"""Whether new entries and new people can be saved, as seen from the results of real commits.

A full disk or a locked file can still be read, so that a question about the database alone proves nothing. Trouble
begins with a write that can't be done or takes long, or with several refusals in a row without a success. It ends with
a success. In a quiet hour, and while there is trouble, a probe writes an entry and a person and rolls both back.
"""

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable
from typing import Final, Literal, TypeAlias, get_args

from app.rooms.ports.storage import Unavailable

SLOW_SECONDS: Final = 2.0
"""A write that takes longer is trouble, whatever it waits for."""
AGAIN_SECONDS: Final = 1.0
"""Between two tries; and how long trouble lasts at least, so that nobody is told of it more often."""

MOST_REFUSALS: Final = 3
"""Saves of one kind that the database refused in a row, without a success: after these there is trouble."""
QUIET_SECONDS: Final = 10.0
"""After this time without a success of each kind only the probe can tell."""

Kind: TypeAlias = Literal["entries", "people"]
"""What is saved all the time, and fails or works by itself."""
Told: TypeAlias = Callable[[str | None], None]
"""Is told why nothing can be written, when that begins and then every second; None: it can be again."""

logger = logging.getLogger(__name__)


class Health:
    """How it stands with the writing of one database. Used on the event loop only."""

    def __init__(self, attempt: Callable[[], Awaitable[object]]) -> None:
        """`attempt` writes something that changes nothing, and fails if that can't be done."""
        self.trouble: str | None = None
        """Why nothing can be written; None: all is well."""
        self.may_write = True
        """False while this node has lost its lock of the database: a restore or a migration might run."""
        self._attempt = attempt
        self._told: list[Told] = []
        self._numbers = itertools.count()
        self._under_way: dict[int, float] = {}
        """Since when each write is under way, in the event loop's time; the oldest first."""
        self._refusals: dict[Kind, int] = dict.fromkeys(get_args(Kind), 0)
        """Refusals in a row."""
        self._saved: dict[Kind, float] = {}
        """When something of each kind was saved last, in the event loop's time."""
        self._failed = 0.0
        """When something last failed."""
        self._disconnected: set[str] = set()
        """The background connections that are lost just now."""
        self._outage: float | None = None
        """Since when the database is in trouble, in the event loop's time: one line in the log says so."""
        self._timer: asyncio.TimerHandle | None = None
        self._trying: asyncio.Task[None] | None = None
        self._closed = False

    def subscribe(self, told: Told) -> Callable[[], None]:
        """Have somebody told of trouble; gives how to stop that."""
        self._told.append(told)
        return lambda: self._told.remove(told)

    def begins(self) -> int:
        """A write is asked for; gives its number."""
        number = next(self._numbers)
        self._under_way[number] = asyncio.get_running_loop().time()
        if self._timer is None:
            self._look_in(SLOW_SECONDS)
        return number

    def done(self, write: int) -> None:
        """A write is done; or it was refused, which shows that the database answers."""
        del self._under_way[write]
        self._end_trouble()

    def saved(self, kind: Kind) -> None:
        """Note that something of this kind was saved."""
        self._saved[kind] = asyncio.get_running_loop().time()
        if self._refusals[kind]:
            self._refusals[kind] = 0
            self._end_trouble()

    def refused(self, kind: Kind, error: Exception) -> None:
        """Note that the database answers, but refuses to save something of this kind for no reason that we know."""
        self._refusals[kind] += 1
        if self._refusals[kind] >= MOST_REFUSALS:
            self._ill(f"{kind} can’t be saved: {type(error).__name__}")

    async def check(self) -> bool:
        """Return whether entries and people can be saved. If none was saved lately, the probe is asked."""
        now = asyncio.get_running_loop().time()
        quiet = any(now - self._saved.get(kind, -QUIET_SECONDS) >= QUIET_SECONDS for kind in get_args(Kind))
        if quiet and self.trouble is None:
            if self._trying is None or self._trying.done():
                self._trying = asyncio.get_running_loop().create_task(self._try(), name="database probe")
            await asyncio.shield(self._trying)
        return self.trouble is None and self.may_write

    def _end_trouble(self) -> None:
        if (
            self.trouble is not None
            and max(self._refusals.values()) < MOST_REFUSALS
            and asyncio.get_running_loop().time() - self._failed >= AGAIN_SECONDS
        ):
            self._tell(None)

    def failed(self, why: str, write: int | None = None) -> None:
        """The database could not be used: by a write, or by whoever only reads."""
        if write is not None:
            del self._under_way[write]
        self._ill(why)

    def disconnected(self, name: str, why: str) -> None:
        """Note that a background connection is lost. An outage is logged once, whatever is lost in it."""
        self._disconnected.add(name)
        self._begin_outage(f"{name}: {why}")

    def connected(self, name: str) -> None:
        """Note that a background connection is there."""
        self._disconnected.discard(name)
        self._end_outage()

    def _begin_outage(self, why: str) -> None:
        if self._outage is None and not self._closed:
            self._outage = asyncio.get_running_loop().time()
            logger.error("database outage: %s", why)

    def _end_outage(self) -> None:
        if self._outage is not None and self.trouble is None and not self._disconnected:
            seconds = asyncio.get_running_loop().time() - self._outage
            self._outage = None
            logger.warning("the database is back after %.1f seconds", seconds)

    def close(self) -> None:
        """Look no more."""
        self._closed = True
        for each in (self._timer, self._trying):
            if each is not None:
                each.cancel()

    def _ill(self, why: str) -> None:
        self._failed = asyncio.get_running_loop().time()
        if self.trouble is None and not self._closed:
            self._tell(why)
            self._look_in(AGAIN_SECONDS)

    def _tell(self, why: str | None) -> None:
        self.trouble = why
        if why is None:
            self._end_outage()
        else:
            self._begin_outage(why)
        for told in tuple(self._told):
            try:
                told(why)
            except Exception:  # the others must not suffer
                logger.exception("somebody could not be told")

    def _look_in(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if not self._closed:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        """See how long the oldest write has been under way; where there is trouble and none is, try."""
        self._timer = None
        loop = asyncio.get_running_loop()
        now = loop.time()
        waited = now - min(self._under_way.values(), default=now)
        if self.trouble is not None:
            self._tell(self.trouble)
            if not self._under_way and (self._trying is None or self._trying.done()):
                self._trying = loop.create_task(self._try(), name="database")
            self._look_in(AGAIN_SECONDS)
        elif waited >= SLOW_SECONDS:
            self._ill(f"a write takes more than {SLOW_SECONDS:g} seconds")
        elif self._under_way:
            self._look_in(SLOW_SECONDS - waited)

    async def _try(self) -> None:
        try:
            await self._attempt()
        except Unavailable:
            return  # it has been noted
        except Exception as error:
            self._ill(f"saving is refused: {type(error).__name__}")
            return
        for kind in self._refusals:
            self._refusals[kind] = 0
            self._saved[kind] = asyncio.get_running_loop().time()
        self._end_trouble()
