"""Write to each PostgreSQL of a cluster directly, to see whether two primaries ever accept writes.

PostgreSQL counts timelines: each new primary begins the next one. A write that begins after a write of a later timeline
was acknowledged must not be acknowledged, because its primary has been replaced.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, NamedTuple

import psycopg

EVERY: Final = 0.2
"""Seconds between two writes to a machine."""
_WAIT: Final = 60.0
"""Seconds after which a write counts as not acknowledged. Longer than a machine is frozen."""
_CONNECT_SECONDS: Final = 2
_INSERT: Final = "INSERT INTO writes (machine, number) VALUES (%s, %s) RETURNING pg_walfile_name(pg_current_wal_lsn())"


class DirectWrite(NamedTuple):
    """An acknowledged write to one machine."""

    machine: str
    number: int
    timeline: int
    began: float
    ended: float


class DirectWriter:
    """Writes to all machines at the same time, and records the acknowledged writes."""

    def __init__(self, urls: Mapping[str, str]) -> None:
        """`urls`: the address of a database on each machine, by the machine's name."""
        self.writes: list[DirectWrite] = []
        self._urls = urls
        self._number = 0

    def make_table(self, url: str) -> None:
        """Make the table of writes. `url`: the database at the primary."""
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE TABLE writes (machine text, number int PRIMARY KEY)")

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """Write during an `async with` block."""
        tasks = [asyncio.create_task(self._write_to(machine)) for machine in self._urls]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _write_to(self, machine: str) -> None:
        while True:
            try:
                await self._write_until_it_fails(machine)
            except (psycopg.Error, TimeoutError):
                await asyncio.sleep(EVERY)

    async def _write_until_it_fails(self, machine: str) -> None:
        connecting = psycopg.AsyncConnection.connect(
            self._urls[machine], autocommit=True, connect_timeout=_CONNECT_SECONDS
        )
        async with await connecting as connection:
            while True:
                with suppress(psycopg.errors.ReadOnlySqlTransaction):  # a replica
                    self.writes.append(await self._write(connection, machine))
                await asyncio.sleep(EVERY)

    async def _write(self, connection: psycopg.AsyncConnection[Any], machine: str) -> DirectWrite:
        self._number += 1
        number, began = self._number, time.monotonic()
        async with asyncio.timeout(_WAIT):
            row = await (await connection.execute(_INSERT, [machine, number])).fetchone()
        assert row is not None
        return DirectWrite(machine, number, timeline(row[0]), began, time.monotonic())

    def find_lost(self, url: str) -> list[DirectWrite]:
        """Return the acknowledged writes that the database lacks. `url`: the database at the primary."""
        with psycopg.connect(url) as connection:
            stored = {number for (number,) in connection.execute("SELECT number FROM writes")}
        return [write for write in self.writes if write.number not in stored]


def timeline(wal_file: str) -> int:
    """Return the timeline in the name of a file of PostgreSQL's log.

    >>> timeline("0000000B0000000000000003")
    11
    """
    return int(wal_file[:8], 16)


def find_writes_to_replaced_primaries(writes: Sequence[DirectWrite]) -> list[DirectWrite]:
    """Return the writes that began after a write of a later timeline was acknowledged.

    >>> old, new = DirectWrite("db1", 1, 1, 0.0, 0.1), DirectWrite("db2", 2, 2, 5.0, 5.1)
    >>> find_writes_to_replaced_primaries([old, new])
    []
    >>> find_writes_to_replaced_primaries([new, old._replace(began=6.0, ended=6.1)])
    [DirectWrite(machine='db1', number=1, timeline=1, began=6.0, ended=6.1)]
    """
    found = list[DirectWrite]()
    by_end = sorted(writes, key=lambda write: write.ended)
    ended, latest = 0, 0
    for write in sorted(writes, key=lambda write: write.began):
        while by_end[ended].ended < write.began:
            latest = max(latest, by_end[ended].timeline)
            ended += 1
        if write.timeline < latest:
            found.append(write)
    return found
