"""Tien Len's own state of a hand, in addition to the state that all climbing games share."""

from msgspec import Struct

from app.engine.climbing.combinations import Combination
from app.engine.climbing.low_card.hand_memory import LowCardMemory


class Chop(Struct, frozen=True):
    """One chop: `chopped` was played by `victim` and beaten by `by`."""

    victim: str
    by: str
    chopped: Combination
    in_chain: bool = False
    """Whether `chopped` was itself the chop before it, so that both belong to one chain."""


class TienLenMemory(LowCardMemory, frozen=True):
    """Tien Len's own state of one hand, stored in the hand's `memory`; immutable."""

    played: tuple[str, ...] = ()
    """Players who have made a play."""
    idle: tuple[str, ...] = ()
    """Players without a play when the first player went out (TIEN-21)."""
    chops: tuple[Chop, ...] = ()
    instant_win: bool = False
    """Whether the hand was won by the cards dealt (TIEN-12)."""


memory_of = TienLenMemory.of
"""Returns Tien Len's own state of a hand; the hand must be one of Tien Len."""
