"""Pao De Kuai's own state of a hand, in addition to the state that all climbing games share."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from app.engine.cards.cards import Card, Cards
from app.engine.climbing.rule_hooks import HandState


class PlayedBomb(Struct, frozen=True):
    """A bomb that was played."""

    by: str
    cards: Cards
    beaten: bool = False
    """Whether a higher bomb beat it."""


class PaoDeKuaiMemory(Struct, frozen=True):
    """Pao De Kuai's own state of one hand, stored in the hand's `memory`; immutable."""

    leader: str | None = None
    """The player who leads, regardless of the cards (PDK-04); None: the holder of the first card leads."""
    low: Card | None = None
    """The card that the first play must contain, until that play is made (PDK-05)."""
    played: tuple[str, ...] = ()
    """Players who have made a play."""
    bombs: tuple[PlayedBomb, ...] = ()
    ten_by: str | None = None
    """The player who played the ten of hearts (PDK-18)."""
    lets_win: str | None = None
    """The last player to act, if that act let the next player win with one card (PDK-15)."""
    liable: str | None = None
    """The player who pays for all (PDK-15)."""

    def but(self, **changes: Any) -> "PaoDeKuaiMemory":
        """Return a copy of Pao De Kuai's state of the hand with some fields changed."""
        return replace(self, **changes)


def memory_of(hand: HandState) -> PaoDeKuaiMemory:
    """Return Pao De Kuai's own state of a hand; the hand must be one of Pao De Kuai."""
    memory = hand.memory
    assert isinstance(memory, PaoDeKuaiMemory)
    return memory
