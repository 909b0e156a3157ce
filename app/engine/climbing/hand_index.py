"""Find and cache the combinations among a player's cards. Each game defines its sorts and how to find them."""

from collections.abc import Hashable, Iterable, Iterator
from itertools import chain, islice
from typing import Generic, TypeVar

from app.engine.cards.cards import Cards

from .combinations import Combination

MAX_CACHED = 100
"""Maximum number of combinations of one sort that are cached. Longer lists are searched again each time."""

Sort_contra = TypeVar("Sort_contra", bound=Hashable, contravariant=True)
"""A sort of combination, as the unit of one search."""


class HandIndex(Generic[Sort_contra]):
    """Some cards, usually a player's, and the combinations found among them; bots and legal plays use it.

    Combinations are found by sort, such as pairs, and cached. Each is given as a tuple with one reading (one way to
    count its cards).
    """

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self._cache: dict[Hashable, tuple[tuple[Combination, ...], ...]] = {}

    def find_combinations(self, sort: Sort_contra) -> Iterator[tuple[Combination, ...]]:
        """Search the cards for every combination of one sort, such as pairs; each game overrides this."""
        raise NotImplementedError

    def combinations_of(self, sort: Sort_contra) -> Iterable[tuple[Combination, ...]]:
        """Return every combination of one sort among the cards, as `find_combinations` yields them.

        The result is cached unless it is longer than `MAX_CACHED`.
        """
        cached = self._cache.get(sort)
        if cached is None:
            found = self.find_combinations(sort)
            cached = (*islice(found, MAX_CACHED + 1),)
            if len(cached) > MAX_CACHED:
                return chain(cached, found)
            self._cache[sort] = cached
        return cached
