"""Random matches of every game over random options and numbers of players: what must hold of every hand."""

from random import Random

import pytest

from app.bots.playout import Playout, check_replay, check_saved, check_views
from app.engine.games import GAMES

MATCHES = 160
"""A game; `pecking-order soak --hands N` plays any number."""
HANDS = 5


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("key", GAMES)
def test_random_matches(key: str, part: int) -> None:
    for number in range(part, MATCHES, 4):
        playout = Playout.random(GAMES[key], Random(number))
        for _ in range(HANDS):
            if playout.match.over:
                break
            playout.hand()
            check_saved(playout.match)
            check_views(playout.match)
        check_replay(playout)
