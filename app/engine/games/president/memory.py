"""What President keeps during one hand besides the climbing state: one frozen part for each long house rule."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from app.engine.cards import Cards

if TYPE_CHECKING:
    from .collusion import Pair
    from .faults import HandDeal
    from .merchants import Trade


@dataclass(frozen=True, slots=True)
class Memory:
    """Parts that are None or empty are not in this hand."""

    piles: Mapping[str, Cards] = field(default_factory=dict[str, Cards])
    """Cards as dealt, while they are being dealt by hand: nobody holds them yet."""
    hand_deal: "HandDeal | None" = None
    trade: "Trade | None" = None
    pairs: "tuple[Pair, ...]" = ()
    touched: tuple[str, ...] = ()
    """Who touched the pile, in order."""
    waiting: str | None = None
    """Who leads when the bottom has cleared the pile; None while nothing waits."""
    faults: int = 0
    """Faults in this match since a landlord last fell."""
    unchanged: int = 0
    """Hands in a row, up to this one, that left everybody in their place."""
    exposed: Mapping[str, str] = field(default_factory=dict[str, str])
    """The card turned up of each pile, by who got it."""
    came_or_went: bool = False

    def but(self, **changes: Any) -> "Memory":
        """A copy with some parts changed."""
        return replace(self, **changes)
