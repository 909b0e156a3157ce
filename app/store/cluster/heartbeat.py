"""The heart of a node: where processes share a PostgreSQL, each says every few seconds that it lives, and hears of the
others. Nobody sits at the sockets of a node whose heart has stopped.

It has a connection of its own, so that it beats however busy the others are, and a table that is no part of what is
kept: what is in it is worth nothing after some seconds, so PostgreSQL need not log it, and no backup has it.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias

from app.background_tasks import supervise
from app.rooms.ports.storage import Unavailable
from app.store.cluster.liveness import Pulse
from app.store.db.database import Database
from app.store.db.engines import postgres_arguments
from app.store.db.pg_connection import keep_connected

if TYPE_CHECKING:
    import psycopg

    AsyncConnection: TypeAlias = psycopg.AsyncConnection[Any]

log = logging.getLogger(__name__)

MISSED: Final = 2
"""After so many beats without one, a node is dead."""
PATIENCE: Final = 10.0
"""Seconds that the first beat, and the last, may take."""
PAUSES: Final = (0.1, 0.5, 1.0)
"""Seconds before each new try to connect. Who is away for long is taken for dead."""

# Nodes that start together would make it together, and one of them fail.
_MAKE: Final = """
DO $$ BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('pecking-order hearts'));
    CREATE UNLOGGED TABLE IF NOT EXISTS hearts (
        node text PRIMARY KEY, place text NOT NULL, beat_at timestamptz NOT NULL, has_left boolean NOT NULL
    );
END $$
"""
_TIDY: Final = "DELETE FROM hearts WHERE beat_at < now() - interval '1 day'"
# Whoever was at this place before is dead.
_REPLACE: Final = "UPDATE hearts SET has_left = true WHERE place = %(place)s AND node <> %(node)s"
_BEAT: Final = """
INSERT INTO hearts VALUES (%(node)s, %(place)s, clock_timestamp(), false)
ON CONFLICT (node) DO UPDATE SET beat_at = excluded.beat_at, has_left = false
"""
_LOOK: Final = """
SELECT node, CASE WHEN NOT has_left THEN extract(epoch FROM clock_timestamp() - beat_at)::float8 END FROM hearts
"""
_LEAVE: Final = "UPDATE hearts SET has_left = true WHERE node = %(node)s"


class Heart:
    """Beats from `began` to `close`."""

    def __init__(self, database: Database, place: str | None, seconds: float) -> None:
        """`place`: of which there is never more than one process, such as machine and port; None: not known.

        A beat every so many `seconds`.
        """
        self.node = secrets.token_hex(4)
        """The name of this node, another one in each life."""
        self.living: frozenset[str] = frozenset({self.node})
        """The nodes whose hearts beat, as far as is known."""
        self.told: Callable[[frozenset[str]], None] = _nobody
        """Is told at each beat which nodes live."""
        self._own = {"node": self.node, "place": place or self.node}
        self._seconds = seconds
        self._pulse = Pulse(self.node, MISSED * seconds)
        self._beaten = asyncio.Event()
        self._stop = asyncio.Event()
        arguments = postgres_arguments(database.url)
        work = partial(keep_connected, arguments, self._beat, PAUSES, "heartbeat", database.health)
        self._task = asyncio.create_task(supervise("heartbeat", work, database.failed, PAUSES), name="heartbeat")

    async def began(self) -> Self:
        """Return after the first beat. `Unavailable` if there is none."""
        try:
            await asyncio.wait_for(self._beaten.wait(), PATIENCE)
        except TimeoutError:
            raise Unavailable("the database takes no heartbeat") from None
        return self

    async def close(self) -> None:
        """Tell the others that this node leaves, if they can be told, and stop."""
        self._stop.set()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._task, PATIENCE)

    async def _beat(self, connection: "AsyncConnection") -> None:
        await connection.execute(_MAKE)
        await connection.execute(_TIDY)
        await connection.execute(_REPLACE, self._own)
        while not self._stop.is_set():
            await connection.execute(_BEAT, self._own)
            rows = await (await connection.execute(_LOOK)).fetchall()
            loop = asyncio.get_running_loop()
            self._heard(self._pulse.look(loop.time(), dict(rows)))
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), self._pulse.pause(loop.time(), self._seconds))
        await connection.execute(_LEAVE, self._own)

    def _heard(self, living: frozenset[str]) -> None:
        if living != self.living:
            log.info("nodes that live: %s", " ".join(sorted(living)))
        self.living = living
        self._beaten.set()
        try:
            self.told(living)
        except Exception:  # it beats on
            log.exception("somebody could not be told which nodes live")


def _nobody(nodes: frozenset[str]) -> None:
    """Nobody is told."""
