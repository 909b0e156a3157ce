"""What Big Two itself keeps during a hand, beside the state that all climbing games share."""

from dataclasses import dataclass
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from app.engine.cards.cards import Card, Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import Laid


@dataclass(frozen=True, slots=True)
class OddCard:
    """The card over, of three players with 17 each (BIG-31)."""

    card: Card
    taker: str
    shown: bool


class BigTwoMemory(Struct, frozen=True):
    """What one hand keeps; frozen, like the state it is part of (`HandState.memory`)."""

    leader: str | None = None
    """Who begins whatever the cards are (BIG-03); None: the low card says it."""
    low: Card | None = None
    """The card that the first play has to contain, until it is made (BIG-04)."""
    odd: OddCard | None = None
    stock: Cards = ()
    """To draw from, the next card first (BIG-33)."""
    seed: int | None = None
    restocked: int = 0
    """How often a new stock was made (BIG-34)."""
    lead_passes: int = 0
    """How many in a row have had to pass a lead (BIG-20)."""
    ban_lifted: bool = False
    offences: tuple[tuple[str, str], ...] = ()
    """Who left what player, one card short of winning, an open door; until that player's next turn (BIG-19)."""
    liable: str | None = None
    """Who pays for all."""
    last_play: Combination | None = None
    """What the winner went out with; None also when a dragon has won."""
    unbeaten: tuple[Laid, ...] = ()
    """Honours that ended a trick (BIG-28)."""

    def but(self, **changes: Any) -> "BigTwoMemory":
        """A copy with some fields changed."""
        return replace(self, **changes)


def memory_of(hand: HandState) -> BigTwoMemory:
    """What a hand of Big Two keeps."""
    memory = hand.memory
    assert isinstance(memory, BigTwoMemory)
    return memory
