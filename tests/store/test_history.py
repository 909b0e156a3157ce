"""What the history pages ask of what the rooms left."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from app.rooms.ports import PlayerCame
from app.store.columns import BadText
from app.store.database import Database
from app.store.history import History, Page
from app.store.people import People
from app.store.room_log import RoomLog
from tests.store.samples import T0, at, ended, entry, hand, invite, started


@pytest.fixture
async def log(database: Database) -> AsyncIterator[RoomLog]:
    log = RoomLog(database)
    await log.create("KQ7F3M", invite("KQ7F3M"), [entry("opened")])
    yield log
    await log.close()


async def test_a_match_from_its_start_to_its_end(database: Database, log: RoomLog) -> None:
    history = History(database)
    people = People(database)
    ana, _ = await people.create(T0, "Ana")
    bob, _ = await people.create(T0, "Bob")
    await log.append("KQ7F3M", 1, [entry()], [started("m1", "KQ7F3M", (ana.id, bob.id, None), 5)])
    going = await history.match("m1", person_id=ana.id)
    assert going is not None
    assert going.hands == ()
    line = going.match
    assert (line.id, line.room, line.game, line.hands) == ("m1", "KQ7F3M", "president", 0)
    assert (line.started_at, line.ended_at, line.winners) == (at(5), None, ())
    assert line.options == {"preset": "pagat", "jokers": 0}
    assert [(p.name, p.bot, p.you, p.total, p.won) for p in line.players] == [
        ("Ana", False, True, None, False),
        ("Bob", False, False, None, False),
        ("Cat", True, False, None, False),
    ]

    dan, _ = await people.create(T0, "Dan")
    await log.append("KQ7F3M", 2, [entry()], [hand("m1", 0, 60)])
    came = [PlayerCame("m1", None, "Dan", at(61)), PlayerCame("m1", dan.id, "Dan", at(62))]
    came += [PlayerCame("m1", bob.id, "Ana", at(63))]  # a name is not taken from whom it belongs to
    await log.append("KQ7F3M", 3, [entry()], came)
    between = [{"by": "Cat", "do": "leave"}]
    await log.append("KQ7F3M", 4, [entry()], [hand("m1", 1, 120), ended("m1", 2, 121, between=between)])

    detail = await history.match("m1", person_id=dan.id)
    assert detail is not None
    assert (detail.match.hands, detail.match.ended_at, detail.match.winners) == (2, at(121), ("Ana",))
    assert [(p.name, p.bot, p.you, p.total, p.won) for p in detail.match.players] == [
        ("Ana", False, False, 4, True),
        ("Bob", False, False, 2, False),
        ("Cat", True, False, 0, False),
        ("Dan", False, True, None, False),
    ]
    first, second = detail.hands
    assert (first.number, first.ended_at, first.dealer) == (0, at(60), "Cat")
    assert first.standing == ["Ana", ["Bob", "Cat"]]
    assert first.titles == {"Ana": "President"}
    assert first.points == {"Ana": 2, "Bob": 1, "Cat": 0}
    assert first.events == ["revolution"]
    assert second.totals == {"Ana": 4, "Bob": 2, "Cat": 0}

    one = await history.hand("m1", 1)
    assert one is not None
    assert (one.match, one.number, one.ended_at) == ("m1", 1, at(120))
    assert one.record == hand("m1", 1).record
    assert list(one.record["cards"]) == ["Cat", "Ana", "Bob"]
    assert one.events == [{"e": "played", "by": "Ana"}]
    assert one.result["ledger"] == {"Ana": 2, "Bob": 1, "Cat": 0}

    record = await history.record("m1")
    assert record == {
        "format": "climbing-record/1",
        "game": "president",
        "options": {"preset": "pagat", "jokers": 0},
        "players": ["Ana", "Bob", "Cat"],
        "hands": [hand("m1", 0).record, hand("m1", 1).record, {"between": between}],
    }


async def test_what_is_not_there(database: Database, log: RoomLog) -> None:
    history = History(database)
    await log.append("KQ7F3M", 1, [entry()], [started("m1", "KQ7F3M")])
    assert await history.match("m2") is None
    assert await history.record("m2") is None
    assert await history.hand("m1", 0) is None
    assert await history.matches_of("nobody") == Page((), None)
    assert await history.rooms_of("nobody") == ()
    for wrong in ("\0", "\ud800"):
        with pytest.raises(BadText):
            await history.match(wrong)
        with pytest.raises(BadText):
            await history.matches_of("x", before=wrong)


async def test_my_matches_by_pages(database: Database, log: RoomLog) -> None:
    history = History(database)
    people = People(database)
    ana, _ = await people.create(T0)
    bob, _ = await people.create(T0)
    # m3 and m4 began at the same moment: no page may lose or repeat one of them
    starts = {"m1": 10, "m2": 20, "m3": 30, "m4": 30, "m5": 40}
    for seq, (match_id, seconds) in enumerate(starts.items(), 1):
        who = (ana.id, bob.id if match_id == "m5" else None, None)
        await log.append("KQ7F3M", seq, [entry()], [started(match_id, "KQ7F3M", who, seconds)])
    seen: list[list[str]] = []
    before = None
    while True:
        page = await history.matches_of(ana.id, limit=2, before=before)
        seen.append([match.id for match in page.matches])
        before = page.next
        if before is None:
            break
    assert seen == [["m5", "m4"], ["m3", "m2"], ["m1"]]
    whole = await history.matches_of(ana.id, limit=5)
    assert whole.next is None
    assert [match.id for match in (await history.matches_of(bob.id)).matches] == ["m5"]
    assert await history.matches_of(ana.id, before="no such match") == Page((), None)


async def test_rooms_where_i_was(database: Database, log: RoomLog) -> None:
    history = History(database)
    people = People(database)
    ana, _ = await people.create(T0)
    await log.create("OTHER1", invite("OTHER1"), [entry("opened", 3)])
    await log.append("KQ7F3M", 1, [entry()], [started("m1", "KQ7F3M")])
    await log.append("KQ7F3M", 2, [entry(seconds=90)], [hand("m1", 0)])
    await people.visit(ana.id, "KQ7F3M", at(10))
    await people.visit(ana.id, "OTHER1", at(20))
    assert [(room.code, room.game) for room in await history.rooms_of(ana.id)] == [
        ("OTHER1", None),
        ("KQ7F3M", "president"),
    ]
    await people.visit(ana.id, "KQ7F3M", at(30))
    room, _ = await history.rooms_of(ana.id)
    assert (room.code, room.invite, room.visited_at) == ("KQ7F3M", invite("KQ7F3M"), at(30))
    assert (room.created_at, room.active_at) == (at(0), at(90))
    assert len(await history.rooms_of(ana.id, limit=1)) == 1


async def test_a_hand_that_is_told_again_replaces_what_was_told(database: Database, log: RoomLog) -> None:
    await log.append("KQ7F3M", 1, [entry()], [started("m1", "KQ7F3M"), hand("m1", 0)])
    again = replace(hand("m1", 0), totals={"Ana": 9, "Bob": 0, "Cat": 0}, amended=True)
    await log.append("KQ7F3M", 2, [entry()], [again])
    detail = await History(database).match("m1")
    assert detail is not None
    assert [line.totals for line in detail.hands] == [{"Ana": 9, "Bob": 0, "Cat": 0}]
