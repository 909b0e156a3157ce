"""Poker hands, for games that have them: which five cards are one, and where they are among the cards somebody holds.

How strong a hand is and what it beats each game says, and which ranks in a row are a straight. No card is wild here: a
game with wild cards leaves them out. Two packs may be in play, so a card may be held twice.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from operator import itemgetter
from typing import TypeAlias

from app.engine.base.frozen import once
from app.engine.cards.cards import RANKS, Card, Cards

from .combinations import choices, kind

KINDS = STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = (
    kind("straight", "straight"),
    kind("flush", "flush"),
    kind("full_house", "full house"),
    kind("quads", "four and one"),
    kind("straight_flush", "straight flush"),
)
"""From the lowest to the highest."""

# Straights -----------------------------------------------------------------------------------------------------------

RISING = tuple(RANKS[low : low + 5] for low in range(8))
"""34567 … TJQKA."""


@dataclass(frozen=True, slots=True)
class StraightRanks:
    """Five ranks that are a straight."""

    ranks: str
    level: int
    decides: str
    """The rank whose suit decides: the top one, or the two that lifts the straight above TJQKA."""


Runs: TypeAlias = Mapping[frozenset[str], StraightRanks]
"""The straights of a game, by their ranks."""


def runs_of(levels: Sequence[str]) -> dict[frozenset[str], StraightRanks]:
    """The straights from the lowest level to the highest; those that share a level stand in one text.

    >>> runs = runs_of(("A2345", *RISING))
    >>> runs[frozenset("A2345")].level, runs[frozenset("TJQKA")].level
    (0, 8)
    """
    ace_high = levels.index(RISING[-1])
    return {
        frozenset(ranks): StraightRanks(ranks, level, "2" if level > ace_high else ranks[-1])
        for level, group in enumerate(levels)
        for ranks in group.split()
    }


# Reading -------------------------------------------------------------------------------------------------------------


def suited(cards: Sequence[Card]) -> bool:
    """Whether all are of one suit."""
    suit = cards[0][1]
    return all(card[1] == suit for card in cards)


def three_of_full_house(ranks: Sequence[str]) -> str | None:
    """The rank that occurs three times, if these five are three and two."""
    three = _repeated(ranks, 3)
    rest = [rank for rank in ranks if rank != three]
    return three if three is not None and rest[0] == rest[1] else None


def four_of_quads(ranks: Sequence[str]) -> str | None:
    """The rank that occurs four times, if these five are four and one."""
    return _repeated(ranks, 4)


def _repeated(ranks: Sequence[str], times: int) -> str | None:
    return next((rank for rank in ranks if ranks.count(rank) == times), None)


# Finding -------------------------------------------------------------------------------------------------------------

RankOf: TypeAlias = Callable[[Card], str]
"""The rank that a card counts as."""


class HeldCards:
    """Somebody's cards, grouped once for all kinds to look in. Each hand is found once, in the order held."""

    def __init__(self, cards: Cards, rank_of: RankOf = itemgetter(0)) -> None:
        self.cards = cards
        self.ranks = _grouped(cards, rank_of)
        self._rank_of = rank_of
        self._twice = len(set(cards)) < len(cards)
        self._choose = choices if self._twice else combinations

    @once
    def suits(self) -> dict[str, list[Card]]:
        """The cards of each suit."""
        return _grouped(self.cards, itemgetter(1))

    def straights(self, runs: Iterable[StraightRanks]) -> Iterator[Cards]:
        """One card of each rank of these runs, not all of one suit."""
        return (cards for cards in self._one_of_each(self.ranks, runs) if not suited(cards))

    def straight_flushes(self, runs: Iterable[StraightRanks]) -> Iterator[Cards]:
        """Suit by suit, those of these runs that are in it."""
        for group in self.suits.values():
            if len(group) >= 5:
                yield from self._one_of_each(_grouped(group, self._rank_of), runs)

    def flushes(self, runs: Runs) -> Iterator[Cards]:
        """Suit by suit, any five that are none of these runs."""
        for group in self.suits.values():
            for cards in self._choose(group, 5):
                if frozenset(map(self._rank_of, cards)) not in runs:
                    yield cards

    def full_houses(self, ranks: Iterable[str]) -> Iterator[Cards]:
        """Three of one of these ranks and two of another rank."""
        pairs = {rank: list(self._choose(group, 2)) for rank, group in self.ranks.items() if len(group) > 1}
        for rank in ranks:
            for three in self._choose(self.ranks[rank], 3):
                for other, two in pairs.items():
                    if other != rank:
                        yield from (three + pair for pair in two)

    def quads(self, ranks: Iterable[str]) -> Iterator[Cards]:
        """Four of one of these ranks with each other card."""
        for rank in ranks:
            for four in self._choose(self.ranks[rank], 4):
                rest = (card for card in self.cards if self._rank_of(card) != rank)
                yield from ((*four, card) for card in (dict.fromkeys(rest) if self._twice else rest))

    def _one_of_each(self, groups: Mapping[str, Sequence[Card]], runs: Iterable[StraightRanks]) -> Iterator[Cards]:
        for run in runs:
            found: list[Iterable[Card]] = [groups.get(rank, ()) for rank in run.ranks]
            if all(found):
                yield from product(*(map(dict.fromkeys, found) if self._twice else found))


def _grouped(cards: Iterable[Card], by: RankOf) -> dict[str, list[Card]]:
    groups: dict[str, list[Card]] = {}
    for card in cards:
        groups.setdefault(by(card), []).append(card)
    return groups
