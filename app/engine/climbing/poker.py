"""Poker hands of five cards: recognise them, and find them among a player's cards.

Each game decides their strength and which five ranks form a straight. No card is wild here; a game with wild cards
leaves them out before. With two decks, a player may hold the same card twice.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from operator import itemgetter
from typing import TypeAlias

from app.engine.base.frozen import lazy_property
from app.engine.cards.cards import RANKS, Card, Cards

from .combinations import declare_kind, distinct_choices

KINDS = STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = (
    declare_kind("straight", "straight"),
    declare_kind("flush", "flush"),
    declare_kind("full_house", "full house"),
    declare_kind("quads", "four and one"),
    declare_kind("straight_flush", "straight flush"),
)
"""Kinds of poker hands, from the lowest to the highest."""

# Straights -----------------------------------------------------------------------------------------------------------

PLAIN_STRAIGHTS = tuple(RANKS[low : low + 5] for low in range(8))
"""Straights without special cases: 34567 … TJQKA."""


@dataclass(frozen=True, slots=True)
class StraightRanks:
    """Five ranks that form a straight in some game, with its level: higher is stronger.

    `ranks` are in order, low to high.
    """

    ranks: str
    level: int
    deciding_rank: str
    """The rank whose suit breaks ties: the highest, or the two if it lifts the straight above TJQKA."""


StraightsByRanks: TypeAlias = Mapping[frozenset[str], StraightRanks]
"""The straights of a game, by their ranks."""


def build_straights(levels: Sequence[str]) -> dict[frozenset[str], StraightRanks]:
    """Return the straights of a game by their ranks.

    `levels` goes from low to high; equal straights share one text.

    >>> runs = build_straights(("A2345", *PLAIN_STRAIGHTS))
    >>> runs[frozenset("A2345")].level, runs[frozenset("TJQKA")].level
    (0, 8)
    """
    ace_high = levels.index(PLAIN_STRAIGHTS[-1])
    return {
        frozenset(ranks): StraightRanks(ranks, level, "2" if level > ace_high else ranks[-1])
        for level, group in enumerate(levels)
        for ranks in group.split()
    }


# Reading -------------------------------------------------------------------------------------------------------------


def is_one_suit(cards: Sequence[Card]) -> bool:
    """Return whether all cards are of the same suit; there must be at least one card."""
    suit = cards[0][1]
    return all(card[1] == suit for card in cards)


def full_house_rank(ranks: Sequence[str]) -> str | None:
    """Return the rank that occurs three times if these five cards' ranks form a full house, else None."""
    three = _rank_repeated(ranks, 3)
    rest = [rank for rank in ranks if rank != three]
    return three if three is not None and rest[0] == rest[1] else None


def quads_rank(ranks: Sequence[str]) -> str | None:
    """Return the rank that occurs four times among these five cards' ranks, else None."""
    return _rank_repeated(ranks, 4)


def _rank_repeated(ranks: Sequence[str], times: int) -> str | None:
    return next((rank for rank in ranks if ranks.count(rank) == times), None)


# Finding -------------------------------------------------------------------------------------------------------------

RankOf: TypeAlias = Callable[[Card], str]
"""Returns the rank that a card counts as."""


class HeldCards:
    """A player's cards, grouped once for all searches of poker hands (five cards). Each poker hand is found once."""

    def __init__(self, cards: Cards, rank_of: RankOf = itemgetter(0)) -> None:
        self.cards = cards
        self.ranks = _group_cards(cards, rank_of)
        self._rank_of = rank_of
        self._twice = len(set(cards)) < len(cards)
        self._choose = distinct_choices if self._twice else combinations

    @lazy_property
    def cards_by_suit(self) -> dict[str, list[Card]]:
        """Return the cards of each suit, in the order held."""
        return _group_cards(self.cards, itemgetter(1))

    def find_straights(self, runs: Iterable[StraightRanks]) -> Iterator[Cards]:
        """Yield the straights among the cards whose ranks are one of `runs`.

        Those all of one suit count as straight flushes and are left out.
        """
        return (cards for cards in self._choose_one_per_rank(self.ranks, runs) if not is_one_suit(cards))

    def find_straight_flushes(self, runs: Iterable[StraightRanks]) -> Iterator[Cards]:
        """Yield the straight flushes among the cards: straights within one suit, whose ranks are one of `runs`."""
        for group in self.cards_by_suit.values():
            if len(group) >= 5:
                yield from self._choose_one_per_rank(_group_cards(group, self._rank_of), runs)

    def find_flushes(self, runs: StraightsByRanks) -> Iterator[Cards]:
        """Yield the flushes among the cards: five cards of one suit.

        Cards whose ranks are in `runs` are straight flushes and left out.
        """
        for group in self.cards_by_suit.values():
            for cards in self._choose(group, 5):
                if frozenset(map(self._rank_of, cards)) not in runs:
                    yield cards

    def find_full_houses(self, ranks: Iterable[str]) -> Iterator[Cards]:
        """Yield the full houses among the cards: three cards of one of these ranks with two cards of any other rank."""
        pairs = {rank: list(self._choose(group, 2)) for rank, group in self.ranks.items() if len(group) > 1}
        for rank in ranks:
            for three in self._choose(self.ranks[rank], 3):
                for other, two in pairs.items():
                    if other != rank:
                        yield from (three + pair for pair in two)

    def find_quads(self, ranks: Iterable[str]) -> Iterator[Cards]:
        """Yield the fours of a kind among the cards: four cards of one of these ranks, with each other card."""
        for rank in ranks:
            for four in self._choose(self.ranks[rank], 4):
                rest = (card for card in self.cards if self._rank_of(card) != rank)
                yield from ((*four, card) for card in (dict.fromkeys(rest) if self._twice else rest))

    def _choose_one_per_rank(
        self, groups: Mapping[str, Sequence[Card]], runs: Iterable[StraightRanks]
    ) -> Iterator[Cards]:
        for run in runs:
            found: list[Iterable[Card]] = [groups.get(rank, ()) for rank in run.ranks]
            if all(found):
                yield from product(*(map(dict.fromkeys, found) if self._twice else found))


def _group_cards(cards: Iterable[Card], by: RankOf) -> dict[str, list[Card]]:
    groups: dict[str, list[Card]] = {}
    for card in cards:
        groups.setdefault(by(card), []).append(card)
    return groups
