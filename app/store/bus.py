"""Hints between nodes: room so-and-so is at seq n. Ids and numbers, nothing else; a hint may be lost.

One node needs no more than the rooms' `MemoryBus`. Several share a PostgreSQL, and its NOTIFY carries the hints: from
a connection of its own and in small statements of its own, since a NOTIFY inside the log's transactions would make
them wait for each other.
"""

import asyncio
import itertools
import logging
import random
import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from .database import Database, postgres_arguments

if TYPE_CHECKING:
    import psycopg

    AsyncConnection: TypeAlias = psycopg.AsyncConnection[Any]

log = logging.getLogger(__name__)

Callback = Callable[[str, int], None]

CHANNEL: Final = "pecking_order"
LONGEST: Final = 7000
"""Bytes of one NOTIFY; PostgreSQL takes less than 8000."""
PAUSES: Final = (0.1, 0.5, 1.0, 2.0, 5.0)
"""Seconds before each new try to connect; the last for all that follow."""


class PostgresBus:
    """Hints from other processes and to them: a `Bus`. Made on a running event loop; `close` it."""

    def __init__(self, database: Database) -> None:
        self._arguments = postgres_arguments(database.url)
        self._node = secrets.token_hex(6)
        self._callbacks: dict[object, Callback] = {}
        self._news: dict[str, int] = {}
        """What the others have not been told yet: of each room, the latest only."""
        self._wake = asyncio.Event()
        self.listening = asyncio.Event()
        """Whether hints of others arrive just now."""
        self._tasks = [
            asyncio.create_task(self._for_ever(self._listen), name="bus: listen"),
            asyncio.create_task(self._for_ever(self._speak), name="bus: speak"),
        ]

    def publish(self, room: str, seq: int) -> None:
        """Tell the other processes, soon. Nobody waits for it."""
        self._news[room] = max(seq, self._news.get(room, 0))
        self._wake.set()

    def subscribe(self, callback: Callback) -> Callable[[], None]:
        """Be told what others publish; returns what ends it. The callback is quick and runs on the event loop."""
        mark = object()
        self._callbacks[mark] = callback

        def unsubscribe() -> None:
            self._callbacks.pop(mark, None)

        return unsubscribe

    async def close(self) -> None:
        """Stop listening and speaking."""
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)

    async def _for_ever(self, work: Callable[["AsyncConnection"], Awaitable[None]]) -> None:
        """Work on a connection, and on a new one whenever it breaks."""
        import psycopg

        tries = itertools.count()
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(**self._arguments, autocommit=True) as connection:
                    tries = itertools.count()
                    await work(connection)
            except psycopg.Error as error:
                log.warning("hints to other nodes are interrupted: %s", str(error).partition("\n")[0])
            await asyncio.sleep(PAUSES[min(next(tries), len(PAUSES) - 1)] * random.uniform(0.5, 1.5))

    async def _listen(self, connection: "AsyncConnection") -> None:
        await connection.execute(f"LISTEN {CHANNEL}".encode())
        self.listening.set()
        try:
            async for notice in connection.notifies():
                node, *hints = notice.payload.split()
                if node != self._node:
                    for hint in hints:
                        room, _, seq = hint.partition(":")
                        self._heard(room, int(seq))
        finally:
            self.listening.clear()

    def _heard(self, room: str, seq: int) -> None:
        for callback in tuple(self._callbacks.values()):
            try:
                callback(room, seq)
            except Exception:  # the others, and the next hint, must not suffer
                log.exception("a listener failed at a hint")

    async def _speak(self, connection: "AsyncConnection") -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            news, self._news = self._news, {}
            try:
                await connection.execute(
                    "SELECT pg_notify(%s, payload) FROM unnest(%s::text[]) AS payload",
                    (CHANNEL, list(payloads(self._node, news))),
                )
            except BaseException:
                self._news = news | self._news  # for the next connection
                self._wake.set()
                raise


def payloads(node: str, news: Mapping[str, int], longest: int = LONGEST) -> Iterator[str]:
    """What is sent: who speaks, then hints, as many as fit.

    >>> list(payloads("n1", {"KQ7F3M": 57, "ABCDEF": 3, "ZZZZZZ": 12}, 22))
    ['n1 KQ7F3M:57 ABCDEF:3', 'n1 ZZZZZZ:12']
    """
    line = node
    for room, seq in news.items():
        hint = f" {room}:{seq}"
        if line != node and len(line) + len(hint) > longest:
            yield line
            line = node
        line += hint
    if line != node:
        yield line
