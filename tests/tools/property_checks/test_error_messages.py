"""Test that a refusal looks at few combinations, under all rules and for all plays."""

from random import Random
from typing import Any

import pytest

from app.engine.base.errors import RuleError
from app.engine.cards.actions import Play
from app.engine.cards.cards import parse_cards
from app.engine.climbing.search_counter import count_searches
from app.engine.games import GAMES
from app.engine.match.game import Deal
from app.engine.match.match import Match
from tools.property_checks.error_messages import MOST_LOOKS, ExpensiveRefusal, RefusalStats
from tools.property_checks.playout import Playout

ENOUGH = 5_000
POKER = {"packs": 2, "poker_hands": True}


def test_no_refusal_checks_many_combinations() -> None:
    refusals = RefusalStats()
    number = 0
    while refusals.count < ENOUGH:
        for key in GAMES:
            playout = Playout.random_match(GAMES[key], Random(number))
            playout.refusal_stats, playout.refusal_check_rate, playout.cost_check_rate, playout.max_listed_actions = (
                refusals,
                0,
                0.3,
                20,
            )
            playout.play_hand(check=False)
        number += 1
    assert 0 < refusals.max_lookups <= MOST_LOOKS
    assert refusals.with_lookups > ENOUGH / 20
    assert not refusals.is_counter_broken


@pytest.mark.parametrize(
    ("game", "options", "led", "tried"),
    [
        ("big_two", {"preset": "hong_kong"}, "Td Jc Qh Ks Ad", "4d 4c 5h"),
        ("big_two", {"last_card_defence": "required"}, "Td Jc Qh Ks Ad", "4d 4c 5h"),
        ("big_two", {"no_win_on": "top_card", "straight_flush": "seven"}, "Td Jc Qh Ks Ad", "4d"),
        ("president", POKER, "5s 6h 7d 8c 9d", "4d"),
        ("president", {**POKER, "no_finish": ["best"], "foul": "refused"}, "Js Jc Jh 4h 4s", "4d"),
        ("president", {"packs": 2, "set_size": "larger_wins", "equal_plays": "skip", "wild_ranks": "68"}, "Qc", "4d"),
        ("ceausescu", {}, "3c 6c 9c Tc 2c", "4d"),
    ],
)  # fmt: skip
def test_refusing_a_play_on_a_high_combination_checks_few_combinations(
    game: str, options: dict[str, Any], led: str, tried: str
) -> None:
    match = led_by_ana(game, options, led)
    with count_searches() as looks, pytest.raises(RuleError):
        match.apply_action("Bob", Play(parse_cards(tried)))
    assert 0 < looks.count <= MOST_LOOKS


def led_by_ana(game: str, options: dict[str, Any], led: str) -> Match:
    asked = {"direction": "clockwise", "lead_low_card": False} if game == "big_two" else {}
    match = Match.start(GAMES[game], GAMES[game].option_schema.resolve_options(options | asked), ("Ana", "Bob", "Cat"))
    low = {"big_two": "3d", "president": "3s", "ceausescu": "3c" if "3c" not in led else "3d"}[game]
    held = "4d 4c 5h 7c 8d 9h"
    deal = Deal("Cat", {"Ana": parse_cards(f"{led} {low}"), "Bob": parse_cards(held), "Cat": parse_cards("Qs Js")})
    return match.begin_hand(deal).match.apply_action("Ana", Play(parse_cards(led))).match


def test_a_refusal_that_checks_too_many_combinations_is_detected() -> None:
    with pytest.raises(ExpensiveRefusal):
        RefusalStats().record(RuleError("does_not_beat", _said()), MOST_LOOKS + 1)


def test_a_counter_that_counts_nothing_is_detected() -> None:
    refusals = RefusalStats()
    for on_several_cards in (False, True):
        assert not refusals.is_counter_broken
        for _ in range(100):
            refusals.record(RuleError("does_not_beat", _said()), 0, on_several_cards=on_several_cards)
    assert refusals.is_counter_broken
    refusals.record(RuleError("does_not_beat", _said()), 1)
    assert not refusals.is_counter_broken


def _said() -> Any:
    match = led_by_ana("president", {}, "9c")
    with pytest.raises(RuleError) as refused:
        match.apply_action("Bob", Play(parse_cards("4d")))
    return refused.value.sentence
