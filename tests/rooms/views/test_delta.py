"""What goes to connections: what has changed since what they were shown, and never a card that is not theirs."""

import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from app.engine.display.events import Event
from app.engine.games import GAMES
from app.engine.match.match import Match
from app.rooms.log.reducer import fold_stored
from app.rooms.model import commands as ask
from app.rooms.model.state import Room, Run
from app.rooms.views.delta import RECENT, Updates
from app.rooms.views.versioned_section import KeptSection
from tests.rooms.readers import Reader, whole
from tests.rooms.world import World, four, playing
from tools.property_checks.information_leaks import known, renamed

PERSONS = ("ana", "bob", "cat", "dan", "eve", "nobody here", None)


def frames(room: Room, updates: Updates | None = None, shown: int = 0) -> dict[str | None, bytes]:
    """What each of them is told who was shown this picture."""
    updates = updates or Updates()
    updates.take(room, 0, 0)
    return {person: updates.told(person, shown).text for person in PERSONS}


def evening(
    game: str, actions: int, players: Sequence[str] = ("Ana", "Bob", "Cat", "Dan"), **settings: Any
) -> Iterator[tuple[World, Sequence[Event]]]:
    """Yield a room after each of so many actions, hand after hand, with what happened; Eve watches."""
    world = World(game=game, **settings).join(*players[1:], "Eve")
    world.ok("Eve", ask.Watch)
    room, seen = world.room, len(world.entries)
    world.ok("Ana", ask.Start)
    for _ in range(actions):
        happened = list[Event]()
        for entry in world.entries[seen:]:
            room, events = fold_stored(room, entry)
            happened += events
        seen = len(world.entries)
        yield world, happened
        if world.room.phase == "playing":
            world.play(1)
        else:
            world.ok("Ana", ask.Next if world.room.phase == "pause" else ask.Rematch)
            if world.room.phase == "lobby":
                world.ok("Ana", ask.Start)


# Sections ------------------------------------------------------------------------------------------------------------


def test_a_section_tells_what_has_changed_since_any_picture() -> None:
    section = KeptSection()
    made: list[dict[str, Any]] = [{"a": 1, "b": 2}, {"a": 1, "b": 3}, {"a": 1, "b": 3}, {"a": 4, "b": 3}]
    for number, each in enumerate(made, 1):
        section.take(number, each)
    told = [section.changed(shown) for shown in range(5)]
    assert told == [{"a": 4, "b": 3}, {"a": 4, "b": 3}, {"a": 4}, {"a": 4}, {}]
    assert section.whole == 1


def test_a_section_with_other_keys_is_whole_again() -> None:
    section = KeptSection()
    for number, each in enumerate(({}, {}, {"a": 1}, {"a": 2}, {"b": 1, "a": 2}, {"b": 1, "c": 2}), 1):
        section.take(number, each)
        assert section.whole == (1, 1, 3, 3, 5, 6)[number - 1]
    assert section.changed(5) == {"b": 1, "c": 2}


def test_a_section_is_not_made_again_of_the_very_same() -> None:
    section, one = KeptSection(), ("x",)
    section.take_made(1, (one, 1), dict, {"a": 1})
    section.take_made(2, (one, 1), dict, {"a": 2})
    assert section.changed(0) == {"a": 1}
    section.take_made(3, (one, 1, 1), dict, {"a": 2})
    assert section.changed(2) == {"a": 2}
    section.take_made(4, (["x"], 1, 1), dict, {"a": 3})
    assert section.changed(3) == {"a": 3}


def test_of_a_section_only_that_is_made_again_which_is_made_of_something_else() -> None:
    section, made = KeptSection(), list[str]()

    def make(name: str, cards: int) -> dict[str, int]:
        made.append(name)
        return {"cards": cards}

    for number, cards in enumerate((3, 3, 2), 1):
        section.take_each(number, {"Ana": ("Ana", 3), "Bob": ("Bob", cards)}, make)
    assert made == ["Ana", "Bob", "Bob"]
    assert section.changed(2) == {"Bob": {"cards": 2}}
    section.take_each(4, {}, make)
    section.take_each(5, {"Ana": ("Ana", 3)}, make)
    assert section.changed(0) == {"Ana": {"cards": 3}}
    assert made == ["Ana", "Bob", "Bob", "Ana"]


# Whole pictures ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", list(GAMES))
def test_whatever_pictures_one_has_missed_one_has_the_whole(game: str) -> None:
    rng, updates = random.Random(1), Updates()
    readers = [(Reader(person), often) for person in PERSONS for often in (1, 0.1)]
    for world, _ in evening(game, 80):
        updates.take(world.room, 0, 0)
        expected = {person: whole(world.room, person) for person in PERSONS}
        for reader, often in (*readers, *((Reader(person), 1) for person in PERSONS)):
            if rng.random() < often:
                reader.read(updates)
                assert reader.picture == expected[reader.person]


def test_who_goes_and_comes_back_has_the_whole() -> None:
    """The seat of somebody who is nobody in between: what was told of it before is no ground to stand on."""
    world, updates = four(), Updates()
    dan, late = Reader("dan"), Reader("dan")
    for leaves in (True, False) * 2:
        updates.take(world.room, 0, 0)
        for reader in (dan, late) if leaves else (dan,):
            reader.read(updates)
            assert reader.picture == whole(world.room, "dan")
        world.ok("Dan", ask.Leave) if leaves else world.join("Dan")
    updates.take(world.room, 0, 0)
    for reader in (dan, late):
        reader.read(updates)
        assert reader.picture == whole(world.room, "dan")


def test_who_has_left_the_table_is_at_no_table_that_was_kept() -> None:
    """Between two hands: the table has the keys that it had, and one player less."""
    world, updates, ana = playing(), Updates(), Reader("ana")
    world.play()
    for left in (False, True):
        if left:
            world.ok("Dan", ask.Leave)
            world.ok("Ana", ask.Next)
        updates.take(world.room, 0, 0)
        ana.read(updates)
        assert ana.picture == whole(world.room, "ana")
    assert ana.picture is not None
    assert set(ana.picture["table"]["players"]) == {"Ana", "Bob", "Cat"}


def test_what_is_kept_of_a_picture_goes_with_whatever_it_was_made_of() -> None:
    room = playing().room
    other = playing(seed=2, game="chase_the_ace")
    other.play()
    other.promise("Bob")
    other.ok("Ana", ask.Stop)
    other.ok("Ana", ask.HandOver, name="Bob")
    other.tell(ask.Absent("dan"))
    later = other.room.but(code="OTHER", invite="another")
    assert later.run is not None
    assert room.run is not None
    rooms = [room.but(**{name: getattr(later, name)}) for name in Room.__struct_fields__]
    rooms += [room.but(run=room.run.but(**{name: getattr(later.run, name)})) for name in Run.__struct_fields__]
    rooms += [room.but(run=room.run.but(match=match)) for match in changed_matches(room.run.match)]
    for changed in rooms:
        for watchers in (0, 1):
            updates, readers = Updates(), [Reader(person) for person in PERSONS]
            for shown, count in ((room, 0), (changed, watchers)):
                updates.take(shown, 0, count)
                for reader in readers:
                    reader.read(updates)
                    assert reader.picture == whole(shown, reader.person, count)


def changed_matches(match: Match) -> Iterator[Match]:
    """The match in the middle of a hand, each time with another field that is shown as it would be later."""
    later = playing(seed=2)
    later.play()
    assert later.room.match is not None
    names = match.seats[::-1]
    changes = {
        "options": match.game.declared.resolve({"titles": "merchant"}),
        "seats": names,
        "totals": {name: place for place, name in enumerate(names)},
        "hierarchy": names,
        "dealt": 300,
        "dealer": names[1],
        "last": later.room.match.last,
        "over": True,
        "unanswered": ((names[0], "Sing!"),),
    }
    for name, value in changes.items():
        assert value != getattr(match, name)
        changed = match.but(**{name: value})
        yield changed
        yield changed.but(hand=match.hand.but(seats=names))


def test_a_play_tells_little() -> None:
    """Neither who is here, nor how the next cards are shuffled, nor the rules."""
    updates = Updates()
    for play, (world, _) in enumerate(evening("president", 3)):
        told = frames(world.room, updates, updates.number)
        for person in PERSONS[:5] if play else ():
            update = json.loads(told[person])
            assert not {"room", "table", "you"} & update.keys()
            assert update["changed"]["room"].keys() <= {"waits", "deadlines"}
            assert len(update["changed"]["table"]["players"]) <= 2
            assert len(told[person]) < 1500
        assert not play or "you" not in json.loads(told["eve"])["changed"]


@pytest.mark.parametrize("game", list(GAMES))
def test_an_update_says_whether_it_has_something_for_its_reader_alone(game: str) -> None:
    updates, shown, found = Updates(), 0, set[tuple[str | None, bool]]()
    for world, _ in evening(game, 30):
        updates.take(world.room, 0, 0)
        for person in PERSONS:
            update = updates.told(person, shown)
            members = json.loads(update.text)
            assert update.own == ("you" in members or "you" in members.get("changed", {}))
            assert members.get("changed", {}).get("you") != {}, "nothing is no news"
            if shown:
                found.add((person, update.own))
        shown = updates.number
    assert {(person, False) for person in ("ana", "bob", "cat", "dan", "eve")} <= found
    assert {("ana", True), (None, True), ("nobody here", True)} <= found
    assert not {(None, False), ("nobody here", False)} & found


def test_only_so_many_people_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is forgotten is told the whole again."""
    monkeypatch.setattr("app.rooms.views.delta.MOST_PEOPLE", 2)
    world, updates = playing(), Updates()
    for persons in (("ana", "bob"), ("ana", "bob", "cat"), ("ana",)):
        updates.take(world.room, 0, 0)
        told = {person: json.loads(updates.told(person, updates.number - 1).text) for person in persons}
        if len(persons) == 3:
            assert "you" not in told["ana"]
            assert "you" not in told["bob"]
    assert "you" in told["ana"]


def test_after_an_error_the_next_update_has_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    world, updates, ana = playing(), Updates(), Reader("ana")
    updates.take(world.room, 0, 0)
    ana.read(updates)
    while world.to_act != "Ana":
        world.play(1)
    updates.take(world.room, 0, 0)
    with monkeypatch.context() as broken:
        broken.setattr("app.rooms.views.room_view.turn", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            updates.told("ana", updates.number - 1)
    ana.read(updates)
    assert ana.picture == whole(world.room, "ana")


# Events -----------------------------------------------------------------------------------------------------------


FOUR, THREE = ("Ana", "Bob", "Cat", "Dan"), ("Ana", "Bob", "Cat")
WITH_EXCHANGES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "president": (FOUR, {}),
    "big_two": (THREE, {"options": {"tribute": True}}),  # four players have no exchange
    "ceausescu": (FOUR, {}),
    "chase_the_ace": (FOUR, {}),
}
"""By game: players, and options by which some events are for some players only."""
LISTENERS = ("ana", "bob", "cat", "dan", "eve", None)


def test_every_game_is_listened_to() -> None:
    assert WITH_EXCHANGES.keys() == GAMES.keys()


@pytest.mark.parametrize("game", WITH_EXCHANGES)
def test_each_listener_hears_all_that_they_may_know_once_and_nothing_else(game: str) -> None:
    """Each of four players hears private events of their own, and none of those that are for others."""
    (players, settings), updates = WITH_EXCHANGES[game], Updates()
    often = dict(zip(LISTENERS, (1, 3, 1, 2, 3, 1), strict=True))
    shown = dict[str | None, int].fromkeys(LISTENERS, 0)
    heard: dict[str | None, list[str]] = {person: [] for person in LISTENERS}
    expected: dict[str | None, list[str]] = {person: [] for person in LISTENERS}
    private = {person: [0, 0] for person in LISTENERS}  # how many were for this listener, and how many for others
    for turn, (world, happened) in enumerate(evening(game, 600, players, **settings)):
        updates.happened(happened)
        updates.take(world.room, 0, 0)
        updates.prepare(PERSONS[: turn % 4])
        for person, pause in often.items():
            for event in happened if turn else ():  # the first update has no events yet
                if event.to is None or may_hear(person, event):
                    expected[person].append(json.dumps(event.to_json()))
                if event.to is not None:
                    private[person][not may_hear(person, event)] += 1
            if turn % pause == 0:
                heard[person] += map(json.dumps, json.loads(updates.told(person, shown[person]).text)["events"])
                shown[person] = updates.number
    for person in LISTENERS:
        missed = json.loads(updates.told(person, shown[person]).text)["events"]
        assert sorted([*heard[person], *map(json.dumps, missed)]) == sorted(expected[person])
        own, others = private[person]
        assert others > 0, "a test that nobody could fail"
        assert (own > 0) == (person is not None and person.title() in players)


def test_a_private_event_reaches_a_player_of_whom_nothing_else_has_changed() -> None:
    world, updates = playing(), Updates()
    updates.take(world.room, 0, 0)
    for person in PERSONS:
        updates.told(person, 0)
    updates.happened([Event("gave_cards", "Ana", {"cards": "3c"}, to=("Ana", "Bob"))])
    updates.take(world.room, 0, 0)
    told = {person: json.loads(updates.told(person, 1).text) for person in PERSONS}
    assert [person for person in PERSONS if told[person]["events"]] == ["ana", "bob"]
    assert "you" not in {**told["bob"], **told["bob"].get("changed", {})}


def may_hear(person: str | None, event: Event) -> bool:
    """Return whether a private event names this person."""
    return person is not None and event.to is not None and person.title() in event.to


def test_what_was_prepared_is_what_would_be_told() -> None:
    """To whoever was shown the picture before, and to whoever was not."""
    ready, updates = Updates(), Updates()
    shown = dict[str | None, int].fromkeys(PERSONS, 0)
    for turn, (world, happened) in enumerate(evening("president", 90)):
        for each in (ready, updates):
            each.happened(happened)
            each.take(world.room, 0, 0)
        ready.prepare(PERSONS)
        for place, person in enumerate(PERSONS):
            assert ready.told(person, shown[person]) == updates.told(person, shown[person])
            assert ready.told(person, 0) == updates.told(person, 0)
            if turn % (1 + place % 3) == 0:
                shown[person] = updates.number


def test_who_has_missed_very_much_is_told_the_last_of_it() -> None:
    world, updates = playing(), Updates()
    updates.take(world.room, 0, 0)
    for _ in range(RECENT + 4):
        events = world.tell(ask.Absent("dan")).events + world.tell(ask.Present("dan")).events
        updates.happened(events)
        updates.take(world.room, 0, 0)
    assert len(json.loads(updates.told("ana", 1).text)["events"]) == 2 * RECENT
    assert json.loads(updates.told("ana", updates.number).text)["events"] == []
    updates.forget()
    assert json.loads(updates.told("ana", 2).text)["events"] == []


# Secrets ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", list(GAMES))
def test_cards_that_a_viewer_cannot_know_change_no_byte(game: str) -> None:
    world = four(game=game).join("Eve")
    world.ok("Eve", ask.Watch)
    world.ok("Ana", ask.Start)
    world.play(2)
    match = world.room.match
    assert match is not None
    assert match.running
    one, two = [name for name in match.seats if name not in match.to_act][:2]
    cards = match.hand.cards
    a, b = cards[one], cards[two]
    n = min(len(a), len(b))
    swapped = {**cards, one: b[:n] + a[n:], two: a[:n] + b[n:]}
    other = world.room.but(run=world.run.but(match=match.but(hand=match.hand.but(cards=swapped))))
    before, after = frames(world.room), frames(other)
    changed = {person for person in before if before[person] != after[person]}
    assert changed == {one.lower(), two.lower()}


@pytest.mark.parametrize("viewer", [None, "Ana"])
@pytest.mark.parametrize("game", list(GAMES))
def test_updates_are_the_same_wherever_hidden_cards_lie(game: str, viewer: str | None) -> None:
    """Through what is kept from picture to picture: neither what has changed nor when tells of them."""
    rng, one, other = random.Random(3), Updates(), Updates()
    persons = ("ana",) if viewer else ("eve", None)
    told, number, hidden = list[Event](), 0, 0
    for world, happened in evening(game, 60):
        room, match = world.room, world.room.match
        assert match is not None
        told, number = [*(told if number == match.dealt else ()), *happened], match.dealt
        if match.running:
            mixed = renamed(match, known(match, told, viewer), rng)
            hidden += mixed != match
            room = room.but(run=world.run.but(match=mixed))
        one.take(world.room, 0, 0)
        other.take(room, 0, 0)
        for person in persons:
            for shown in {0, max(0, one.number - 3), one.number - 1}:
                assert one.told(person, shown).text == other.told(person, shown).text
    assert hidden > 10


def test_updates_hide_secrets() -> None:
    world = playing()
    seen = frames(world.room)
    secret = world.room.chance.secret.hex().encode()
    for person, frame in seen.items():
        assert secret not in frame
        decoded = json.loads(frame)
        assert decoded["you"]["person"] == (person is not None)
        own = decoded["you"].get("name")
        for name in world.room.seated():
            held = world.room.match.hand.cards[name]  # type: ignore[union-attr]
            assert (" ".join(held).encode() in frame) == (name == own)
