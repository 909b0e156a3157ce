"""Find the combinations among a player's cards. Each game says which sorts there are, and how to find them."""

from collections.abc import Hashable, Iterable, Iterator
from itertools import chain, islice
from typing import Generic, TypeVar

from app.engine.cards.cards import Cards

from .combinations import Combination

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
