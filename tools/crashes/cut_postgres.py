"""`python -m tools soak --cuts-postgres`: end a server's connections to PostgreSQL during play.

PostgreSQL does so at a restart or a failover. Meanwhile players play, and visitors request pages, each over a new
connection. Every request must be answered, each room must go on soon after the database is back, and then the server
must need no more CPU at rest than before. At the end answers and views are compared with the logs as in kill_server.py.
"""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import cycle, islice
from random import Random
from typing import Final

import click
import httpx2

from app.store.db.engines import make_engine, parse_url
from tools.crashes.kill_nodes import PATIENCE, Accident, NodeSoak, restart_database
from tools.crashes.kill_server import find_rebuild_differences
from tools.local_server.server_process import LocalServer
from tools.local_server.system_info import cpu_seconds

VISITORS: Final = 4
"""Number of visitors who request pages at the same time."""
LIMIT: Final = 10.0
"""Seconds within which requests are answered, and rooms go on after the database is back."""
VISIT_EVERY: Final = 0.02
"""Seconds between two requests of a visitor."""
COMMANDS: Final = 3
"""Number of accepted commands that show that a room goes on: some may have been accepted before the accident."""
REST: Final = 2.0
"""Seconds of rest over which CPU time is measured. Half of it passes before, in which reconnections end."""
MORE_CPU: Final = 0.1
"""Share of a core by which the CPU time at rest may differ: a spinning event loop takes more than half a core."""
_SHOWN: Final = 20


class ConnectionCutSoak(NodeSoak):
    """A test that ends a server's connections to PostgreSQL while people play and visitors request pages."""

    def __init__(self, server: LocalServer, rng: Random, limit: float = LIMIT, rest: float = REST) -> None:
        """`limit`: seconds within which requests are answered and rooms go on. `rest`: see `REST`."""
        super().__init__([server], rng)
        self.faults: list[str] = []
        self.statuses = Counter[int]()
        """Number of answered requests by status."""
        self.longest_request = 0.0
        """Longest time until a request was answered, in seconds."""
        self.pauses: list[float] = []
        """Seconds after each accident until all rooms went on."""
        self.rests: list[float] = []
        """CPU time at rest before the first accident and after each, as a share of a core."""
        self._server = server
        self._limit = limit
        self._rest = rest

    async def cut_repeatedly(self, accidents: Sequence[Accident]) -> None:
        """Let each accident happen during play, and check the server after it; `faults` gets what was wrong.

        An accident returns when the database is back. Raises `TimeoutError` if a room stands still for `PATIENCE`
        seconds.
        """
        async with self.playing():
            self.rests.append(await self._measure_rest())
            for number, accident in enumerate(accidents, 1):
                async with self._visited(), asyncio.timeout(PATIENCE):
                    await self._wait_until_rooms_go_on()
                    await asyncio.to_thread(accident)
                    back = time.monotonic()
                    await self._wait_until_rooms_go_on()
                    self.pauses.append(time.monotonic() - back)
                self.rests.append(await self._measure_rest())
                self._check(number)
                click.echo(
                    f"accident {number:3}: all rooms went on after {self.pauses[-1]:.1f} s; {self.statuses.total()} "
                    f"requests so far; {self.rests[-1]:.0%} of a core at rest"
                )

    def _check(self, number: int) -> None:
        if self.pauses[-1] > self._limit:
            self.faults.append(f"accident {number}: a room went on after {self.pauses[-1]:.1f} s")
        if self.rests[-1] > self.rests[0] + MORE_CPU:
            self.faults.append(f"accident {number}: {self.rests[-1]:.0%} of a core at rest, {self.rests[0]:.0%} before")

    async def _wait_until_rooms_go_on(self) -> None:
        await asyncio.gather(*(table.wait_for_accepted(COMMANDS) for table in self.tables))

    async def _measure_rest(self) -> float:
        """Return the share of a core that the server uses while players send nothing; 0 if the system can't tell."""
        players = [player for table in self.tables for player in table.players]
        for player in players:
            player.may_send.clear()
        await asyncio.sleep(self._rest / 2)
        before = cpu_seconds(self._server.pid)
        await asyncio.sleep(self._rest)
        after = cpu_seconds(self._server.pid)
        for player in players:
            player.may_send.set()
        return 0.0 if before is None or after is None else (after - before) / self._rest

    @asynccontextmanager
    async def _visited(self) -> AsyncIterator[None]:
        """Let visitors request pages during an `async with` block; their last requests are answered before it ends."""
        over = asyncio.Event()
        visits = [asyncio.create_task(self._visit(over)) for _ in range(VISITORS)]
        try:
            yield
        finally:
            over.set()
            await asyncio.gather(*visits)

    async def _visit(self, over: asyncio.Event) -> None:
        base = f"http://127.0.0.1:{self._server.port}"
        paths = ["/", "/healthz", "/readyz", "/api/history", *(f"/r/{table.code}" for table in self.tables)]
        one_each = httpx2.Limits(max_keepalive_connections=0)
        async with httpx2.AsyncClient(base_url=base, timeout=self._limit, limits=one_each) as browser:
            while not over.is_set():
                await asyncio.sleep(VISIT_EVERY)
                path, asked = self._rng.choice(paths), time.monotonic()
                try:
                    status = (await browser.get(path)).status_code
                except httpx2.HTTPError as error:
                    self.faults.append(f"{path} got no answer: {type(error).__name__}")
                    continue
                self.longest_request = max(self.longest_request, time.monotonic() - asked)
                self.statuses[status] += 1
                if status not in {200, 503}:
                    self.faults.append(f"{path} was answered with {status}")

    def summary(self) -> str:
        """Return text with what the test measured and compared."""
        statuses = ", ".join(f"{count} with {status}" for status, count in sorted(self.statuses.items()))
        first, *later = self.rests
        return (
            f"{self.statuses.total()} requests were answered ({statuses}), each within {self.longest_request:.1f} s\n"
            f"all rooms went on within {max(self.pauses, default=0):.1f} s after the database was back\n"
            f"CPU at rest: {first:.1%} of a core before, at most {max(later, default=0):.1%} after an accident\n"
            f"{super().summary()}"
        )


def run_cut_test(
    cuts: int, rooms: int, games: Sequence[str], seed: int, database: str | None, restart: str | None
) -> None:
    """Run a test with this number of accidents to the connections to PostgreSQL; exit with status 1 on any fault.

    `database`: the URL of an empty PostgreSQL database. `restart`: the command that restarts PostgreSQL, for every
    second accident; None: connections are only ended.
    """
    if database is None or not database.startswith("postgres"):
        raise click.UsageError("Give the address of an empty PostgreSQL database with --database.")
    kinds: list[Accident] = [partial(end_connections, database)]
    if restart is not None:
        kinds.append(partial(restart_database, restart))
    server = LocalServer(database, RETRY_MS="100")
    soak = ConnectionCutSoak(server, Random(seed))
    try:
        server.start()
        soak.open_rooms(rooms, games)
        asyncio.run(soak.cut_repeatedly([*islice(cycle(kinds), cuts)]))
    finally:
        server.stop()
    asyncio.run(soak.compare_with_logs(database))
    faults = [*soak.faults, *map(str, soak.mismatches), *map(str, find_rebuild_differences(database))]
    for fault in faults[:_SHOWN]:
        click.echo(fault, err=True)
    click.echo(f"{cuts} accidents. {soak.summary()}\n{len(faults)} faults")
    if faults:
        sys.exit(1)


def end_connections(database: str) -> None:
    """End all other connections to this PostgreSQL database, as a restart or a failover does."""
    engine = make_engine(parse_url(database))
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
    finally:
        engine.dispose()
