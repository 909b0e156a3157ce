"""Reigns: series of hands that a player stays at the top, or at the bottom, of the hierarchy of a room."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

HierarchyEnd: TypeAlias = Literal["top", "bottom"]
ENDS: Final[tuple[HierarchyEnd, ...]] = ("top", "bottom")
HeldEnd: TypeAlias = tuple[str, str, HierarchyEnd, int, str, bool]
"""A player at one end of a room's hierarchy after a hand: room, game, end, number of the hand in the room, and player.

The last value says whether the player was at this end at the deal, too.
"""


@dataclass(slots=True)
class HandSeries:
    """Consecutive hands after which the same player was at one end of the hierarchy."""

    room: str
    game: str
    end: HierarchyEnd
    player: str
    first: int
    """Number of its first hand in the room."""
    last: int
    hands: int
    lasts: bool
    """Whether nobody came to this end later."""


def find_reigns(held_ends: Iterable[HeldEnd]) -> list[HandSeries]:
    """Return all reigns in order of their first hands. `held_ends` has all hands of a room in order, room by room.

    A reign goes on while its player keeps this end of the hierarchy, at the deal and after the hand.

    >>> top = [(1, "ana", False), (2, "ana", True), (3, "bob", False)]
    >>> found = find_reigns(("room", "president", "top", *each) for each in top)
    >>> [(each.player, each.hands, each.lasts) for each in found]
    [('ana', 2, False), ('bob', 1, True)]
    """
    found: list[HandSeries] = []
    latest: dict[tuple[str, str, str], HandSeries] = {}
    for room, game, end, number, player, stayed in held_ends:
        reign = latest.get((room, game, end))
        if stayed and reign is not None and reign.player == player:
            reign.hands += 1
            reign.last = number
            continue
        if reign is not None:
            reign.lasts = False
        reign = latest[room, game, end] = HandSeries(room, game, end, player, number, number, 1, lasts=True)
        found.append(reign)
    return found


def longest_reigns(reigns: Iterable[HandSeries], most: int, *, latest: bool = False) -> list[HandSeries]:
    """Return the longest reigns at the top and at the bottom of each game, at most `most` each, longest first.

    Of equal ones, the newest come first. With `latest`, the reign that lasts is always included.
    """
    by_end: dict[tuple[str, int], list[HandSeries]] = {}
    for reign in reigns:
        by_end.setdefault((reign.game, ENDS.index(reign.end)), []).append(reign)
    chosen: list[HandSeries] = []
    for end in sorted(by_end):
        longest = sorted(by_end[end], key=lambda reign: (-reign.hands, -reign.first))
        chosen += [each for n, each in enumerate(longest) if n < most or (latest and each.lasts)]
    return chosen
