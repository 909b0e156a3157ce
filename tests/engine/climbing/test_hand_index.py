"""Test that combinations of cards are cached if they are few, and searched lazily if they are many."""

from collections.abc import Iterator
from itertools import combinations, islice

import pytest

from app.engine.cards.cards import NATURAL_CARDS, Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.hand_index import MAX_CACHED, HandIndex


class Counted(HandIndex[int]):
    """Finds every choice of a number of cards, and counts the searches."""

    looked_for = 0

    def find_combinations(self, sort: int) -> Iterator[tuple[Combination, ...]]:
        for cards in combinations(self.cards, sort):
            self.looked_for += 1
            yield (Combination(str(sort), cards, ()),)


def found(holding: Counted, size: int) -> list[Cards]:
    return [one.cards for (one,) in holding.combinations_of(size)]


@pytest.mark.parametrize(("size", "kept"), [(1, True), (2, True), (3, False)])
def test_few_combinations_are_cached_and_many_are_searched_again(size: int, kept: bool) -> None:
    holding = Counted(NATURAL_CARDS[:10])
    every = list(combinations(holding.cards, size))
    assert (len(every) <= MAX_CACHED) == kept
    assert found(holding, size) == every
    assert found(holding, size) == every
    assert holding.looked_for == len(every) * (1 if kept else 2)


def test_a_search_among_many_combinations_is_lazy() -> None:
    holding = Counted(NATURAL_CARDS)
    assert len(list(islice(holding.combinations_of(7), 3))) == 3
    assert holding.looked_for <= MAX_CACHED + 1
