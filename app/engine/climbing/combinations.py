"""Combinations: cards that may be played together, and the ways to find them among the cards somebody holds.

A `Combination` has a kind, a size and a strength. What makes a combination in a game, and how strong it is, the game
says; here is only what several games need to find them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from app.engine.cards import Card, Cards

KIND_OF_SET = ("", "single", "pair", "triple", "four", "five", "six", "seven", "eight")
"""The kind of a set of equal rank, by its size."""


@dataclass(frozen=True, slots=True)
class Combination:
    """One reading of some cards."""

    kind: str
    cards: Cards
    strength: Any
    """Compares within a kind and size: numbers or tuples, higher is stronger."""
    rank: str = ""
    """The rank it counts as: of a set its own, of a run its top. With wild cards, what `as` names."""
    role: str = ""
    """A power of its own that it was played with, in the game's words (`trump`, `transparent` …)."""

    @property
    def size(self) -> int:
        """Number of cards."""
        return len(self.cards)


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
    if len(set(cards)) == len(cards):
        return combinations(cards, size)
    counts = list(Counter(cards).items())

    def pick(index: int, left: int) -> Iterator[Cards]:
        if left == 0:
            yield ()
            return
        if index == len(counts) or sum(count for _, count in counts[index:]) < left:
            return
        card, count = counts[index]
        for taken in range(min(count, left), -1, -1):
            for rest in pick(index + 1, left - taken):
                yield (card,) * taken + rest

    return pick(0, size)


def products(groups: Iterable[Iterable[Cards]]) -> Iterator[Cards]:
    """One choice of cards from each group, joined, for every way to choose."""
    for parts in product(*groups):
        yield tuple(card for part in parts for card in part)
