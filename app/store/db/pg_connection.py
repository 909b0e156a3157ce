"""Keep permanent connections to PostgreSQL for background tasks."""

import asyncio
import itertools
import random
import selectors
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from app.store.db.write_health import WriteHealth

if TYPE_CHECKING:
    import psycopg
    from psycopg.pq.abc import PGconn

    AsyncConnection: TypeAlias = psycopg.AsyncConnection[Any]


async def run_with_reconnect(
    arguments: Mapping[str, Any],
    work: Callable[["AsyncConnection"], Awaitable[None]],
    pauses: Sequence[float],
    name: str,
    health: WriteHealth,
) -> None:
    """Run `work` on a PostgreSQL connection, and again on a new one whenever it breaks, until `work` returns.

    `arguments` are those for psycopg's connect. `pauses` are the seconds before each new attempt to connect; the last
    value repeats. They vary by up to half. `health` is told under `name` when the connection is lost and restored.
    """
    import psycopg

    tries = itertools.count()
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(**arguments, autocommit=True) as connection:
                await _require_writable(connection)
                tries = itertools.count()
                health.connection_restored(name)
                await work(connection)
                return
        except psycopg.Error as error:
            health.connection_lost(name, str(error).partition("\n")[0])
        await asyncio.sleep(pauses[min(next(tries), len(pauses) - 1)] * random.uniform(0.5, 1.5))


@contextmanager
def watch_socket(postgres: "PGconn", on_ready: Callable[[], None]) -> Iterator[Callable[[int], object]]:
    """Call `on_ready` while PostgreSQL has sent data or has closed the connection, until the block ends.

    Yields a function that changes the watched events, `EVENT_READ` at first, to others of the module `selectors`.
    Raises a psycopg error if the connection is lost already.

    The event loop watches a selector that holds the socket, for two reasons. libpq closes the socket of a lost
    connection within any call, and the system gives its number to the next visitor. And uvloop reports a connection
    that was reset only once, when libpq may not have read everything.
    """
    loop = asyncio.get_running_loop()
    with selectors.DefaultSelector() as selector:
        selector.register(postgres.socket, selectors.EVENT_READ)
        loop.add_reader(selector.fileno(), on_ready)
        try:
            yield partial(selector.modify, postgres.socket)
        finally:
            loop.remove_reader(selector.fileno())


async def _require_writable(connection: "AsyncConnection") -> None:
    """Raise a psycopg error if this PostgreSQL server is read-only, like a standby, so that another is tried."""
    import psycopg

    row = await (await connection.execute("SHOW transaction_read_only")).fetchone()
    if row is not None and row[0] == "on":
        raise psycopg.errors.ReadOnlySqlTransaction("this PostgreSQL accepts no writes")
