"""Test the highlights of a hand for its story and its replay: few and important moves."""

from collections import Counter
from typing import Any

import pytest

from app.engine.games import GAMES
from app.rooms.ports.facts import HandEnded
from app.stats.highlights import MOST, Moments, memorable_moments, select_highlights
from tests.rooms.world import World
from tests.store.played import play

PLAYERS = ("Ana", "Bob", "Cat")


def played(n: int, by: str, *more: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a play with its effects."""
    return [{"e": "played", "by": by, "cards": "8c", "n": n}, *({**each, "n": n} for each in more)]


def taken(by: str) -> dict[str, Any]:
    return {"e": "trick_over", "by": by, "leads": by}


def out(by: str) -> dict[str, Any]:
    return {"e": "out", "by": by}


def told(found: Moments) -> list[tuple[int | None, str]]:
    return [(n, event["e"]) for n, event in found]


def of(events: list[dict[str, Any]], standing: list[Any], *, notable: tuple[str, ...] = ()) -> Moments:
    result = {"standing": standing, "events": list(notable)}
    return select_highlights(memorable_moments(events, result), events, result, len(PLAYERS))


def test_only_a_cleared_trick_that_leads_to_going_out_is_a_highlight() -> None:
    idle, free = played(1, "Bob", taken("Bob")), played(3, "Ana", taken("Ana"))
    passed = [{"e": "passed", "by": "Cat", "n": 5}, {**taken("Bob"), "n": 5}]
    rest = [*played(6, "Bob", taken("Bob")), *played(7, "Bob", out("Bob"))]
    events = [*idle, *played(2, "Bob"), *free, *played(4, "Ana", out("Ana")), *passed, *rest]
    found = of(events, list(PLAYERS))
    assert told(found) == [(3, "cleared_the_way"), (4, "out_first"), (6, "escaped")]
    assert found[-1][1] == {"e": "escaped", "by": "Bob", "last": "Cat"}
    # Another player's play came between, so the trick decided nothing.
    events = [*free, *played(4, "Ana"), *played(5, "Bob"), *played(6, "Ana", out("Ana"))]
    assert told(of(events, list(PLAYERS))) == [(6, "out_first")]
    # In an aborted hand nobody knows who would have been last.
    assert told(of([*free, *played(4, "Ana", out("Ana")), *rest], ["Ana", "Bob"])) == [
        (3, "cleared_the_way"),
        (4, "out_first"),
    ]
    # The first player out did not come first, so going out did not win.
    assert told(of([*free, *played(4, "Ana", out("Ana"))], ["Bob", "Cat", "Ana"])) == []
    assert told(of([{**out("Ana"), "n": 4}], [["Bob", "Cat"], "Ana"])) == []


def test_too_many_highlights_are_reduced_to_the_rarest_and_the_latest() -> None:
    bombs = [each for n in range(1, 20) for each in played(n, "Bob", {"e": "bomb", "by": "Bob"})]
    events = [*played(0, "Cat", {"e": "missile", "by": "Cat"}), *bombs, *played(20, "Ana", out("Ana"))]
    found = told(of(events, list(PLAYERS), notable=("bomb", "missile")))
    assert found == [(0, "missile"), *((n, "bomb") for n in range(16, 20)), (20, "out_first")]
    assert len(found) == MOST


@pytest.mark.parametrize(
    ("game", "preset"), [(game.key, preset.key) for game in GAMES.values() for preset in game.option_schema.presets]
)
def test_every_hand_of_every_game_has_between_one_and_the_maximum_of_highlights(game: str, preset: str) -> None:
    bots = ("easy",) * (5 if preset == "merchants" else 3)
    world = play(World(game=game, seed=3, bots=bots, options={"preset": preset}), 3, stop=False)
    hands = [fact for fact in world.facts if isinstance(fact, HandEnded)]
    assert hands
    for hand in hands:
        spoken = memorable_moments(hand.events, hand.result)
        found = select_highlights(spoken, hand.events, hand.result, len(hand.record["cards"]))
        assert 1 <= len({n for n, _ in found}) <= MOST
        assert Counter(event["e"] for _, event in found)["out_first"] <= 1
