"""Counts of a hand, for each player and for each pair of players, that can be added up over hands.

Lengths of reigns can't be added up; see `reigns.py`.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from app.stats.counted_hand import FinishedHand, PlayerResult, is_person

HANDS = "hands"
WITH_BOTS = "with_bots"
"""Hands in which at least one bot played."""
FIRST = "first"
"""Hands with first place, shared places included."""
LAST = "last"
"""Hands with last place, unless all players share the first place."""
POINTS = "points"
TOP = "top"
"""Hands after which the player was at the top of the hierarchy."""
BOTTOM = "bottom"
FELL = "fell"
"""Falls from the top to the bottom in one hand."""
ROSE = "rose"
"""Rises from the bottom to the top in one hand."""
LUCK = "luck"
"""Sum of the luck of the dealt cards (0 to 100 each), over the hands counted in `DEALT`."""
MADE = "made"
"""Sum of performance scores (100 for first place, 0 for last), over the hands counted in `DEALT`."""
DEALT = "dealt"
TITLE = "title:"
"""Key prefix before a title: hands after which the player had the title."""
MOMENT = "moment:"
"""Key prefix before an event name: the player's moments of that kind."""


@dataclass(frozen=True, slots=True)
class PairResult:
    """The result of one hand, or of several, for two players (`player` and `other`, ids in alphabetical order).

    `above` counts hands with `player` placed above `other`, and `below` the opposite. Hands in which they tied count in
    neither number.
    """

    player: str
    other: str
    above: int
    below: int


def count_hand(hand: FinishedHand) -> dict[tuple[str, str], int]:
    """Return what a hand adds to the statistics, by player id and key: hands, points, first places, titles …"""
    counted = Counter[tuple[str, str]]()
    with_bots = has_bots(hand)
    for seat in hand.seats:
        for key, n in _seat_counts(hand, seat):
            counted[seat.player, key] += n
        if with_bots:
            counted[seat.player, WITH_BOTS] += 1
    for key, seat in _hierarchy_end_counts(hand):
        counted[seat.player, key] += 1
    for moment in hand.moments:
        if moment.player is not None and moment.what not in (FELL, ROSE):
            counted[moment.player, MOMENT + moment.what] += 1
    return dict(counted)


def has_bots(hand: FinishedHand) -> bool:
    """Return whether at least one bot played a hand."""
    return not all(is_person(seat.player) for seat in hand.seats)


def _seat_counts(hand: FinishedHand, seat: PlayerResult) -> Iterator[tuple[str, int]]:
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
            yield MADE, performance_score(hand, seat)
            yield DEALT, 1
    if seat.title is not None:
        yield TITLE + seat.title, 1


def _hierarchy_end_counts(hand: FinishedHand) -> Iterator[tuple[str, PlayerResult]]:
    """Yield keys of counts in the statistics, each with the player at the top or the bottom of the hierarchy for whom
    it counts.

    One more key is yielded for a player who came from the other end in this hand.
    """
    for end, other, key, moved in (
        (FinishedHand.top_seat, FinishedHand.bottom_seat, TOP, ROSE),
        (FinishedHand.bottom_seat, FinishedHand.top_seat, BOTTOM, FELL),
    ):
        seat = end(hand)
        if seat is not None:
            yield key, seat
            if seat is other(hand, before=True):
                yield moved, seat


def performance_score(hand: FinishedHand, seat: PlayerResult) -> int:
    """Return a player's performance in a hand, from 0 to 100, for comparison with luck.

    It is the percentage of placed opponents that the player beat; a tied opponent counts half. The score is 50 for a
    player without a place, or if fewer than two players have a place.
    """
    placed = [each.place for each in hand.seats if each.place is not None]
    if seat.place is None or len(placed) < 2:
        return 50
    worse = sum(place > seat.place for place in placed)
    level = placed.count(seat.place) - 1
    return round(100 * (worse + level / 2) / (len(placed) - 1))


def pairwise_results(hand: FinishedHand) -> list[PairResult]:
    """Return the result of a hand for each pair of players who both have a place, for the statistics.

    The two players of a pair are ordered by id.
    """
    placed = sorted((seat.player, seat.place) for seat in hand.seats if seat.place is not None)
    return [
        PairResult(player, other, int(place < others), int(place > others))
        for (player, place), (other, others) in combinations(placed, 2)
    ]
