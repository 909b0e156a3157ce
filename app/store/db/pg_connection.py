"""Connections to PostgreSQL that background tasks keep for themselves."""

import asyncio
import itertools
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from app.store.db.write_health import Health

if TYPE_CHECKING:
    import psycopg

    AsyncConnection: TypeAlias = psycopg.AsyncConnection[Any]


async def keep_connected(
    arguments: Mapping[str, Any],
    work: Callable[["AsyncConnection"], Awaitable[None]],
    pauses: Sequence[float],
    name: str,
    health: Health,
) -> None:
    """Run `work` on a connection, and on a new one whenever it breaks, until the work returns.

    `pauses` are the seconds before each new try to connect; the last holds for all that follow. `name` is the
    connection's, by which `health` hears that it is lost and that it is back.
    """
    import psycopg

    tries = itertools.count()
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(**arguments, autocommit=True) as connection:
                await _require_writable(connection)
                tries = itertools.count()
                health.connected(name)
                await work(connection)
                return
        except psycopg.Error as error:
            health.disconnected(name, str(error).partition("\n")[0])
        await asyncio.sleep(pauses[min(next(tries), len(pauses) - 1)] * random.uniform(0.5, 1.5))


async def _require_writable(connection: "AsyncConnection") -> None:
    """Raise an error of psycopg if this server takes no writes, as a standby does: these connections are for writes."""
    import psycopg

    row = await (await connection.execute("SHOW transaction_read_only")).fetchone()
    if row is not None and row[0] == "on":
        raise psycopg.errors.ReadOnlySqlTransaction("this PostgreSQL accepts no writes")
