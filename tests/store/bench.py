"""Measure the appends per second of both databases.

python -m tests.store.bench [ROOMS [SECONDS]]
"""

import asyncio
import sys
import tempfile
import time

from app.store.db.database import Database
from app.store.event_log.event_log import EventLog
from app.store.maintenance.migrations import migrate_database
from tests import postgres
from tests.store.samples import address, entry


async def measure(url: str, rooms: int, seconds: float) -> str:
    """Append to every room as fast as the log answers."""
    database = Database(url)
    log = EventLog(database)
    codes = [f"R{time.monotonic_ns()}-{number}" for number in range(rooms)]
    await asyncio.gather(*(log.create(code, address(code), [entry()]) for code in codes))
    took: list[float] = []
    end = time.perf_counter() + seconds

    async def play(code: str) -> None:
        head = 1
        while (began := time.perf_counter()) < end:
            head = await log.append(code, head, [entry()])
            took.append(time.perf_counter() - began)

    await asyncio.gather(*map(play, codes))
    await log.close()
    await database.close()
    took.sort()
    p50, p99 = (took[len(took) * part // 100] * 1000 for part in (50, 99))
    return f"{len(took) / seconds:8.0f} appends/s   p50 {p50:6.2f} ms   p99 {p99:6.2f} ms"


def show(name: str, url: str, rooms: int, seconds: float) -> None:
    """Measure one database."""
    migrate_database(url)
    print(f"{name:10}  {asyncio.run(measure(url, rooms, seconds))}")


def main(rooms: int = 200, seconds: float = 5) -> None:
    """Measure both databases."""
    with tempfile.TemporaryDirectory() as folder:
        show("sqlite", f"sqlite:///{folder}/bench.sqlite3", rooms, seconds)
    durable = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
    with postgres.Postgres(**durable) as server:
        show("postgresql", server.create_database(), rooms, seconds)


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
