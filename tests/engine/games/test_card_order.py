"""Test the line “Low to high”: the order of single cards, and the cards of which the rules say more."""

from typing import Any

import pytest

from app.engine.climbing.state import ClimbingHand
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.match import Match
from tests.for_each import for_each

USUAL = "3 4 5 6 7 8 9 T J Q K A 2"
PRESETS: dict[str, tuple[str, str]] = {
    "classic": (USUAL, ""),
    "pagat": (USUAL, ""),
    "bga": (f"{USUAL} X", "X"),
    "bga_now": (f"{USUAL} X", "X"),
    "kings_and_bastards": (USUAL, "2"),
    "australian": (USUAL, ""),
    "klootzakken": ("7 8 9 T J Q K A 2 3", ""),
    "huberes": ("4 5 6 7 8 9 T J Q K A 2=3=X", "3 2 X"),
    "butthead": (USUAL, ""),
    "revolution": (USUAL, "3 2"),
    "toronto": ("3 4 5 6 7 8 9 T Q K A 2 J X", "2 J X"),
    "wild_threes": ("4 5 6 7 8 9 T J Q K A 2", "3 X"),
    "merchants": (USUAL, ""),
    "collusion": (f"{USUAL} X", ""),
    "landlord": (USUAL, ""),
    "zheng_shangyou": (USUAL, ""),
    "daifugo": (f"{USUAL} X", "3s X"),
    "tycoon": (f"{USUAL} X", "3s X"),
    "uecda": (f"{USUAL} X", "3s X"),
}
"""The line of each preset of President: cards from low to high, with “=” between equal ones, and special cards."""

OPTIONS: list[tuple[dict[str, Any], str, str]] = [
    ({"rank_order": "ace_high"}, "2 3 4 5 6 7 8 9 T J Q K A", ""),
    ({"rank_order": "three_high"}, "4 5 6 7 8 9 T J Q K A 2 3", ""),
    ({"strip": "456"}, "3 7 8 9 T J Q K A 2", ""),
    ({"jokers": 2}, f"{USUAL} X", ""),
    ({"jokers": 2, "joker_rank": "red_high"}, f"{USUAL} Xb Xr", ""),
    ({"jokers": 1, "joker_rank": "red_high"}, f"{USUAL} Xr", ""),
    ({"jokers": 2, "joker_role": "trump", "joker_rank": "red_high"}, f"{USUAL} Xb Xr", "X"),
    ({"jokers": 2, "joker_role": "wild"}, f"{USUAL} X", "X"),
    ({"jokers": 2, "joker_role": "wild", "wild_alone": "any"}, USUAL, "X"),
    ({"jokers": 2, "joker_role": "wild_only"}, f"X {USUAL}", "X"),
    ({"jokers": 2, "wild_ranks": "7"}, "3 4 5 6 8 9 T J Q K A 2 7 X", "7"),
    ({"wild_ranks": "7", "wild_alone": "any"}, "3 4 5 6 8 9 T J Q K A 2", "7"),
    ({"jokers": 2, "joker_role": "wild_only", "wild_ranks": "7"}, "X 3 4 5 6 8 9 T J Q K A 2 7", "7 X"),
    ({"high_cards": "black_threes"}, f"{USUAL} 3c=3s", ""),
    ({"high_cards": "jack_of_diamonds", "jokers": 2}, f"{USUAL} Jd X", ""),
    ({"high_cards": "jack_of_diamonds", "strip": "J"}, "3 4 5 6 7 8 9 T Q K A 2", ""),
    ({"twos": "single_wins", "jokers": 2}, "3 4 5 6 7 8 9 T J Q K A X 2", "2"),
    ({"twos": "trump", "jokers": 2, "joker_role": "trump"}, f"{USUAL} X", "2 X"),
    ({"twos": "trump", "jokers": 2, "joker_role": "wild"}, "3 4 5 6 7 8 9 T J Q K A X 2", "2 X"),
    ({"twos": "any_time"}, USUAL, "2"),
    ({"threes": "high"}, "4 5 6 7 8 9 T J Q K A 3 2", "3 4"),
    ({"threes": "high", "twos": "trump"}, "4 5 6 7 8 9 T J Q K A 3 2", "3 4 2"),
    ({"transparent": "9"}, USUAL, "9"),
    ({"spade_three": "beats"}, USUAL, ""),
    ({"spade_three": "ends", "jokers": 1}, f"{USUAL} X", "3s"),
]
INVERTED: list[tuple[dict[str, Any], str, str]] = [
    ({}, "2 A K Q J T 9 8 7 6 5 4 3", ""),
    ({"jokers": 2}, "2 A K Q J T 9 8 7 6 5 4 3 X", ""),
    ({"twos": "any_time"}, "K Q J T 9 8 7 6 5 4 3 2 A", "A"),
    ({"twos": "trump"}, "A K Q J T 9 8 7 6 5 4 3 2", "2"),
    ({"high_cards": "black_threes"}, "3c=3s 2 A K Q J T 9 8 7 6 5 4 3", ""),
    ({"threes": "high"}, "2 A K Q J T 9 8 7 6 5 4", "3 4"),
]
SUITS: list[tuple[str, dict[str, Any], bool, str]] = [
    ("president", {}, False, ""),
    ("president", {"suit_ranking": "shdc"}, False, "cdhs"),
    ("president", {"suit_ranking": "shdc"}, True, "shdc"),
    ("president", {"suit_lock": "full"}, False, ""),
    ("ceausescu", {}, False, ""),
    ("big_two", {"preset": "pagat"}, False, "dchs"),
    ("big_two", {"preset": "pusoy_dos"}, False, "cshd"),
    ("big_two", {"preset": "taiwan"}, False, "cdhs"),
]


def table(key: str, options: dict[str, Any], *, inverted: bool = False) -> dict[str, Any]:
    """Return the public view of a new hand."""
    game = GAMES[key]
    resolved = game.option_schema.resolve_options(options)
    low, _ = game.player_limits(resolved)
    names = ("Ana", "Bob", "Cat", "Dan", "Eve", "Fay")[: 6 if resolved.preset in ("merchants", "collusion") else low]
    match = Match.start(game, resolved, names)
    match = match.begin_hand(match.deal(match.deck(), 1)).match
    assert isinstance(match.hand, ClimbingHand)
    return dict(views.table_view(match.replace(hand=match.hand.replace(inverted=inverted))))


def line(shown: dict[str, Any]) -> tuple[str, str]:
    return " ".join(equal.replace(" ", "=") for equal in shown["order"]), " ".join(shown["special"])


def test_each_preset_of_president_has_its_line() -> None:
    found = {
        preset.key: line(table("president", {"preset": preset.key}))
        for preset in GAMES["president"].option_schema.presets
    }
    assert found == PRESETS


@for_each(("options", "order", "special"), OPTIONS)
def test_each_option_that_changes_the_order_has_its_line(options: dict[str, Any], order: str, special: str) -> None:
    assert line(table("president", options)) == (order, special)


@pytest.mark.parametrize(("options", "order", "special"), INVERTED, ids=str)
def test_a_revolution_turns_the_line(options: dict[str, Any], order: str, special: str) -> None:
    assert line(table("president", options, inverted=True)) == (order, special)


def test_the_jokers_are_the_highest_cards_in_ceausescu() -> None:
    assert line(table("ceausescu", {})) == (f"{USUAL} Xb Xr", "")


def test_each_preset_of_big_two_has_the_same_ranks() -> None:
    for preset in GAMES["big_two"].option_schema.presets:
        assert line(table("big_two", {"preset": preset.key})) == (USUAL, "")


@for_each(("key", "options", "inverted", "suits"), SUITS)
def test_suits_are_in_the_line_where_they_have_an_order(
    key: str, options: dict[str, Any], inverted: bool, suits: str
) -> None:
    assert table(key, options, inverted=inverted)["suits"] == suits
