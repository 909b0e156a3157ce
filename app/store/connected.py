"""A connection to PostgreSQL of one's own, for what goes on as long as the process does."""

import asyncio
import itertools
import logging
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import psycopg

    AsyncConnection: TypeAlias = psycopg.AsyncConnection[Any]

log = logging.getLogger(__name__)


async def keep_connected(
    arguments: Mapping[str, Any],
    work: Callable[["AsyncConnection"], Awaitable[None]],
    pauses: Sequence[float],
    trouble: str,
) -> None:
    """Work on a connection, and on a new one whenever it breaks, until the work is done.

    `pauses` are the seconds before each new try to connect, the last for all that follow; `trouble` says in the log
    what doesn't happen meanwhile.
    """
    import psycopg

    tries = itertools.count()
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(**arguments, autocommit=True) as connection:
                tries = itertools.count()
                await work(connection)
                return
        except psycopg.Error as error:
            log.warning("%s: %s", trouble, str(error).partition("\n")[0])
        await asyncio.sleep(pauses[min(next(tries), len(pauses) - 1)] * random.uniform(0.5, 1.5))
