"""Send hints between nodes: a room has reached seq n, or has a chat line or reaction. Hints may be lost.

A single node uses the rooms' `MemoryBus`. Several nodes share a PostgreSQL, whose NOTIFY carries the hints. They have
separate connections and transactions, since a NOTIFY in the log's transactions would make those wait for each other. A
room's hints use a channel chosen by the hash of its id. A node listens only to the channels of its rooms, so that
activity in other rooms costs it nothing.
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

from app.background_tasks import TaskName, run_with_restarts
from app.rooms.ports.bus import ALL_NODES_PREFIX, CHECK_LOG_SEQ, SIDE_MESSAGE_MARK
from app.store.db.database import Database
from app.store.db.engines import postgres_connect_arguments
from app.store.db.pg_connection import run_with_reconnect, watch_socket
from app.store.maintenance.migrations import newest_revision
from app.store.maintenance.open_database import LOCK_SHARED, holder_name

if TYPE_CHECKING:
    import psycopg

    AsyncConnection: TypeAlias = psycopg.AsyncConnection[Any]

log = logging.getLogger(__name__)

Callback = Callable[[str, int], None]

CHANNEL: Final = "pecking_order"
"""Channel of hints for all nodes. Channels of rooms add a number."""
CHANNEL_COUNT: Final = 4096
"""Number of room channels. A node with more rooms also receives hints of other rooms, and ignores them."""
MAX_NOTIFY_BYTES: Final = 7000
"""Largest size of one NOTIFY in bytes; PostgreSQL allows less than 8000."""
SEND_INTERVAL: Final = 0.025
"""Seconds between two sends. Hints are collected meanwhile: one send costs this process the time of several actions."""
MAX_PENDING_ASIDES: Final = 200
"""Largest number of chat lines and reactions that wait to be sent. More would send old chat after a long outage."""
RECONNECT_DELAYS: Final = (0.1, 0.5, 1.0)
"""Seconds before each new attempt to connect; the last value repeats."""
_TELL: Final = "SELECT pg_notify(notice->>0, notice->>1) FROM json_array_elements(%s) AS notice"


class PostgresBus:
    """Exchanges hints about new log entries, chat and reactions with other server processes through PostgreSQL.

    Create it in a running event loop, and `close` it. Its listening connection also holds the database lock.
    """

    def __init__(self, database: Database) -> None:
        self._node = secrets.token_hex(6)
        self._health = database.health
        self._version = newest_revision()
        self._callbacks: dict[object, Callback] = {}
        self._followed: defaultdict[str, set[str]] = defaultdict(set)
        """Rooms of this node, by channel."""
        self._listener_wake = asyncio.Event()
        """Set when the wanted channels have changed, or the connection failed."""
        self._pending_seqs: dict[str, int] = {}
        """Hints to send: the latest seq of each room."""
        self._pending_asides = deque[str]()
        """Keys of the chat lines and reactions among `_pending_seqs`, oldest first."""
        self._sender_wake = asyncio.Event()
        self.listening = asyncio.Event()
        """Set while hints from other nodes are received."""
        arguments = {**postgres_connect_arguments(database.direct_url), "application_name": holder_name()}
        # Hints may be lost, so NOTIFY, which is written to the log of PostgreSQL, waits for no disk and no replica.
        arguments["options"] += " -c synchronous_commit=off"

        def supervised(name: TaskName, work: Callable[["AsyncConnection"], Awaitable[None]]) -> asyncio.Task[None]:
            connected = partial(run_with_reconnect, arguments, work, RECONNECT_DELAYS, name, database.health)
            return asyncio.create_task(run_with_restarts(name, connected, database.failed, RECONNECT_DELAYS), name=name)

        self._tasks = [supervised("bus listener", self._listen), supervised("bus sender", self._send_notifications)]

    def publish(self, room: str, seq: int) -> None:
        """Queue a hint for the other processes, that this room's log has reached entry `seq`, and return at once.

        While hints can't be sent, only the newest `MAX_PENDING_ASIDES` chat lines and reactions are kept.
        """
        if SIDE_MESSAGE_MARK in room and room not in self._pending_seqs:
            self._pending_asides.append(room)
            if len(self._pending_asides) > MAX_PENDING_ASIDES:
                self._pending_seqs.pop(self._pending_asides.popleft(), None)
        self._pending_seqs[room] = max(seq, self._pending_seqs.get(room, 0))
        self._sender_wake.set()

    def subscribe(self, callback: Callback) -> Callable[[], None]:
        """Call `callback(room, seq)` for each hint from other processes; return a function that ends this.

        The callback runs on the event loop and must be quick.
        """
        mark = object()
        self._callbacks[mark] = callback

        def unsubscribe() -> None:
            self._callbacks.pop(mark, None)

        return unsubscribe

    def follow(self, room: str) -> None:
        """Start to receive hints for a room that is loaded here.

        When listening has begun, callbacks get `CHECK_LOG_SEQ` for it, because earlier hints were missed.
        """
        self._followed[channel_of_room(room)].add(room)
        self._listener_wake.set()

    def unfollow(self, room: str) -> None:
        """Stop receiving hints for a room that was unloaded.

        Some may still arrive, if its channel serves other rooms.
        """
        name = channel_of_room(room)
        self._followed[name].discard(room)
        if not self._followed[name]:
            del self._followed[name]
            self._listener_wake.set()

    async def close(self) -> None:
        """Stop receiving and sending hints. Hints that wait to be sent are lost."""
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)

    async def _listen(self, connection: "AsyncConnection") -> None:
        await self._take_lock(connection)
        open_channels: set[str] = set()
        # handles messages that arrive while channels change
        connection.add_notify_handler(lambda notice: self._handle_payload(notice.payload))
        try:
            while True:
                self._listener_wake.clear()
                open_channels = await self._update_channels(connection, open_channels)
                self.listening.set()
                await self._receive_notifications(connection)
        finally:
            self.listening.clear()
            self._health.has_lock = False

    async def _take_lock(self, connection: "AsyncConnection") -> None:
        """Take the shared database lock on this connection; this process writes nothing without it.

        Raises a psycopg error if a command uses the database exclusively, or has migrated it. Then the connection is
        retried.
        """
        import psycopg

        row = await (await connection.execute(LOCK_SHARED)).fetchone()
        if row is None or not row[0]:
            raise psycopg.OperationalError("another process uses the database for itself")
        row = await (await connection.execute("SELECT version_num FROM alembic_version")).fetchone()
        if row is None or row[0] != self._version:
            raise psycopg.OperationalError("the database was migrated by another version of the program")
        self._health.has_lock = True

    async def _update_channels(self, connection: "AsyncConnection", open_channels: set[str]) -> set[str]:
        """Listen to the channels of the rooms loaded here and leave all others; return the channels.

        For new channels, callbacks get `CHECK_LOG_SEQ` for each room, since earlier hints were missed.
        """
        channels = {CHANNEL, *self._followed}
        steps = [f"LISTEN {name}" for name in channels - open_channels] + [
            f"UNLISTEN {name}" for name in open_channels - channels
        ]
        if steps:
            await connection.execute("; ".join(steps).encode())
        for name in channels - open_channels:
            for room in tuple(self._followed.get(name, ())):
                self._notify_subscribers(room, CHECK_LOG_SEQ)
        return channels

    async def _receive_notifications(self, connection: "AsyncConnection") -> None:
        """Pass incoming hints to the subscribers until other channels are wanted.

        Raises a psycopg error if the connection is lost. It reads the socket itself: psycopg's generator would cost
        more than all other work here. This node's own hints also arrive, and are ignored.
        """
        import psycopg

        postgres = connection.pgconn

        def take() -> None:
            try:
                postgres.consume_input()
                while notice := postgres.notifies():
                    self._handle_payload(notice.extra.decode())
            except psycopg.Error as error:
                lost.append(error)
                self._listener_wake.set()

        lost: list[psycopg.Error] = []
        with watch_socket(postgres, take):
            take()
            await self._listener_wake.wait()
        for error in lost:
            raise error

    def _handle_payload(self, payload: str) -> None:
        node, *hints = payload.split()
        if node != self._node:
            for hint in hints:
                room, _, seq = hint.partition(":")
                self._notify_subscribers(room, int(seq))

    def _notify_subscribers(self, room: str, seq: int) -> None:
        for callback in tuple(self._callbacks.values()):
            try:
                callback(room, seq)
            except Exception:  # the other callbacks and the next hints must still be handled
                log.exception("a listener of the bus failed")

    async def _send_notifications(self, connection: "AsyncConnection") -> None:
        while True:
            await self._sender_wake.wait()
            self._sender_wake.clear()
            news, self._pending_seqs = self._pending_seqs, {}
            self._pending_asides.clear()
            try:
                await connection.execute(_TELL, (json.dumps([*build_notifications(self._node, news)]),))
            except BaseException:
                missed, self._pending_seqs = self._pending_seqs, {}
                for room, seq in (news | missed).items():  # send them on the next connection
                    self.publish(room, seq)
                self._sender_wake.set()
                raise
            await asyncio.sleep(SEND_INTERVAL)


def channel_of_room(room: str) -> str:
    """Return the PostgreSQL channel on which hints about this room are sent, the same in every process.

    `room` may also be a key of a chat line or reaction, or of a hint for all nodes.

    >>> channel_of_room("KQ7F3M"), channel_of_room("@somebody")
    ('pecking_order_400', 'pecking_order')
    >>> channel_of_room("KQ7F3M!a1.heart")
    'pecking_order_400'
    """
    if room.startswith(ALL_NODES_PREFIX):
        return CHANNEL
    return f"{CHANNEL}_{zlib.crc32(room.partition(SIDE_MESSAGE_MARK)[0].encode()) % CHANNEL_COUNT:03x}"


def build_notifications(node: str, seqs: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield (channel, text) pairs that send these hints (last entry number by room) to other processes.

    `node`: this process, which ignores its own hints.
    """
    by_channel: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for room, seq in seqs.items():
        by_channel[channel_of_room(room)][room] = seq
    for name, hints in by_channel.items():
        for text in split_into_payloads(node, hints):
            yield name, text


def split_into_payloads(node: str, seqs: Mapping[str, int], max_bytes: int = MAX_NOTIFY_BYTES) -> Iterator[str]:
    """Split hints (last entry number by room) into texts of at most `max_bytes`, since PostgreSQL limits them.

    Each text is the node's id, then its hints.

    >>> list(split_into_payloads("n1", {"KQ7F3M": 57, "ABCDEF": 3, "ZZZZZZ": 12}, 22))
    ['n1 KQ7F3M:57 ABCDEF:3', 'n1 ZZZZZZ:12']
    """
    line = node
    for room, seq in seqs.items():
        hint = f" {room}:{seq}"
        if line != node and len(line) + len(hint) > max_bytes:
            yield line
            line = node
        line += hint
    if line != node:
        yield line
