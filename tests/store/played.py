"""Rooms that were really played, for tests of the store: worlds of `tests/rooms`, saved to a database."""

import random
from dataclasses import replace
from datetime import timedelta
from typing import Any

import sqlalchemy as sa

from app.engine.match.record import FORMAT
from app.rooms.handlers import dispatch
from app.rooms.model import commands as ask
from app.rooms.model.settings import RoomSettings
from app.rooms.ports.addresses import Address
from app.rooms.ports.facts import HandAborted, HandEnded, MatchStarted
from app.rooms.ports.storage import NewEvent
from app.rooms.recorded import positions, variations
from app.store.db.database import Database
from app.store.db.schema import people, room_snapshots
from app.store.event_log.event_log import EventLog
from tests.rooms.world import World, opened_by, through_json
from tests.store.samples import T0


def play(world: World, hands: int, *, stop: bool = True) -> World:
    """Play a match of this number of hands. With `stop`, abort it in the middle of another one."""
    world.ok("Ana", ask.Start)
    for number in range(hands):
        if number:
            world.ok("Ana", ask.DealNext)
        world.play()
        world.now += timedelta(minutes=5)
        if world.room.phase == "finished":
            return world
    if stop:
        world.ok("Ana", ask.DealNext)
        world.play(until=5)
        world.ok("Ana", ask.Stop)
    return world


def variation(of: World, room: str, hand: int, move: int, chair: str, host: str, *, friends: bool = False) -> World:
    """Return a room that continues the first match of another room, with this host in this seat."""
    match_id, kept = first_match(of)
    position = positions.load_position(kept, match_id, hand, move)
    chance = random.Random(room)
    person = ask.Visitor(host.lower(), host)
    address = Address(room, f"invitation to {room}")
    made = variations.build_variation_room(room, address, person, chair, position, friends, of.now, chance.randbytes)
    return opened_by(made, person.id, of.now)


def dealt_again(of: World, room: str, host: str) -> World:
    """Return a room whose first match has the cards of another room's first match."""
    match_id, kept = first_match(of)
    persons = tuple(sorted(person for person in seen(of)))
    deals = replace(positions.load_known_deals(kept, match_id), people=persons)
    settings = RoomSettings.parse({"game": kept["game"], "options": kept["options"]})
    person, address = ask.Visitor(host.lower(), host), Address(room, f"invitation to {room}")
    bots = ("easy",) * (deals.player_count - 1)
    draw = random.Random(room).randbytes
    return opened_by(
        dispatch.build_new_room(room, address, person, settings, bots, of.now, draw, deals), person.id, of.now
    )


def first_match(world: World) -> tuple[str, dict[str, Any]]:
    """Return the id of a room's first match, and its record."""
    started = next(fact for fact in world.facts if isinstance(fact, MatchStarted))
    told = [fact for fact in world.facts if isinstance(fact, HandEnded | HandAborted)]
    hands = {fact.number: fact.record for fact in told if fact.match_id == started.match_id}
    players = [name for _, name in started.players]
    head = {"format": FORMAT, "game": started.game, "options": started.options, "players": players}
    carried = {} if started.carried is None else {"carried": started.carried}
    return started.match_id, through_json({**head, **carried, "hands": [hands[each] for each in sorted(hands)]})


async def keep(log: EventLog, database: Database, *worlds: World) -> None:
    """Save rooms and their people to a database."""
    persons = sorted({person for world in worlds for person in seen(world)})
    await database.write(lambda connection: _know(connection, persons))
    for world in worlds:
        entries = [NewEvent(entry.kind, entry.data, entry.at) for entry in world.entries]
        await log.create(world.room.id, Address(world.room.code, world.room.invite), entries[:1])
        await log.append(world.room.id, 1, entries[1:], world.facts)
        if world.snapshot is not None:
            seq, state = world.snapshot
            row = {"room_id": world.room.id, "seq": seq, "state": state}
            await database.write(lambda connection, row=row: connection.execute(room_snapshots.insert(), row))


def seen(world: World) -> set[str]:
    """Return the ids of all persons who were ever in a room."""
    return {entry.data["person"] for entry in world.entries if entry.data.get("person")}


def _know(connection: sa.Connection, persons: list[str]) -> None:
    known = set(connection.execute(sa.select(people.c.id)).scalars())
    times = {"created_at": T0, "last_seen_at": T0}
    rows = [{"id": each, "name": each.title(), **times} for each in persons if each not in known]
    if rows:
        connection.execute(people.insert(), rows)
