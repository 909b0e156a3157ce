"""Refusals at the table are short enough for a phone: reason first, and at most three kinds of play."""

from random import Random

import pytest

from app.engine.base.errors import RuleError
from app.engine.games import GAMES
from app.engine.match.match import Match
from tools.property_checks import playout
from tools.property_checks.error_messages import RefusalStats, risky_actions
from tools.property_checks.playout import Playout

MATCHES = 24
"""Random matches of each game, over random options."""
REFUSALS = 1000
LONGEST = 120
"""No refusal may have more characters."""
SHORT, SHARE = 60, 0.9
"""This share of the refusals must have at most this number of characters."""


def test_random_refusals_at_the_table_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []

    def listen(match: Match, rng: Random, refusals: RefusalStats) -> None:
        for by, action in risky_actions(match, rng):
            try:
                match.apply_action(by, action)
            except RuleError as error:
                heard.append(error.sentence)

    monkeypatch.setattr(playout, "check_refusals", listen)
    for game in GAMES.values():
        for number in range(MATCHES):
            played = Playout.random_match(game, Random(number))
            played.refusal_check_rate = 0.05
            played.play_hand(check=False)
    drawn = Random(1).sample(heard, REFUSALS)
    assert not [said for said in drawn if len(said) > LONGEST]
    assert not [said for said in drawn if said.count(",") > 3]
    assert sum(len(said) <= SHORT for said in drawn) >= SHARE * REFUSALS
