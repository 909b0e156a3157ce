"""A refusal never lies: random matches of every game over random options, and at random positions what may be wrong."""

from random import Random

import pytest

from app.bots.playout import Playout
from app.engine.games import GAMES

MATCHES = 24
"""A game; `pecking-order soak` tries some of this in every match."""


@pytest.mark.parametrize("key", GAMES)
def test_what_a_refusal_says_is_so(key: str) -> None:
    for number in range(MATCHES):
        playout = Playout.random(GAMES[key], Random(number))
        playout.refusals = 0.05
        for _ in range(2):
            if not playout.match.over:
                playout.hand(check=False)
