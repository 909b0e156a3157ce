"""Test that the legal plays of random cards are those that a plain model of the rules page finds among all subsets.

`LONG_RUN=10` tries 500 whole hands of each game.
"""

from collections.abc import Iterator
from importlib import import_module
from itertools import chain, combinations
from random import Random

import pytest

from app.arena.random_rules import random_options
from app.engine.cards.cards import RANKS, Cards
from app.engine.climbing.game import ClimbingGame
from app.engine.games import GAMES
from tests.long_run import TIMES

HANDS, LARGEST = 50 * TIMES, {"tien_len": (10, 13), "pao_de_kuai": (10, 16)}
"""The number of random hands of each game, and the most cards of each: in CI, and in a long run."""


def subsets(cards: Cards) -> Iterator[Cards]:
    """Yield every choice of at least one of the cards."""
    return chain.from_iterable(combinations(cards, size) for size in range(1, len(cards) + 1))


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("key", LARGEST)
def test_legal_plays_are_those_found_among_all_subsets(key: str, part: int) -> None:
    """Compare leads and answers of random hands, under random options, with the model for every subset."""
    rng, most = Random(part), LARGEST[key][TIMES > 1]
    model = import_module(f"tests.engine.games.{key}_model")
    game: object = GAMES[key]
    assert isinstance(game, ClimbingGame)
    for _ in range(part, HANDS, 4):
        options = random_options(GAMES[key], rng, (4, 30))
        plain = model.new_options(options.to_json())
        ranks = RANKS[rng.randrange(12) :][: rng.choice([2, 4, 6, 13])] + "2"
        few = [card for card in game.deck(options, 3) if card.rank in ranks]
        mine, theirs = (tuple(rng.sample(few, min(rng.randint(1, most), len(few)))) for _ in range(2))
        leads = list(game.combinations_in_hand(options, mine))
        found = {frozenset(one[0].cards) for one in leads}
        assert len(found) == len(leads)
        assert found == {frozenset(one) for one in subsets(mine) if model.can_lead(plain, one, mine)}
        for led in rng.sample([one for readings in leads for one in readings], min(3, len(leads))):
            answers = [one[0].cards for one in game.combinations_in_hand(options, theirs, on=led)]
            assert len({frozenset(one) for one in answers}) == len(answers)
            assert {frozenset(one) for one in answers} == {
                frozenset(one) for one in subsets(theirs) if model.can_answer(plain, one, theirs, led.cards, led.kind)
            }
