"""Big Two's own state of a hand, in addition to the state that all climbing games share."""

from dataclasses import dataclass

from app.engine.cards.cards import Card, Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.low_card.hand_memory import LowCardMemory
from app.engine.climbing.state import PlayedCombination


@dataclass(frozen=True, slots=True)
class OddCard:
    """The card left over when three players of Big Two get 17 cards each (BIG-31), and the player who took it.

    `shown`: it lay face up, so that all players know it.
    """

    card: Card
    taker: str
    shown: bool


class BigTwoMemory(LowCardMemory, frozen=True):
    """Big Two's own state of one hand, stored in the hand's `memory`; immutable.

    `odd` is the card left over, and `stock` has cards to draw. `seed` and `restocked` (number of refills) decide how a
    refilled stock is shuffled. `ban_lifted`: any card may be the last again.
    """

    odd: OddCard | None = None
    stock: Cards = ()
    """Cards to draw from, the next card first (BIG-33)."""
    seed: int | None = None
    restocked: int = 0
    """Number of times the stock was refilled (BIG-34)."""
    offences: tuple[tuple[str, str], ...] = ()
    """Pairs (offender, player who may now win), valid until that player's next turn (BIG-19).

    An offender left the door open for a player with one card left.
    """
    liable: str | None = None
    """The player who pays for all losers."""
    last_play: Combination | None = None
    """The winner's last play; None before, and after a dragon."""
    unbeaten: tuple[PlayedCombination, ...] = ()
    """Honours that ended a trick (BIG-28)."""


memory_of = BigTwoMemory.of
"""Returns Big Two's own state of a hand; the hand must be one of Big Two."""
