"""What is found among cards is found once where it is not much, and lazily where it is."""

from collections.abc import Iterator
from itertools import combinations, islice

import pytest

from app.engine.cards.cards import NATURAL, Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.hand_index import MOST_KEPT, Holding


class Counted(Holding[int]):
    """Every choice of so many cards, and how many were looked for."""

    looked_for = 0

    def find(self, sort: int) -> Iterator[tuple[Combination, ...]]:
        for cards in combinations(self.cards, sort):
            self.looked_for += 1
            yield (Combination(str(sort), cards, ()),)


def found(holding: Counted, size: int) -> list[Cards]:
    return [one.cards for (one,) in holding.of(size)]


@pytest.mark.parametrize(("size", "kept"), [(1, True), (2, True), (3, False)])
def test_few_combinations_are_kept_and_many_are_found_anew(size: int, kept: bool) -> None:
    holding = Counted(NATURAL[:10])
    every = list(combinations(holding.cards, size))
    assert (len(every) <= MOST_KEPT) == kept
    assert found(holding, size) == every
    assert found(holding, size) == every
    assert holding.looked_for == len(every) * (1 if kept else 2)


def test_who_looks_for_one_of_very_many_does_not_wait_for_all() -> None:
    holding = Counted(NATURAL)
    assert len(list(islice(holding.of(7), 3))) == 3
    assert holding.looked_for <= MOST_KEPT + 1
