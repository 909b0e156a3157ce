"""Requirements that a rule adds for plays that beat: one declaration for the check and for its message."""

from collections.abc import Callable
from dataclasses import dataclass

from app.engine.base.messages import join_with_spaces
from app.engine.climbing.combinations import SINGLE, Combination
from app.engine.games.president.combinations.nouns import kind_noun


@dataclass(frozen=True, slots=True)
class PlayRequirement:
    """A requirement that a rule of President adds for every play in a trick: a check, and texts about it.

    `is_met` checks a play. `single_card_text` and `more_cards_text` describe the same condition in suggestions.
    """

    is_met: Callable[[Combination], bool]
    single_card_text: str
    """A single card that meets it, as text after “a higher ”."""
    more_cards_text: str = ""
    """The condition for several cards, as text after “a higher pair ”; empty if only single cards must meet it."""
    may_be_larger_set: bool = True
    """Whether a set larger than the one on the table may meet it."""
    only_rank: str | None = None
    """The only rank that may meet it without a power; empty for no rank, None for any rank."""
    reason: str = ""
    """The reason, for the end of a sentence; empty if it needs no explanation."""

    def describe_for_kind(self, kind: str) -> str:
        """Return a text for plays of this kind that meet the requirement, to follow “a higher ” in suggestions."""
        return self.single_card_text if kind == SINGLE else join_with_spaces((kind_noun(kind), self.more_cards_text))
