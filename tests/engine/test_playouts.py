"""Random matches of every game over random options and numbers of players: what must hold of every hand."""

from random import Random

import pytest

from app.engine.games import GAMES
from app.soak.playout import Playout, check_match

MATCHES = 160
"""A game; `pecking-order soak --hands N` plays any number."""
HANDS = 5


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("key", GAMES)
def test_random_matches(key: str, part: int) -> None:
    for number in range(part, MATCHES, 4):
        check_match(Playout.random(GAMES[key], Random(number)), HANDS)
