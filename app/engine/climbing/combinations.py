"""Combinations: cards that may be played together, and the ways to find them among the cards somebody holds.

A `Combination` has a kind, a size and a strength. What makes a combination in a game, and how strong it is, the game
says; here is only what several games need to find them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from app.engine.base.messages import Sentence
from app.engine.cards.cards import Card, Cards


def kind(name: str, words: str) -> str:
    """Declare a kind of combination: its name, and what the table calls it."""
    Sentence(f"kind.{name}", words)
    return name


KIND_OF_SET = (
    "",
    kind("single", "single"),
    kind("pair", "pair"),
    kind("triple", "three of a kind"),
    kind("four", "four of a kind"),
    kind("five", "five of a kind"),
    kind("six", "six of a kind"),
    kind("seven", "seven of a kind"),
    kind("eight", "eight of a kind"),
)
"""The kind of a set of equal rank, by its size."""
SINGLE, PAIR, TRIPLE = KIND_OF_SET[1:4]


Strength: TypeAlias = tuple[float, ...]
"""Higher is stronger; the first number decides, then the next. Compares within a kind and size, or as a game says."""


class Combination(Struct, frozen=True):
    """One reading of some cards."""

    kind: str
    cards: Cards
    strength: Strength
    rank: str = ""
    """The rank it counts as: of a set its own, of a run its top. With wild cards, what `as` names."""
    role: str = ""
    """A power of its own that it was played with, in the game's words (`trump`, `transparent` …)."""

    @property
    def size(self) -> int:
        """Number of cards."""
        return len(self.cards)

    def but(self, **changes: Any) -> "Combination":
        """A copy with some fields changed."""
        return replace(self, **changes)


def by_rank(cards: Iterable[Card]) -> dict[str, list[Card]]:
    """Cards grouped by rank, in the order in which the ranks first occur."""
    groups: dict[str, list[Card]] = {}
    for card in cards:
        groups.setdefault(card[0], []).append(card)
    return groups


def choices(cards: Iterable[Card], size: int) -> Iterator[Cards]:
    """Every different choice of `size` cards, each multiset once (with two packs the same card occurs twice).

    >>> [" ".join(c) for c in choices((Card("3c"), Card("3c"), Card("3d")), 2)]
    ['3c 3c', '3c 3d']
    """
    cards = tuple(cards)
    if size > len(cards):
        return iter(())
    if len(set(cards)) == len(cards):
        return combinations(cards, size)
    return _picked(tuple(Counter(cards).items()), size)


def _picked(counts: Sequence[tuple[Card, int]], size: int) -> Iterator[Cards]:
    """Every choice of so many among cards of which there are so many each."""
    if size == 0:
        yield ()
        return
    if sum(count for _, count in counts) < size:
        return
    (card, count), others = counts[0], counts[1:]
    for taken in range(min(count, size), -1, -1):
        for rest in _picked(others, size - taken):
            yield (card,) * taken + rest


@lru_cache(1024)
def chosen(cards: Cards, size: int) -> tuple[Cards, ...]:
    """The same as `choices`, found once: for the few cards of one rank, which are asked for again and again."""
    return (*choices(cards, size),)


def products(groups: Iterable[Iterable[Cards]]) -> Iterator[Cards]:
    """One choice of cards from each group, joined, for every way to choose."""
    for parts in product(*groups):
        yield tuple([card for part in parts for card in part])
