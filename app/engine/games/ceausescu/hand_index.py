"""Find the combinations among a player's cards, pattern by pattern, and those that beat a play."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from app.engine.base.frozen import lazy_property
from app.engine.cards.cards import Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.hand_index import HandIndex
from app.engine.games.ceausescu import bombs
from app.engine.games.ceausescu.patterns import CombinationKind
from app.engine.games.ceausescu.suggestions import BY_SIZE, READERS


@dataclass(frozen=True, eq=False)
class SearchedKinds:
    """The kinds of combination that one search in Ceausescu looks for, each in some of its sizes, smallest first.

    `sizes` are pairs of a size and a kind.
    """

    sizes: tuple[tuple[int, CombinationKind], ...]

    @lazy_property
    def kind_count(self) -> int:
        """Return the number of different kinds of combination, such as pairs or runs, that this search looks for.

        A search collects the kinds of which the hand has none left. When all kinds are among them, it stops early.
        """
        return len({shape.kind for _, shape in self.sizes})


ALL_KINDS = SearchedKinds(tuple(BY_SIZE))
BOMBS = SearchedKinds(tuple((size, shape) for size, shape in BY_SIZE if shape.kind in bombs.LEVEL_BY_KIND))
PATTERN_BY_KIND_AND_SIZE = {
    (shape.kind, size): SearchedKinds(((size, shape),))
    for size, shape in BY_SIZE
    if shape.kind not in bombs.LEVEL_BY_KIND
}
"""The search for each ordinary pattern in one size."""


@lru_cache(1024)
def find_readings(cards: Cards) -> tuple[Combination, ...]:
    """Return the combination that these cards form in Ceausescu, as a tuple with at most one reading.

    It is cached, as the same singles and pairs are asked for often.
    """
    for shape in READERS.get(len(cards), ()):
        found = shape.read(cards)
        if found is not None:
            return (found,)
    return ()


class CeausescuHandIndex(HandIndex[SearchedKinds]):
    """The combinations among a player's cards in Ceausescu, found by kind and cached."""

    def find_combinations(self, sort: SearchedKinds) -> Iterator[tuple[Combination, ...]]:
        """Yield the held cards' combinations of the kinds in `sort`, smallest first, each as a tuple with one reading.

        Every run contains a shorter one. If a kind has none in one size, its longer sizes are skipped.
        """
        none = set[str]()
        for size, shape in sort.sizes:
            if size > len(self.cards):
                return
            if shape.kind not in none:
                some = False
                for cards in shape.find(self.cards, size):
                    some = True
                    yield find_readings(cards)
                if not some:
                    none.add(shape.kind)
                    if len(none) == sort.kind_count:
                        return

    def possible_answers(self, on: Combination) -> Iterable[tuple[Combination, ...]]:
        """Return every combination of the held cards that beats `on` in Ceausescu, smallest first.

        That is a higher one of its kind and size, or a bomb or missile that is high enough.
        """
        higher = [one for one in self.combinations_of(BOMBS) if bombs.beats(one[0], on)]
        if on.kind in bombs.LEVEL_BY_KIND:
            return higher
        own = (
            one
            for one in self.combinations_of(PATTERN_BY_KIND_AND_SIZE[on.kind, on.size])
            if one[0].strength > on.strength
        )
        if not higher:
            return own
        small = [one for one in higher if one[0].size < on.size]
        return chain(small, own, higher[len(small) :])


cached_hand_index = lru_cache(1024)(CeausescuHandIndex)
"""Return the index of these cards, cached: a player who has passed is asked again with the same cards."""
