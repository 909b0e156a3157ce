"""Test the deletion of a person on both databases: the name is nowhere, and all other data stays valid."""

import asyncio
import functools
import itertools
import json
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
import sqlalchemy as sa

from app.bots import BOTS
from app.engine.games import GAMES
from app.engine.match.record import parse_record, replay_steps
from app.rooms.handlers.dispatch import build_new_room, handle_command
from app.rooms.log import snapshots
from app.rooms.log.name_rewrite import NameOwner, find_name_owners, find_neutral_names
from app.rooms.model import commands as ask, shuffle_proof
from app.rooms.model.settings import RoomSettings
from app.rooms.model.state import Room
from app.rooms.ports.addresses import Address
from app.rooms.ports.storage import LoadedLog, LogConflict, NewEvent, StoredEvent
from app.rooms.recorded.variations import WAITS_FOR_FRIENDS
from app.rooms.views import room_view
from app.store.db.database import Database
from app.store.db.schema import chat_messages, metadata
from app.store.deletion.person_deletion import PersonDeletion
from app.store.event_log.event_log import EventLog
from app.store.history.match_history import MatchHistory
from app.store.history.match_list import MatchFilter, MatchList
from app.store.maintenance.rebuild import rebuild
from app.store.repositories.people import People
from tests.rooms.world import World, asked
from tests.store.maintenance.test_rebuild import wild
from tests.store.played import dealt_again, keep, variation
from tests.store.samples import at


async def everything(database: Database) -> dict[str, str]:
    """Return the contents of all tables as text."""
    return await database.read(
        lambda c: {
            table.name: json.dumps([list(row) for row in c.execute(sa.select(table))], default=str, ensure_ascii=False)
            for table in metadata.sorted_tables
        }
    )


class Evening:
    """A room that saves its entries, facts and snapshots at once."""

    def __init__(self, log: EventLog) -> None:
        self.log = log
        self.rng = random.Random(1)
        self.room = Room()
        self.ids = itertools.count()

    async def open(self, host: str) -> None:
        """Open a room of Ceausescu with two bots, because that game has decrees and exchanges."""
        address, settings = Address("CODE11", "invitation"), RoomSettings.parse({"game": "ceausescu"})
        visitor = ask.Visitor(host, "Bob")
        outcome = build_new_room("room-1", address, visitor, settings, ("easy", "easy"), at(0), self.rng.randbytes)
        assert outcome.append_request is not None
        await self.log.create("room-1", address, outcome.append_request.new_events)
        self.room = outcome.room

    async def tell(self, command: ask.Command) -> None:
        """Handle a command and save the result, as a room actor does."""
        outcome = handle_command(self.room, command, at(9), self.rng.randbytes)
        if outcome.append_request is not None:
            snapshot = None if outcome.append_request.snapshot is None else dict(outcome.append_request.snapshot)
            record = outcome.append_request
            await self.log.append("room-1", self.room.seq, record.new_events, record.facts, snapshot)
            self.room = outcome.room

    async def ask(self, kind: Any, who: str, **fields: Any) -> None:
        """Send a command as this person."""
        await self.tell(asked(self.room, kind, who, f"c{next(self.ids)}", **fields))

    async def play(self) -> None:
        """Play until the hand is over."""
        while self.room.phase == "playing" and self.room.match is not None:
            name = self.room.match.to_act[0]
            action = BOTS["easy"](room_view.build_bot_view(self.room, name), self.rng)
            person = self.room.members[name].person
            if person is None:
                await self.tell(ask.BotAct(name, self.room.turn, action))
            else:
                await self.ask(ask.Act, person, action=action)


async def an_evening(database: Database, log: EventLog) -> tuple[str, str, Room]:
    """Let Zoe play three hands with Bob and bots, and start a fourth.

    Returns her person, Bob's, and the room.
    """
    people, evening = People(database), Evening(log)
    zoe, bob = [(await people.create(at(0), name))[0].person.id for name in ("Zoe", "Bob")]
    await evening.open(bob)
    await evening.tell(ask.PersonConnected(bob))
    await evening.ask(ask.Join, zoe, name="Zoe")
    await people.record_visit(zoe, "room-1", at(1))
    await evening.ask(ask.Introduce, zoe, bird="owl", colour="sea")
    await evening.ask(ask.Start, bob)
    for _ in range(3):
        await evening.play()
        for who in (zoe, bob):
            await evening.ask(ask.Act, who, action={"do": "decree", "text": "Zoe shall sing"})
        await evening.ask(ask.Seed, zoe, value="beef")
        await evening.ask(ask.DealNext, bob)
    await evening.ask(ask.Introduce, zoe, bird="owl", colour="sea", name="Zora")
    return zoe, bob, evening.room


async def test_deleting_a_person_removes_their_name_and_keeps_rooms_and_records_valid(database: Database) -> None:
    log = EventLog(database)
    zoe, bob, room = await an_evening(database, log)
    assert room.phase == "playing"
    before = await everything(database)
    assert {"people", "room_events", "room_snapshots", "match_players", "hands"} <= {
        name for name, rows in before.items() if "Zoe" in rows
    }
    match_id = room.run.match_id if room.run else ""
    cards = {name: sorted(held) for name, held in room.match.hand.cards.items()} if room.match else {}

    forgetting = PersonDeletion(database, zoe)
    assert await forgetting.rooms_naming_person() == ["room-1"]
    done = await forgetting.rewrite_room("room-1", at(500))
    again = await forgetting.rewrite_room("room-1", at(501))  # repeated, as after a crash
    assert done is not None
    assert again is not None
    assert again.seq == done.seq + 1
    assert done.said == {"Zoe": "Somebody 1", "Zora": "Somebody 1"}
    await forgetting.delete_person_rows(at(502))

    after = await everything(database)
    assert [name for name, rows in after.items() if "Zoe" in rows or "Zora" in rows] == []
    # The room keeps the face of the nameless player, because the faces of others depend on it. The profile does not.
    assert {name for name, rows in after.items() if "owl" in rows} <= {"room_events", "room_snapshots"}
    assert "Somebody 1" in after["hands"]
    assert "Somebody 2" not in after["hands"]
    assert zoe not in after["room_visits"] + after["devices"]
    assert await People(database).find_by_id(zoe) is not None  # the person still exists, without a name

    # The room continues with the current hand.
    loaded = await log.load("room-1")
    assert loaded is not None
    now = snapshots.load_room(loaded)
    assert now.phase == "playing"
    assert now.match is not None
    held = {name: sorted(each) for name, each in now.match.hand.cards.items()}
    assert held == {("Somebody 1" if name == "Zoe" else name): each for name, each in cards.items()}
    whole = snapshots.load_room(LoadedLog(None, await log.read("room-1", 0)))
    assert whole.members == now.members
    assert [each.person for each in now.members.values()].count(bob) == 1

    # The records are valid, and every deal can be verified.
    record = await MatchHistory(database).load_record(match_id)
    assert record is not None
    match, hands = parse_record(record, GAMES)
    assert "Somebody 1" in match.seats
    for hand in hands:
        assert hand["fair"]["givers"] in ({"1": "Somebody 1"}, {})
        assert shuffle_proof.verify_and_shuffle(hand["fair"]) is not None
    line = await MatchHistory(database).find_match(match_id)
    assert line is not None
    assert {each.name for each in line.match.players if not each.bot} == {"Bob", "Somebody 1"}
    await log.close()


def to_the_end(world: World, host: str, *, hands: int = 1, stop: bool = True, whom: str = "all") -> World:
    """Play on, with bots in free seats, and let the host end the match."""
    world.wait(WAITS_FOR_FRIENDS + 1)
    for number in range(hands):
        if number:
            world.ok(host, ask.DealNext)
        world.play()
        world.ask(host, ask.Act, action={"do": "decree", "text": f"ZOË shall sing for {whom}, zoe, too; not Zoey"})
    if stop and world.room.phase != "finished":
        world.ok(host, ask.Stop)
    return world


@functools.cache
def rooms_with_zoe() -> dict[str, World]:
    """Return a match that Zoe played, and rooms that continue it: with her name, with and without herself."""
    first = World(game="ceausescu", seed=3, room="room-0", bots=("easy",)).join("Bob", "Zoe")
    first.join("Wim").ok("Wim", ask.Watch)
    first.ok("Ana", ask.Start)
    to_the_end(first, "Ana", hands=3, whom="Wim")
    # Dan takes her free seat. His own name returns after the match.
    open_chairs = variation(first, "room-1", 1, 4, "Bob", "Eve", friends=True)
    open_chairs.ok("Dan", ask.Join, name="Dan")
    open_chairs.ok("Dan", ask.TakeBotSeat, name="Zoe")
    to_the_end(open_chairs, "Eve", hands=2)
    # In this variation of the variation, a stranger has her seat.
    deeper = variation(open_chairs, "room-2", 0, 5, "Zoe", "Fay")
    to_the_end(deeper, "Fay")
    # A bot has her name, and keeps it in the next match, which counts.
    with_bots = variation(first, "room-3", 0, 2, "Ana", "Gus")
    to_the_end(with_bots, "Gus")
    with_bots.ok("Gus", ask.Rematch)
    with_bots.ok("Gus", ask.Start)
    to_the_end(with_bots, "Gus", hands=2)
    # She sits in another player's seat, whose name is not hers.
    as_bob = variation(first, "room-4", 1, 4, "Ana", "Hal", friends=True)
    as_bob.ok("Zoe", ask.Join, name="Zora")
    as_bob.ok("Zoe", ask.TakeBotSeat, name="Bob")
    as_bob.ok("Zoe", ask.Introduce, bird="owl", colour="sea", name="Zora")
    to_the_end(as_bob, "Hal", stop=False)
    again = dealt_again(first, "room-5", "Ivy")
    again.ok("Ivy", ask.Start)
    to_the_end(again, "Ivy")
    worlds = (first, open_chairs, deeper, with_bots, as_bob, again)
    return {world.room.id: world for world in worlds}


async def forget(database: Database, person: str) -> list[str]:
    """Delete a person as a server does, and return the rooms that were rewritten."""
    forgetting = PersonDeletion(database, person)
    await forgetting.mark_as_deleted(at(500))
    rooms = [
        room for room in await forgetting.rooms_to_rewrite() if await forgetting.rewrite_room(room, at(501)) is not None
    ]
    await forgetting.delete_person_rows(at(502))
    return rooms


async def differences(url: str) -> list[str]:
    """Return the differences after a rebuild of all rooms, and the rooms that can't be read."""
    found: list[str] = []
    made = await asyncio.to_thread(
        lambda: rebuild(url, check=True, on_difference=lambda difference: found.append(str(difference)))
    )
    return [*found, *made.unreadable_rooms]


async def test_deleting_a_person_removes_their_name_from_variations_in_other_rooms(
    database: Database, url: str
) -> None:
    log = EventLog(database)
    worlds = rooms_with_zoe()
    await keep(log, database, *worlds.values())
    assert await differences(url) == []
    before = await everything(database)
    assert {"room_events", "room_snapshots", "matches", "hands", "point_reasons"} <= {
        name for name, rows in before.items() if "Zoe" in rows
    }
    assert ":Zoe" in before["counted_hand_players"]

    assert await forget(database, "zoe") == ["room-2", "room-4", "room-3", "room-1", "room-0"]
    after = await everything(database)
    names = ("Zoe", "ZOË", "Zora")
    assert [(name, word) for name, rows in after.items() for word in names if word in rows.replace("Zoey", "")] == []
    assert await differences(url) == []
    for room, world in worlds.items():
        now = await log.load(room)
        assert now is not None
        opened_now, whole = snapshots.load_room(now), snapshots.load_room(LoadedLog(None, await log.read(room, 0)))
        assert (opened_now.phase, opened_now.members) == (whole.phase, whole.members)
        assert len(opened_now.members) == len(world.room.members)
    # Every record can be replayed, and contains a single neutral name for her.
    for room in worlds:
        for line in (await MatchList(database).search(MatchFilter(room=room))).matches:
            record = await MatchHistory(database).load_record(line.id)
            assert record is not None
            dealt = sum("cards" in hand for hand in record["hands"])
            assert sum(moment.is_deal for moment in replay_steps(*parse_record(record, GAMES))) == dealt
            assert len(find_neutral_names(record)) == (0 if room == "room-5" else 1), record
    # The same holds for a player who took such a seat, one whose seats wait for others, and one who was only mentioned.
    for who, rooms in (("dan", {"room-1"}), ("bob", set(worlds) - {"room-5"}), ("wim", {"room-0"})):
        assert {*await forget(database, who)} == rooms
        assert await differences(url) == []
        told = (await everything(database)).values()
        assert [rows for rows in told if f'"{who.title()}"' in rows or f"for {who.title()}" in rows] == []
    await log.close()


class Stopped(Exception):
    """Stops the server in the middle of its work."""


def stopping_after(writes: int) -> Callable[[Database, Any], Any]:
    """Return a `Database.write` that works this number of times."""
    write, left = Database.write, iter(range(writes))

    async def stopping(database: Database, work: Any) -> Any:
        if next(left, None) is None:
            raise Stopped
        return await write(database, work)

    return stopping


async def test_an_interrupted_deletion_is_finished_on_the_next_run(
    database: Database, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = EventLog(database)
    await keep(log, database, *rooms_with_zoe().values())
    stopped = 0
    for writes in (1, 2, 3, 5, 8, 13, 21, 34, 55, 89):
        with monkeypatch.context() as patch, suppress(Stopped):
            patch.setattr(Database, "write", stopping_after(writes))
            await forget(database, "zoe")
            break
        stopped += 1
    assert stopped in range(5, 10)
    after = await everything(database)
    assert [name for name, rows in after.items() if "Zoe" in rows.replace("Zoey", "")] == []
    assert await differences(url) == []
    assert '"todo":{' not in after["room_events"].replace(" ", "")
    await log.close()


@pytest.mark.postgres
@pytest.mark.parametrize("dialect", ["postgresql"])
async def test_nothing_is_appended_between_a_rewrite_and_its_entry(database: Database, url: str) -> None:
    """With the old name in such an entry, a deal that waits for seeds was cancelled, as if the seats had changed."""
    evening, node = Evening(EventLog(database)), Database(url)
    zoe, bob = [(await People(database).create(at(0), name))[0].person.id for name in ("Zoe", "Bob")]
    await evening.open(bob)
    await evening.ask(ask.Join, zoe, name="Zoe")
    said = {"room_id": "room-1", "id": 1, "match_id": "", "person_id": zoe, "name": "Zoe", "sent_at": at(1)}
    await database.write(lambda connection: connection.execute(chat_messages.insert(), said))
    late = NewEvent("ready_set", {"name": "Zoe", "ready": True}, at(2))
    forgetting, engine = PersonDeletion(database, zoe), sa.create_engine(url)
    with engine.connect() as holding:
        holding.execute(sa.select(chat_messages).with_for_update())
        rewriting = asyncio.create_task(forgetting.rewrite_room("room-1", at(3)))
        await until_waiting(engine, 1)
        appending = asyncio.create_task(EventLog(node).append("room-1", evening.room.seq, [late]))
        await asyncio.wait([appending, asyncio.create_task(until_waiting(engine, 2))], return_when="FIRST_COMPLETED")
    await rewriting
    engine.dispose()
    done = await asyncio.gather(appending, return_exceptions=True)
    await node.close()
    assert isinstance(done[0], LogConflict)


async def until_waiting(engine: sa.Engine, count: int) -> None:
    """Wait until this number of connections wait for locks."""
    waiting = sa.text("SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted")
    while True:
        with engine.connect() as connection:
            if connection.execute(waiting).scalar_one() >= count:
                return
        await asyncio.sleep(0.01)


async def test_rooms_of_all_kinds_rebuild_without_differences_after_a_deletion(database: Database, url: str) -> None:
    log = EventLog(database)
    worlds = [wild(game, seed) for seed, game in enumerate(sorted(GAMES) * 2, 20)]
    await keep(log, database, *worlds)
    for who in ("bob", "ana's phone"):
        forgetting = PersonDeletion(database, who)
        rooms = await forgetting.rooms_naming_person()
        assert rooms or who != "bob"
        for room in rooms:
            await forgetting.rewrite_room(room, at(500))
        await forgetting.delete_person_rows(at(501))
    assert [name for name, rows in (await everything(database)).items() if '"Bob"' in rows] == []
    found: list[str] = []
    made = rebuild(url, check=True, on_difference=lambda difference: found.append(str(difference)))
    assert (found, made.unreadable_rooms) == ([], {})
    await log.close()


def test_a_name_can_belong_to_different_people_over_time() -> None:
    def entry(seq: int, kind: str, name: str, person: str = "") -> StoredEvent:
        return StoredEvent(seq, at(seq), kind, {"name": name, **({"person": person} if person else {})})

    said = [
        entry(2, "joined", "Ana", "p1"),
        entry(3, "bot_came", "Rook"),
        entry(5, "joined", "Ana", "p1"),
        entry(7, "seat_moved", "Ana", "p2"),
        entry(9, "joined", "Ana", "p3"),
    ]
    assert find_name_owners(said) == [
        NameOwner("Ana", {"p1", "p2"}, 2, 8),
        NameOwner("Rook", {""}, 3),
        NameOwner("Ana", {"p3"}, 9),
    ]
