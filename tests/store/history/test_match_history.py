"""Test the queries of the history pages."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.record import parse_record, replay_steps
from app.rooms.ports.facts import AddressChanged, Fact, HandAborted, HandEnded, PlayerJoinedMatch
from app.rooms.recorded import positions
from app.store.db.database import Database
from app.store.db.types import BadText
from app.store.event_log.event_log import EventLog
from app.store.history import match_export
from app.store.history.match_export import MatchExport
from app.store.history.match_history import MatchHistory, MatchPage
from app.store.history.match_list import MatchFilter, MatchList
from app.store.repositories.people import People
from tests.store.maintenance.test_rebuild import wild
from tests.store.played import keep
from tests.store.samples import T0, address, at, ended, entry, hand, started


@pytest.fixture
async def log(database: Database) -> AsyncIterator[EventLog]:
    log = EventLog(database)
    await log.create("KQ7F3M", address("KQ7F3M"), [entry("opened")])
    yield log
    await log.close()


async def test_a_match_shows_its_players_hands_and_winners_from_start_to_end(database: Database, log: EventLog) -> None:
    history = MatchHistory(database)
    people = People(database)
    ana, _ = await people.create(T0, "Ana")
    bob, _ = await people.create(T0, "Bob")
    await log.append("KQ7F3M", 1, [entry()], [started("m1", "KQ7F3M", (ana.person.id, bob.person.id, None), 5)])
    await people.record_visit(ana.person.id, "KQ7F3M", at(5))
    going = await history.find_match("m1", person_id=ana.person.id)
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
    came = [PlayerJoinedMatch("m1", None, "Dan", at(61)), PlayerJoinedMatch("m1", dan.person.id, "Dan", at(62))]
    came += [PlayerJoinedMatch("m1", bob.person.id, "Ana", at(63))]  # a name stays with its first owner
    await log.append("KQ7F3M", 3, [entry()], came)
    between = [{"by": "Cat", "do": "leave"}]
    await log.append("KQ7F3M", 4, [entry()], [hand("m1", 1, 120), ended("m1", 2, 121, between=between)])

    detail = await history.find_match("m1", person_id=dan.person.id)
    assert detail is not None
    assert detail.match.room is None  # only members of the room may learn its code
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

    one = await history.find_hand("m1", 1)
    assert one is not None
    assert (one.match, one.number, one.ended_at) == ("m1", 1, at(120))
    assert one.record == hand("m1", 1).record
    assert list(one.record["cards"]) == ["Cat", "Ana", "Bob"]
    assert one.events == [{"e": "played", "by": "Ana"}]
    assert one.result["ledger"] == {"Ana": 2, "Bob": 1, "Cat": 0}

    record = await history.load_record("m1")
    assert record == {
        "format": "climbing-record/1",
        "game": "president",
        "options": {"preset": "pagat", "jokers": 0},
        "players": ["Ana", "Bob", "Cat"],
        "hands": [hand("m1", 0).record, hand("m1", 1).record, {"between": between}],
    }


async def test_unknown_matches_hands_and_people_are_not_found(database: Database, log: EventLog) -> None:
    history = MatchHistory(database)
    await log.append("KQ7F3M", 1, [entry()], [started("m1", "KQ7F3M")])
    assert await history.find_match("m2") is None
    assert await history.load_record("m2") is None
    assert await history.find_hand("m1", 0) is None
    assert await MatchList(database).search(MatchFilter("nobody")) == MatchPage((), None)
    assert await history.rooms_of_person("nobody", limit=20) == ()
    for wrong in ("\0", "\ud800"):
        with pytest.raises(BadText):
            await history.find_match(wrong)
        with pytest.raises(BadText):
            await MatchList(database).search(MatchFilter("x"), before=wrong)


async def test_matches_of_a_person_are_listed_page_by_page(database: Database, log: EventLog) -> None:
    lists = MatchList(database)
    people = People(database)
    ana, _ = await people.create(T0)
    bob, _ = await people.create(T0)
    # m3 and m4 start at the same moment, and no page may miss or repeat either.
    starts = {"m1": 10, "m2": 20, "m3": 30, "m4": 30, "m5": 40}
    for seq, (match_id, seconds) in enumerate(starts.items(), 1):
        who = (ana.person.id, bob.person.id if match_id == "m5" else None, None)
        await log.append("KQ7F3M", seq, [entry()], [started(match_id, "KQ7F3M", who, seconds)])
    seen: list[list[str]] = []
    before = None
    while True:
        page = await lists.search(MatchFilter(ana.person.id), limit=2, before=before)
        seen.append([match.id for match in page.matches])
        before = page.next
        if before is None:
            break
    assert seen == [["m5", "m4"], ["m3", "m2"], ["m1"]]
    whole = await lists.search(MatchFilter(ana.person.id), limit=5)
    assert whole.next is None
    assert [match.id for match in (await lists.search(MatchFilter(bob.person.id))).matches] == ["m5"]
    assert await lists.search(MatchFilter(ana.person.id), before="no such match") == MatchPage((), None)


async def test_matches_are_found_by_room_game_time_and_name(database: Database, log: EventLog) -> None:
    lists = MatchList(database)
    ana, _ = await People(database).create(T0)
    await log.create("OTHER1", address("OTHER1"), [entry("opened")])
    for number in range(6):
        room, names = ("KQ7F3M", ("Ana", "Bob", "Cat")) if number % 2 else ("OTHER1", ("Ana", "Ärmel", "Zoë"))
        begun = started(f"m{number}", room, (ana.person.id, None, None), number * 10)
        people = tuple((person, name) for (person, _), name in zip(begun.players, names, strict=True))
        game = "big_two" if number == 4 else "president"
        await log.append(room, 1 + number // 2, [entry()], [replace(begun, players=people, game=game)])

    async def found(limit: int = 20, **wanted: Any) -> list[list[str]]:
        pages, before = list[list[str]](), None
        while True:
            page = await lists.search(MatchFilter(**wanted), limit=limit, before=before)
            pages.append([match.id for match in page.matches])
            before = page.next
            if before is None:
                return pages

    me = ana.person.id
    assert await found(person=me, room="OTHER1") == [["m4", "m2", "m0"]]
    assert await found(room="KQ7F3M", limit=2) == [["m5", "m3"], ["m1"]]
    assert await found(person=me, game="president", room="OTHER1") == [["m2", "m0"]]
    assert await found(person=me, since=at(20), until=at(40)) == [["m3", "m2"]]
    assert await found(person=me, text="ärM", limit=2) == [["m4", "m2"], ["m0"]]
    assert await found(person=me, text="nobody") == [[]]
    assert await found(person="another") == [[]]
    assert await found(person=me, player="zoë", text="rme") == [["m4", "m2", "m0"]]
    assert await found(person=me, player="zo") == [[]]


async def test_a_renamed_player_is_found_by_the_old_and_the_new_name(database: Database, log: EventLog) -> None:
    people = People(database)
    ana, bob = [(await people.create(T0, name))[0].person for name in ("Ana", "Bob")]
    await log.append("KQ7F3M", 1, [entry()], [started("m1", "KQ7F3M", (ana.id, bob.id, None))])
    await people.rename(bob, "Robert")
    for name in ("bob", "Robert"):
        for wanted in (MatchFilter(ana.id, player=name), MatchFilter(ana.id, text=name[:3])):
            assert [match.id for match in (await MatchList(database).search(wanted)).matches] == ["m1"]
    assert (await MatchList(database).search(MatchFilter(ana.id, player="Robin"))).matches == ()


async def test_search_words_match_a_game_a_room_or_a_decree(database: Database, log: EventLog) -> None:
    """All words must match. Only people who were in a room can search by its code."""
    people, lists = People(database), MatchList(database)
    ana, bob = [(await people.create(T0, name))[0].person.id for name in ("Ana", "Bob")]
    await log.create("OTHER1", address("OTHER1"), [entry("opened")])
    silent = replace(hand("m1", 0, room="KQ7F3M"), moments=())
    await log.append("KQ7F3M", 1, [entry()], [started("m0", "KQ7F3M", (ana, bob, None)), hand("m0", 0)])
    await log.append("KQ7F3M", 2, [entry()], [started("m1", "KQ7F3M", (ana, bob, None), 10), silent])
    big = replace(started("m2", "OTHER1", (ana, bob, None), 20), game="big_two")
    await log.append("OTHER1", 1, [entry()], [big])
    for person, room in ((ana, "KQ7F3M"), (ana, "OTHER1"), (bob, "OTHER1")):
        await people.record_visit(person, room, T0)

    async def found(text: str, person: str = ana) -> list[str]:
        called = {"big_two": "Drüben Zwei"}
        page = await lists.search(MatchFilter(person, text=text, games=called), person_id=person)
        return [match.id for match in page.matches]

    assert await found("sInG") == ["m0"] == await found("bob sing kq7") == await found("sing", bob)
    assert await found("drüb") == ["m2"] == await found("zwei cat")
    assert await found("president") == ["m1", "m0"]
    assert await found("kq7f3m") == ["m1", "m0"]
    assert await found("kq7f3m", bob) == []
    assert await found("sing zwei") == []
    # People who knew a former code of the room can still search by it.
    await log.append("KQ7F3M", 3, [entry()], [AddressChanged("KQ7F3M", address("NEWER7"), (ana,), at(60))])
    assert await found("kq7f3m") == ["m1", "m0"] == await found("newer7")


async def test_a_search_page_without_matches_still_returns_the_next_page(
    database: Database, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.store.history.match_list.MATCHES_PER_SEARCH", 2)
    for number in range(5):
        await log.append("KQ7F3M", 1 + number, [entry()], [started(f"m{number}", "KQ7F3M", seconds=number)])
    wanted = MatchFilter(room="KQ7F3M", text="nobody")
    first = await MatchList(database).search(wanted)
    assert (first.matches, first.next) == ((), "m3")
    second = await MatchList(database).search(wanted, before=first.next)
    assert (second.matches, second.next) == ((), "m1")
    assert (await MatchList(database).search(wanted, before=second.next)).next is None


async def test_visited_rooms_are_listed_by_latest_visit(database: Database, log: EventLog) -> None:
    history = MatchHistory(database)
    people = People(database)
    ana, _ = await people.create(T0)
    await log.create("OTHER1", address("OTHER1"), [entry("opened", 3)])
    await log.append("KQ7F3M", 1, [entry()], [started("m1", "KQ7F3M")])
    await log.append("KQ7F3M", 2, [entry(seconds=90)], [hand("m1", 0)])
    await people.record_visit(ana.person.id, "KQ7F3M", at(10))
    await people.record_visit(ana.person.id, "OTHER1", at(20))
    assert [(room.code, room.game) for room in await history.rooms_of_person(ana.person.id, limit=20)] == [
        ("OTHER1", None),
        ("KQ7F3M", "president"),
    ]
    await people.record_visit(ana.person.id, "KQ7F3M", at(30))
    room, _ = await history.rooms_of_person(ana.person.id, limit=20)
    assert (room.id, room.code, room.visited_at) == ("KQ7F3M", "KQ7F3M", at(30))
    assert (room.created_at, room.active_at) == (at(0), at(90))
    assert len(await history.rooms_of_person(ana.person.id, limit=1)) == 1


async def test_a_hand_saved_again_replaces_the_earlier_version(database: Database, log: EventLog) -> None:
    await log.append("KQ7F3M", 1, [entry()], [started("m1", "KQ7F3M"), hand("m1", 0)])
    again = replace(hand("m1", 0), totals={"Ana": 9, "Bob": 0, "Cat": 0}, amended=True)
    await log.append("KQ7F3M", 2, [entry()], [again])
    detail = await MatchHistory(database).find_match("m1")
    assert detail is not None
    assert [line.totals for line in detail.hands] == [{"Ana": 9, "Bob": 0, "Cat": 0}]


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_hand_loaded_alone_is_the_same_as_in_its_match(database: Database, log: EventLog, game: str) -> None:
    """Also after decrees, entered points, joins and leaves, and in an aborted hand."""
    world = wild(game, 30, 100)
    await keep(log, database, world)
    history = MatchHistory(database)
    later = 0
    for told in (fact for fact in world.facts if isinstance(fact, HandEnded | HandAborted)):
        whole, found = (
            await history.load_record(told.match_id),
            await history.find_replayable_record(told.match_id, told.number),
        )
        assert whole is not None
        assert found is not None
        first, alone = found
        assert first == told.number
        assert _steps(alone, 0) == _steps(whole, told.number) != []
        moment = positions.load_position(alone, told.match_id, told.number, 0, told.number)
        assert _begins(moment) == _begins(positions.load_position(whole, told.match_id, told.number, 0))
        later += told.number > 0
    assert later > 1
    assert await history.find_replayable_record("no such match", 0) is None


def _begins(moment: positions.Position) -> tuple[Any, ...]:
    """Return the state from which a variation starts."""
    return moment.origin, moment.deal, moment.actions, moment.before.to_json()


def _steps(record: dict[str, Any], number: int) -> list[Any]:
    """Return the steps of a hand of a record, and the views of all seats at its end."""
    match, elements = parse_record(record, GAMES)
    moments = [
        each for each in replay_steps(match, elements[: number + 1]) if each.hand_index == number and not each.between
    ]
    state = moments[-1].step.match
    own = [views.seat_view(state, name) for name in state.seats] if state.is_hand_running else []
    return [(each.by, each.action, views.table_view(each.step.match), each.step.events) for each in moments] + own


async def test_exported_matches_have_the_stored_records(
    database: Database, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_export, "HANDS_READ", 1)
    monkeypatch.setattr(match_export, "MATCHES_READ", 1)
    ana = (await People(database).create(T0, "Ana"))[0].person.id
    who = (ana, None, None)
    between = [{"by": "Cat", "do": "leave"}]
    entries: list[list[Fact]] = [
        [started("m1", "KQ7F3M", who, 5), hand("m1", 0, 60, people=who), hand("m1", 1, 120, people=who)],
        [ended("m1", 2, 121, between=between), started("m2", "KQ7F3M", who, 125), ended("m2", 0, 126)],
        [started("m3", "KQ7F3M", who, 130), hand("m3", 0, 140, people=who)],
    ]
    for seq, facts in enumerate(entries, 1):
        await log.append("KQ7F3M", seq, [entry()], facts)
    export, history = MatchExport(database), MatchHistory(database)
    for more, ids in ((False, ["m1", "m3"]), (True, ["m1", "m2", "m3"])):
        pieces = [each async for each in export.stream_records(ana, even_without_hands=more)]
        found = json.loads(f"[{''.join(pieces)}]")
        assert [match["id"] for match in found] == ids
        assert [match["record"] for match in found] == [await history.load_record(each) for each in ids]
    lines = "".join([each async for each in export.stream_csv(ana)]).splitlines()
    assert [line.split(",")[::2] for line in lines[1:] if ",Ana,,yes," in line] == [
        ["m1", "1", "Ana", "yes", "President"],
        ["m1", "2", "Ana", "yes", "President"],
        ["m3", "1", "Ana", "yes", "President"],
    ]
    assert [each async for each in export.stream_records("nobody")] == []
