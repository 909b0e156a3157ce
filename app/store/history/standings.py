"""The standings of all hands of some rooms, from which follow how players did against each other, and their reigns."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from app.stats.counted_hand import is_person
from app.stats.reigns import HandSeries, HeldEnd, HierarchyEnd
from app.stats.tallies import PairResult, pairwise_results
from app.store.db.schema import counted_hand_players, counted_hands, merged_players
from app.store.history.tallies import HANDS_OF_PLAYERS

SamePlayers: TypeAlias = Mapping[tuple[str, str], str]
"""Players whom the hosts of rooms merged with another: the newest id, by room and older id."""


@dataclass(frozen=True, slots=True)
class Reign:
    """Consecutive hands in which the same player was at the top or the bottom of the hierarchy of a room."""

    game: str
    end: HierarchyEnd
    player: str
    hands: int
    began: int
    """Number (`nth`) of its first hand in the room."""
    began_at: datetime
    ended_at: datetime
    """End of its last hand so far."""
    lasts: bool
    """True if it is the latest reign, so its player holds this end now."""


@dataclass(frozen=True, slots=True)
class Standings:
    """The standings of all hands of some rooms."""

    counts: Counter[tuple[str, str, str]]
    """Number of hands by room, game and standing. A room has few different standings, so they are compared once each.

    The text of a standing has a line for each player who has a place: the place, a space and the player's id.
    """
    held_ends: list[HeldEnd]
    """The players at the ends of the hierarchies, hand by hand."""

    def pairs(self, same_players: SamePlayers) -> Iterator[tuple[str, int, PairResult]]:
        """Yield results of two players against each other: the game, the number of hands, and the result of each hand.

        A pair of one player, with two ids that the host has merged, is left out.
        """
        for (room, game, standing), hands in self.counts.items():
            places = ((same_players.get((room, key), key), place) for key, place in _parse_places(standing))
            for pair in pairwise_results(places):
                if pair.player != pair.other:
                    yield game, hands, pair

    def results_of_person(self, person: str, same_players: SamePlayers) -> Iterator[tuple[str, int, PairResult]]:
        """Yield a person's results against each other person: the game, the number of hands, and that of each hand.

        Only hands under this id count, while opponents count under their newest id.
        """
        for (room, game, standing), hands in self.counts.items():
            places = dict(_parse_places(standing))
            own, newest = places.get(person), same_players.get((room, person), person)
            if own is None:
                continue
            for key, place in places.items():
                other = same_players.get((room, key), key)
                if other != newest and is_person(other):
                    yield game, hands, PairResult(person, other, int(own < place), int(own > place))


def _parse_places(standing: str) -> Iterator[tuple[str, int]]:
    for line in standing.split(_NEXT_LINE):
        place, _, player = line.partition(" ")
        yield player, int(place)


def load_standings(
    connection: sa.Connection, query: sa.Select[Any], values: Mapping[str, Any], same_players: SamePlayers
) -> Standings:
    """Return the standings that a query of `select_standings` finds.

    At the ends of the hierarchies, the players in `same_players` count under their newest id.
    """
    counts = Counter[tuple[str, str, str]]()
    held: list[HeldEnd] = []
    for room, game, number, standing, top, top_stayed, bottom, bottom_stayed in connection.execute(query, values):
        if standing is not None:
            counts[room, game, standing] += 1
        if top is not None:
            held.append((room, game, "top", number, same_players.get((room, top), top), top_stayed == 1))
        if bottom is not None:
            held.append((room, game, "bottom", number, same_players.get((room, bottom), bottom), bottom_stayed == 1))
    return Standings(counts, held)


def load_same_players(connection: sa.Connection, condition: sa.ColumnElement[bool]) -> dict[tuple[str, str], str]:
    """Return the merged players that match a condition on `merged_players`."""
    query = sa.select(merged_players.c.room_id, merged_players.c.player_key, merged_players.c.merged_into)
    return {(room, key): now for room, key, now in connection.execute(query.where(condition))}


def select_standings(condition: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Return the query for the standings of all hands that match a condition on `counted_hands`, in order."""
    hand, seat = counted_hands.c, counted_hand_players.c
    at_top, at_bottom = seat.rank_after == 1, sa.and_(seat.rank_after == hand.last_rank, hand.last_rank > 1)
    was_at_bottom = sa.and_(seat.rank_before == hand.last_rank_before, hand.last_rank_before > 1)
    line = sa.cast(seat.place, sa.Text) + sa.literal_column("' '") + seat.player_key
    return (
        sa.select(
            hand.room_id,
            hand.game,
            hand.room_hand_number,
            sa.func.aggregate_strings(line, _NEXT_LINE),
            sa.func.max(sa.case((at_top, seat.player_key))),
            sa.func.max(sa.case((sa.and_(at_top, seat.rank_before == 1), 1))),
            sa.func.max(sa.case((at_bottom, seat.player_key))),
            sa.func.max(sa.case((sa.and_(at_bottom, was_at_bottom), 1))),
        )
        .select_from(HANDS_OF_PLAYERS)
        .where(condition)
        .group_by(hand.room_id, hand.room_hand_number)
        .order_by(hand.room_id, hand.room_hand_number)
    )


def build_reigns(connection: sa.Connection, found: Iterable[HandSeries]) -> tuple[Reign, ...]:
    """Return series of hands as reigns, with the times of their first and last hands."""
    some = list(found)
    rooms = {each.room for each in some}
    numbers = {number for each in some for number in (each.first, each.last)}
    found_times = connection.execute(_TIMES, {"rooms": sorted(rooms), "numbers": sorted(numbers)})
    times = {(room, number): at for room, number, at in found_times}
    return tuple(
        Reign(
            each.game,
            each.end,
            each.player,
            each.hands,
            each.first,
            times[each.room, each.first],
            times[each.room, each.last],
            each.lasts,
        )
        for each in some
    )


_NEXT_LINE: Final = "\n"
"""Separates the lines of a standing. No id contains it."""
_TIMES = sa.select(counted_hands.c.room_id, counted_hands.c.room_hand_number, counted_hands.c.ended_at).where(
    counted_hands.c.room_id.in_(sa.bindparam("rooms", expanding=True)),
    counted_hands.c.room_hand_number.in_(sa.bindparam("numbers", expanding=True)),
)
