"""Exchange heartbeats between nodes that share a PostgreSQL: each node reports every few seconds.

A node that misses two heartbeats is treated as dead: players connected to it count as away. Heartbeats use their own
connection, so that other load does not delay them. Their table is unlogged and not part of a backup: its rows lose
their value after some seconds.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias

from app.background_tasks import run_with_restarts
from app.rooms.ports.storage import StorageUnavailable
from app.store.cluster.liveness import NodeLiveness
from app.store.db.database import Database
from app.store.db.engines import postgres_connect_arguments
from app.store.db.pg_connection import run_with_reconnect

if TYPE_CHECKING:
    import psycopg

    AsyncConnection: TypeAlias = psycopg.AsyncConnection[Any]

log = logging.getLogger(__name__)

MAX_MISSED_BEATS: Final = 2
"""Number of missed heartbeats after which a node is dead."""
BEAT_TIMEOUT: Final = 10.0
"""Longest time in seconds for the first heartbeat, and for leaving."""
RECONNECT_DELAYS: Final = (0.1, 0.5, 1.0)
"""Seconds before each new attempt to connect. A node that is away too long is treated as dead."""

# The lock is for nodes that start together: one of them would fail to create the table.
_CREATE_TABLE: Final = """
DO $$ BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('pecking-order node_heartbeats'));
    CREATE UNLOGGED TABLE IF NOT EXISTS node_heartbeats (
        node_id text PRIMARY KEY, address text NOT NULL, last_beat_at timestamptz NOT NULL, has_left boolean NOT NULL
    );
END $$
"""
_DELETE_OLD_NODES: Final = "DELETE FROM node_heartbeats WHERE last_beat_at < now() - interval '1 day'"
# A previous process at this address must have ended.
_REPLACE: Final = "UPDATE node_heartbeats SET has_left = true WHERE address = %(place)s AND node_id <> %(node)s"
_BEAT: Final = """
INSERT INTO node_heartbeats VALUES (%(node)s, %(place)s, clock_timestamp(), false)
ON CONFLICT (node_id) DO UPDATE SET last_beat_at = excluded.last_beat_at, has_left = false
"""
_SELECT_SILENCES: Final = """
SELECT node_id, CASE WHEN NOT has_left THEN extract(epoch FROM clock_timestamp() - last_beat_at)::float8 END
FROM node_heartbeats
"""
_LEAVE: Final = "UPDATE node_heartbeats SET has_left = true WHERE node_id = %(node)s"


class Heartbeat:
    """The task by which this server process tells the others through PostgreSQL that it is alive, and hears of them.

    It runs from creation to `close`.
    """

    def __init__(self, database: Database, place: str | None, seconds: float) -> None:
        """Start the heartbeat task, with a beat every `seconds`.

        `place` is an address with at most one process, such as machine and port. It shows that an earlier process there
        is dead. None: unknown.
        """
        self.node = secrets.token_hex(4)
        """Random id of this node, new in each process."""
        self.alive_nodes: frozenset[str] = frozenset({self.node})
        """Ids of the live nodes, as far as this node knows."""
        self.on_alive_nodes: Callable[[frozenset[str]], None] = _ignore_nodes
        """Called after each heartbeat with the live nodes."""
        self._own = {"node": self.node, "place": place or self.node}
        self._seconds = seconds
        self._liveness = NodeLiveness(self.node, MAX_MISSED_BEATS * seconds)
        self._first_beat = asyncio.Event()
        self._stop = asyncio.Event()
        arguments = postgres_connect_arguments(database.direct_url)
        work = partial(
            run_with_reconnect, arguments, self._send_heartbeats, RECONNECT_DELAYS, "heartbeat", database.health
        )
        self._task = asyncio.create_task(
            run_with_restarts("heartbeat", work, database.failed, RECONNECT_DELAYS), name="heartbeat"
        )

    async def wait_for_first_beat(self) -> Self:
        """Wait until this process has sent its first heartbeat and knows the other live nodes; return this object.

        Called at startup. Raises `StorageUnavailable` if it takes longer than 10 seconds.
        """
        try:
            async with asyncio.timeout(BEAT_TIMEOUT):
                await self._first_beat.wait()
        except TimeoutError:
            raise StorageUnavailable("the database takes no heartbeat") from None
        return self

    async def close(self) -> None:
        """Stop the heartbeat, and tell the other nodes that this one has left, if the database can be reached.

        Gives up after 10 seconds; then the others notice the silence.
        """
        self._stop.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(BEAT_TIMEOUT):
                await self._task

    async def _send_heartbeats(self, connection: "AsyncConnection") -> None:
        await connection.execute(_CREATE_TABLE)
        await connection.execute(_DELETE_OLD_NODES)
        await connection.execute(_REPLACE, self._own)
        while not self._stop.is_set():
            await connection.execute(_BEAT, self._own)
            rows = await (await connection.execute(_SELECT_SILENCES)).fetchall()
            loop = asyncio.get_running_loop()
            self._update_alive_nodes(self._liveness.update_alive_nodes(loop.time(), dict(rows)))
            with suppress(TimeoutError):
                async with asyncio.timeout(self._liveness.seconds_until_check(loop.time(), self._seconds)):
                    await self._stop.wait()
        await connection.execute(_LEAVE, self._own)

    def _update_alive_nodes(self, alive_nodes: frozenset[str]) -> None:
        if alive_nodes != self.alive_nodes:
            log.info("live nodes: %s", " ".join(sorted(alive_nodes)))
        self.alive_nodes = alive_nodes
        self._first_beat.set()
        try:
            self.on_alive_nodes(alive_nodes)
        except Exception:  # the heartbeat must continue
            log.exception("a listener of live nodes failed")


def _ignore_nodes(nodes: frozenset[str]) -> None:
    """Do nothing: the default for the listener to the set of live nodes."""
