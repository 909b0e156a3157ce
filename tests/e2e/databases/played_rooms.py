"""Make a database with a room of three sessions.

Run `python -m tests.e2e.databases.played_rooms FILE`. Browser tests and screenshots of results and stats use it. Ana is
the host; her browser has the cookie `TOKEN`.
"""

import asyncio
import hashlib
import sys
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import sqlalchemy as sa

from app.rooms.model import commands as ask
from app.store.db.database import Database
from app.store.db.schema import devices, people, room_visits
from app.store.event_log.event_log import EventLog
from app.store.maintenance.migrations import migrate_database
from tests.rooms.world import World
from tests.store.played import keep, play, seen
from tests.store.samples import T0

TOKEN = "a-token-of-Ana-that-nobody-could-guess"
HANDS = (6, 5, 24)
"""Hands in each of the three sessions."""
LOOKS = {"ana": ("robin", "clay"), "bob": ("owl", "sea"), "cat": ("puffin", "lilac"), "dan": ("jay", "sky")}


def three_evenings() -> World:
    """Play one session of President, one of Big Two, and a long one of Ceausescu with decrees, for stakes."""
    world = play(World(seed=5).join("Bob", "Cat", "Dan"), HANDS[0])
    for game, hands in (("big_two", HANDS[1]), ("ceausescu", HANDS[2])):
        world.now += timedelta(hours=20)
        world.ok("Ana", ask.Configure, game=game, options={}, stake={"amount": 10, "unit": "cents"})
        world.ok("Ana", ask.Rematch)
        play(world, hands, stop=False)
        decree(world)
        world.ok("Ana", ask.Stop)
    return world


def decree(world: World) -> None:
    """In a game with decrees, let the king give the serf a decree, which the serf defies."""
    match = world.room.match
    assert match is not None
    if match.game.decree_rules(match.options) is not None:
        king, *_, serf = match.hierarchy
        world.ok(king, ask.Act, action={"do": "decree", "text": "Sing until you win", "to": serf})
        world.ok(serf, ask.Act, action={"do": "defy"})


async def write(path: Path, *worlds: World) -> str:
    """Write the database and return the code of the first room."""
    url = f"sqlite:///{path}"
    migrate_database(url)
    database = Database(url)
    log = EventLog(database)
    await keep(log, database, *worlds)
    await database.write(lambda connection: _at_home(connection, worlds))
    await log.close()
    await database.close()
    return worlds[0].room.code


def _at_home(connection: sa.Connection, worlds: Sequence[World]) -> None:
    """Store everybody's bird and colour, their visits to their rooms, and the cookie of Ana's browser."""
    for person, (bird, colour) in LOOKS.items():
        connection.execute(people.update().where(people.c.id == person).values(avatar=bird, colour=colour))
        for world in worlds:
            if person in seen(world):
                visit = {"room_id": world.room.id, "person_id": person, "last_visited_at": T0}
                connection.execute(room_visits.insert(), visit)
    digest = hashlib.sha256(TOKEN.encode()).hexdigest()
    browser = {"id": "browser", "person_id": "ana", "token_hash": digest, "created_at": T0, "last_seen_at": T0}
    connection.execute(devices.insert(), browser)


if __name__ == "__main__":
    print(asyncio.run(write(Path(sys.argv[1]), three_evenings())))
