"""Reigns: streaks of hands that a player stays at the top, or at the bottom, of the hierarchy."""

from typing import Final, Literal, TypeAlias

from app.stats.counted_hand import FinishedHand, PlayerResult

HierarchyEnd: TypeAlias = Literal["top", "bottom"]
ENDS: Final[tuple[HierarchyEnd, ...]] = ("top", "bottom")


def seat_at_end(hand: FinishedHand, end: HierarchyEnd) -> PlayerResult | None:
    """Return the result of the player at one end of the hierarchy after the hand; None without a hierarchy.

    `end` is "top" or "bottom".
    """
    return hand.top_seat() if end == "top" else hand.bottom_seat()


def is_reign_continued(hand: FinishedHand, end: HierarchyEnd) -> bool:
    """Return whether the same player is at this end of the hierarchy at the deal and after the hand.

    `end` is "top" or "bottom". A reign (a series of hands with the player there) then grows by one hand. False without
    a hierarchy.
    """
    before = hand.top_seat(before=True) if end == "top" else hand.bottom_seat(before=True)
    after = seat_at_end(hand, end)
    return before is not None and after is not None and before.player == after.player
