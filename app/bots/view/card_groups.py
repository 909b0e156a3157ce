"""What some cards have in them beside sets of one rank: straights, flushes, sets with wild cards …

A hand is looked through once. What is left of it as cards go has what the whole hand had and is still there.
"""

from collections.abc import Mapping, Sequence
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

from app.engine.climbing.combinations import Combination

PLANNED = 24
"""Combinations that are planned with."""


class Planned(NamedTuple):
    """A combination to plan with."""

    mask: int
    """Its cards, as bits."""
    top: int
    """The level of the best of them."""
    one: Combination


class Whole:
    """A hand as it was when it was looked through."""

    def __init__(self, cards: Sequence[str], mixed: Sequence[Combination], level: Mapping[str, int]) -> None:
        self.cards = frozenset(cards)
        self.bits = {card: 1 << at for at, card in enumerate(cards)}
        """Each card's bit."""
        self._level = level
        ranked = [(-len(one.cards), -min([level[card] for card in one.cards]), one) for one in mixed]
        ranked.sort(key=itemgetter(0, 1))
        self._ranked = [(-low, one) for _, low, one in ranked]
        """Those to plan with first: of the most cards, and of these the lowest."""
        self._planned = dict[int, Planned]()
        self._kinds = dict[frozenset[str], str]()

    def planned(self, left: frozenset[str]) -> list[Planned]:
        """What to plan with of these cards of the hand."""
        gone = self.cards - left
        there = (at for at, (_, one) in enumerate(self._ranked) if gone.isdisjoint(one.cards))
        return [self._planned.get(at) or self._plan(at) for at in islice(there, PLANNED)]

    def _plan(self, at: int) -> Planned:
        top, one = self._ranked[at]
        found = self._planned[at] = Planned(sum(map(self.bits.__getitem__, one.cards)), top, one)
        return found

    def kind(self, cards: Sequence[str]) -> str | None:
        """What kind of combination of several ranks these cards are, if they are one that was found."""
        if not self._kinds:
            self._kinds = {frozenset(one.cards): one.kind for _, one in self._ranked}
        return self._kinds.get(frozenset(cards))
