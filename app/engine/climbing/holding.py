"""What somebody's cards have in them, found once: who has passed is asked again, with the same cards.

Every game says what there is to look for, and how. What is kept depends on nothing but the cards.
"""

from collections.abc import Hashable, Iterable, Iterator
from itertools import chain, islice
from typing import Generic, TypeVar

from app.engine.cards import Cards
from app.engine.shared import Memory

from .combinations import Combination

HOLDINGS = Memory(1024)
"""Holdings that are remembered, by all games and options: those of 250 tables of four."""
MOST_KEPT = 100
"""Combinations of one sort that are kept with a holding. Where there may be thousands, they are found anew."""

Sort_contra = TypeVar("Sort_contra", bound=Hashable, contravariant=True)
"""What can be looked for at once."""


class Holding(Generic[Sort_contra]):
    """Some cards, and the combinations among them. Each is given as its readings are: alone in a sequence."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self._kept: dict[Hashable, tuple[tuple[Combination, ...], ...]] = {}

    def find(self, sort: Sort_contra) -> Iterator[tuple[Combination, ...]]:
        """Look for every combination of one sort."""
        raise NotImplementedError

    def of(self, sort: Sort_contra) -> Iterable[tuple[Combination, ...]]:
        """Every combination of one sort, as `find` gives them: found when it is first asked for."""
        kept = self._kept.get(sort)
        if kept is None:
            found = self.find(sort)
            kept = (*islice(found, MOST_KEPT + 1),)
            if len(kept) > MOST_KEPT:
                return chain(kept, found)
            self._kept[sort] = kept
        return kept
