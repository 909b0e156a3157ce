"""What a refusal proposes, as data: cards that would do, from which its sentence is written.

A proposal is made by asking what judges plays. It holds for everything that it covers: who had such cards besides their
own could play them. `tools/property_checks/error_messages.py` tries that on random hands of every game.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from app.engine.base.messages import Phrase, either
from app.engine.cards.cards import Card, Cards
from app.engine.climbing.combinations import Combination, Strength

__all__ = ["OfGroup", "OfKind", "Proposal", "either", "these"]


@dataclass(frozen=True, slots=True)
class OfGroup:
    """So many cards of one of these groups, whichever; wild cards may stand in for some where they are named."""

    words: Phrase
    """How a sentence says it, after “Play ”."""
    sizes: tuple[int, ...]
    groups: tuple[Cards, ...]
    wild: Cards = ()
    only: Callable[[Cards], bool] | None = None
    """What else has to be true of the cards."""

    def covers(self, cards: Cards) -> bool:
        """Whether these cards are so many of a group."""
        if len(cards) not in self.sizes:
            return False
        own = [card for card in cards if card not in self.wild]
        of_a_group = bool(own) and any(Counter(own) <= Counter(group) for group in self.groups)
        return of_a_group and (self.only is None or self.only(cards))


@dataclass(frozen=True, slots=True)
class OfKind:
    """Combinations of one of these kinds (of any, if none is named), of these sizes, above this strength, and only
    such as something else is true of."""

    words: Phrase
    kinds: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    above: Strength | None = None
    only: Callable[[Combination], bool] | None = None
    examples: tuple[Combination, ...] = ()
    """Some that it covers, where whoever proposed it knows them: then nobody need look for one."""

    def covers(self, combination: Combination) -> bool:
        """Whether a reading of some cards is one of these."""
        return (
            (not self.kinds or combination.kind in self.kinds)
            and (not self.sizes or combination.size in self.sizes)
            and (self.above is None or combination.strength > self.above)
            and (self.only is None or self.only(combination))
        )


Proposal: TypeAlias = OfGroup | OfKind


def these(words: Phrase, cards: Iterable[Card]) -> OfGroup:
    """One of these very cards."""
    return OfGroup(words, (1,), tuple((card,) for card in cards))
