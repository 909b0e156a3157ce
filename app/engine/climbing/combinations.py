"""Combinations: cards that may be played together, and how to find them among a player's cards.

A `Combination` has a kind, a size and a strength. Each game decides which cards form a combination and how strong it
is. This file has the tools that several games need to find combinations.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from app.engine.base.messages import MessageTemplate
from app.engine.cards.cards import Card, Cards


def declare_kind(name: str, words: str) -> str:
    """Declare a kind of combination by its internal name and its English name for players; return the internal name.

    The English name then becomes a text that can be translated.
    """
    MessageTemplate(f"kind.{name}", words)
    return name


KIND_OF_SET = (
    "",
    declare_kind("single", "single"),
    declare_kind("pair", "pair"),
    declare_kind("triple", "three of a kind"),
    declare_kind("four", "four of a kind"),
    declare_kind("five", "five of a kind"),
    declare_kind("six", "six of a kind"),
    declare_kind("seven", "seven of a kind"),
    declare_kind("eight", "eight of a kind"),
)
"""The kind of a set of equal rank, by its number of cards."""
SINGLE, PAIR, TRIPLE, FOUR = KIND_OF_SET[1:5]
KIND_OF_RUN = {
    1: declare_kind("run", "run"),
    2: declare_kind("run_of_pairs", "run of pairs"),
    3: declare_kind("run_of_triples", "run of triples"),
    4: declare_kind("run_of_fours", "run of fours"),
}
"""The kind of a run of consecutive ranks, by its number of cards of each rank."""
RUN, RUN_OF_PAIRS = KIND_OF_RUN[1], KIND_OF_RUN[2]


Strength: TypeAlias = tuple[float, ...]
"""Higher is stronger: the first number decides, then the next. Comparable within one kind and size, or as a game
says."""


class Combination(Struct, frozen=True):
    """One reading of some cards as a combination: the kind, rank and strength that they count as.

    Cards with wild cards among them may have several readings. Of one kind, the higher `strength` beats.
    """

    kind: str
    cards: Cards
    strength: Strength
    rank: str = ""
    """The rank it counts as: the rank of a set, or the highest rank of a run. With wild cards, the rank that `as`
    names."""
    role: str = ""
    """The special power with which it was played, in the game's words (`trump`, `transparent` …); empty if none."""

    @property
    def size(self) -> int:
        """Return the number of cards in the combination."""
        return len(self.cards)

    def replace(self, **changes: Any) -> "Combination":
        """Return a copy of the combination with some fields changed."""
        return replace(self, **changes)


def group_by_rank(cards: Iterable[Card]) -> dict[str, list[Card]]:
    """Return the cards grouped by rank, in the order in which the ranks first occur."""
    groups: dict[str, list[Card]] = {}
    for card in cards:
        groups.setdefault(card[0], []).append(card)
    return groups


def distinct_choices(cards: Iterable[Card], size: int) -> Iterator[Cards]:
    """Yield each different choice of `size` cards once; equal cards of two decks count as the same card.

    >>> [" ".join(c) for c in distinct_choices((Card("3c"), Card("3c"), Card("3d")), 2)]
    ['3c 3c', '3c 3d']
    """
    cards = tuple(cards)
    if size > len(cards):
        return iter(())
    if len(set(cards)) == len(cards):
        return combinations(cards, size)
    return _choose_from_counts(tuple(Counter(cards).items()), size)


def _choose_from_counts(counts: Sequence[tuple[Card, int]], size: int) -> Iterator[Cards]:
    """Yield each different choice of `size` cards, given the number of copies of each card.

    Nothing is yielded if there are too few.
    """
    if size == 0:
        yield ()
        return
    if sum(count for _, count in counts) < size:
        return
    (card, count), others = counts[0], counts[1:]
    for taken in range(min(count, size), -1, -1):
        for rest in _choose_from_counts(others, size - taken):
            yield (card,) * taken + rest


@lru_cache(1024)
def cached_choices(cards: Cards, size: int) -> tuple[Cards, ...]:
    """Return each different choice of `size` cards once; cached, for the few cards of one rank."""
    return (*distinct_choices(cards, size),)


def combine_choices(groups: Iterable[Iterable[Cards]]) -> Iterator[Cards]:
    """Yield every way to choose one entry (a tuple of cards) from each group, with the chosen cards joined.

    Searches for combinations of several ranks use it. Nothing is yielded if a group is empty.
    """
    for parts in product(*groups):
        yield tuple([card for part in parts for card in part])
