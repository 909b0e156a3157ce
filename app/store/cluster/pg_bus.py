"""Hints between nodes: room so-and-so is at seq n, or somebody there has told the others something. One may be lost.

One node needs no more than the rooms' `MemoryBus`. Several share a PostgreSQL, and its NOTIFY carries the hints: from
a connection of its own and in small statements of its own, since a NOTIFY inside the log's transactions would make
them wait for each other. A room's hints travel on a channel by the hash of its id, and a node listens to those whose
rooms it has: what happens in other nodes' rooms costs it nothing.
"""

import asyncio
import json
import logging
import secrets
import zlib
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from app.background_tasks import TaskName, supervise
from app.rooms.ports.bus import ASIDE, LOOK, TO_ALL
from app.store.db.database import Database
from app.store.db.engines import postgres_arguments
from app.store.db.pg_connection import keep_connected
from app.store.maintenance.migrations import newest
from app.store.maintenance.open_database import LOCK_SHARED, holder_name

if TYPE_CHECKING:
    import psycopg

    AsyncConnection: TypeAlias = psycopg.AsyncConnection[Any]

log = logging.getLogger(__name__)

Callback = Callable[[str, int], None]

CHANNEL: Final = "pecking_order"
"""For hints that every node hears; those of rooms have a number after it."""
CHANNELS: Final = 4096
"""Of rooms. A node that has more rooms than this hears of many that it has not, and lets those hints pass."""
LONGEST: Final = 7000
"""Bytes of one NOTIFY; PostgreSQL takes less than 8000."""
GATHER: Final = 0.01
"""Seconds after a NOTIFY in which hints wait for the next: each costs this process as much as several actions."""
MOST_ASIDES: Final = 200
"""Chat lines and reactions that wait to be sent. A longer outage would send hours of chat late."""
PAUSES: Final = (0.1, 0.5, 1.0)
"""Seconds before each new try to connect; the last for all that follow."""
_TELL: Final = "SELECT pg_notify(notice->>0, notice->>1) FROM json_array_elements(%s) AS notice"


class PostgresBus:
    """Hints from other processes and to them: a `Bus`. Made on a running event loop; `close` it."""

    def __init__(self, database: Database) -> None:
        self._node = secrets.token_hex(6)
        self._health = database.health
        self._version = newest()
        self._callbacks: dict[object, Callback] = {}
        self._followed: defaultdict[str, set[str]] = defaultdict(set)
        """The rooms of this node, by channel."""
        self._to_hear = asyncio.Event()
        """Whether there is something to read, or other channels are wanted."""
        self._news: dict[str, int] = {}
        """What the others have not been told yet: of each room, the latest only."""
        self._asides = deque[str]()
        """Chat lines and reactions among these, oldest first."""
        self._wake = asyncio.Event()
        self.listening = asyncio.Event()
        """Whether hints of others arrive just now."""
        arguments = {**postgres_arguments(database.url), "application_name": holder_name()}

        def supervised(name: TaskName, work: Callable[["AsyncConnection"], Awaitable[None]]) -> asyncio.Task[None]:
            connected = partial(keep_connected, arguments, work, PAUSES, name, database.health)
            return asyncio.create_task(supervise(name, connected, database.failed, PAUSES), name=name)

        self._tasks = [supervised("bus listener", self._listen), supervised("bus sender", self._speak)]

    def publish(self, room: str, seq: int) -> None:
        """Tell the other processes, soon. Nobody waits for it.

        While they can't be told, only the newest `MOST_ASIDES` chat lines and reactions are kept.
        """
        if ASIDE in room and room not in self._news:
            self._asides.append(room)
            if len(self._asides) > MOST_ASIDES:
                self._news.pop(self._asides.popleft(), None)
        self._news[room] = max(seq, self._news.get(room, 0))
        self._wake.set()

    def subscribe(self, callback: Callback) -> Callable[[], None]:
        """Be told what others publish; returns what ends it. The callback is quick and runs on the event loop."""
        mark = object()
        self._callbacks[mark] = callback

        def unsubscribe() -> None:
            self._callbacks.pop(mark, None)

        return unsubscribe

    def follow(self, room: str) -> None:
        """Hear of this room, soon: from then on. Callbacks are told `LOOK` then."""
        self._followed[channel(room)].add(room)
        self._to_hear.set()

    def unfollow(self, room: str) -> None:
        """Hear of this room no longer, unless by the way."""
        name = channel(room)
        self._followed[name].discard(room)
        if not self._followed[name]:
            del self._followed[name]
            self._to_hear.set()

    async def close(self) -> None:
        """Stop listening and speaking."""
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)

    async def _listen(self, connection: "AsyncConnection") -> None:
        await self._take_lock(connection)
        open_channels: set[str] = set()
        connection.add_notify_handler(lambda notice: self._told(notice.payload))  # while channels change
        try:
            while True:
                self._to_hear.clear()
                open_channels = await self._tune(connection, open_channels)
                self.listening.set()
                await self._hear(connection)
        finally:
            self.listening.clear()
            self._health.may_write = False

    async def _take_lock(self, connection: "AsyncConnection") -> None:
        """Take the shared lock of the database, which this connection then holds: without it nothing is written.

        Raises an error of psycopg if a command has the database for itself, or has migrated it: the connection is
        then made again.
        """
        import psycopg

        row = await (await connection.execute(LOCK_SHARED)).fetchone()
        if row is None or not row[0]:
            raise psycopg.OperationalError("another process uses the database for itself")
        row = await (await connection.execute("SELECT version_num FROM alembic_version")).fetchone()
        if row is None or row[0] != self._version:
            raise psycopg.OperationalError("the database was migrated by another version of the program")
        self._health.may_write = True

    async def _tune(self, connection: "AsyncConnection", before: set[str]) -> set[str]:
        """Listen to the channels of the rooms that this node has now; what was said there before, nobody has heard."""
        wanted = {CHANNEL, *self._followed}
        steps = [f"LISTEN {name}" for name in wanted - before] + [f"UNLISTEN {name}" for name in before - wanted]
        if steps:
            await connection.execute("; ".join(steps).encode())
        for name in wanted - before:
            for room in tuple(self._followed.get(name, ())):
                self._heard(room, LOOK)
        return wanted

    async def _hear(self, connection: "AsyncConnection") -> None:
        """Take what arrives, until other channels are wanted.

        What this node says comes back to it, too: a generator of psycopg's would cost more than all the rest of it.
        """
        import psycopg

        loop, postgres = asyncio.get_running_loop(), connection.pgconn

        def take() -> None:
            try:
                postgres.consume_input()
                while notice := postgres.notifies():
                    self._told(notice.extra.decode())
            except psycopg.Error as error:
                lost.append(error)
                self._to_hear.set()

        lost: list[psycopg.Error] = []
        loop.add_reader(postgres.socket, take)
        try:
            take()
            await self._to_hear.wait()
        finally:
            loop.remove_reader(postgres.socket)
        for error in lost:
            raise error

    def _told(self, payload: str) -> None:
        node, *hints = payload.split()
        if node != self._node:
            for hint in hints:
                room, _, seq = hint.partition(":")
                self._heard(room, int(seq))

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
            self._asides.clear()
            try:
                await connection.execute(_TELL, (json.dumps([*notices(self._node, news)]),))
            except BaseException:
                missed, self._news = self._news, {}
                for room, seq in (news | missed).items():  # for the next connection
                    self.publish(room, seq)
                self._wake.set()
                raise
            await asyncio.sleep(GATHER)


def channel(room: str) -> str:
    """Where hints of this room travel, on every node alike.

    >>> channel("KQ7F3M"), channel("@somebody")
    ('pecking_order_400', 'pecking_order')
    >>> channel("KQ7F3M!a1.heart")
    'pecking_order_400'
    """
    if room.startswith(TO_ALL):
        return CHANNEL
    return f"{CHANNEL}_{zlib.crc32(room.partition(ASIDE)[0].encode()) % CHANNELS:03x}"


def notices(node: str, news: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Everything to be sent, as channels and texts."""
    by_channel: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for room, seq in news.items():
        by_channel[channel(room)][room] = seq
    for name, hints in by_channel.items():
        for text in payloads(node, hints):
            yield name, text


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
