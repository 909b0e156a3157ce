"""The numbers of the statistics, each declared once: its key, its name on the pages, and what a hand adds to it.

Pages sum the rows of the hands when they are read. So a new number needs one declaration here, and older rooms have it
at once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from app.stats import tallies as count
from app.stats.counted_hand import FELL, ROSE
from app.store.db.schema import counted_hand_players, counted_hands, highlights

Tallies: TypeAlias = dict[str, int]
"""Numbers by key: those of `NUMBERS`, and counts of titles and moments. A missing key means 0."""


@dataclass(frozen=True, slots=True)
class SummedNumber:
    """A number of a player in one game, summed up over hands."""

    key: str
    total: sa.ColumnElement[int]
    """Its SQL aggregate over hands, from the columns of `counted_hands` and `counted_hand_players`."""
    name: str = ""
    """English name of its row in the tables of the pages; empty for numbers that only charts use."""
    name_with_titles: str = ""
    """Name in games with titles, with `{top}` and `{bottom}`. The row then is below those of the titles."""


HANDS_OF_PLAYERS: Final = counted_hands.outerjoin(counted_hand_players)
"""The rows that numbers are summed over. Every hand has players, but the outer join has SQLite read the hands first."""
_hand, _seat = counted_hands.c, counted_hand_players.c


def _count_if(*conditions: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    return sa.func.count().filter(*conditions)


def _sum_or_0(column: sa.ColumnElement[int]) -> sa.ColumnElement[int]:
    return sa.func.coalesce(sa.func.sum(column).filter(*_has_luck), 0)


_has_luck = _seat.place.is_not(None), _seat.luck.is_not(None)
_at_bottom = _seat.rank_after == _hand.last_rank, _hand.last_rank > 1

NUMBERS: Final = (
    SummedNumber(count.HANDS, sa.func.count(), "Hands"),
    SummedNumber(count.WITH_BOTS, _count_if(_hand.with_bots), "Hands with bots"),
    SummedNumber(count.POINTS, sa.func.sum(_seat.points), "Points"),
    # Shared places count. If all players share the first place, nobody is last.
    SummedNumber(count.FIRST, _count_if(_seat.place == 1), "First places"),
    SummedNumber(count.LAST, _count_if(_seat.place == _hand.last_place, _seat.place > 1), "Last places"),
    # From one end of the hierarchy to the other in one hand.
    SummedNumber(
        count.FELL,
        _count_if(*_at_bottom, _seat.rank_before == 1),
        "From first to last place",
        "From {top} to {bottom}",
    ),
    SummedNumber(
        count.ROSE,
        _count_if(_seat.rank_after == 1, _seat.rank_before == _hand.last_rank_before, _hand.last_rank_before > 1),
        "From last to first place",
        "From {bottom} to {top}",
    ),
    SummedNumber(count.TOP, _count_if(_seat.rank_after == 1)),
    SummedNumber(count.BOTTOM, _count_if(*_at_bottom)),
    # Luck and performance are summed over the same hands, which are counted in DEALT.
    SummedNumber(count.LUCK, _sum_or_0(_seat.luck)),
    SummedNumber(count.PERFORMANCE, _sum_or_0(_seat.performance)),
    SummedNumber(count.DEALT, _count_if(*_has_luck)),
)
"""All numbers. Those with a name are in the order of the rows."""
KEYS: Final = tuple(each.key for each in NUMBERS)


def sum_numbers(*by: sa.ColumnElement[Any], keys: Sequence[str] = KEYS) -> sa.Select[Any]:
    """Return the query for the sums of the numbers with these keys, in this order, for each group of players' hands.

    Its columns are those of `by`, which define the groups, and the sums. It has no conditions yet.
    """
    totals = {each.key: each.total for each in NUMBERS}
    sums = [totals[key].label(key) for key in keys]
    return sa.select(*by, *sums).select_from(HANDS_OF_PLAYERS).group_by(*by)


def add_sums(tallies: Tallies, sums: Iterable[int]) -> None:
    """Add the sums of all numbers over some hands."""
    for key, n in zip(KEYS, sums, strict=True):
        add_count(tallies, key, n)


def add_count(tallies: Tallies, key: str, n: int) -> None:
    """Add a count to a player's numbers; a number that becomes 0 is left out."""
    tallies[key] = tallies.get(key, 0) + n
    if not tallies[key]:
        del tallies[key]


def count_moments(*by: sa.ColumnElement[Any]) -> sa.Select[Any]:
    """Return the query for the number of moments of each kind, by game and `by`, without conditions yet."""
    groups = _hand.game, *by, highlights.c.event_type
    return (
        sa.select(*groups, sa.func.count())
        .select_from(highlights)
        .join(counted_hands)
        # Falls and rises are counted in NUMBERS.
        .where(highlights.c.player_key.is_not(None), highlights.c.event_type.not_in([FELL.name, ROSE.name]))
        .group_by(*groups)
    )
