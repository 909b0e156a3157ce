"""The standings of all hands of some rooms, from which follow how players did against each other, and their reigns."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from app.stats.reigns import HandSeries, HeldEnd, HierarchyEnd
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
class HandStanding:
    """The places, ranks and titles of one hand."""

    places: tuple[tuple[str, int], ...]
    """Each player who has a place, with the place, ordered by player."""
    titles: tuple[tuple[str, str], ...]
    """Each player and their title after the hand, which is empty if they have none."""
    held_ends: tuple[tuple[HierarchyEnd, str, bool], ...]
    """The player at each end of the hierarchy after the hand, and whether they were there at the deal, too."""


@dataclass(slots=True)
class EqualHands:
    """Hands of one room and game with the same standing."""

    room: str
    game: str
    standing: HandStanding
    held_ends: tuple[HeldEnd, ...]
    """The players at the ends of the hierarchy, under their newest ids."""
    hands: int
    first: int
    """Number of the first of them in the room."""
    last: int


@dataclass(frozen=True, slots=True)
class Standings:
    """The standings of all hands of some rooms."""

    equal_hands: list[EqualHands]
    """All hands by room, game and standing. A room of few players has few different standings."""
    hands: list[tuple[int, tuple[HeldEnd, ...]]]
    """The number of each hand in its room, in order, and the players at the ends of the hierarchy."""


def load_standings(
    connection: sa.Connection, query: sa.Select[Any], values: Mapping[str, Any], same_players: SamePlayers
) -> Standings:
    """Return the standings that a query of `select_standings` finds.

    At the ends of the hierarchies, the players in `same_players` count under their newest id.
    """
    found: dict[tuple[str, str, str], EqualHands] = {}
    hands: list[tuple[int, tuple[HeldEnd, ...]]] = []
    for room, game, number, text in connection.execute(query, values).all():
        equal = found.get((room, game, text))
        if equal is None:
            standing = _parse_standing(text)
            held_ends = tuple(
                ((room, game, end), same_players.get((room, player), player), stayed)
                for end, player, stayed in standing.held_ends
            )
            equal = found[room, game, text] = EqualHands(room, game, standing, held_ends, 0, number, number)
        equal.hands += 1
        equal.last = number
        hands.append((number, equal.held_ends))
    return Standings(list(found.values()), hands)


def _parse_standing(text: str) -> HandStanding:
    seats = sorted(map(_parse_seat, text.split(_NEXT_LINE)))
    last_before, last = max([seat[3] for seat in seats]), max([seat[4] for seat in seats])
    held: dict[HierarchyEnd, tuple[str, bool]] = {}
    for player, _, _, before, after in seats:
        if after == 1:
            held["top"] = player, before == 1
        if after == last > 1:
            held["bottom"] = player, before == last_before > 1
    return HandStanding(
        tuple([(seat[0], seat[2]) for seat in seats if seat[2]]),
        tuple([seat[:2] for seat in seats]),
        tuple([(end, *player) for end, player in held.items()]),
    )


@lru_cache(maxsize=4096)
def _parse_seat(line: str) -> tuple[str, str, int, int, int]:
    """Return the player, title, place and both ranks. A room has few different lines, so the cache finds most."""
    numbers, title, player = line.split("\t")
    place, ranks = divmod(int(numbers), _PLACE)
    return (player, title, place, *divmod(ranks, _RANK))


def load_same_players(connection: sa.Connection, condition: sa.ColumnElement[bool]) -> dict[tuple[str, str], str]:
    """Return the merged players that match a condition on `merged_players`."""
    query = sa.select(merged_players.c.room_id, merged_players.c.player_key, merged_players.c.merged_into)
    return {(room, key): now for room, key, now in connection.execute(query.where(condition))}


def select_standings(condition: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Return the query for the standings of all hands that match a condition on `counted_hands`, in order.

    Its columns are the room, the game, the number of the hand in the room, and the standing as a text. The text has a
    line for each player, with tabs between a number, the title and the player's id. The number holds the place and the
    ranks at the deal and after the hand; a missing rank is 0. SQLite joins one number in less time than three.
    """
    hand, seat = counted_hands.c, counted_hand_players.c
    place, before, after = (sa.func.coalesce(column, 0) for column in (seat.place, seat.rank_before, seat.rank_after))
    numbers = sa.cast(place * _PLACE + before * _RANK + after, sa.Text)
    line = numbers + _TAB + sa.func.coalesce(seat.title, sa.literal_column("''")) + _TAB + seat.player_key
    return (
        sa.select(hand.room_id, hand.game, hand.room_hand_number, sa.func.aggregate_strings(line, _NEXT_LINE))
        .select_from(HANDS_OF_PLAYERS)
        .where(condition)
        .group_by(hand.room_id, hand.room_hand_number)
        .order_by(hand.room_id, hand.room_hand_number)
    )


def select_places(condition: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Return the query for the number of hands with the same places, among hands that match a condition.

    Its columns are the room, the game, the places as a text for `parse_places`, and the number of hands. A room of few
    players has few different results, so the database counts equal ones.
    """
    hand, seat = counted_hands.c, counted_hand_players.c
    line = sa.cast(seat.place, sa.Text) + _TAB + seat.player_key
    of_hand = (
        sa.select(hand.room_id, hand.game, sa.func.aggregate_strings(line, _NEXT_LINE).label("places"))
        .select_from(HANDS_OF_PLAYERS)
        .where(condition, seat.place.is_not(None))
        .group_by(hand.room_id, hand.room_hand_number)
        .subquery()
    ).c
    return sa.select(of_hand.room_id, of_hand.game, of_hand.places, sa.func.count()).group_by(
        of_hand.room_id, of_hand.game, of_hand.places
    )


def parse_places(text: str) -> Iterator[tuple[str, int]]:
    """Yield the players and places in a row of a query of `select_places`."""
    for line in text.split(_NEXT_LINE):
        place, player = line.split("\t")
        yield player, int(place)


def select_ends(condition: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Return the query for the players at the ends of the hierarchies, of hands that match a condition, in order."""
    hand, seat = counted_hands.c, counted_hand_players.c
    is_bottom = sa.and_(seat.rank_after == hand.last_rank, hand.last_rank > 1)
    return (
        sa.select(
            hand.room_id,
            hand.game,
            hand.room_hand_number,
            seat.player_key,
            sa.case((seat.rank_after == 1, sa.literal_column("'top'")), else_=sa.literal_column("'bottom'")),
            sa.case(
                (seat.rank_after == 1, seat.rank_before == 1),
                else_=sa.and_(seat.rank_before == hand.last_rank_before, hand.last_rank_before > 1),
            ),
        )
        .select_from(HANDS_OF_PLAYERS)
        .where(condition, sa.or_(seat.rank_after == 1, is_bottom))
        .order_by(hand.room_id, hand.room_hand_number)
    )


def load_ends(
    connection: sa.Connection, query: sa.Select[Any], values: Mapping[str, Any]
) -> list[tuple[int, tuple[HeldEnd, ...]]]:
    """Return what a query of `select_ends` finds as arguments for `find_reigns`."""
    return [
        (number, (((room, game, end), player, bool(stayed)),))
        for room, game, number, player, end, stayed in connection.execute(query, values)
    ]


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
"""Separates the lines of a standing. No id and no title contains it, or a tab."""
_TAB: sa.ColumnElement[str] = sa.literal_column("'\t'")
_RANK: Final = 100
"""Factor of a rank at the deal in the number of a line. A rank is lower."""
_PLACE: Final = _RANK * _RANK
"""Factor of a place in the number of a line."""
_TIMES = sa.select(counted_hands.c.room_id, counted_hands.c.room_hand_number, counted_hands.c.ended_at).where(
    counted_hands.c.room_id.in_(sa.bindparam("rooms", expanding=True)),
    counted_hands.c.room_hand_number.in_(sa.bindparam("numbers", expanding=True)),
)
