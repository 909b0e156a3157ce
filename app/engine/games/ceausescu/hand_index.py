"""What somebody's cards have in them, pattern by pattern, and what of that answers a play."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from app.engine.base.frozen import once
from app.engine.cards.cards import Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.hand_index import Holding
from app.engine.games.ceausescu import bombs
from app.engine.games.ceausescu.patterns import Shape
from app.engine.games.ceausescu.suggestions import BY_SIZE, READERS


@dataclass(frozen=True, eq=False)
class LookedFor:
    """What is looked for at once: shapes in some of their sizes, smallest first."""

    sizes: tuple[tuple[int, Shape], ...]

    @once
    def kinds(self) -> int:
        """How many shapes these are."""
        return len({shape.kind for _, shape in self.sizes})


EVERYTHING = LookedFor(tuple(BY_SIZE))
BOMBS = LookedFor(tuple((size, shape) for size, shape in BY_SIZE if shape.kind in bombs.LEVEL))
PATTERN = {(shape.kind, size): LookedFor(((size, shape),)) for size, shape in BY_SIZE if shape.kind not in bombs.LEVEL}
"""Each ordinary pattern in one size."""


@lru_cache(1024)
def readings(cards: Cards) -> tuple[Combination, ...]:
    """What these cards are; never more than one thing. Everybody asks for the same few singles and pairs."""
    for shape in READERS.get(len(cards), ()):
        found = shape.read(cards)
        if found is not None:
            return (found,)
    return ()


class CeausescuHolding(Holding[LookedFor]):
    """What somebody holds."""

    def find(self, sort: LookedFor) -> Iterator[tuple[Combination, ...]]:
        """Smallest first. In every run is a shorter one: where there is none, nothing longer is looked for."""
        none = set[str]()
        for size, shape in sort.sizes:
            if size > len(self.cards):
                return
            if shape.kind not in none:
                some = False
                for cards in shape.find(self.cards, size):
                    some = True
                    yield readings(cards)
                if not some:
                    none.add(shape.kind)
                    if len(none) == sort.kinds:
                        return

    def answers(self, on: Combination) -> Iterable[tuple[Combination, ...]]:
        """What beats a play, smallest first: more of its kind and size, then bombs and missiles."""
        higher = [one for one in self.of(BOMBS) if bombs.beats(one[0], on)]
        if on.kind in bombs.LEVEL:
            return higher
        own = (one for one in self.of(PATTERN[on.kind, on.size]) if one[0].strength > on.strength)
        if not higher:
            return own
        small = [one for one in higher if one[0].size < on.size]
        return chain(small, own, higher[len(small) :])


hold = lru_cache(1024)(CeausescuHolding)
"""The holding of these cards. A player who has passed is asked again with the same cards: without this a command takes
3.3 % more instructions (`python -m tests.load.instructions --game ceausescu --rooms 1 --rounds 80`, 2026-11-27)."""
