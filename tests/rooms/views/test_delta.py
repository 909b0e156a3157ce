"""Test the updates to connections: changes since the last one, without hidden cards of other players."""

import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from app.engine.cards.actions import JoinMatch, LeaveMatch, Pass, Play
from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.engine.match.match import Match
from app.rooms.log.reducer import apply_stored_event
from app.rooms.model import commands as ask
from app.rooms.model.state import MatchRun, Room
from app.rooms.views.delta import MAX_RECENT_CHANGES, UpdateBuilder
from app.rooms.views.guests import NO_GUESTS, Guests, GuestView, build_guests
from app.rooms.views.versioned_section import VersionedSection
from tests.for_each import for_each
from tests.rooms.readers import Reader, whole
from tests.rooms.world import World, four, playing
from tools.property_checks.information_leaks import cards_known_to, swap_hidden_cards

LISTED: GuestView = {"number": 7, "since": 0, "screen": False}
PERSONS = ("ana", "bob", "cat", "dan", "eve", "nobody here", None)


def frames(room: Room, updates: UpdateBuilder | None = None, shown: int = 0) -> dict[str | None, bytes]:
    """Return the update for each person who was last sent version `shown`."""
    updates = updates or UpdateBuilder()
    updates.update_view(room, 0)
    return {person: updates.build_update_for(person, shown).text for person in PERSONS}


def evening(
    game: str, actions: int, players: Sequence[str] = ("Ana", "Bob", "Cat", "Dan"), **settings: Any
) -> Iterator[tuple[World, Sequence[GameEvent]]]:
    """Yield a room after each of these actions, over several hands, with the events. Eve is a spectator."""
    world = World(game=game, **settings).join(*players[1:], "Eve")
    world.ok("Eve", ask.Watch)
    room, seen = world.room, len(world.entries)
    world.ok("Ana", ask.Start)
    for _ in range(actions):
        happened = list[GameEvent]()
        for entry in world.entries[seen:]:
            room, events = apply_stored_event(room, entry)
            happened += events
        seen = len(world.entries)
        yield world, happened
        if world.room.phase == "playing":
            world.play(1)
        else:
            world.ok("Ana", ask.DealNext if world.room.phase == "between_hands" else ask.Rematch)
            if world.room.phase == "lobby":
                world.ok("Ana", ask.Start)


# Sections ------------------------------------------------------------------------------------------------------------


def test_a_section_returns_the_changes_since_any_earlier_update() -> None:
    section = VersionedSection()
    made: list[dict[str, Any]] = [{"a": 1, "b": 2}, {"a": 1, "b": 3}, {"a": 1, "b": 3}, {"a": 4, "b": 3}]
    for number, each in enumerate(made, 1):
        section.update(number, each)
    told = [section.changed_since(shown) for shown in range(5)]
    assert told == [{"a": 4, "b": 3}, {"a": 4, "b": 3}, {"a": 4}, {"a": 4}, {}]
    assert section.whole == 1


def test_a_section_with_different_keys_is_sent_whole() -> None:
    section = VersionedSection()
    for number, each in enumerate(({}, {}, {"a": 1}, {"a": 2}, {"b": 1, "a": 2}, {"b": 1, "c": 2}), 1):
        section.update(number, each)
        assert section.whole == (1, 1, 3, 3, 5, 6)[number - 1]
    assert section.changed_since(5) == {"b": 1, "c": 2}


def test_a_section_is_not_rebuilt_from_identical_sources() -> None:
    section, one = VersionedSection(), ("x",)
    section.update_memoized(1, (one, 1), dict, {"a": 1})
    section.update_memoized(2, (one, 1), dict, {"a": 2})
    assert section.changed_since(0) == {"a": 1}
    section.update_memoized(3, (one, 1, 1), dict, {"a": 2})
    assert section.changed_since(2) == {"a": 2}
    section.update_memoized(4, (["x"], 1, 1), dict, {"a": 3})
    assert section.changed_since(3) == {"a": 3}


def test_only_the_parts_of_a_section_with_changed_sources_are_rebuilt() -> None:
    section, made = VersionedSection(), list[str]()

    def make(name: str, cards: int) -> dict[str, int]:
        made.append(name)
        return {"cards": cards}

    for number, cards in enumerate((3, 3, 2), 1):
        section.update_each(number, {"Ana": ("Ana", 3), "Bob": ("Bob", cards)}, make)
    assert made == ["Ana", "Bob", "Bob"]
    assert section.changed_since(2) == {"Bob": {"cards": 2}}
    section.update_each(4, {}, make)
    section.update_each(5, {"Ana": ("Ana", 3)}, make)
    assert section.changed_since(0) == {"Ana": {"cards": 3}}
    assert made == ["Ana", "Bob", "Bob", "Ana"]


# Whole views ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", list(GAMES))
def test_a_reader_that_misses_updates_still_gets_the_whole_view(game: str) -> None:
    rng, updates = random.Random(1), UpdateBuilder()
    readers = [(Reader(person), often) for person in PERSONS for often in (1, 0.1)]
    for world, _ in evening(game, 80):
        updates.update_view(world.room, 0)
        expected = {person: whole(world.room, person) for person in PERSONS}
        for reader, often in (*readers, *((Reader(person), 1) for person in PERSONS)):
            if rng.random() < often:
                reader.read(updates)
                assert reader.picture == expected[reader.person]


def test_a_player_who_leaves_and_returns_gets_the_whole_view() -> None:
    """Dan leaves and returns, so his old updates must not be used as a base."""
    world, updates = four(), UpdateBuilder()
    dan, late = Reader("dan"), Reader("dan")
    for leaves in (True, False) * 2:
        updates.update_view(world.room, 0)
        for reader in (dan, late) if leaves else (dan,):
            reader.read(updates)
            assert reader.picture == whole(world.room, "dan")
        world.ok("Dan", ask.Leave) if leaves else world.join("Dan")
    updates.update_view(world.room, 0)
    for reader in (dan, late):
        reader.read(updates)
        assert reader.picture == whole(world.room, "dan")


def test_a_player_who_left_is_not_in_the_cached_table_view() -> None:
    """Between two hands the table has the same keys as before, and one player fewer."""
    world, updates, ana = playing(), UpdateBuilder(), Reader("ana")
    world.play()
    for left in (False, True):
        if left:
            world.ok("Dan", ask.Leave)
            world.ok("Ana", ask.DealNext)
        updates.update_view(world.room, 0)
        ana.read(updates)
        assert ana.picture == whole(world.room, "ana")
    assert ana.picture is not None
    assert set(ana.picture["table"]["players"]) == {"Ana", "Bob", "Cat"}


def test_a_change_in_any_source_field_invalidates_the_cached_view() -> None:
    room = playing().room
    other = playing(seed=2, game="chase_the_ace")
    other.play()
    other.promise("Bob")
    other.ok("Ana", ask.Stop)
    other.ok("Ana", ask.TransferHost, name="Bob")
    other.tell(ask.PersonDisconnected("dan"))
    later = other.room.replace(code="OTHER", invite="another")
    assert later.run is not None
    assert room.run is not None
    rooms = [room.replace(**{name: getattr(later, name)}) for name in Room.__struct_fields__]
    rooms += [
        room.replace(run=room.run.replace(**{name: getattr(later.run, name)})) for name in MatchRun.__struct_fields__
    ]
    rooms += [room.replace(run=room.run.replace(match=match)) for match in changed_matches(room.run.match)]
    for changed in rooms:
        for guests in (NO_GUESTS, Guests(1), Guests(1, 1), build_guests(1, 1, [LISTED])):
            updates, readers = UpdateBuilder(), [Reader(person) for person in PERSONS]
            for shown, present in ((room, Guests(1)), (changed, guests)):
                updates.update_view(shown, 0, present)
                for reader in readers:
                    reader.read(updates)
                    assert reader.picture == whole(shown, reader.person, present)


def changed_matches(match: Match) -> Iterator[Match]:
    """Yield the match in the middle of a hand, each time with another changed field."""
    later = playing(seed=2)
    later.play()
    assert later.room.match is not None
    names = match.seats[::-1]
    changes = {
        "options": match.game.option_schema.resolve_options({"titles": "merchant"}),
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
        changed = match.replace(**{name: value})
        yield changed
        yield changed.replace(hand=match.hand.replace(seats=names))


def test_an_update_after_a_play_is_small() -> None:
    """The update has no list of people, no data of the next deal and no rules."""
    updates = UpdateBuilder()
    for play, (world, _) in enumerate(evening("president", 3)):
        told = frames(world.room, updates, updates.version)
        for person in PERSONS[:5] if play else ():
            update = json.loads(told[person])
            assert not {"room", "table", "you"} & update.keys()
            assert update["changed"]["room"].keys() <= {"waiting_since", "deadlines"}
            assert len(update["changed"]["table"]["players"]) <= 2
            assert len(told[person]) < 1500
        assert not play or "you" not in json.loads(told["eve"])["changed"]


@pytest.mark.parametrize("game", list(GAMES))
def test_an_update_is_marked_as_own_if_it_has_private_content(game: str) -> None:
    updates, shown, found = UpdateBuilder(), 0, set[tuple[str | None, bool]]()
    for world, _ in evening(game, 30):
        updates.update_view(world.room, 0)
        for person in PERSONS:
            update = updates.build_update_for(person, shown)
            members = json.loads(update.text)
            assert update.has_own_changes == ("you" in members or "you" in members.get("changed", {}))
            assert members.get("changed", {}).get("you") != {}, "nothing is no news"
            if shown:
                found.add((person, update.has_own_changes))
        shown = updates.version
    assert {(person, False) for person in ("ana", "bob", "cat", "dan", "eve")} <= found
    assert {("ana", True), (None, True), ("nobody here", True)} <= found
    assert not {(None, False), ("nobody here", False)} & found


def test_a_reader_dropped_from_the_cache_gets_the_whole_private_section(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader whose data was dropped from the cache gets the whole section again."""
    monkeypatch.setattr("app.rooms.views.delta.MOST_PEOPLE", 2)
    world, updates = playing(), UpdateBuilder()
    for persons in (("ana", "bob"), ("ana", "bob", "cat"), ("ana",)):
        updates.update_view(world.room, 0)
        told = {person: json.loads(updates.build_update_for(person, updates.version - 1).text) for person in persons}
        if len(persons) == 3:
            assert "you" not in told["ana"]
            assert "you" not in told["bob"]
    assert "you" in told["ana"]


def test_the_update_after_an_error_gives_the_whole_view(monkeypatch: pytest.MonkeyPatch) -> None:
    world, updates, ana = playing(), UpdateBuilder(), Reader("ana")
    updates.update_view(world.room, 0)
    ana.read(updates)
    while world.to_act != "Ana":
        world.play(1)
    updates.update_view(world.room, 0)
    with monkeypatch.context() as broken:
        broken.setattr("app.rooms.views.room_view.build_turn", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            updates.build_update_for("ana", updates.version - 1)
    ana.read(updates)
    assert ana.picture == whole(world.room, "ana")


# Events -----------------------------------------------------------------------------------------------------------


FOUR, THREE = ("Ana", "Bob", "Cat", "Dan"), ("Ana", "Bob", "Cat")
WITH_EXCHANGES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "president": (FOUR, {}),
    "big_two": (THREE, {"options": {"tribute": True}}),  # four players have no exchange
    "ceausescu": (FOUR, {}),
    "chase_the_ace": (FOUR, {}),
    "tien_len": (FOUR, {"options": {"exchange": "one"}}),
}
"""Players of each game, and options that lead to private events."""
LISTENERS = ("ana", "bob", "cat", "dan", "eve", None)


def test_the_event_tests_cover_every_game_with_private_events() -> None:
    public = {Play, Pass, JoinMatch, LeaveMatch}
    assert WITH_EXCHANGES.keys() == {key for key, game in GAMES.items() if game.actions - public}


@pytest.mark.parametrize("game", WITH_EXCHANGES)
def test_each_person_gets_every_permitted_event_exactly_once(game: str) -> None:
    """Each of four players hears their own private events, and no private events of others."""
    (players, settings), updates = WITH_EXCHANGES[game], UpdateBuilder()
    often = dict(zip(LISTENERS, (1, 3, 1, 2, 3, 1), strict=True))
    shown = dict[str | None, int].fromkeys(LISTENERS, 0)
    heard: dict[str | None, list[str]] = {person: [] for person in LISTENERS}
    expected: dict[str | None, list[str]] = {person: [] for person in LISTENERS}
    private = {person: [0, 0] for person in LISTENERS}  # the numbers of private events for this listener and for others
    for turn, (world, happened) in enumerate(evening(game, 600, players, **settings)):
        updates.add_game_events(happened)
        updates.update_view(world.room, 0)
        updates.prepare_own_views(PERSONS[: turn % 4])
        for person, pause in often.items():
            for event in happened if turn else ():  # the first update has no events yet
                if event.to is None or may_hear(person, event):
                    expected[person].append(json.dumps(event.to_json()))
                if event.to is not None:
                    private[person][not may_hear(person, event)] += 1
            if turn % pause == 0:
                heard[person] += map(
                    json.dumps, json.loads(updates.build_update_for(person, shown[person]).text)["events"]
                )
                shown[person] = updates.version
    for person in LISTENERS:
        missed = json.loads(updates.build_update_for(person, shown[person]).text)["events"]
        assert sorted([*heard[person], *map(json.dumps, missed)]) == sorted(expected[person])
        own, others = private[person]
        assert others > 0, "a test that nobody could fail"
        assert (own > 0) == (person is not None and person.title() in players)


def test_a_private_event_reaches_a_player_whose_view_is_unchanged() -> None:
    world, updates = playing(), UpdateBuilder()
    updates.update_view(world.room, 0)
    for person in PERSONS:
        updates.build_update_for(person, 0)
    updates.add_game_events([GameEvent("gave_cards", "Ana", {"cards": "3c"}, to=("Ana", "Bob"))])
    updates.update_view(world.room, 0)
    told = {person: json.loads(updates.build_update_for(person, 1).text) for person in PERSONS}
    assert [person for person in PERSONS if told[person]["events"]] == ["ana", "bob"]
    assert "you" not in {**told["bob"], **told["bob"].get("changed", {})}


def may_hear(person: str | None, event: GameEvent) -> bool:
    """Return whether a private event names this person."""
    return person is not None and event.to is not None and person.title() in event.to


def test_prepared_updates_equal_updates_made_on_request() -> None:
    """For readers of the previous view and for new readers."""
    ready, updates = UpdateBuilder(), UpdateBuilder()
    shown = dict[str | None, int].fromkeys(PERSONS, 0)
    for turn, (world, happened) in enumerate(evening("president", 90)):
        for each in (ready, updates):
            each.add_game_events(happened)
            each.update_view(world.room, 0)
        ready.prepare_own_views(PERSONS)
        for place, person in enumerate(PERSONS):
            assert ready.build_update_for(person, shown[person]) == updates.build_update_for(person, shown[person])
            assert ready.build_update_for(person, 0) == updates.build_update_for(person, 0)
            if turn % (1 + place % 3) == 0:
                shown[person] = updates.version


def test_a_reader_that_missed_many_updates_gets_only_the_recent_events() -> None:
    world, updates = playing(), UpdateBuilder()
    updates.update_view(world.room, 0)
    for _ in range(MAX_RECENT_CHANGES + 4):
        events = (
            world.tell(ask.PersonDisconnected("dan")).game_events + world.tell(ask.PersonConnected("dan")).game_events
        )
        updates.add_game_events(events)
        updates.update_view(world.room, 0)
    assert len(json.loads(updates.build_update_for("ana", 1).text)["events"]) == 2 * MAX_RECENT_CHANGES
    assert json.loads(updates.build_update_for("ana", updates.version).text)["events"] == []
    updates.forget_game_events()
    assert json.loads(updates.build_update_for("ana", 2).text)["events"] == []


# Secrets ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", list(GAMES))
def test_hidden_cards_change_only_the_frames_of_their_holders(game: str) -> None:
    world = four(game=game).join("Eve")
    world.ok("Eve", ask.Watch)
    world.ok("Ana", ask.Start)
    world.play(2)
    match = world.room.match
    assert match is not None
    assert match.is_hand_running
    one, two = [name for name in match.seats if name not in match.to_act][:2]
    cards = match.hand.cards
    a, b = cards[one], cards[two]
    n = min(len(a), len(b))
    swapped = {**cards, one: b[:n] + a[n:], two: a[:n] + b[n:]}
    other = world.room.replace(run=world.run.replace(match=match.replace(hand=match.hand.replace(cards=swapped))))
    before, after = frames(world.room), frames(other)
    changed = {person for person in before if before[person] != after[person]}
    assert changed == {one.lower(), two.lower()}


@for_each("viewer", [None, "Ana"])
@for_each("game", list(GAMES))
def test_a_series_of_updates_does_not_depend_on_hidden_cards(game: str, viewer: str | None) -> None:
    """The cache must not reveal hidden cards, neither by the changes nor by their order."""
    rng, one, other = random.Random(3), UpdateBuilder(), UpdateBuilder()
    persons = ("ana",) if viewer else ("eve", None)
    told, number, hidden = list[GameEvent](), 0, 0
    for world, happened in evening(game, 60):
        room, match = world.room, world.room.match
        assert match is not None
        told, number = [*(told if number == match.dealt else ()), *happened], match.dealt
        if match.is_hand_running:
            mixed = swap_hidden_cards(match, cards_known_to(match, told, viewer), rng)
            hidden += mixed != match
            room = room.replace(run=world.run.replace(match=mixed))
        one.update_view(world.room, 0)
        other.update_view(room, 0)
        for person in persons:
            for shown in {0, max(0, one.version - 3), one.version - 1}:
                assert one.build_update_for(person, shown).text == other.build_update_for(person, shown).text
    assert hidden > 10


def test_updates_hide_the_deal_secret_and_the_cards_of_others() -> None:
    world = playing()
    seen = frames(world.room)
    secret = world.room.chance.secret.hex().encode()
    for person, frame in seen.items():
        assert secret not in frame
        decoded = json.loads(frame)
        assert decoded["you"]["person"] == (person is not None)
        own = decoded["you"].get("name")
        for name in world.room.seated_names():
            held = world.room.match.hand.cards[name]  # type: ignore[union-attr]
            assert (" ".join(held).encode() in frame) == (name == own)
