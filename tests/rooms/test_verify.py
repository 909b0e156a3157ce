"""Test `pecking-order verify`: what it says about deals that were drawn again, and about lists that a player saw."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from app.commands.verify import verify
from app.engine.match.record import build_record
from app.rooms.log.name_rewrite import replace_names
from app.rooms.model import commands as ask
from app.rooms.model.shuffle_proof import known_cards_proof, seed_hash
from app.rooms.ports.facts import HandAborted, HandEnded, MatchEnded, MatchStarted
from app.rooms.recorded import verify as recorded
from app.rooms.views import room_view
from tests.rooms.world import World, four, seed_of, through_json

Check = Callable[..., tuple[int, str]]


def record_of(world: World) -> dict[str, Any]:
    """Return the record of the room's last match, as the history stores it."""
    start = max(n for n, fact in enumerate(world.facts) if isinstance(fact, MatchStarted))
    begun, facts = world.facts[start], world.facts[start:]
    assert isinstance(begun, MatchStarted)
    hands = [fact.record for fact in facts if isinstance(fact, HandEnded | HandAborted)]
    cancelled = [deal for fact in facts if isinstance(fact, MatchEnded) for deal in fact.cancelled]
    names = [name for _, name in begun.players]
    return dict(through_json(build_record(begun.game, begun.options, names, hands, cancelled=cancelled)))


def play_hand(world: World, *givers: str, cancel: str | None = None) -> list[dict[str, Any]]:
    """Play a hand with seeds of these players and return the closed lists. Before, `cancel` deletes their data."""
    lists = []
    for gone in (cancel, None) if cancel else (None,):
        world.promise(*givers)
        world.ok("Ana", ask.DealNext if world.room.phase == "between_hands" else ask.Start)
        lists.append(through_json(room_view.build_room(world.room)["fair"]["closed"]))
        if gone is not None:
            world.ok(gone, ask.BeForgotten)
    world.reveal(*givers)
    world.play()
    return lists


@pytest.fixture
def check(tmp_path: Path) -> Check:
    """Return a function that verifies a record, perhaps with lists that a player saw: exit status and output."""

    def run(record: dict[str, Any], seen: object = None) -> tuple[int, str]:
        file, lists = tmp_path / "record.json", tmp_path / "lists.json"
        file.write_text(json.dumps(record))
        lists.write_text(json.dumps(seen))
        done = CliRunner().invoke(verify, [str(file), *(["--list", str(lists)] if seen is not None else [])])
        return done.exit_code, done.output

    return run


def test_it_names_givers_and_seats_without_a_seed(check: Check) -> None:
    world = four()
    play_hand(world, "Ana", "Cat")
    status, said = check(record_of(world))
    assert status == 0
    assert "fixed before the first was shown); seeds: Ana, Cat; no seed: Bob, Dan" in said


def test_a_cancelled_deal_is_named_and_gives_status_4(check: Check) -> None:
    world = four()
    lists = play_hand(world, "Ana", "Bob", cancel="Dan")
    record = record_of(world)
    seen = {"match": None, "lists": [{"hand": None, "list": lists[0]}, {"hand": 1, "list": lists[1]}]}
    for each in (record, replace_names(record, {"Dan": "Somebody 1", "Bob": "Somebody 2"})):
        status, said = check(each, seen)
        assert status == 4, said
        assert "Before hand 1: a deal was cancelled: " in said
        assert "deleted their data; seeds had come from: nobody" in said
        assert "Hand 1: its closed list is the one that the player saw" in said
        assert "A list without a hand: the file has the list that the player saw" in said
        assert "Drawn again: 1 told, 0 without a word" in said
    assert check(record, seen["lists"][1])[0] == 4, "today's form of a list"


def test_a_deal_that_was_cancelled_at_the_end_of_a_match_is_named(check: Check) -> None:
    world = four()
    play_hand(world, "Ana")
    world.promise("Ana", "Bob")
    world.ok("Ana", ask.DealNext)
    closed = through_json(room_view.build_room(world.room)["fair"]["closed"])
    world.reveal("Bob")
    world.ok("Ana", ask.Stop)
    status, said = check(record_of(world), {"hand": None, "list": closed})
    assert status == 4
    assert "After the last hand: a deal was cancelled: the match was ended; seeds had come from: Bob" in said


def test_deals_of_the_server_alone_or_with_known_cards(check: Check) -> None:
    world = four()
    world.ok("Ana", ask.Start)
    world.play()
    status, said = check(record_of(world))
    assert (status, "depends on the server alone" in said) == (4, True)
    record = record_of(world)
    record["hands"][0]["fair"] = known_cards_proof("deals")
    status, said = check(record)
    assert (status, "not shuffled" in said) == (0, True)


LACKS = "the server drew again after seeds were sent"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda record, seen: record["hands"][0]["fair"].pop("cancelled"), LACKS),
        (lambda record, seen: record["hands"][0]["fair"]["cancelled"][0].update(secret="00" * 32), "is not proven"),
        (lambda record, seen: record["hands"][0]["fair"]["cancelled"][0]["seeds"].update({"1": "00" * 16}), "not fit"),
        (lambda record, seen: record["hands"][0]["fair"]["cancelled"][0].pop("secret"), "invalid proof"),
        (lambda record, seen: record["hands"][0]["fair"]["cancelled"][0].update(reason="whim"), "invalid proof"),
        (lambda record, seen: seen["lists"][1]["list"]["givers"].update({"1": "Eve"}), "another givers"),
        (lambda record, seen: seen["lists"][1]["list"]["hashes"].update({"1": "00" * 32}), "another hashes"),
        (lambda record, seen: seen["lists"][1].update(hash=seed_hash(seed_of("Eve"))), "left off the list"),
        (lambda record, seen: seen["lists"][1].update(hand=2), "no such hand"),
    ],
)
def test_a_false_statement_gives_status_1(check: Check, change: Callable[..., object], says: str) -> None:
    world = four()
    lists = play_hand(world, "Ana", "Bob", cancel="Dan")
    record = record_of(world)
    seen = {"lists": [{"hand": None, "list": lists[0]}, {"hand": 1, "list": lists[1]}]}
    change(record, seen)
    status, said = check(record, seen)
    assert (status, says in said) == (1, True), said


def test_changed_seats_are_a_false_reason_if_the_seats_are_the_same(check: Check) -> None:
    world = four()
    play_hand(world, "Ana", "Bob", cancel="Dan")
    record = record_of(world)
    record["hands"][0]["fair"]["cancelled"][0]["reason"] = "seats_changed"
    assert check(record)[0] == 4, "Dan has left"
    world = four()
    world.promise("Ana")
    world.ok("Ana", ask.Start)
    world.tell(ask.Rewind(0, 0))
    play_hand(world, "Ana", "Bob")
    record = record_of(world)
    assert "the server lost data" in check(record)[1]
    record["hands"][0]["fair"]["cancelled"][0]["reason"] = "seats_changed"
    status, said = check(record)
    assert (status, "but they are the same" in said, "0 told, 1 without" in said) == (1, True, True), said


def test_a_list_of_an_open_deal_may_be_missing(check: Check) -> None:
    world = four()
    play_hand(world, "Ana")
    world.promise("Ana")
    world.ok("Ana", ask.DealNext)
    closed = through_json(room_view.build_room(world.room)["fair"]["closed"])
    for hand in (None, 2):
        status, said = check(record_of(world), {"lists": [{"hand": hand, "list": closed, "open": True}]})
        assert (status, "was not over" in said) == (0, True), said


@pytest.mark.parametrize("nonsense", [[], {"lists": {}}, {"lists": [{"hand": 0, "list": {}}]}, {"hand": 1}])
def test_a_file_without_lists_is_refused(check: Check, nonsense: object) -> None:
    world = four()
    play_hand(world, "Ana")
    status, said = check(record_of(world), nonsense)
    assert (status, "is not a closed list" in said) == (2, True)


def test_malformed_cancelled_deals_beside_the_hands_make_a_file_unusable(check: Check) -> None:
    world = four()
    play_hand(world, "Ana")
    status, said = check({**record_of(world), "cancelled": [{"reason": "deleted"}]})
    assert (status, str(recorded.CANCELLED_IS()) in said) == (2, True)
