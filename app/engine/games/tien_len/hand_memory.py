"""Tien Len's own state of a hand, in addition to the state that all climbing games share."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from app.engine.cards.cards import Card
from app.engine.climbing.combinations import Combination
from app.engine.climbing.rule_hooks import HandState


class Chop(Struct, frozen=True):
    """One chop: `chopped` was played by `victim` and beaten by `by`."""

    victim: str
    by: str
    chopped: Combination
    in_chain: bool = False
    """Whether `chopped` was itself the chop before it, so that both belong to one chain."""


class TienLenMemory(Struct, frozen=True):
    """Tien Len's own state of one hand, stored in the hand's `memory`; immutable."""

    leader: str | None = None
    """The player who leads, regardless of the cards (TIEN-03); None: the holder of the lowest card leads."""
    low: Card | None = None
    """The card that the first play must contain, until that play is made (TIEN-04)."""
    played: tuple[str, ...] = ()
    """Players who have made a play."""
    idle: tuple[str, ...] = ()
    """Players without a play when the first player went out (TIEN-21)."""
    chops: tuple[Chop, ...] = ()
    instant_win: bool = False
    """Whether the hand was won by the cards dealt (TIEN-12)."""
    lead_passes: int = 0
    """Number of players in succession who had to pass a lead (TIEN-15)."""
    ban_lifted: bool = False

    def but(self, **changes: Any) -> "TienLenMemory":
        """Return a copy of Tien Len's state of the hand with some fields changed."""
        return replace(self, **changes)


def memory_of(hand: HandState) -> TienLenMemory:
    """Return Tien Len's own state of a hand; the hand must be one of Tien Len."""
    memory = hand.memory
    assert isinstance(memory, TienLenMemory)
    return memory
