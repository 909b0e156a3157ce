"""Reigns: series of hands that a player stays at the top, or at the bottom, of the hierarchy of a room."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from heapq import nlargest
from operator import attrgetter
from typing import Final, Literal, TypeAlias

HierarchyEnd: TypeAlias = Literal["top", "bottom"]
ENDS: Final[tuple[HierarchyEnd, ...]] = ("top", "bottom")
HeldEnd: TypeAlias = tuple[tuple[str, str, HierarchyEnd], str, bool]
"""A player at one end of a hierarchy after a hand: room, game and end, player, and whether they were there before."""


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


def find_reigns(hands: Iterable[tuple[int, Iterable[HeldEnd]]]) -> list[HandSeries]:
    """Return all reigns in order of their first hands.

    `hands` has all hands of a room in order, room by room: the number in the room, and the ends that players hold. A
    reign goes on while its player keeps this end of the hierarchy, at the deal and after the hand.

    >>> top = "room", "president", "top"
    >>> found = find_reigns([(1, [(top, "ana", False)]), (2, [(top, "ana", True)]), (3, [(top, "bob", False)])])
    >>> [(each.player, each.hands, each.lasts) for each in found]
    [('ana', 2, False), ('bob', 1, True)]
    """
    found: list[HandSeries] = []
    latest: dict[tuple[str, str, HierarchyEnd], HandSeries] = {}
    for number, held in hands:
        for of, player, stayed in held:
            reign = latest.get(of)
            if stayed and reign is not None and reign.player == player:
                reign.hands += 1
                reign.last = number
                continue
            if reign is not None:
                reign.lasts = False
            reign = latest[of] = HandSeries(*of, player, number, number, 1, lasts=True)
            found.append(reign)
    return found


def longest_reigns(reigns: Iterable[HandSeries], most: int, *, latest: bool = False) -> list[HandSeries]:
    """Return the longest reigns at the top and at the bottom of each game, at most `most` each, longest first.

    Of equal ones, the newest come first. With `latest`, the reign that lasts is always included.
    """
    by_end: defaultdict[tuple[str, HierarchyEnd], list[HandSeries]] = defaultdict(list)
    for reign in reigns:
        by_end[reign.game, reign.end].append(reign)
    chosen: list[HandSeries] = []
    for game, end in sorted(by_end, key=lambda of: (of[0], ENDS.index(of[1]))):
        longest = nlargest(most, by_end[game, end], key=attrgetter("hands", "first"))
        chosen += longest
        if latest:
            chosen += [each for each in by_end[game, end] if each.lasts and each not in longest]
    return chosen
