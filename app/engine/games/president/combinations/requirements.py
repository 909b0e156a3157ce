"""Requirements that a rule adds for plays that beat: one declaration for the check and for its message."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from app.engine.base.messages import MessageTemplate, MessageValue, TranslatableMessage
from app.engine.climbing.combinations import Combination


@dataclass(frozen=True, slots=True)
class PlayRequirement:
    """A requirement that a rule of President adds for every play in a trick: a check, and a text about it.

    `is_met` checks a play.
    """

    is_met: Callable[[Combination], bool]
    wording: MessageTemplate
    """A phrase for plays that meet it. Its placeholder `play` is a phrase such as “a higher pair”."""
    values: Mapping[str, MessageValue] = field(default_factory=dict[str, MessageValue])
    """The other values of the phrase."""
    may_be_larger_set: bool = True
    """Whether a set larger than the one on the table may meet it."""
    only_rank: str | None = None
    """The only rank that may meet it without a power; empty for no rank, None for any rank."""

    def describe(self, play: TranslatableMessage) -> TranslatableMessage:
        """Return a phrase for such plays that meet it: “a higher pair of the same suit”."""
        return self.wording(play=play, **self.values)
