"""Test that all derived data can be rebuilt from the logs, equal to the last row."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from app.cli import main
from app.engine.games import GAMES
from app.rooms.model import commands as ask
from app.rooms.ports.storage import NewEvent
from app.rooms.recorded.variations import WAITS_FOR_FRIENDS
from app.store.db.database import Database
from app.store.db.schema import (
    counted_hand_players,
    hands,
    matches,
    metadata,
    ratings,
    room_events,
)
from app.store.deletion.person_deletion import PersonDeletion
from app.store.event_log.event_log import EventLog
from app.store.history.match_list import MatchFilter, MatchList
from app.store.maintenance.rebuild import DERIVED_TABLES, _RoomReplay, rebuild, rebuild_room
from app.store.store import open_store
from tests.rooms.test_random_rooms import PEOPLE, take
from tests.rooms.world import World
from tests.store.played import dealt_again, keep, play, variation

DOES = (
    *(
        "play",
        "hand",
        "hand",
        "bots",
        "join",
        "join",
        "add_bot",
        "deal_next",
        "deal_next",
        "deal_next",
        "leave",
        "watch",
        "rematch",
    ),
    *("remove_bot", "take_bot_seat", "stop", "start", "absent", "present", "wait", "make_link", "take_seat"),
)


@pytest.fixture
async def log(database: Database) -> AsyncIterator[EventLog]:
    log = EventLog(database)
    yield log
    await log.close()


def wild(game: str, seed: int, steps: int = 80) -> World:
    """Return a room with random joins, leaves, aborted matches and new ones."""
    rng = random.Random(seed)
    world = World(game=game, seed=seed, room=f"room-{seed}").join("Bob", "Cat", "Dan")
    world.ok("Ana", ask.Start)
    for _ in range(steps):
        take(world, (rng.choice(DOES), rng.choice(PEOPLE), rng.choice(PEOPLE), rng.randrange(100)))
        if rng.random() < 0.05:
            world.wait(8 * 3600)
        host = world.room.host or "Ana"
        if world.room.phase == "finished" and rng.random() < 0.5:
            world.ask(host, ask.Rematch)
            world.ask(host, ask.Configure, game=rng.choice(sorted(GAMES)))
            world.ask(host, ask.Start)
    return world


def known_before(first: World) -> list[World]:
    """Return rooms whose first match had cards that people knew, followed by a match that counts."""
    on = variation(first, "room-on", 0, 1, "Ana", "Eve")
    deeper = variation(play_out(on, "Eve"), "room-deeper", 0, 2, "Bob", "Fay", friends=True)
    again = dealt_again(first, "room-again", "Gus")
    again.ok("Gus", ask.Start)
    return [on, play_out(deeper, "Fay"), play_out(again, "Gus")]


def play_out(world: World, host: str) -> World:
    """Play a hand, stop the match, and start and abort another one."""
    world.wait(WAITS_FOR_FRIENDS + 1)
    world.play()
    world.ask(host, ask.Stop)
    world.ok(host, ask.Rematch)
    if world.ask(host, ask.Start).reply.ok:
        world.play(6)
        world.ask(host, ask.Stop)
    return world


async def everything(database: Database) -> dict[str, list[Any]]:
    """Return all rows of all derived tables."""
    ordered = {table.name: sa.select(table).order_by(*table.primary_key.columns) for table in DERIVED_TABLES}
    return await database.read(
        lambda connection: {name: [tuple(row) for row in connection.execute(query)] for name, query in ordered.items()}
    )


def kept_by_rows() -> set[str]:
    """Return the tables that are not derived, which people and rooms write themselves."""
    return {table.name for table in metadata.sorted_tables} - {table.name for table in DERIVED_TABLES}


def test_every_table_that_is_not_rebuilt_is_listed() -> None:
    people = {"people", "devices", "device_links", "room_visits", "saved_rules", "push_subscriptions", "server_keys"}
    rooms = {"rooms", "room_codes", "stats_links", "chat_messages", "room_events", "room_snapshots"}
    server = {"planned_deletions", "cleanup_times", "server_times", "bans", "operator_actions", "static_files"}
    written = people | rooms | server | {"imported_matches", "imported_hands"}
    assert kept_by_rows() == written


async def test_rooms_of_all_kinds_rebuild_without_differences(database: Database, log: EventLog, url: str) -> None:
    worlds = [wild(game, seed) for seed, game in enumerate(sorted(GAMES) * 2, 20)]
    worlds += known_before(worlds[0])
    await keep(log, database, *worlds)
    before = await everything(database)
    assert len(before["hands"]) > 15
    assert len(before["highlights"]) > 5
    assert sum(row[-1] for row in before["hands"]) >= 2, "the table stopped in the middle"
    assert len({row[2] for row in before["counted_hands"]}) > len(worlds), "matches over matches"
    origins = [row[matches.c.keys().index("origin")] for row in before["matches"]]
    assert [origin["how"] for origin in filter(None, origins)].count("variation") == 2
    assert "deals" in [origin["how"] for origin in filter(None, origins)]
    found: list[str] = []
    made = rebuild(url, on_difference=lambda difference: found.append(str(difference)))
    assert (found, made.unreadable_rooms) == ([], {})
    assert made.rooms == len(worlds)
    assert await everything(database) == before


async def test_a_damaged_row_is_named_and_repaired(database: Database, log: EventLog, url: str) -> None:
    await keep(log, database, play(World(game="president", bots=("easy",)).join("Bob", "Cat"), 3))
    before = await everything(database)

    def damage(connection: sa.Connection) -> None:
        mine = counted_hand_players.c.player_key == "ana", counted_hand_players.c.room_hand_number == 3
        connection.execute(counted_hand_players.update().where(*mine).values(points=99, performance=None))
        connection.execute(
            counted_hand_players.delete().where(
                counted_hand_players.c.player_key == "bob", counted_hand_players.c.room_hand_number == 2
            )
        )
        connection.execute(hands.update().where(hands.c.hand_number == 1).values(totals={"Ana": 77}))
        extra = {"room_id": "the-room", "room_hand_number": 1, "player_key": "nobody", "name": "Nobody", "points": 0}
        connection.execute(counted_hand_players.insert(), extra)

    await database.write(damage)
    match_id = before["matches"][0][1]
    found: list[str] = []
    assert rebuild(url, check=True, on_difference=lambda difference: found.append(str(difference))).differences == len(
        found
    )
    assert sorted(found) == sorted(
        [
            f"hands room_id=the-room match_id={match_id} hand_number=1 differs from the log in totals",
            "counted_hand_players room_id=the-room room_hand_number=2 player_key=bob is missing",
            (
                "counted_hand_players room_id=the-room room_hand_number=3 player_key=ana "
                "differs from the log in points, performance"
            ),
            "counted_hand_players room_id=the-room room_hand_number=1 player_key=nobody is in no log",
        ]
    )
    assert await everything(database) != before, "only looked at"
    assert rebuild(url).differences == 4
    assert await everything(database) == before


async def test_a_room_is_rebuilt_beside_a_running_server(database: Database, log: EventLog, url: str) -> None:
    first = play(World(game="president", seed=8, bots=("easy",)).join("Bob", "Cat"), 3)
    await keep(log, database, first, wild("president", 5))
    before = await everything(database)

    def damage(connection: sa.Connection) -> None:
        connection.execute(counted_hand_players.update().values(performance=None))
        connection.execute(ratings.update().values(mu=1))

    await database.write(damage)
    damaged = await everything(database)
    checked = rebuild_room(url, "the-room", check=True)
    assert await everything(database) == damaged
    async with open_store(url):
        found: list[str] = []
        made = rebuild_room(url, first.room.code.lower(), on_difference=lambda each: found.append(str(each)))
    assert (made.rooms, made.hands, made.differences) == (1, 3, checked.differences)
    assert made.differences == len(found) > 5
    assert all("room_id=the-room" in each and "performance" in each for each in found)
    after = await everything(database)
    column = counted_hand_players.c.keys().index("performance")
    filled = {row[0] for row in after["counted_hand_players"] if row[column] is not None}
    assert (filled, after["ratings"]) == ({"the-room"}, damaged["ratings"])
    assert {**after, "counted_hand_players": [], "ratings": []} == {
        **before,
        "counted_hand_players": [],
        "ratings": [],
    }


async def test_entries_that_come_while_a_room_is_rebuilt_are_counted(
    database: Database, log: EventLog, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between both parts of a rebuild, a hand ends, and then a player is deleted."""
    world = play(World(game="president", seed=8, bots=("easy",)).join("Bob", "Cat"), 3, stop=False)
    await keep(log, database, world)
    read_and_sum = _RoomReplay.read_and_sum
    meanwhile: list[Callable[[], Awaitable[object]]] = []

    def interrupted(replay: _RoomReplay, connection: sa.Connection) -> object:
        done = read_and_sum(replay, connection)
        asyncio.run_coroutine_threadsafe(meanwhile.pop()(), loop).result()
        return done

    async def a_hand_ends() -> None:
        entries, facts = len(world.entries), len(world.facts)
        world.ok("Ana", ask.DealNext)
        world.play()
        new = [NewEvent(entry.kind, entry.data, entry.at) for entry in world.entries[entries:]]
        await log.append("the-room", entries, new, world.facts[facts:])

    async def bob_is_deleted() -> None:
        bob = PersonDeletion(database, "bob")
        await bob.rewrite_room("the-room", world.now)
        await bob.delete_person_rows(world.now)

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(_RoomReplay, "read_and_sum", interrupted)
    for change in (a_hand_ends, bob_is_deleted):
        meanwhile.append(change)
        made = await asyncio.to_thread(rebuild_room, url, "the-room")
        assert (made.hands, made.differences, made.unreadable_rooms) == (4, 0, {})
    names = {
        row[counted_hand_players.c.keys().index("name")] for row in (await everything(database))["counted_hand_players"]
    }
    assert "Bob" not in names


async def test_a_room_whose_hands_the_rules_refuse_is_rebuilt_with_its_stored_rows(
    database: Database, log: EventLog, url: str
) -> None:
    await keep(log, database, play(World(game="president", seed=8).join("Bob", "Cat"), 3), wild("ceausescu", 5))
    before = await everything(database)
    refused = {"by": "Ana", "action": {"do": "juggle"}, "auto": None}
    await database.write(
        lambda c: c.execute(
            room_events.update()
            .where(room_events.c.room_id == "the-room", room_events.c.event_type == "acted", room_events.c.seq < 40)
            .values(data=refused)
        )
    )
    for room in ("the-room", "room-5"):
        made = rebuild_room(url, room)
        assert (made.differences, made.unreadable_rooms) == (0, {})
    assert await everything(database) == before


async def test_the_command_rebuilds_rooms_and_refuses_unknown_ones(database: Database, log: EventLog, url: str) -> None:
    world = play(World(game="president", seed=8).join("Bob", "Cat"), 2)
    await keep(log, database, world)
    await database.write(lambda connection: connection.execute(counted_hand_players.update().values(points=99)))
    ran = CliRunner().invoke(main, ["rebuild", world.room.code, "the-room", "--database", url])
    assert (ran.exit_code, "2 rooms, 4 hands: 6 rows corrected." in ran.output) == (0, True), ran.output
    unknown = CliRunner().invoke(main, ["rebuild", "nowhere", "--database", url])
    assert (unknown.exit_code, "there is no room nowhere" in unknown.output) == (2, True)


@pytest.mark.parametrize("dialect", ["sqlite"], indirect=True)
async def test_undecodable_rows_are_reported_in_one_sentence(database: Database, log: EventLog, url: str) -> None:
    await keep(log, database, play(World(game="president", bots=("easy",)).join("Bob", "Cat"), 2))
    no_json = hands.update().values(totals=sa.type_coerce("{", sa.Text))
    await database.write(lambda connection: connection.execute(no_json))
    ran = CliRunner().invoke(main, ["rebuild", "--database", url])
    assert (ran.exit_code, ran.output.count("\n")) == (2, 1)
    assert "some of its rows can’t be read (" in ran.output
    assert "Nothing was changed" in ran.output


async def test_continued_matches_and_a_deleted_person_rebuild_without_differences(
    database: Database, log: EventLog, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.rooms.handlers.dealing.MAX_HANDS_PER_VOLUME", 2)
    world = play(World(game="ceausescu", seed=7, bots=("easy",)).join("Bob", "Cat"), 5)
    await keep(log, database, world)
    assert rebuild(url, check=True).differences == 0
    volumes = (await MatchList(database).search(MatchFilter("ana"))).matches[::-1]
    assert [line.hands for line in volumes] == [2, 2, 1]
    before = {
        row[1]: row[matches.c.keys().index("previous_match_id")] for row in (await everything(database))["matches"]
    }
    assert [before[line.id] for line in volumes] == [None, volumes[0].id, volumes[1].id]
    bob = PersonDeletion(database, "bob")
    await bob.rewrite_room("the-room", world.now)
    await bob.delete_person_rows(world.now)
    found: list[str] = []
    rebuild(url, check=True, on_difference=lambda difference: found.append(str(difference)))
    assert found == []


async def test_hands_that_the_rules_no_longer_allow_stay_unchanged(database: Database, log: EventLog, url: str) -> None:
    world = play(World(game="president", seed=8).join("Bob", "Cat"), 3)
    world.ok("Ana", ask.Rematch)
    play(world, 2)
    await keep(log, database, world)
    before = await everything(database)
    second = [entry.seq for entry in world.entries if entry.kind == "dealt"][1]
    acted = next(entry.seq for entry in world.entries if entry.kind == "acted" and entry.seq > second)

    def amend(connection: sa.Connection) -> None:
        entry = room_events.update().where(room_events.c.seq == acted)
        connection.execute(entry.values(data={"by": "Ana", "action": {"do": "juggle"}, "auto": None}))

    await database.write(amend)
    made = rebuild(url)
    assert (made.differences, made.unreadable_rooms) == (0, {})
    assert await everything(database) == before


async def test_a_room_that_cannot_be_rebuilt_is_named_and_stays_unchanged(
    database: Database, log: EventLog, url: str
) -> None:
    await keep(log, database, play(World(game="president", seed=8).join("Bob", "Cat"), 2), wild("ceausescu", 5))
    before = await everything(database)
    await database.write(
        lambda c: c.execute(room_events.delete().where(room_events.c.room_id == "the-room", room_events.c.seq == 3))
    )
    made = rebuild(url)
    assert list(made.unreadable_rooms) == ["the-room"]
    assert made.differences == 0
    assert await everything(database) == before
    await database.write(lambda c: c.execute(matches.update().values(winners=["Nobody"])))
    ran = CliRunner().invoke(main, ["rebuild", "--check", "--database", url])
    assert ran.exit_code == 1
    assert "Room the-room can’t be rebuilt" in ran.output
    assert "differs from the log in winners" in ran.output
