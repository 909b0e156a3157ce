"""What is counted: for each player of a game in a room, and for each pair of them. Everything here can be added up.

How long somebody reigned is no such number: see `reigns.py`.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from app.stats.counted_hand import Placed, Played, is_person

HANDS = "hands"
WITH_BOTS = "with_bots"
"""Hands in which at least one bot played."""
FIRST = "first"
"""Hands in which nobody was placed better."""
LAST = "last"
"""Hands in which nobody was placed worse, and somebody better."""
POINTS = "points"
TOP = "top"
"""Hands after which they were at the top of the hierarchy."""
BOTTOM = "bottom"
FELL = "fell"
"""Falls from the top to the bottom in one hand."""
ROSE = "rose"
"""From the bottom to the top."""
LUCK = "luck"
"""The luck of their deals, summed up over the hands counted in `DEALT`."""
MADE = "made"
"""What was made of them: 100 for the first place, 0 for the last, summed up over the same hands."""
DEALT = "dealt"
TITLE = "title:"
"""Before a title: hands after which they had it."""
MOMENT = "moment:"
"""Before the name of an event: moments of theirs."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two players of one hand, `player` before `other` by their ids, and who was placed above whom."""

    player: str
    other: str
    above: int
    below: int


def tallies(hand: Played) -> dict[tuple[str, str], int]:
    """Count what one hand adds, by player and key."""
    counted = Counter[tuple[str, str]]()
    with_bots = has_bots(hand)
    for seat in hand.seats:
        for key, n in _of_seat(hand, seat):
            counted[seat.player, key] += n
        if with_bots:
            counted[seat.player, WITH_BOTS] += 1
    for key, seat in _ends(hand):
        counted[seat.player, key] += 1
    for moment in hand.moments:
        if moment.player is not None and moment.what not in (FELL, ROSE):
            counted[moment.player, MOMENT + moment.what] += 1
    return dict(counted)


def has_bots(hand: Played) -> bool:
    """Return whether at least one bot played a hand."""
    return not all(is_person(seat.player) for seat in hand.seats)


def _of_seat(hand: Played, seat: Placed) -> Iterator[tuple[str, int]]:
    yield HANDS, 1
    if seat.points:
        yield POINTS, seat.points
    if seat.place is not None:
        worst = max(each.place or 0 for each in hand.seats)
        if seat.place == 1:
            yield FIRST, 1
        elif seat.place == worst:
            yield LAST, 1
        if seat.luck is not None:
            yield LUCK, seat.luck
            yield MADE, made(hand, seat)
            yield DEALT, 1
    if seat.title is not None:
        yield TITLE + seat.title, 1


def _ends(hand: Played) -> Iterator[tuple[str, Placed]]:
    """Who is at an end of the hierarchy, and who came there from the other one."""
    for end, other, key, moved in (
        (Played.highest, Played.lowest, TOP, ROSE),
        (Played.lowest, Played.highest, BOTTOM, FELL),
    ):
        seat = end(hand)
        if seat is not None:
            yield key, seat
            if seat is other(hand, before=True):
                yield moved, seat


def made(hand: Played, seat: Placed) -> int:
    """Tell what somebody made of a hand, on the scale of luck: how many of a hundred others they left behind them.

    Those who share a place share what its places are worth.
    """
    placed = [each.place for each in hand.seats if each.place is not None]
    if seat.place is None or len(placed) < 2:
        return 50
    worse = sum(place > seat.place for place in placed)
    level = placed.count(seat.place) - 1
    return round(100 * (worse + level / 2) / (len(placed) - 1))


def pairs(hand: Played) -> list[Meeting]:
    """List who was placed above whom, for each two that both have a place."""
    placed = sorted((seat.player, seat.place) for seat in hand.seats if seat.place is not None)
    return [
        Meeting(player, other, int(place < others), int(place > others))
        for (player, place), (other, others) in combinations(placed, 2)
    ]
