"""Measure the pages about past matches on both databases: a room of 5,000 hands, a person of 50,000.

python -m tests.store.bench_pages [ROOMS] [HANDS] [--times N] [--only PART] [--database KIND]

Each page is requested from a freshly started server, repeatedly. The output has the first, the median and the slowest
answer in ms, and the size in bytes. It also has the server's CPU time for the first and the median answer, which other
programs on the machine affect less.

One match of 990 hands was really played, with its log. The other hands are rows made by `seeding.py`, with contents
from that match.
"""

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any
from urllib.request import Request, urlopen

import sqlalchemy as sa

from app.rooms.ports.facts import Fact, HandEnded, MatchStarted
from app.store.db import schema
from app.store.db.database import Database
from app.store.db.transactions import statement_executor
from app.store.db.types import encode
from app.store.event_log import history_writer
from app.store.maintenance.migrations import migrate_database
from app.store.repositories.people import People
from tests import postgres
from tests.rooms.world import World
from tests.store import seeding
from tests.store.played import play
from tests.store.samples import T0
from tools.local_server.server_process import running_server

LONG = 990
"""The number of hands of the match that is really played."""
IN_POOL = seeding.IN_MATCH
"""The number of its hands that are copied into the other matches."""
ROOM = "room-0"
AGAIN = "again"
"""The id of the match that replays the deals of the long match."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page and its measurements."""

    name: str
    path: str
    ms: tuple[float, ...]
    cpu: tuple[float, ...]
    size: int

    def __str__(self) -> str:
        first, middle, most = self.ms[0], median(self.ms), max(self.ms)
        took = f"{first:7.0f} {middle:7.0f} {most:7.0f}   {self.cpu[0]:7.0f} {median(self.cpu):7.0f}"
        return f"{self.name:34} {took} {self.size:9,}"


HEADER = f"{'':34} {'first':>7} {'median':>7} {'max':>7}   {'CPU 1st':>7} {'CPU':>7} {'bytes':>9}"


def long_match(hands: int) -> World:
    """Return a room with a match of this number of hands, played by bots in all seats."""
    world = _room(0, options={"preset": "pagat", "target": None}, stake={"amount": 10, "unit": "cents"})
    world.now = T0 + timedelta(days=400)
    return play(world, hands)


def _room(number: int, **settings: Any) -> World:
    return World(room=f"room-{number}", code=f"ROOM{number}", **settings).join(*seeding.NAMES[1:])


def fill(connection: sa.Connection, rooms: int, hands: int, world: World) -> str:
    """Insert all rows, and return the id of the long match."""
    pool = [fact for fact in islice(world.facts, 10 * IN_POOL) if isinstance(fact, HandEnded)][:IN_POOL]
    seeding.seed(connection, rooms, hands, pool, {ROOM: hands - LONG})
    for number in range(rooms):
        _log(connection, play(_room(number), 2) if number else world)
    _tell(connection, world.room.id, world.facts)
    match_id = next(fact.match_id for fact in world.facts if isinstance(fact, MatchStarted))
    _tell(connection, world.room.id, _again(world.facts, match_id))
    return match_id


def _tell(connection: sa.Connection, room: str, told: Sequence[Fact]) -> None:
    by_hand = statement_executor(connection)
    for write in history_writer.build_writes(room, told, by_hand.statement_cache):
        write(by_hand)


def _again(told: Sequence[Fact], match_id: str) -> list[Fact]:
    """Return the facts of a second match with the cards of the first."""
    origin = {"match": match_id, "how": "deals", "hand": 0, "move": 0}
    others: list[Fact] = []
    for fact in told:
        if not hasattr(fact, "match_id"):
            continue
        other = replace(fact, match_id=AGAIN)  # type: ignore[call-arg]
        if isinstance(other, MatchStarted):
            other = replace(other, origin=origin)
        if isinstance(other, HandEnded):
            other = replace(other, counts=False)
        others.append(replace(other, moments=()) if hasattr(other, "moments") else other)  # type: ignore[call-arg]
    return others


def _log(connection: sa.Connection, world: World) -> None:
    """Insert a room's log and address, and the visits to it."""
    room = world.room.id
    address = {"code": world.room.code, "invite": world.room.invite, "room_id": room, "valid_from": T0}
    connection.execute(schema.room_codes.insert(), address)
    entries = [
        {"room_id": room, "seq": e.seq, "created_at": e.at, "event_type": e.kind, "data": encode(e.data)}
        for e in world.entries
    ]
    for start in range(0, len(entries), seeding.AT_ONCE):
        connection.execute(schema.room_events.insert(), entries[start : start + seeding.AT_ONCE])
    if world.snapshot is not None:
        seq, state = world.snapshot
        connection.execute(schema.room_snapshots.insert(), {"room_id": room, "seq": seq, "state": encode(state)})
    for name in seeding.NAMES:
        visit = {"person_id": name.lower(), "room_id": room, "last_visited_at": T0}
        connection.execute(schema.room_visits.insert(), visit)


def pages(match_id: str, code: str) -> Iterator[tuple[str, str]]:
    """Yield the names and paths of the pages."""
    book, match = f"/r/{code}/book", f"/matches/{match_id}"
    last = LONG // IN_POOL * IN_POOL
    yield "home", "/"
    yield "history", "/history"
    yield "history, page 2", f"/history?before={ROOM}-30"
    yield "history, last page", "/history?before=room-0-3"
    yield "history, filters", f"/history?room={code}&person=Bob&game=president&from=2026-11-21&to=2027-02-01"
    yield "history, search that finds", "/history?q=bo"
    yield "history, search that finds nothing", "/history?q=nobody"
    yield "match of 990 hands", match
    yield "match of 990 hands, last page", f"{match}?from={last}"
    yield "match as JSON", f"/api{match}"
    yield "replay", f"{match}/replay?hand={LONG - 1}"
    yield "replay’s data, first hand", f"/api{match}/hands/0"
    yield "replay’s data, last hand", f"/api{match}/hands/{LONG - 1}"
    yield "compare", f"/matches/{AGAIN}/compare"
    yield "record", f"{match}/record.json"
    yield "room", f"/r/{code}"
    yield "book", book
    yield "book, an older evening", f"{book}?evening=2"
    yield "book, evenings further back", f"{book}?before=20"
    yield "moments", f"{book}/moments"
    yield "moments, further back", f"{book}/moments?before=500-0"
    yield "decrees", f"{book}/decrees"
    yield "room as a file", f"/r/{code}/export.json"
    yield "me", "/me"
    yield "my moments", "/me/moments"
    yield "my settings", "/me/settings"


def measure(database: str, token: str, asked: Sequence[tuple[str, str]], times: int) -> Iterator[Page]:
    """Open each page repeatedly, on a server that has just started."""
    for name, path in asked:
        with running_server(database) as server:
            yield _measured(name, path, server.port, token, server.pid, times)


def _measured(name: str, path: str, port: int, token: str, pid: int, times: int) -> Page:
    ms, cpu, size = list[float](), list[float](), 0
    for _ in range(times):
        worked, began = cpu_ms(pid), time.perf_counter()
        request = Request(f"http://127.0.0.1:{port}{path}", headers={"Authorization": f"Bearer {token}"})
        with urlopen(request, timeout=120) as answer:
            size = len(answer.read())
        ms.append(1000 * (time.perf_counter() - began))
        cpu.append(cpu_ms(pid) - worked)
    return Page(name, path, tuple(ms), tuple(cpu), size)


def cpu_ms(pid: int) -> float:
    """Return the CPU time of all threads of a process."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((each / "schedstat").read_text("ascii").split()[0]) for each in threads) / 1e6


async def seeded(url: str, rooms: int, hands: int, world: World) -> tuple[str, str]:
    """Fill an empty database, and return the id of the long match and Ana’s token."""
    migrate_database(url)
    database = Database(url)
    began = time.perf_counter()
    match_id = await database.write(lambda connection: fill(connection, rooms, hands, world))
    await database.write(lambda connection: connection.execute(sa.text("ANALYZE")))
    known, token = await People(database).create(datetime.now(UTC), "Ana")
    mine = schema.devices.update().where(schema.devices.c.person_id == known.person.id).values(person_id="ana")
    await database.write(lambda connection: connection.execute(mine))
    await database.close()
    print(f"{rooms * hands:,} hands in {time.perf_counter() - began:.0f} s", flush=True)
    return match_id, token


def compare(name: str, url: str, world: World, asked: argparse.Namespace) -> None:
    """Measure all pages on one database."""
    match_id, token = asyncio.run(seeded(url, asked.rooms, asked.hands, world))
    wanted = [each for each in pages(match_id, world.room.code) if asked.only in each[0]]
    print(f"{name}\n{HEADER}", flush=True)
    for page in measure(url, token, wanted, asked.times):
        print(page, flush=True)


def main() -> None:
    """Measure both databases."""
    reader = argparse.ArgumentParser(prog="python -m tests.store.bench_pages")
    reader.add_argument("rooms", nargs="?", type=int, default=10)
    reader.add_argument("hands", nargs="?", type=int, default=5000)
    reader.add_argument("--times", type=int, default=10)
    reader.add_argument("--only", default="", help="pages with this in their name")
    reader.add_argument("--database", choices=("sqlite", "postgresql"))
    asked = reader.parse_args()
    world = long_match(LONG)
    if asked.database != "postgresql":
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "pages.sqlite3"
            compare("SQLite", f"sqlite:///{path}", world, asked)
            print(f"{os.path.getsize(path) / 1e6:.0f} MB")
    if asked.database != "sqlite":
        with postgres.Postgres() as server:
            compare("PostgreSQL", server.create_database(), world, asked)


if __name__ == "__main__":
    main()
