"""Index of a player's combinations other than sets of one rank: straights, flushes, sets with wild cards.

Cards are searched only once. After cards are played, the index keeps the combinations whose cards all remain.
"""

from collections.abc import Mapping, Sequence
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

from app.engine.climbing.combinations import Combination

PLANNED = 24
"""The largest number of combinations that a bot plans with."""


class PlannedCombination(NamedTuple):
    """A combination of several ranks (`one`) that a bot may plan with."""

    mask: int
    """The cards of the combination, as bits (`CombinationIndex.bits`)."""
    top: int
    """The level of the best card; lower levels are better."""
    one: Combination


class CombinationIndex:
    """Index of the combinations other than sets of one rank in a player's cards, found once per hand.

    It is filtered as cards are played, which is faster than to search again.
    """

    def __init__(self, cards: Sequence[str], mixed: Sequence[Combination], level: Mapping[str, int]) -> None:
        self.cards = frozenset(cards)
        self.bits = {card: 1 << at for at, card in enumerate(cards)}
        """The bit of each card."""
        self._level = level
        ranked = [(-len(one.cards), -min([level[card] for card in one.cards]), one) for one in mixed]
        ranked.sort(key=itemgetter(0, 1))
        self._ranked = [(-low, one) for _, low, one in ranked]
        """Combinations in the order of planning: most cards first, then those whose best card is lowest."""
        self._planned = dict[int, PlannedCombination]()
        self._kinds = dict[frozenset[str], str]()

    def planned_combinations(self, remaining_cards: frozenset[str]) -> list[PlannedCombination]:
        """Return at most `PLANNED` combinations that can still be made from the remaining cards, for a bot's plans.

        Those with most cards come first.
        """
        gone = self.cards - remaining_cards
        there = (at for at, (_, one) in enumerate(self._ranked) if gone.isdisjoint(one.cards))
        return [self._planned.get(at) or self._plan_combination(at) for at in islice(there, PLANNED)]

    def _plan_combination(self, index: int) -> PlannedCombination:
        top, one = self._ranked[index]
        found = self._planned[index] = PlannedCombination(sum(map(self.bits.__getitem__, one.cards)), top, one)
        return found

    def combination_kind(self, cards: Sequence[str]) -> str | None:
        """Return the kind of the combination that these cards form, in any order.

        The index has straights, flushes and sets with wild cards. None for all other cards.
        """
        if not self._kinds:
            self._kinds = {frozenset(one.cards): one.kind for _, one in self._ranked}
        return self._kinds.get(frozenset(cards))
