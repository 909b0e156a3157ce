"""Test that every statement in a refusal is true, in random matches and in rare positions."""

from random import Random
from typing import Any

import pytest

from app.engine.base.errors import RuleError
from app.engine.cards.actions import Pass, Play
from app.engine.cards.cards import parse_cards
from app.engine.games import GAMES
from app.engine.match.game import Deal
from app.engine.match.match import Match
from tests.for_each import for_each
from tests.long_run import TIMES
from tools.property_checks.error_messages import RefusalStats, check_refusals
from tools.property_checks.playout import Playout

MATCHES = 6 * TIMES
"""Matches of each game. `python -m tools soak` tries some of this in every match."""


@pytest.mark.parametrize("key", GAMES)
def test_every_statement_in_a_refusal_is_true(key: str) -> None:
    for number in range(MATCHES):
        playout = Playout.random_match(GAMES[key], Random(number))
        playout.refusal_check_rate = 0.05
        for _ in range(2):
            if not playout.match.over:
                playout.play_hand(check=False)


@for_each(
    ("game", "options", "led", "held", "tried", "says", "rule"),
    [
        ("president", {"follow_suit": True}, "7c", "9d Tc", "9d", "Play a higher card of the same suit", "PRES-20"),
        ("president", {"twos": "trump"}, "9c 9d", "Kc 2c 5d", "Kc", "Play a higher pair or a two", "PRES-15"),
        ("president", {"suit_ranking": "shdc"}, "9c 9d", "9h 9s 4c", "4c", "Play a higher pair or an equal pair", None),
        ("president", {}, "2c 2d", "3c 3d 9c", "3c 3d", "Nothing beats that. Pass.", "PRES-15"),
        ("president", {"set_size": "larger_wins"}, "9c", "4c 4d 4h", "4c", "card or another kind", "PRES-15"),
        ("president", {"must_beat": True}, "9c", "Kc 5d", "", "You must beat this. Play a higher card.", "PRES-27"),
        ("president", {"sequences": "all"}, "Qc Kd Ah", "5c 6d 7h", "5c 6d 7h", "Nothing beats that. Pass.", "PRES-22"),
        ("president", {"sequences": "single"}, "3c 4d 5h", "4c 5d 6h 9c", "9c", "Play a higher run, or", "PRES-22"),
        ("president", {"equal_plays": "allowed", "skip_best": True}, "2c", "2d 5c", "5c", "Play an equal card", None),
        ("president", {"equal_plays": "allowed", "skip_best": False}, "2c", "2d 5c", "2d", "Nothing beats", "PRES-17"),
        ("big_two", {"quads_over": True}, "9d 9c 9h 9s 4c", "Td Jd Qd Kd Ad 5c", "5c", "a higher four", None),
        ("big_two", {}, "2s", "2h Kd", "2h", "Nothing beats that. Pass.", "BIG-06"),
        ("big_two", {"triples": False}, "5c", "7d 7c 7h", "7d 7c 7h", "Not a combination.", "BIG-10"),
        ("big_two", {}, "5c", "6d 7d 8d 9d Td", "6d 7d 8d 9d Td", "Play a higher card, or pass.", "BIG-14"),
        ("ceausescu", {}, "2c 2d 2h", "Xb Xr 5c 6d", "5c", "Play both jokers or any missile", "CEAU-07"),
        ("ceausescu", {}, "Xr", "Xb 5c 6d", "5c", "Play any bomb or missile, or pass.", "CEAU-01"),
    ],
)  # fmt: skip
def test_refusals_in_rare_positions_name_the_rule_and_what_to_play(
    game: str, options: dict[str, Any], led: str, held: str, tried: str, says: str, rule: str | None
) -> None:
    match = _led(game, options, led, held)
    with pytest.raises(RuleError) as refused:
        match.apply_action("Bob", Play(parse_cards(tried)) if tried else Pass())
    assert says in refused.value.sentence
    assert refused.value.rule == rule or rule is None
    for seed in range(8):
        check_refusals(match, Random(seed), RefusalStats())


def _led(game: str, options: dict[str, Any], led: str, held: str) -> Match:
    """Return a position after Ana's lead, with Bob in turn."""
    asked = {"direction": "clockwise", "lead_low_card": False} if game == "big_two" else {}
    names = ("Ana", "Bob", "Cat")
    match = Match.start(GAMES[game], GAMES[game].option_schema.resolve_options(options | asked), names)
    low, rest = {"president": ("3s", "Kh Ks"), "big_two": ("3d", "Qs Js"), "ceausescu": ("3c", "Kh Ks")}[game]
    deal = Deal("Cat", {"Ana": parse_cards(f"{led} {low}"), "Bob": parse_cards(held), "Cat": parse_cards(rest)})
    return match.begin_hand(deal).match.apply_action("Ana", Play(parse_cards(led))).match


BANNED: dict[str, Any] = {"sequences": "single", "no_finish": ["best", "revolution"], "foul": "refused"}


@pytest.mark.parametrize(
    ("options", "led", "held", "tried", "says"),
    [
        ({}, "5c", "6s 7s 8s", "6s 7s 8s", "Play a higher card, or pass."),
        ({"run_revolution": 3}, "9c Td Jh", "6s 7s 8s", "6s", "a lower run. You can’t finish with 6♠ 7♠ 8♠."),
        ({"run_revolution": 4}, "5c 6d 7h", "6s 7s 8s", "6s", "Play a higher run, or pass."),
        ({}, "Ac", "2h", "", ""),
        ({}, "5c 5d", "2h", "2h", "Play a higher pair, or pass."),
        ({"must_beat": True}, "Kc Kd", "2h 2s 3h", "", "You must beat this. Play a higher pair."),
        (
            {"must_beat": True, "set_size": "larger_wins"},
            "Kc",
            "2h 2s",
            "",
            "another kind. You can’t finish with 2♥ 2♠.",
        ),
    ],
    ids=str,
)
def test_a_forbidden_last_play_is_not_suggested(
    options: dict[str, Any], led: str, held: str, tried: str, says: str
) -> None:
    match = _led("president", BANNED | options, led, held)
    if says:
        with pytest.raises(RuleError) as refused:
            match.apply_action("Bob", Play(parse_cards(tried)) if tried else Pass())
        assert says in refused.value.sentence
        assert ("finish" in refused.value.sentence) == ("finish" in says)
    for seed in range(8):
        check_refusals(match, Random(seed), RefusalStats())


def test_a_leader_without_the_required_low_card_is_told_to_pass() -> None:
    names = ("Ana", "Bob")
    asked = BANNED | {"first_lead": "low_card", "lead_low_card": True, "two_deal": 1, "exchange": "none"}
    match = Match.start(GAMES["president"], GAMES["president"].option_schema.resolve_options(asked), names)
    match = match.begin_hand(Deal("Bob", {"Ana": parse_cards("2c"), "Bob": parse_cards("2d")})).match
    match = match.apply_action("Ana", Pass()).match
    with pytest.raises(RuleError) as refused:
        match.apply_action("Bob", Play(parse_cards("2d")))
    assert refused.value.suggestions == (Pass(),)
    assert "the 2♣, which you don’t have. Pass." in refused.value.sentence
    match = match.apply_action("Bob", Pass()).match
    assert match.apply_action("Ana", Play(parse_cards("2c"))).match.current_hand.out == ("Ana",)
