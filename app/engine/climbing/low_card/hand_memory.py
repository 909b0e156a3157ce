"""The state of a hand that games with a low card share, in addition to the state of all climbing games."""

from typing import Any, Self

from msgspec import Struct
from msgspec.structs import replace

from app.engine.cards.cards import Card
from app.engine.climbing.rule_hooks import HandState


class LowCardMemory(Struct, frozen=True):
    """What the rules of a game with a low card remember in one hand, stored in the hand's `memory`; immutable."""

    leader: str | None = None
    """The player who leads, regardless of the cards; None: the holder of the low card leads."""
    low: Card | None = None
    """The card that the first play must contain, until that play is made."""
    lead_passes: int = 0
    """Number of players in succession who had to pass a lead, because their last card is banned."""
    ban_lifted: bool = False
    """Whether any card may be the last one again, because no player could lead."""

    @classmethod
    def of(cls, hand: HandState) -> Self:
        """Return what the rules remember in this hand; it must be a hand of their game."""
        memory = hand.memory
        assert isinstance(memory, cls)
        return memory

    def but(self, **changes: Any) -> Self:
        """Return a copy with some fields changed."""
        return replace(self, **changes)
