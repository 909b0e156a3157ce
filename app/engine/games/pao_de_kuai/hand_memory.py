"""Pao De Kuai's own state of a hand, in addition to the state that all climbing games share."""

from msgspec import Struct

from app.engine.cards.cards import Cards
from app.engine.climbing.low_card.hand_memory import LowCardMemory


class PlayedBomb(Struct, frozen=True):
    """A bomb that was played."""

    by: str
    cards: Cards
    beaten: bool = False
    """Whether a higher bomb beat it."""


class PaoDeKuaiMemory(LowCardMemory, frozen=True):
    """Pao De Kuai's own state of one hand, stored in the hand's `memory`; immutable."""

    played: tuple[str, ...] = ()
    """Players who have made a play."""
    bombs: tuple[PlayedBomb, ...] = ()
    ten_by: str | None = None
    """The player who played the ten of hearts (PDK-18)."""
    lets_win: str | None = None
    """The last player to act, if that act let the next player win with one card (PDK-15)."""
    liable: str | None = None
    """The player who pays for all (PDK-15)."""


memory_of = PaoDeKuaiMemory.of
"""Returns Pao De Kuai's own state of a hand; the hand must be one of Pao De Kuai."""
