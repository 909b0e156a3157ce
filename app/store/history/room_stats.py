"""Queries of a room's statistics page: players, evenings, charts, highlights.

Read-only. The cost of a page grows with the number of players, not with the number of hands.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from app.stats.counted_hand import HandMoment, is_person
from app.stats.reigns import ENDS, HierarchyEnd
from app.store.db.database import Database
from app.store.db.schema import (
    counted_hand_players,
    counted_hands,
    counters,
    game_sessions,
    head_to_head,
    highlights,
    matches,
    merged_players,
    point_reasons,
    room_players,
    room_stats,
    session_players,
    streaks,
)
from app.store.db.types import check_text
from app.store.event_log.stats_writer import EVENING_COUNTS, HIGHLIGHT_COLUMNS, VERSION

LONGEST_REIGNS: Final = 10
"""Number of reigns listed for each end of each game's hierarchy."""
MAX_CHART_HANDS: Final = 300
"""Largest number of hands in an evening's chart. A longer evening shows every second hand, every third and so on."""

Tallies: TypeAlias = dict[str, int]
"""Counts by key, with the keys of `app/stats/tallies.py`. A missing key means 0."""


@dataclass(frozen=True, slots=True)
class RoomPlayer:
    """A player, person or bot, who has played in a room, with the number and time of their hands."""

    player: str
    """Id of a person, or a colon and the name of a bot."""
    name: str
    """Name in the player's last match here."""
    bot: bool
    hands: int
    first_at: datetime
    last_at: datetime


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
class PairLine:
    """How two players of a room did against each other in one game."""

    player: str
    other: str
    together: int
    above: int
    """Number of hands in which `player` was placed above `other`."""
    below: int


@dataclass(frozen=True, slots=True)
class RoomStats:
    """The statistics of a room over all its hands."""

    ready: bool
    """False while the statistics are being rebuilt from the log."""
    hands: int
    evenings: int
    players: tuple[RoomPlayer, ...]
    """In order of their last hand, newest first."""
    tallies: Mapping[str, Mapping[str, Tallies]]
    """Counts by game, then by player."""
    pairs: Mapping[str, tuple[PairLine, ...]]
    """Pairs by game."""
    reigns: tuple[Reign, ...]
    """For each game and end: the longest reigns, longest first (equal ones newest first), and the latest."""


@dataclass(frozen=True, slots=True)
class EveningScore:
    """A player's results in one game of one evening (session) of a room."""

    game: str
    player: str
    hands: int
    first: int
    points: int
    top: int
    bottom: int
    luck: int
    """Sum over the hands counted in `dealt`; the same for `made`."""
    made: int
    dealt: int


@dataclass(frozen=True, slots=True)
class EveningLine:
    """An evening (session) of a room: hands without a gap of six hours between them, with all results."""

    number: int
    """Number of the evening in the room, from 1."""
    began_at: datetime
    ended_at: datetime
    first: int
    """Number (`nth`) of its first hand in the room."""
    hands: int
    with_bots: int
    """Number of hands with at least one bot."""
    scores: tuple[EveningScore, ...]


@dataclass(frozen=True, slots=True)
class EveningsPage:
    """One page of a room's evenings (sessions), newest first."""

    evenings: tuple[EveningLine, ...]
    next: int | None
    """Value of `before` for the next page; None on the last page."""


@dataclass(frozen=True, slots=True)
class ChartSeat:
    """What the chart of an evening shows of one player in one hand."""

    player: str
    place: int | None
    rank_before: int | None
    rank: int | None
    title: str | None
    luck: int | None
    points: int
    """Points of this hand."""
    sum: int
    """Points in this game since the evening began, including hands that the chart leaves out."""


@dataclass(frozen=True, slots=True)
class ChartHand:
    """What the chart of an evening shows of one hand."""

    nth: int
    """Number of the hand in the room, from 1."""
    match_id: str
    hand: int
    """Number of the hand in its match, from 0."""
    game: str
    at: datetime
    seats: tuple[ChartSeat, ...]


@dataclass(frozen=True, slots=True)
class HighlightLine:
    """A highlight of the statistics, with the hand where it can be replayed."""

    room: str
    nth: int
    place: int
    """Position in the hand's list; with `nth`, the key for the next page."""
    match_id: str
    hand: int
    """Number of the hand in its match, from 0."""
    game: str
    at: datetime
    told: HandMoment


@dataclass(frozen=True, slots=True)
class HighlightsPage:
    """One page of a room's highlights, newest first."""

    moments: tuple[HighlightLine, ...]
    next: tuple[int, int] | None
    """Value of `before` for the next page; None on the last page."""


@dataclass(frozen=True, slots=True)
class ReasonSum:
    """The points of a player in one evening for one reason, such as a penalty, in one game."""

    game: str
    player: str
    key: str
    values: Mapping[str, Any]
    unit: str
    amount: int


@dataclass(frozen=True, slots=True)
class MatchSum:
    """The points of a player in the hands that one match had in one evening, for settling who pays whom."""

    match_id: str
    game: str
    options: Mapping[str, Any]
    player: str
    points: int
    differences: int
    """The points if all players paid each other the difference after each hand."""
    last: int
    """Number (`nth`) of the player's last hand there in the room."""


class RoomStatsQueries:
    """Reads statistics of rooms from one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def stats_of_room(self, room: str) -> RoomStats | None:
        """Return the statistics of a room over all its hands; None before its first hand has ended."""
        check_text(room)
        return await self._database.read(lambda connection: _load_room_stats(connection, room))

    async def evenings_of_room(self, room: str, *, limit: int = 100, before: int | None = None) -> EveningsPage:
        """Return one page of a room's evenings (sessions) with each player's results, newest first.

        `before` is the `next` of the previous page.
        """
        check_text(room)
        return await self._database.read(lambda connection: _load_evenings(connection, room, limit, before))

    async def evening_chart(
        self, room: str, evening: int, *, max_hands: int = MAX_CHART_HANDS
    ) -> tuple[ChartHand, ...]:
        """Return the hands of an evening for its chart, in order, at most about `max_hands`.

        A longer evening shows every second hand, every third and so on, and always the last. Empty if there is no such
        evening.
        """
        check_text(room)
        return await self._database.read(lambda connection: _load_chart(connection, room, evening, max_hands))

    async def evening_sums_by_reason(self, room: str, evening: int) -> tuple[ReasonSum, ...]:
        """Return the points of each player in a room's evening, summed by the reason for them.

        The same reason with different values counts as different reasons.
        """
        check_text(room)
        where = {"of": room, "at": evening}
        found = await self._database.read(lambda connection: connection.execute(_SUMS, where).all())
        return tuple(
            ReasonSum(row.game, row.player, row.reason_key, json.loads(row.told), row.unit, int(row.amount))
            for row in found
        )

    async def evening_sums_by_match(self, room: str, evening: int) -> tuple[MatchSum, ...]:
        """Return the points of each player in a room's evening, summed by match, to compute who pays whom.

        In the order of the players' last hands.
        """
        check_text(room)
        where = {"of": room, "at": evening}
        found = await self._database.read(lambda connection: connection.execute(_BY_MATCH, where).all())
        return tuple(
            MatchSum(
                row.match_id, row.game, row.options, row.player, int(row.points), int(row.differences), int(row.last)
            )
            for row in found
        )

    async def highlights_of_room(
        self,
        room: str,
        *,
        event_names: Collection[str] | None = None,
        excluded_event_names: Collection[str] = (),
        limit: int = 50,
        before: tuple[int, int] | None = None,
    ) -> HighlightsPage:
        """Return one page of a room's highlights, newest first. `before` is the `next` of the previous page.

        `event_names` limits them to game events with these names; `excluded_event_names` leaves events out.
        """
        query = highlights_query(limit).where(highlights.c.room_id == check_text(room))
        if before is not None:
            query = query.where(
                sa.tuple_(highlights.c.room_hand_number, highlights.c.position) < sa.tuple_(*map(sa.literal, before))
            )
        if event_names is not None:
            query = query.where(highlights.c.event_type.in_(event_names))
        if excluded_event_names:
            query = query.where(highlights.c.event_type.not_in(excluded_event_names))
        query = query.order_by(highlights.c.room_hand_number.desc(), highlights.c.position.desc())
        found = await self._database.read(lambda connection: connection.execute(query).all())
        lines = build_highlight_lines(found[:limit])
        return HighlightsPage(lines, (lines[-1].nth, lines[-1].place) if len(found) > limit else None)


def highlights_query(limit: int) -> sa.Select[Any]:
    """Return the query for highlights, without conditions yet, limited to one row more than `limit`.

    The additional row shows whether there is another page.
    """
    columns = (
        highlights.c.room_id,
        highlights.c.room_hand_number,
        highlights.c.position,
        counted_hands.c.match_id,
        counted_hands.c.hand_number,
        counted_hands.c.game,
        highlights.c.ended_at,
        *HIGHLIGHT_COLUMNS,
    )
    return sa.select(*columns).join(counted_hands).limit(limit + 1)


def build_highlight_lines(found: Iterable[Sequence[Any]]) -> tuple[HighlightLine, ...]:
    """Return rows of a query made by `highlights_query` as highlights."""
    return tuple(
        HighlightLine(room, nth, place, match_id, hand, game, at, HandMoment(*told))
        for room, nth, place, match_id, hand, game, at, *told in found
    )


def current_player(table: sa.Table, column: str = "player_key") -> sa.ColumnElement[str]:
    """Return an SQL expression for the player of a row, as whom the host lets this player count.

    A player who returned with another browser counts as one player with both ids in a room's statistics.
    """
    same = merged_players.alias()
    player: sa.ColumnElement[str] = table.c[column]
    is_now = (
        sa.select(same.c.merged_into)
        .where(same.c.room_id == table.c.room_id, same.c.player_key == player)
        .scalar_subquery()
    )
    return sa.func.coalesce(is_now, player)


def build_tallies(sums: Iterable[int]) -> Tallies:
    """Return sums in the order of `EVENING_COUNTS` as counts by key, without zeros."""
    return {key: n for key, n in zip(EVENING_COUNTS, sums, strict=True) if n}


def _load_room_stats(connection: sa.Connection, room: str) -> RoomStats | None:
    book = connection.execute(sa.select(room_stats).where(room_stats.c.room_id == room)).one_or_none()
    if book is None:
        return None
    here = {"room": room}
    counted: dict[str, dict[str, Tallies]] = {}
    for game, player, *sums in connection.execute(_SUMMED, here):
        counted.setdefault(game, {})[player] = build_tallies(sums)
    for game, player, key, n in connection.execute(_TALLIES, here):
        counted.setdefault(game, {}).setdefault(player, {})[key] = n
    met: dict[str, list[PairLine]] = {}
    for game, *pair in connection.execute(_PAIRS, here):
        met.setdefault(game, []).append(PairLine(*pair))
    is_now: dict[str, str] = {row.player_key: row.merged_into for row in connection.execute(_SAME, here)}
    return RoomStats(
        book.stats_version == VERSION,
        book.hands,
        book.last_session,
        _merge_players(connection.execute(_PLAYERS, here).all(), is_now),
        counted,
        {game: _merge_pairs(lines) for game, lines in met.items()},
        tuple(
            replace(reign, player=is_now.get(reign.player, reign.player))
            for reign in _longest_and_last_reigns(connection, room, counted)
        ),
    )


def _merge_players(found: Sequence[sa.Row[Any]], is_now: Mapping[str, str]) -> tuple[RoomPlayer, ...]:
    """Return the players of a room, most recent first; those whom the host merged appear once, under the newest id.

    `is_now`: the newest id by older id.
    """
    players = {
        row.player_key: RoomPlayer(
            row.player_key,
            row.name,
            not is_person(row.player_key),
            row.hands,
            row.first_hand_at,
            row.last_hand_at,
        )
        for row in found
    }
    for player, now in is_now.items():
        before, newest = players.get(player), players.get(now)
        if before is not None and newest is not None:
            hands, first_at = newest.hands + before.hands, min(newest.first_at, before.first_at)
            players[now] = replace(newest, hands=hands, first_at=first_at)
            del players[player]
    return tuple(players.values())


def _merge_pairs(lines: Iterable[PairLine]) -> tuple[PairLine, ...]:
    """Add up the lines of the same two players, in either order, and drop pairs of a player with themselves.

    Such pairs arise if the host has merged two ids of one player.
    """
    merged: dict[tuple[str, str], PairLine] = {}
    for line in lines:
        if line.player > line.other:
            line = PairLine(line.other, line.player, line.together, line.below, line.above)
        key = (line.player, line.other)
        known = merged.get(key)
        if known is not None:
            line = PairLine(*key, known.together + line.together, known.above + line.above, known.below + line.below)
        merged[key] = line
    return tuple(line for line in merged.values() if line.player != line.other)


def _longest_and_last_reigns(connection: sa.Connection, room: str, games: Iterable[str]) -> Iterable[Reign]:
    """Yield the ten longest reigns at the top and at the bottom of each game's hierarchy, and the latest of each."""
    for game in games:
        for end in ENDS:
            where = {"room": room, "game": game, "end": end}
            last = connection.execute(_LAST_REIGN, where).one_or_none()
            if last is None:
                continue
            longest = connection.execute(_LONGEST, where).all()
            began = {row.first_hand for row in longest}
            for row in longest if last.first_hand in began else [*longest, last]:
                yield Reign(
                    game,
                    end,
                    row.player_key,
                    row.hands,
                    row.first_hand,
                    row.began_at,
                    row.ended_at,
                    row.first_hand == last.first_hand,
                )


def _load_evenings(connection: sa.Connection, room: str, limit: int, before: int | None) -> EveningsPage:
    query = sa.select(game_sessions).where(game_sessions.c.room_id == room)
    if before is not None:
        query = query.where(game_sessions.c.session_number < before)
    found = connection.execute(query.order_by(game_sessions.c.session_number.desc()).limit(limit + 1)).all()
    shown = found[:limit]
    scores: dict[int, list[EveningScore]] = {}
    if shown:
        player = current_player(session_players).label("player")
        sums = [sa.func.sum(column).label(column.name) for column in SCORE_COLUMNS[2:]]
        of_these = (
            sa.select(session_players.c.session_number, session_players.c.game, player, *sums)
            .where(
                session_players.c.room_id == room,
                session_players.c.session_number.between(shown[-1].session_number, shown[0].session_number),
            )
            .group_by(session_players.c.session_number, session_players.c.game, player)
            .order_by(session_players.c.session_number, session_players.c.game, player)
        )
        for number, *score in connection.execute(of_these):
            scores.setdefault(number, []).append(EveningScore(*score))
    lines = tuple(
        EveningLine(
            row.session_number,
            row.began_at,
            row.ended_at,
            row.first_hand,
            row.hands,
            row.hands_with_bots,
            tuple(scores.get(row.session_number, ())),
        )
        for row in shown
    )
    return EveningsPage(lines, lines[-1].number if len(found) > limit else None)


def _load_chart(connection: sa.Connection, room: str, evening: int, max_hands: int) -> tuple[ChartHand, ...]:
    there = connection.execute(
        sa.select(game_sessions.c.first_hand, game_sessions.c.hands).where(
            game_sessions.c.room_id == room, game_sessions.c.session_number == evening
        )
    ).one_or_none()
    if there is None:
        return ()
    last = there.first_hand + there.hands - 1
    step = max(1, -(-there.hands // max_hands))
    seats = counted_hand_players.c
    inside = seats.room_id == room, seats.room_hand_number.between(there.first_hand, last)
    summed = (
        sa.select(
            seats.room_hand_number.label("nth"),
            current_player(counted_hand_players).label("player"),
            *(seats[name] for name in ("place", "rank_before", "rank_after", "title", "luck", "points")),
            counted_hands.c.match_id,
            counted_hands.c.hand_number,
            counted_hands.c.game,
            counted_hands.c.ended_at,
            sa.func.sum(seats.points)
            .over(
                partition_by=(current_player(counted_hand_players), counted_hands.c.game),
                order_by=seats.room_hand_number,
            )
            .label("sum"),
        )
        .join(counted_hands)
        .where(*inside)
        .subquery()
    )
    query = (
        sa.select(summed)
        .where(((summed.c.nth - there.first_hand) % step == 0) | (summed.c.nth == last))
        .order_by(summed.c.nth, summed.c.player)
    )
    hands: dict[int, tuple[sa.Row[Any], list[ChartSeat]]] = {}
    for row in connection.execute(query):
        seat = ChartSeat(
            row.player, row.place, row.rank_before, row.rank_after, row.title, row.luck, row.points, int(row.sum)
        )
        hands.setdefault(row.nth, (row, []))[1].append(seat)
    return tuple(
        ChartHand(nth, row.match_id, row.hand_number, row.game, row.ended_at, tuple(found))
        for nth, (row, found) in hands.items()
    )


SCORE_COLUMNS: Final = [
    session_players.c.game,
    session_players.c.player_key,
    session_players.c.hands,
    session_players.c.first_places,
    session_players.c.points,
    session_players.c.hands_on_top,
    session_players.c.hands_at_bottom,
    session_players.c.luck_sum,
    session_players.c.placement_sum,
    session_players.c.hands_with_luck,
]
"""Columns in the order of the fields of `EveningScore`. The counts are in the order of `EVENING_COUNTS`."""
SUMS: Final = [sa.func.sum(column) for column in SCORE_COLUMNS[2:]]
"""Sums of the counts of evenings, in the order of `EVENING_COUNTS`."""
_scorer = current_player(session_players).label("player")
_SUMMED = (
    sa.select(session_players.c.game, _scorer, *SUMS)
    .where(session_players.c.room_id == sa.bindparam("room"))
    .group_by(session_players.c.game, _scorer)
)
_counted = current_player(counters).label("player")
_TALLIES = (
    sa.select(counters.c.game, _counted, counters.c.counter_key, sa.func.sum(counters.c.value))
    .where(counters.c.room_id == sa.bindparam("room"))
    .group_by(counters.c.game, _counted, counters.c.counter_key)
)
_PAIRS = sa.select(
    head_to_head.c.game,
    current_player(head_to_head).label("player"),
    current_player(head_to_head, "opponent_key").label("other"),
    head_to_head.c.hands,
    head_to_head.c.wins,
    head_to_head.c.losses,
).where(head_to_head.c.room_id == sa.bindparam("room"))
_SAME = sa.select(merged_players).where(merged_players.c.room_id == sa.bindparam("room"))
_PLAYERS = (
    sa.select(room_players)
    .where(room_players.c.room_id == sa.bindparam("room"))
    .order_by(room_players.c.last_hand_at.desc(), room_players.c.player_key)
)
_REIGNS = sa.select(streaks).where(
    *(
        streaks.c[column] == sa.bindparam(name)
        for name, column in (("room", "room_id"), ("game", "game"), ("end", "rank_end"))
    )
)
_LAST_REIGN = _REIGNS.order_by(streaks.c.first_hand.desc()).limit(1)
_LONGEST = _REIGNS.order_by(streaks.c.hands.desc(), streaks.c.first_hand.desc()).limit(LONGEST_REIGNS)
_told = sa.cast(point_reasons.c["reason_values"], sa.Text).label("told")
_paid = current_player(point_reasons).label("player")
_SUMS = (
    sa.select(
        counted_hands.c.game,
        _paid,
        point_reasons.c.reason_key,
        _told,
        point_reasons.c.unit,
        sa.func.sum(point_reasons.c.amount).label("amount"),
    )
    .join(
        counted_hands,
        sa.and_(
            counted_hands.c.room_id == point_reasons.c.room_id,
            counted_hands.c.room_hand_number == point_reasons.c.room_hand_number,
        ),
    )
    .where(counted_hands.c.room_id == sa.bindparam("of"), counted_hands.c.session_number == sa.bindparam("at"))
    .group_by(counted_hands.c.game, _paid, point_reasons.c.reason_key, _told, point_reasons.c.unit)
    .order_by(point_reasons.c.reason_key, _told, _paid)
)
_in_hand = (
    sa.select(
        counted_hands.c.match_id,
        counted_hands.c.game,
        current_player(counted_hand_players).label("player"),
        counted_hand_players.c.room_hand_number,
        counted_hand_players.c.points,
        (
            counted_hand_players.c.points * sa.func.count().over(partition_by=counted_hand_players.c.room_hand_number)
            - sa.func.sum(counted_hand_players.c.points).over(partition_by=counted_hand_players.c.room_hand_number)
        ).label("differences"),
    )
    .join(counted_hands)
    .where(counted_hands.c.room_id == sa.bindparam("of"), counted_hands.c.session_number == sa.bindparam("at"))
    .subquery()
)
_in_match = (
    sa.select(
        _in_hand.c.match_id,
        _in_hand.c.game,
        _in_hand.c.player,
        sa.func.sum(_in_hand.c.points).label("points"),
        sa.func.sum(_in_hand.c.differences).label("differences"),
        sa.func.max(_in_hand.c.room_hand_number).label("last"),
    )
    .group_by(_in_hand.c.match_id, _in_hand.c.game, _in_hand.c.player)
    .subquery()
)
_BY_MATCH = (
    sa.select(_in_match, matches.c.options)
    .join(matches, sa.and_(matches.c.room_id == sa.bindparam("of"), matches.c.id == _in_match.c.match_id))
    .order_by(_in_match.c.last, _in_match.c.match_id, _in_match.c.player)
)
