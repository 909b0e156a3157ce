"""Test the deletion of rooms and people: nobody can find them, and their matches are unchanged."""

import asyncio
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from app.cli import main
from app.engine.games import GAMES
from app.rooms.ports.storage import AddressTaken, LogConflict
from app.rooms.recorded.verify import verify_match
from app.store.db.database import Database
from app.store.db.schema import match_players, matches, room_events, room_snapshots, rooms
from app.store.deletion.name_references import NAME_ENTRY_KINDS
from app.store.deletion.room_cleanup import RoomCleanup
from app.store.event_log.event_log import EventLog
from app.store.history.match_history import MatchHistory
from app.store.maintenance.rebuild import DERIVED_TABLES
from app.store.repositories.people import People
from tests.rooms.world import World
from tests.store.deletion.test_person_deletion import (
    Stopped,
    differences,
    everything,
    forget,
    rooms_with_zoe,
    stopping_after,
)
from tests.store.played import keep, play
from tests.store.samples import address, at, entry


async def of_match(database: Database, room: str) -> list[Any]:
    """Return the records of all matches of a room."""
    query = sa.select(matches.c.id).where(matches.c.room_id == room).order_by(matches.c.id)
    found = await database.read(lambda connection: list(connection.execute(query).scalars()))
    return [await MatchHistory(database).load_record(match_id) for match_id in found]


async def test_hands_of_a_deleted_room_keep_their_records_and_proofs(database: Database, url: str) -> None:
    log, closing = EventLog(database), RoomCleanup(database)
    played = play(World(room="room-0", code="ROOM0").join("Bob", "Cat"), 2, stop=False)
    other = play(World(room="room-1", code="ROOM1", seed=2).join("Bob", "Cat"), 1, stop=False)
    await keep(log, database, played, other)
    await People(database).record_visit("ana", "room-0", at(9))
    before, records = await everything(database), await of_match(database, "room-0")
    there = await log.load("room-1")

    last = await closing.delete_room("room-0", at(1000))
    assert await closing.delete_room("room-0", at(1001)) == last  # repeated, as after a crash
    assert await log.load("room-0") is None
    assert await log.by_code("ROOM0") is await log.by_invite(played.room.invite) is None
    with pytest.raises(AddressTaken):  # an old link must not lead to strangers
        await log.create("room-9", address("ROOM0"), [entry()])
    with pytest.raises(LogConflict):  # a node that has it loaded notices
        await log.append("room-0", played.room.seq, [entry()])
    assert {each.kind for each in await log.read("room-0", 0)} <= set(NAME_ENTRY_KINDS)

    after = await everything(database)
    assert [
        table.name for table in DERIVED_TABLES if before[table.name] != after[table.name] and table is not matches
    ] == []
    assert await of_match(database, "room-0") == records
    assert [hand.deal_problem for hand in verify_match(records[0], GAMES).hands] == [None, None]
    assert await differences(url) == []
    assert await log.load("room-1") == there
    assert [room.code for room in await closing.list_rooms()] == ["ROOM1"]
    await log.close()


async def test_a_person_can_be_deleted_after_their_room_was_deleted(database: Database, url: str) -> None:
    log = EventLog(database)
    worlds = rooms_with_zoe()
    await keep(log, database, *worlds.values())
    for room in ("room-0", "room-2", "room-5"):
        await RoomCleanup(database).delete_room(room, at(400))
    await forget(database, "zoe")
    after = await everything(database)
    # The nameless seat keeps its face (tests/store/deletion/test_person_deletion.py).
    names = ("Zoe", "ZOË", "Zora")
    assert [(name, word) for name, rows in after.items() for word in names if word in rows.replace("Zoey", "")] == []
    assert await differences(url) == []
    await log.close()


async def test_rooms_without_recent_visits_or_hands_are_unused(database: Database) -> None:
    log, closing = EventLog(database), RoomCleanup(database)
    for code in ("VISITED", "PLAYED", "ALONE"):
        await log.create(code, address(code), [entry()])
    somebody, _ = await People(database).create(at(0), "Ana")
    await People(database).record_visit(somebody.person.id, "VISITED", at(2000))
    played = rooms.update().where(rooms.c.id == "PLAYED").values(active_at=at(2000))
    await database.write(lambda connection: connection.execute(played))
    assert await closing.unused_rooms(at(0)) == []
    assert await closing.unused_rooms(at(1000)) == ["ALONE"]
    assert await closing.unused_rooms(at(3000)) == ["ALONE", "PLAYED", "VISITED"]
    await closing.delete_room("ALONE", at(3000))
    assert await closing.unused_rooms(at(1000)) == []
    await log.close()


async def test_an_interrupted_room_deletion_is_resumed(
    database: Database, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.store.deletion.room_cleanup.AT_ONCE", 20)
    log, closing = EventLog(database), RoomCleanup(database)
    played = play(World(room="room-0", code="ROOM0").join("Bob", "Cat"), 2, stop=False)
    await keep(log, database, played)
    for writes in (1, 2, 3):
        with monkeypatch.context() as patch:
            patch.setattr(Database, "write", stopping_after(writes))
            with pytest.raises(Stopped):
                await closing.delete_room("room-0", at(1000))
        assert await closing.half_deleted_rooms() == ["room-0"]
        assert await differences(url) == []
    await closing.delete_room("room-0", at(1000))
    assert await closing.half_deleted_rooms() == []
    counts = [sa.select(sa.func.count()).select_from(table) for table in (room_snapshots, room_events)]
    left = await database.read(lambda connection: [connection.execute(count).scalar_one() for count in counts])
    assert left[0] == 0
    assert 0 < left[1] < played.room.seq / 2
    await log.close()


async def test_unused_people_without_a_room_are_deleted(database: Database) -> None:
    log, closing, known = EventLog(database), RoomCleanup(database), People(database)
    made = {name: (await known.create(at(0), name))[0].person.id for name in ("Ana", "Bob", "Cat", "Dan", "Eve")}
    await log.create("KQ7F3M", address("KQ7F3M"), [entry()])
    await log.create("EMPTY1", address("EMPTY1"), [entry()])
    await known.record_visit(made["Ana"], "KQ7F3M", at(1))
    await known.record_visit(made["Dan"], "EMPTY1", at(1))
    match = {"id": "m1", "room_id": "KQ7F3M", "game": "president", "options": {}, "players": [], "started_at": at(0)}
    who = {"match_id": "m1", "name": "Bob", "person_id": made["Bob"], "joined_at": at(0), "won": False}

    def played(connection: sa.Connection) -> None:
        connection.execute(matches.insert(), match)
        more = {"started_at": at(0), "game": "president", "room_id": "KQ7F3M"}
        connection.execute(match_players.insert(), who | more)

    await database.write(played)
    everybody = list(made.values())
    assert await closing.unused_people(at(-1)) == []  # seen since then
    assert await closing.delete_unused_people(everybody, at(-1), at(5000)) == 0
    assert await closing.unused_people(at(1)) == sorted([made["Cat"], made["Eve"]])
    assert await closing.delete_unused_people(everybody, at(1), at(5000)) == 2
    assert await named(database) == {"Ana", "Bob", "Dan"}
    # No match was played in Dan's room, so its deletion removes his visit.
    await closing.delete_room("EMPTY1", at(5000))
    assert await closing.delete_unused_people(everybody, at(1), at(5000)) == 1
    assert await named(database) == {"Ana", "Bob"}
    assert await known.devices_of(made["Dan"]) == ()
    await log.close()


async def named(database: Database) -> set[str]:
    """Return the names that are known."""
    query = sa.text("SELECT name FROM people WHERE name IS NOT NULL")
    return set(await database.read(lambda connection: connection.execute(query).scalars().all()))


def test_an_operator_can_list_export_and_delete_rooms(url: str, tmp_path: Any) -> None:
    asyncio.run(_two_rooms(url))

    def ran(*arguments: str, said: str | None = None) -> Any:
        return CliRunner().invoke(main, ["rooms", *arguments, "--database", url], input=said)

    listed = ran("list")
    assert listed.exit_code == 0, listed.output
    assert [line.split()[0] for line in listed.stdout.splitlines()[1:]] == ["ROOM0", "ROOM1"]
    assert "2 of 2 rooms." in listed.stderr
    assert ran("list", "--unused", "100000").stdout.count("\n") == 1
    asyncio.run(_plan_to_delete(url, "room-1"))
    planned = ran("list").stdout.splitlines()[1:]
    assert [line.rpartition("  in ")[2] for line in planned] == [planned[0], "24 h"]
    listed = ran("list")

    missing = ran("delete", "NOROOM")
    assert (missing.exit_code, "There is no room NOROOM" in missing.stderr) == (1, True)
    spared = ran("delete", "room0", said="n\n")
    assert (spared.exit_code, "Delete room ROOM0?" in spared.output) == (1, True)
    assert ran("list").stdout == listed.stdout

    room_id = listed.stdout.splitlines()[1].split()[1]
    assert ran("export", room_id).exit_code == 0
    assert "Delete room ROOM0?" in ran("delete", room_id, said="n\n").output

    file = tmp_path / "room.json"
    assert ran("export", "ROOM0", str(file)).exit_code == 0
    assert '"matches"' in file.read_text()
    gone = ran("delete", "ROOM0", said="y\n")
    assert (gone.exit_code, "Room ROOM0 deleted." in gone.stdout) == (0, True), gone.output
    assert [line.split()[0] for line in ran("list").stdout.splitlines()[1:]] == ["ROOM1"]
    assert ran("delete", "ROOM0", "--yes").exit_code == ran("export", "ROOM0").exit_code == 1


async def _two_rooms(url: str) -> None:
    database = Database(url)
    log = EventLog(database)
    worlds = [World(room=f"room-{n}", code=f"ROOM{n}", seed=n).join("Bob", "Cat") for n in range(2)]
    await keep(log, database, *(play(world, 1, stop=False) for world in worlds))
    await log.close()
    await database.close()


async def _plan_to_delete(url: str, room: str) -> None:
    database = Database(url)
    await RoomCleanup(database).schedule.update_schedule("rooms", [room], 2, 5.0)
    await database.close()
