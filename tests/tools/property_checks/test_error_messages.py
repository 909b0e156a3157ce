"""A refusal is cheap: it looks at few combinations, whatever the rules and whatever lies on the table."""

from random import Random
from typing import Any

import pytest

from app.engine.base.errors import RuleError
from app.engine.cards.actions import Play
from app.engine.cards.cards import parse_cards
from app.engine.climbing.search_counter import counting
from app.engine.games import GAMES
from app.engine.match.game import Deal
from app.engine.match.match import Match
from tools.property_checks.error_messages import MOST_LOOKS, Dear, Refusals
from tools.property_checks.playout import Playout

ENOUGH = 20_000
POKER = {"packs": 2, "poker_hands": True}


def test_no_refusal_looks_at_many_combinations() -> None:
    refusals = Refusals()
    number = 0
    while refusals.count < ENOUGH:
        for key in GAMES:
            playout = Playout.random(GAMES[key], Random(number))
            playout.refused, playout.refusals, playout.costs, playout.most = refusals, 0, 0.3, 20
            playout.hand(check=False)
        number += 1
    assert 0 < refusals.most <= MOST_LOOKS
    assert refusals.looking > ENOUGH / 20
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
def test_a_refusal_on_a_high_table_is_cheap(game: str, options: dict[str, Any], led: str, tried: str) -> None:
    match = led_by_ana(game, options, led)
    with counting() as looks, pytest.raises(RuleError):
        match.act("Bob", Play(parse_cards(tried)))
    assert 0 < looks.count <= MOST_LOOKS


def led_by_ana(game: str, options: dict[str, Any], led: str) -> Match:
    asked = {"direction": "clockwise", "lead_low_card": False} if game == "big_two" else {}
    match = Match.start(GAMES[game], GAMES[game].declared.resolve(options | asked), ("Ana", "Bob", "Cat"))
    low = {"big_two": "3d", "president": "3s", "ceausescu": "3c" if "3c" not in led else "3d"}[game]
    held = "4d 4c 5h 7c 8d 9h"
    deal = Deal("Cat", {"Ana": parse_cards(f"{led} {low}"), "Bob": parse_cards(held), "Cat": parse_cards("Qs Js")})
    return match.begin(deal).match.act("Ana", Play(parse_cards(led))).match


def test_a_refusal_that_looks_at_too_many_is_found() -> None:
    with pytest.raises(Dear):
        Refusals().note(RuleError("does_not_beat", _said()), MOST_LOOKS + 1)


def test_a_counter_that_counts_nothing_is_found() -> None:
    refusals = Refusals()
    for _ in range(100):
        refusals.note(RuleError("does_not_beat", _said()), 0)
    assert refusals.is_counter_broken
    refusals.note(RuleError("does_not_beat", _said()), 1)
    assert not refusals.is_counter_broken


def _said() -> Any:
    match = led_by_ana("president", {}, "9c")
    with pytest.raises(RuleError) as refused:
        match.act("Bob", Play(parse_cards("4d")))
    return refused.value.sentence
