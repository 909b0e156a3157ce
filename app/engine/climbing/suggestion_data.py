"""The suggestions of a refusal as data: cards that would be accepted. The refusal's message is written from them.

Suggestions are found with the same checks that judge plays. Everything that a suggestion covers must be playable by a
player who holds these cards, too. `tools/property_checks/error_messages.py` checks that on random hands of every
game.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from app.engine.base.messages import MessageTemplate, TranslatableText, join_with_or
from app.engine.cards.cards import Card, Cards
from app.engine.climbing.combinations import Combination, Strength

__all__ = [
    "A_FOUR_OF_A_KIND",
    "A_PAIR",
    "A_RUN",
    "A_SINGLE_CARD",
    "A_TRIPLE",
    "HIGHER_SETS",
    "GroupSuggestion",
    "KindSuggestion",
    "Suggestion",
    "join_with_or",
    "single_card_suggestion",
]

A_SINGLE_CARD = MessageTemplate("what.single_card", "one card")
A_PAIR = MessageTemplate("what.pair", "a pair")
A_TRIPLE = MessageTemplate("what.triple", "a triple")
A_FOUR_OF_A_KIND = MessageTemplate("what.four_of_a_kind", "four of a kind")
A_RUN = MessageTemplate("what.a_run", "a run of three or more")
HIGHER_SETS = {
    A_SINGLE_CARD.key: MessageTemplate("what.higher.single_card", "a higher card"),
    A_PAIR.key: MessageTemplate("what.higher.pair", "a higher pair"),
    A_TRIPLE.key: MessageTemplate("what.higher.triple", "a higher triple"),
    A_FOUR_OF_A_KIND.key: MessageTemplate("what.higher.four_of_a_kind", "a higher four of a kind"),
}
"""The texts for a higher set of the same kind, by the key of its name."""


@dataclass(frozen=True, slots=True)
class GroupSuggestion:
    """A suggestion after a refusal: any cards of one of `groups`, their number being one of `sizes`.

    Cards in `wild` may replace some of them.
    """

    words: TranslatableText
    """The text for the sentence after “Play ”."""
    sizes: tuple[int, ...]
    groups: tuple[Cards, ...]
    wild: Cards = ()
    only: Callable[[Cards], bool] | None = None
    """A further condition on the cards."""

    def covers(self, cards: Cards) -> bool:
        """Return whether these cards fit the suggestion: allowed number, one group, and its condition `only`.

        At least one of the cards must not be wild.
        """
        if len(cards) not in self.sizes:
            return False
        own = [card for card in cards if card not in self.wild]
        of_a_group = bool(own) and any(Counter(own) <= Counter(group) for group in self.groups)
        return of_a_group and (self.only is None or self.only(cards))


@dataclass(frozen=True, slots=True)
class KindSuggestion:
    """A suggestion after a refusal: combinations by kind, size, minimum strength and a further condition (`only`).

    Empty `kinds` or `sizes` allow all. `above` is a strength that the combination must exceed. `words` describes it to
    the player.
    """

    words: TranslatableText
    kinds: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    above: Strength | None = None
    only: Callable[[Combination], bool] | None = None
    examples: tuple[Combination, ...] = ()
    """Some covered combinations, if known; then none has to be searched for."""

    def covers(self, combination: Combination) -> bool:
        """Return whether a combination meets all the conditions of this suggestion."""
        return (
            (not self.kinds or combination.kind in self.kinds)
            and (not self.sizes or combination.size in self.sizes)
            and (self.above is None or combination.strength > self.above)
            and (self.only is None or self.only(combination))
        )


Suggestion: TypeAlias = GroupSuggestion | KindSuggestion


def single_card_suggestion(words: TranslatableText, cards: Iterable[Card]) -> GroupSuggestion:
    """Return a suggestion, for a refused player, to play any single one of these cards; `words` describes it."""
    return GroupSuggestion(words, (1,), tuple((card,) for card in cards))
