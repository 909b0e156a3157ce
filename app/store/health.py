"""Whether what is to be written gets written: known from the writing itself, and tried again as long as it does not.

A disk that is full, or a file that somebody else holds, can still be read: who only asks whether the database answers
finds it well. So trouble begins with a write that fails, or that takes long, and it ends with one that does not; where
nobody writes, something small is written to see.
"""

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, TypeAlias

SLOW_SECONDS: Final = 2.0
"""A write that takes longer is trouble, whatever it waits for."""
AGAIN_SECONDS: Final = 1.0
"""Between two tries; and how long trouble lasts at least, so that nobody is told of it more often."""

Told: TypeAlias = Callable[[str | None], None]
"""Is told why nothing can be written, when that begins and then every second; None: it can be again."""

logger = logging.getLogger(__name__)


class Health:
    """How it stands with the writing of one database. Used on the event loop only."""

    def __init__(self, attempt: Callable[[], Awaitable[object]]) -> None:
        """`attempt` writes something that changes nothing, and fails if that can't be done."""
        self.trouble: str | None = None
        """Why nothing can be written; None: all is well."""
        self._attempt = attempt
        self._told: list[Told] = []
        self._numbers = itertools.count()
        self._under_way: dict[int, float] = {}
        """Since when each write is under way, in the event loop's time; the oldest first."""
        self._failed = 0.0
        """When something last failed."""
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
        """A write is done; or it was refused, which shows that the database works."""
        del self._under_way[write]
        if self.trouble is not None and asyncio.get_running_loop().time() - self._failed >= AGAIN_SECONDS:
            self._tell(None)

    def failed(self, why: str, write: int | None = None) -> None:
        """The database could not be used: by a write, or by whoever only reads."""
        if write is not None:
            del self._under_way[write]
        self._ill(why)

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
            if not self._under_way:
                self._trying = loop.create_task(self._try(), name="database")
            self._look_in(AGAIN_SECONDS)
        elif waited >= SLOW_SECONDS:
            self._ill(f"a write takes more than {SLOW_SECONDS:g} seconds")
        elif self._under_way:
            self._look_in(SLOW_SECONDS - waited)

    async def _try(self) -> None:
        with suppress(Exception):  # it has been noted
            await self._attempt()
