"""Keys of the numbers that the statistics sum up, and what a hand's standing says of each player and pair.

The numbers themselves are declared in `app/store/history/tallies.py`.
"""

from dataclasses import dataclass

from app.stats.counted_hand import FinishedHand, PlayerResult, is_person

HANDS = "hands"
WITH_BOTS = "with_bots"
POINTS = "points"
FIRST = "first"
LAST = "last"
TOP = "top"
BOTTOM = "bottom"
FELL = "fell"
ROSE = "rose"
LUCK = "luck"
PERFORMANCE = "made"
DEALT = "dealt"
TITLE = "title:"
"""Key prefix before a title: hands after which the player had the title."""
HIGHLIGHT = "moment:"
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


def has_bots(hand: FinishedHand) -> bool:
    """Return whether at least one bot played a hand."""
    return not all(is_person(seat.player) for seat in hand.seats)


def last_places(hand: FinishedHand) -> tuple[int | None, int | None, int | None]:
    """Return the worst place of a hand, the lowest rank after it, and the lowest rank at the deal; None for none."""
    values = ("place", "rank", "rank_before")
    place, rank, before = (max((getattr(seat, name) or 0 for seat in hand.seats), default=0) or None for name in values)
    return place, rank, before


def performance_score(hand: FinishedHand, seat: PlayerResult) -> int | None:
    """Return a player's performance in a hand, from 0 to 100, for comparison with luck; None without a place.

    It is the percentage of placed opponents that the player beat; a tied opponent counts half. The score is 50 if
    nobody else has a place.
    """
    if seat.place is None:
        return None
    placed = [each.place for each in hand.seats if each.place is not None]
    if len(placed) < 2:
        return 50
    worse = sum(place > seat.place for place in placed)
    level = placed.count(seat.place) - 1
    return round(100 * (worse + level / 2) / (len(placed) - 1))
