"""Refusals at the table are short enough for a phone: reason first, and at most three kinds of play."""

from random import Random

import pytest

from app.engine.games import GAMES
from tests.long_run import TIMES
from tests.random_refusals import random_refusals

MATCHES = 12 * TIMES
"""Random matches of each game, over random options."""
REFUSALS = 1000
LONGEST = 120
"""No refusal may have more characters."""
SHORT, SHARE = 60, 0.9
"""This share of the refusals must have at most this number of characters."""


def test_random_refusals_at_the_table_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = [refusal for game in GAMES.values() for refusal in random_refusals(game, MATCHES, monkeypatch)]
    drawn = Random(1).sample(heard, REFUSALS)
    assert not [said for said in drawn if len(said) > LONGEST]
    assert not [said for said in drawn if said.count(",") > 3]
    assert sum(len(said) <= SHORT for said in drawn) >= SHARE * REFUSALS
