"""Test that lists of legal actions end in time, even with very many choices of cards.

With two packs and five wild ranks one player may hold forty wild cards, and choices of eight cards reach millions.
Replays of such records once hung, because each choice was tried against the table.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from statistics import median
from typing import Any

import pytest

from app.arena.random_rules import PLAYER_NAMES
from app.engine.cards.actions import Play
from app.engine.cards.cards import parse_cards
from app.engine.climbing.hand import legal_plays_of_cards
from app.engine.climbing.rule_hooks import HandState
from app.engine.games import GAMES
from app.engine.match import record
from app.engine.match.hand import Deal
from app.engine.match.match import Match

GAME = GAMES["president"]
LOOKED_AT = 20_000
IN_VAIN = 100
"""Choices that may prove illegal, because some powers depend on the actual cards."""

WILD: dict[str, Any] = {"packs": 2, "jokers": 2, "joker_role": "wild", "wild_ranks": "34567"}


def position(lead: str, **options: Any) -> Match:
    """Return a position in which Ana has led and Bob, in turn, holds all other cards but one."""
    match = Match.start(GAME, GAME.option_schema.resolve_options({**WILD, **options}), ("Ana", "Bob", "Cat"))
    rest = list(match.deck())
    for card in parse_cards(lead):
        rest.remove(card)
    deal = Deal("Cat", {"Ana": (*parse_cards(lead), rest.pop()), "Cat": (rest.pop(),), "Bob": tuple(rest)})
    return match.begin_hand(deal).match.apply_action("Ana", Play(parse_cards(lead))).match


@pytest.mark.parametrize(
    "match",
    [
        pytest.param(position("9c 9d 9h 9s 9c 9d"), id="equal-plays-are-no-good"),
        pytest.param(position("9c 9d 9h 9s 9c 9d", suit_ranking="shdc"), id="suits-of-pairs-only"),
        pytest.param(position("2c 2d 2h 2s 2c 2d", colour_reversal=True), id="colours"),
        pytest.param(position("2c 2d 2h 2s 2c 2d 2h", wild_tie="natural_wins"), id="the-natural-one-wins"),
        pytest.param(position("2c 2d 2h 2s 2c 2d", equal_plays="skip", skip_best=False), id="not-on-the-best"),
        pytest.param(
            position("2c 2d 2h 2s 2c", equal_plays="skip", skip_best=False, set_size="larger_if_higher"),
            id="nor-a-larger-set-of-it",
        ),
        pytest.param(position("9c 9d 9h 9s 9c 9d", transparent="8"), id="wild-cards-are-not-transparent"),
        pytest.param(position("3c 4c 5c 6c 7c 3d 4d 5d"), id="wild-cards-on-wild-cards"),
    ],
)
def test_few_illegal_choices_are_tried_when_listing_plays(match: Match) -> None:
    hand: HandState = match.hand
    looked_at = list(islice(hand.rules.candidate_plays(hand, hand.cards["Bob"]), LOOKED_AT))
    in_vain = sum(next(legal_plays_of_cards(hand, "Bob", cards), None) is None for cards in looked_at)
    assert in_vain <= IN_VAIN


def test_a_long_list_of_legal_actions_is_truncated_and_marked() -> None:
    out = record.position_to_json(position("9c 9d", set_size="larger_wins"))
    assert len(out["legal"]) == record.MAX_LISTED_ACTIONS
    assert out["more"] is True
    assert "more" not in record.position_to_json(position("9c", jokers=0, wild_ranks=""))


def calls(match: Match) -> int:
    """Count the function calls needed to list the legal actions.

    The count includes Python's own functions and is the same on every machine.
    """
    made = Counter[str]()
    before = sys.getprofile()
    sys.setprofile(lambda _frame, what, _argument: made.update((what,)))
    try:
        for _ in match.legal_actions():
            pass
    finally:
        sys.setprofile(before)
    return made["call"] + made["c_call"]


def full_hands(preset: str, count: int, seed: str) -> Iterator[Match]:
    """Yield new hands whose combinations are not cached yet."""
    for number in range(20):
        match = Match.start(GAME, GAME.option_schema.resolve_options({"preset": preset}), PLAYER_NAMES[:count])
        deck = match.deck()
        yield match.begin_hand(match.deal(tuple(Random(f"{seed} {number}").sample(deck, len(deck))))).match


@pytest.mark.parametrize(("preset", "count"), [("daifugo", 4), ("uecda", 5), ("tycoon", 4), ("bga_now", 4)])
def test_listing_plays_in_rich_presets_costs_under_six_times_the_plain_game(preset: str, count: int) -> None:
    plain = median(map(calls, full_hands("pagat", 4, f"beside {preset}")))
    assert median(map(calls, full_hands(preset, count, preset))) < 6 * plain
