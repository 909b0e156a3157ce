"""Somebody is taken out of all that is kept, on both databases: their name is nowhere, and all of it still holds."""

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
from app.engine.match.record import fold, opened
from app.rooms.handlers.dispatch import decide, opening
from app.rooms.log import snapshots
from app.rooms.log.name_rewrite import Bearer, bearers, neutral_in
from app.rooms.model import commands as ask
from app.rooms.model import shuffle_proof
from app.rooms.model.settings import RoomSettings
from app.rooms.model.state import Room
from app.rooms.ports.addresses import Address
from app.rooms.ports.storage import Loaded, StoredEntry
from app.rooms.recorded.variations import WAITS_FOR_FRIENDS
from app.rooms.views import room_view
from app.store.db.database import Database
from app.store.db.schema import metadata
from app.store.deletion.person_deletion import Forgetting
from app.store.event_log.event_log import RoomLog
from app.store.history.match_history import History
from app.store.history.match_list import Matches, Wanted
from app.store.maintenance.rebuild import rebuild
from app.store.repositories.people import People
from tests.rooms.world import World, asked
from tests.store.maintenance.test_rebuild import wild
from tests.store.played import dealt_again, keep, variation
from tests.store.samples import at


async def everything(database: Database) -> dict[str, str]:
    """All that is in the database, as text, table by table."""
    return await database.read(
        lambda c: {
            table.name: json.dumps([list(row) for row in c.execute(sa.select(table))], default=str, ensure_ascii=False)
            for table in metadata.sorted_tables
        }
    )


class Evening:
    """A room whose entries, facts and snapshots are kept as they are made."""

    def __init__(self, log: RoomLog) -> None:
        self.log = log
        self.rng = random.Random(1)
        self.room = Room()
        self.ids = itertools.count()

    async def open(self, host: str) -> None:
        """Ceausescu, with two bots: there are decrees and gifts in it."""
        address, settings = Address("CODE11", "invitation"), RoomSettings.make({"game": "ceausescu"})
        visitor = ask.Visitor(host, "Bob")
        outcome = opening("room-1", address, visitor, settings, ("greedy", "greedy"), at(0), self.rng.randbytes)
        assert outcome.record is not None
        await self.log.create("room-1", address, outcome.record.entries)
        self.room = outcome.room

    async def tell(self, command: ask.Command) -> None:
        """Carry out a command, as a runner does."""
        outcome = decide(self.room, command, at(9), self.rng.randbytes)
        if outcome.record is not None:
            snapshot = None if outcome.record.snapshot is None else dict(outcome.record.snapshot)
            record = outcome.record
            await self.log.append("room-1", self.room.seq, record.entries, record.facts, snapshot)
            self.room = outcome.room

    async def ask(self, kind: Any, who: str, **fields: Any) -> None:
        """A command of somebody's."""
        await self.tell(asked(self.room, kind, who, f"c{next(self.ids)}", **fields))

    async def play(self) -> None:
        """Play until the hand is over."""
        while self.room.phase == "playing" and self.room.match is not None:
            name = self.room.match.to_act[0]
            action = BOTS["greedy"](room_view.for_bot(self.room, name), self.rng)
            person = self.room.members[name].person
            if person is None:
                await self.tell(ask.BotAct(name, self.room.turn, action))
            else:
                await self.ask(ask.Act, person, action=action)


async def an_evening(database: Database, log: RoomLog) -> tuple[str, str, Room]:
    """Zoe plays three hands with Bob and bots, and one is on; gives her person, Bob's, and the room."""
    people, evening = People(database), Evening(log)
    zoe, bob = [(await people.create(at(0), name))[0].person.id for name in ("Zoe", "Bob")]
    await evening.open(bob)
    await evening.tell(ask.Present(bob))
    await evening.ask(ask.Join, zoe, name="Zoe")
    await people.visit(zoe, "room-1", at(1))
    await evening.ask(ask.Introduce, zoe, bird="owl", colour="sea")
    await evening.ask(ask.Start, bob)
    for _ in range(3):
        await evening.play()
        for who in (zoe, bob):
            await evening.ask(ask.Act, who, action={"do": "decree", "text": "Zoe shall sing"})
        await evening.ask(ask.Seed, zoe, value="beef")
        await evening.ask(ask.Next, bob)
    await evening.ask(ask.Introduce, zoe, bird="owl", colour="sea", name="Zora")
    return zoe, bob, evening.room


async def test_the_name_is_nowhere_and_everything_holds(database: Database) -> None:
    log = RoomLog(database)
    zoe, bob, room = await an_evening(database, log)
    assert room.phase == "playing"
    before = await everything(database)
    assert {"people", "room_entry", "room_snapshot", "match_players", "hands"} <= {
        name for name, rows in before.items() if "Zoe" in rows
    }
    match_id = room.run.match_id if room.run else ""
    cards = {name: sorted(held) for name, held in room.match.hand.cards.items()} if room.match else {}

    forgetting = Forgetting(database, zoe)
    assert await forgetting.rooms() == ["room-1"]
    seq = await forgetting.rewrite("room-1", at(500))
    again = await forgetting.rewrite("room-1", at(501))  # as after a crash: the same once more
    assert again == seq + 1
    await forgetting.finish(at(502))

    after = await everything(database)
    assert [name for name, rows in after.items() if "Zoe" in rows or "Zora" in rows or "owl" in rows] == []
    assert "Somebody 1" in after["hands"]
    assert "Somebody 2" not in after["hands"]
    assert zoe not in after["visits"] + after["devices"]
    assert await People(database).get(zoe) is not None  # somebody there was, without a name

    # The room goes on where it was, with the hand that is on.
    loaded = await log.load("room-1")
    assert loaded is not None
    now = snapshots.from_log(loaded)
    assert now.phase == "playing"
    assert now.match is not None
    held = {name: sorted(each) for name, each in now.match.hand.cards.items()}
    assert held == {("Somebody 1" if name == "Zoe" else name): each for name, each in cards.items()}
    whole = snapshots.from_log(Loaded(None, await log.read("room-1", 0)))
    assert whole.members == now.members
    assert [each.person for each in now.members.values()].count(bob) == 1

    # Records are records, and every deal is proven.
    record = await History(database).record(match_id)
    assert record is not None
    match, hands = opened(record, GAMES)
    assert "Somebody 1" in match.seats
    for hand in hands:
        assert hand["fair"]["givers"] in ({"1": "Somebody 1"}, {})
        assert shuffle_proof.verify(hand["fair"]) is not None
    line = await History(database).match(match_id)
    assert line is not None
    assert {each.name for each in line.match.players if not each.bot} == {"Bob", "Somebody 1"}
    await log.close()


def to_the_end(world: World, host: str, *, hands: int = 1, stop: bool = True, whom: str = "all") -> World:
    """Play on, with bots in the chairs that nobody came for, and let the host end the match."""
    world.wait(WAITS_FOR_FRIENDS + 1)
    for number in range(hands):
        if number:
            world.ok(host, ask.Next)
        world.play()
        world.ask(host, ask.Act, action={"do": "decree", "text": f"ZOË shall sing for {whom}, zoe, too; not Zoey"})
    if stop and world.room.phase != "finished":
        world.ok(host, ask.Stop)
    return world


@functools.cache
def rooms_with_zoe() -> dict[str, World]:
    """A match that Zoe played, and rooms that go on from it: with her name, with and without herself."""
    first = World(game="ceausescu", seed=3, room="room-0", bots=("greedy",)).join("Bob", "Zoe")
    first.join("Wim").ok("Wim", ask.Watch)
    first.ok("Ana", ask.Start)
    to_the_end(first, "Ana", hands=3, whom="Wim")
    # Nobody has come for her chair but Dan, whose own name returns when it is over.
    open_chairs = variation(first, "room-1", 1, 4, "Bob", "Eve", friends=True)
    open_chairs.ok("Dan", ask.Join, name="Dan")
    open_chairs.ok("Dan", ask.TakeChair, name="Zoe")
    to_the_end(open_chairs, "Eve", hands=2)
    # A variation of the variation: in her chair is somebody who was never near her.
    deeper = variation(open_chairs, "room-2", 0, 5, "Zoe", "Fay")
    to_the_end(deeper, "Fay")
    # A bot has her name, and keeps it in the match that follows, which counts.
    with_bots = variation(first, "room-3", 0, 2, "Ana", "Gus")
    to_the_end(with_bots, "Gus")
    with_bots.ok("Gus", ask.Rematch)
    with_bots.ok("Gus", ask.Start)
    to_the_end(with_bots, "Gus", hands=2)
    # She sits in another's chair herself: that name is not hers.
    as_bob = variation(first, "room-4", 1, 4, "Ana", "Hal", friends=True)
    as_bob.ok("Zoe", ask.Join, name="Zora")
    as_bob.ok("Zoe", ask.TakeChair, name="Bob")
    as_bob.ok("Zoe", ask.Introduce, bird="owl", colour="sea", name="Zora")
    to_the_end(as_bob, "Hal", stop=False)
    again = dealt_again(first, "room-5", "Ivy")
    again.ok("Ivy", ask.Start)
    to_the_end(again, "Ivy")
    worlds = (first, open_chairs, deeper, with_bots, as_bob, again)
    return {world.room.id: world for world in worlds}


async def forget(database: Database, person: str) -> list[str]:
    """Forget somebody as a server does; the rooms that were rewritten."""
    forgetting = Forgetting(database, person)
    await forgetting.begin(at(500))
    rooms = [room for room in await forgetting.everywhere() if await forgetting.rewrite(room, at(501)) is not None]
    await forgetting.finish(at(502))
    return rooms


async def differences(url: str) -> list[str]:
    """What a second telling of all rooms finds otherwise, and which it can't tell."""
    found: list[str] = []
    made = await asyncio.to_thread(
        lambda: rebuild(url, check=True, tell=lambda difference: found.append(str(difference)))
    )
    return [*found, *made.unreadable]


async def test_the_name_goes_from_variations_of_those_who_never_met_them(database: Database, url: str) -> None:
    log = RoomLog(database)
    worlds = rooms_with_zoe()
    await keep(log, database, *worlds.values())
    assert await differences(url) == []
    before = await everything(database)
    assert {"room_entry", "room_snapshot", "matches", "hands", "tallies", "pairs"} <= {
        name for name, rows in before.items() if "Zoe" in rows
    }
    assert ":Zoe" in before["reigns"] + before["hand_players"]

    assert await forget(database, "zoe") == ["room-2", "room-4", "room-3", "room-1", "room-0"]
    after = await everything(database)
    names = ("Zoe", "ZOË", "Zora", "owl")
    assert [(name, word) for name, rows in after.items() for word in names if word in rows.replace("Zoey", "")] == []
    assert await differences(url) == []
    for room, world in worlds.items():
        now = await log.load(room)
        assert now is not None
        opened_now, whole = snapshots.from_log(now), snapshots.from_log(Loaded(None, await log.read(room, 0)))
        assert (opened_now.phase, opened_now.members) == (whole.phase, whole.members)
        assert len(opened_now.members) == len(world.room.members)
    # Every record plays as before, and in each match she is one word.
    for room in worlds:
        for line in (await Matches(database).search(Wanted(room=room))).matches:
            record = await History(database).record(line.id)
            assert record is not None
            dealt = sum("cards" in hand for hand in record["hands"])
            assert sum(moment.is_deal for moment in fold(*opened(record, GAMES))) == dealt
            assert len(neutral_in(record)) == (0 if room == "room-5" else 1), record
    # Nor is it otherwise with who only sat in such a chair, whose chairs wait for others, and who only was spoken of.
    for who, rooms in (("dan", {"room-1"}), ("bob", set(worlds) - {"room-5"}), ("wim", {"room-0"})):
        assert {*await forget(database, who)} == rooms
        assert await differences(url) == []
        told = (await everything(database)).values()
        assert [rows for rows in told if f'"{who.title()}"' in rows or f"for {who.title()}" in rows] == []
    await log.close()


class Stopped(Exception):
    """The server stops."""


def stopping_after(writes: int) -> Callable[[Database, Any], Any]:
    """A `Database.write` that works so often, and no more."""
    write, left = Database.write, iter(range(writes))

    async def stopping(database: Database, work: Any) -> Any:
        if next(left, None) is None:
            raise Stopped
        return await write(database, work)

    return stopping


async def test_what_stopped_anywhere_is_finished(database: Database, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    log = RoomLog(database)
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
    assert '"todo":{' not in after["room_entry"].replace(" ", "")
    await log.close()


async def test_rooms_of_all_kinds_are_told_again_without_the_name(database: Database, url: str) -> None:
    log = RoomLog(database)
    worlds = [wild(game, seed) for seed, game in enumerate(sorted(GAMES) * 2, 20)]
    await keep(log, database, *worlds)
    for who in ("bob", "ana's phone"):
        forgetting = Forgetting(database, who)
        rooms = await forgetting.rooms()
        assert rooms or who != "bob"
        for room in rooms:
            await forgetting.rewrite(room, at(500))
        await forgetting.finish(at(501))
    assert [name for name, rows in (await everything(database)).items() if '"Bob"' in rows] == []
    found: list[str] = []
    made = rebuild(url, check=True, tell=lambda difference: found.append(str(difference)))
    assert (found, made.unreadable) == ([], {})
    await log.close()


def test_whose_a_name_is_may_change() -> None:
    def entry(seq: int, kind: str, name: str, person: str = "") -> StoredEntry:
        return StoredEntry(seq, at(seq), kind, {"name": name, **({"person": person} if person else {})})

    said = [
        entry(2, "joined", "Ana", "p1"),
        entry(3, "bot_came", "Rook"),
        entry(5, "joined", "Ana", "p1"),
        entry(7, "seat_moved", "Ana", "p2"),
        entry(9, "joined", "Ana", "p3"),
    ]
    assert bearers(said) == [
        Bearer("Ana", {"p1", "p2"}, 2, 8),
        Bearer("Rook", {""}, 3),
        Bearer("Ana", {"p3"}, 9),
    ]
