"""Reigns: for how many hands in a row somebody stood at the top of the hierarchy, or at its bottom."""

from typing import Final, Literal, TypeAlias

from app.stats.counted_hand import Placed, Played

End: TypeAlias = Literal["top", "bottom"]
ENDS: Final[tuple[End, ...]] = ("top", "bottom")


def holder(hand: Played, end: End) -> Placed | None:
    """Find who stands there after the hand; None in a game without a hierarchy."""
    return hand.highest() if end == "top" else hand.lowest()


def goes_on(hand: Played, end: End) -> bool:
    """Tell whether who stands there after the hand stood there at the deal: their reign is a hand longer."""
    before = hand.highest(before=True) if end == "top" else hand.lowest(before=True)
    after = holder(hand, end)
    return before is not None and after is not None and before.player == after.player
