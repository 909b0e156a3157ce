"""Queries of a room's statistics page: players, evenings, charts, highlights.

Read-only. All numbers are summed up over the rows of the room's hands.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from app.stats import tallies as count
from app.stats.counted_hand import HandHighlight, is_person
from app.stats.reigns import find_reigns, longest_reigns
from app.stats.rivals import ENOUGH
from app.store.db.database import Database
from app.store.db.schema import (
    counted_hand_players,
    counted_hands,
    highlights,
    matches,
    merged_players,
    point_reasons,
)
from app.store.db.types import check_text, check_time
from app.store.event_log.stats_writer import HIGHLIGHT_COLUMNS
from app.store.history.standings import (
    Reign,
    SamePlayers,
    Standings,
    build_reigns,
    load_same_players,
    load_standings,
    select_standings,
)
from app.store.history.tallies import HANDS_OF_PLAYERS, Tallies, add_count, add_sums, count_moments, sum_numbers

LONGEST_REIGNS: Final = 10
"""Number of reigns listed for each end of each game's hierarchy."""
MAX_CHART_HANDS: Final = 300
"""Largest number of hands in an evening's chart. A longer evening shows every second hand, every third and so on."""


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
class PairLine:
    """How two players of a room did against each other in one game."""

    player: str
    other: str
    together: int
    above: int
    """Number of hands in which `player` was placed above `other`."""
    below: int


HandRange: TypeAlias = tuple[int, int]
"""The numbers of the first and the last hand of a part of a room's hands; the first is higher if there is none."""
ALL_HANDS: Final[HandRange] = (1, 10**9)


@dataclass(frozen=True, slots=True)
class RoomStats:
    """The statistics of a room over all its hands, or over a range of them."""

    hands: int
    """Number of all hands of the room."""
    evenings: int
    """Number of all evenings of the room."""
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
    highlight: HandHighlight


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

    async def stats_of_room(self, room: str, hands: HandRange = ALL_HANDS) -> RoomStats | None:
        """Return the statistics of a room over these hands; None before its first hand has ended."""
        check_text(room)
        return await self._database.read(lambda connection: _load_room_stats(connection, room, hands))

    async def hands_of_evening(self, room: str, evening: int | None) -> tuple[int, HandRange] | None:
        """Return the number of an evening and its hands; of the latest evening for None or an unknown number.

        None before the first hand has ended.
        """
        where = {"of": check_text(room), "at": evening}

        def work(connection: sa.Connection) -> tuple[int, HandRange] | None:
            last = connection.execute(_LAST_HAND, {"room": room}).one_or_none()
            if last is None:
                return None
            number = last.session_number if evening is None else evening
            found = connection.execute(_RANGE_OF_EVENING, {**where, "at": number}).one()
            if found.first is None:
                number = last.session_number
                found = connection.execute(_RANGE_OF_EVENING, {**where, "at": number}).one()
            return number, (found.first, found.last)

        return await self._database.read(work)

    async def hands_since(self, room: str, since: datetime) -> HandRange:
        """Return the hands of a room that ended at this time or later. Reads only these hands."""
        where = {"room": check_text(room), "since": check_time(since)}
        before = await self._database.read(lambda connection: connection.execute(_LAST_BEFORE, where).scalar())
        return (before or 0) + 1, ALL_HANDS[1]

    async def mean_places(self, room: str, hands: HandRange) -> dict[str, float]:
        """Return the mean place of each player in these hands of a room, from 100 (always first) to 0 (always last).

        Players with fewer hands than `ENOUGH` are left out. All games count.
        """
        where = {"room": check_text(room), "first": hands[0], "last": hands[1]}

        def work(connection: sa.Connection) -> dict[str, float]:
            same_players = load_same_players(connection, merged_players.c.room_id == room)
            sums: dict[str, list[int]] = {}
            for key, number, total in connection.execute(_MEANS, where):
                of_player = sums.setdefault(same_players.get((room, key), key), [0, 0])
                of_player[0] += number
                of_player[1] += total
            return {player: total / number for player, (number, total) in sums.items() if number >= ENOUGH}

        return await self._database.read(work)

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
        found = await self._database.read(lambda connection: connection.execute(_BY_REASON, where).all())
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
        hands: HandRange = ALL_HANDS,
    ) -> HighlightsPage:
        """Return one page of a room's highlights in these hands, newest first. `before`: `next` of the previous page.

        `event_names` limits them to game events with these names; `excluded_event_names` leaves events out.
        """
        query = highlights_query(limit).where(highlights.c.room_id == check_text(room))
        if hands != ALL_HANDS:
            query = query.where(highlights.c.room_hand_number.between(*hands))
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

    async def players_of_highlights(
        self, lines: Iterable[HighlightLine]
    ) -> dict[tuple[str, int], list[tuple[str, bool]]]:
        """Return the players of these highlights' hands, by room and number of the hand (`nth`).

        Each is the name in that match, and whether it is a bot.
        """
        hands = {(line.room, line.nth) for line in lines}
        if not hands:
            return {}
        of = sa.tuple_(counted_hand_players.c.room_id, counted_hand_players.c.room_hand_number)
        query = sa.select(
            counted_hand_players.c.room_id,
            counted_hand_players.c.room_hand_number,
            counted_hand_players.c.name,
            counted_hand_players.c.player_key,
        ).where(of.in_(hands))
        found = dict[tuple[str, int], list[tuple[str, bool]]]()
        for room, nth, name, key in await self._database.read(lambda connection: connection.execute(query).all()):
            found.setdefault((room, nth), []).append((name, not is_person(key)))
        return found


def start_of_month() -> datetime:
    """Return when the present month began, in UTC."""
    return datetime.now(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)


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
        HighlightLine(room, nth, place, match_id, hand, game, at, HandHighlight(*columns))
        for room, nth, place, match_id, hand, game, at, *columns in found
    )


def current_player(table: sa.FromClause, column: str = "player_key") -> sa.ColumnElement[str]:
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


def _load_room_stats(connection: sa.Connection, room: str, hands: HandRange) -> RoomStats | None:
    here = {"room": room, "first": hands[0], "last": hands[1]}
    last = connection.execute(_LAST_HAND, {"room": room}).one_or_none()
    if last is None:
        return None
    same_players = load_same_players(connection, merged_players.c.room_id == room)
    tallies: dict[str, dict[str, Tallies]] = {}
    for game, key, *sums in connection.execute(_SUMS, here):
        player = same_players.get((room, key), key)
        add_sums(tallies.setdefault(game, {}).setdefault(player, {}), sums)
    standings = load_standings(connection, _STANDINGS, here, same_players)
    titles: dict[str, Counter[tuple[str, str]]] = {}
    first: dict[str, int] = {}
    latest: dict[str, int] = {}
    for equal in standings.equal_hands:  # in the order of their first hands
        titles_of_game = titles.setdefault(equal.game, Counter())
        for key_and_title in equal.standing.titles:
            titles_of_game[key_and_title] += equal.hands
            key = key_and_title[0]
            first.setdefault(key, equal.first)
            if equal.last > latest.get(key, 0):
                latest[key] = equal.last
    for game, titles_of_game in titles.items():
        for (key, title), n in titles_of_game.items():
            if title:
                add_count(tallies[game][same_players.get((room, key), key)], count.TITLE + title, n)
    spans: dict[str, tuple[int, int]] = {}
    for key, number in first.items():
        player = same_players.get((room, key), key)
        known = spans.get(player, (number, 0))
        spans[player] = min(number, known[0]), max(latest[key], known[1])
    for game, key, kind, n in connection.execute(_MOMENTS, here):
        tallies_of_player = tallies.setdefault(game, {}).setdefault(same_players.get((room, key), key), {})
        add_count(tallies_of_player, count.HIGHLIGHT + kind, n)
    return RoomStats(
        last.room_hand_number,
        last.session_number,
        _load_players(connection, room, spans, tallies, same_players),
        tallies,
        _build_pairs(standings, same_players),
        build_reigns(connection, longest_reigns(find_reigns(standings.hands), LONGEST_REIGNS, latest=True)),
    )


def _load_players(
    connection: sa.Connection,
    room: str,
    spans: Mapping[str, tuple[int, int]],
    tallies: Mapping[str, Mapping[str, Tallies]],
    same_players: SamePlayers,
) -> tuple[RoomPlayer, ...]:
    """Return the players of a room, most recent first, with their names in their last hands.

    `spans` has the numbers of each player's first and last hand in the room.
    """
    times: dict[int, datetime] = {}
    names: dict[tuple[str, int], str] = {}
    numbers = sorted({number for span in spans.values() for number in span})
    for number, key, name, at in connection.execute(_NAMES, {"room": room, "numbers": numbers}):
        times[number] = at
        names[same_players.get((room, key), key), number] = name
    return tuple(
        RoomPlayer(
            player,
            names[player, last],
            not is_person(player),
            sum(of_game[player].get(count.HANDS, 0) for of_game in tallies.values() if player in of_game),
            times[first],
            times[last],
        )
        for player, (first, last) in sorted(spans.items(), key=lambda each: (-each[1][1], each[0]))
    )


def _build_pairs(standings: Standings, same_players: SamePlayers) -> dict[str, tuple[PairLine, ...]]:
    """Return how the players of a room did against each other, by game.

    A pair of one player, with two ids that the host has merged, is left out.
    """
    found: dict[str, dict[tuple[str, str], list[int]]] = {}
    for equal in standings.equal_hands:
        pairs, places = found.setdefault(equal.game, {}), equal.standing.places
        if same_players:
            places = tuple(sorted((same_players.get((equal.room, key), key), place) for key, place in places))
        for (player, place), (other, place_of_other) in combinations(places, 2):
            if player != other:
                sums = pairs.setdefault((player, other), [0, 0, 0])
                sums[0] += equal.hands
                if place != place_of_other:
                    sums[1 if place < place_of_other else 2] += equal.hands
    return {
        game: tuple(PairLine(*players, *sums) for players, sums in sorted(pairs.items()))
        for game, pairs in found.items()
        if pairs
    }


def _load_evenings(connection: sa.Connection, room: str, limit: int, before: int | None) -> EveningsPage:
    number = counted_hands.c.session_number
    query = _EVENINGS.where(counted_hands.c.room_id == room)
    if before is not None:
        query = query.where(number < before)
    found = connection.execute(query.order_by(number.desc()).limit(limit + 1)).all()
    shown = found[:limit]
    scores: dict[int, dict[tuple[str, str], list[int]]] = {}
    if shown:
        same_players = load_same_players(connection, merged_players.c.room_id == room)
        last = shown[0].first_hand + shown[0].hands - 1
        these = {"room": room, "first": shown[-1].first_hand, "last": last}
        for evening, game, key, *sums in connection.execute(_SCORES, these):
            of_evening, whose = scores.setdefault(evening, {}), (game, same_players.get((room, key), key))
            of_evening[whose] = [sum(both) for both in zip(of_evening.get(whose, [0] * len(sums)), sums, strict=True)]
    lines = tuple(
        EveningLine(
            row.session_number,
            row.began_at,
            row.ended_at,
            row.first_hand,
            row.hands,
            row.hands_with_bots,
            tuple(EveningScore(*whose, *sums) for whose, sums in sorted(scores.get(row.session_number, {}).items())),
        )
        for row in shown
    )
    return EveningsPage(lines, lines[-1].number if len(found) > limit else None)


def _load_chart(connection: sa.Connection, room: str, evening: int, max_hands: int) -> tuple[ChartHand, ...]:
    query = _EVENINGS.where(counted_hands.c.room_id == room, counted_hands.c.session_number == evening)
    there = connection.execute(query).one_or_none()
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


SCORE_KEYS: Final = (
    *(count.HANDS, count.FIRST, count.POINTS, count.TOP, count.BOTTOM),
    *(count.LUCK, count.PERFORMANCE, count.DEALT),
)
"""Keys of an evening's numbers of each player, in the order of the fields of `EveningScore`."""
_hand, _seat = counted_hands.c, counted_hand_players.c
_here = _hand.room_id == sa.bindparam("room")
_LAST_HAND = (
    sa.select(_hand.room_hand_number, _hand.session_number)
    .where(_here)
    .order_by(_hand.room_hand_number.desc())
    .limit(1)
)
_in_range = _hand.room_hand_number.between(sa.bindparam("first"), sa.bindparam("last"))
_LAST_BEFORE = (
    sa.select(_hand.room_hand_number)
    .where(_here, _hand.ended_at < sa.bindparam("since", type_=_hand.ended_at.type))
    .order_by(_hand.room_hand_number.desc())
    .limit(1)
)
_RANGE_OF_EVENING = sa.select(
    sa.func.min(_hand.room_hand_number).label("first"), sa.func.max(_hand.room_hand_number).label("last")
).where(_hand.room_id == sa.bindparam("of"), _hand.session_number == sa.bindparam("at"))
_MEANS = (
    sa.select(_seat.player_key, sa.func.count(_seat.performance), sa.func.sum(_seat.performance))
    .where(
        _seat.room_id == sa.bindparam("room"),
        _seat.room_hand_number.between(sa.bindparam("first"), sa.bindparam("last")),
        _seat.performance.is_not(None),
    )
    .group_by(_seat.player_key)
)
_SUMS = sum_numbers(_hand.game, _seat.player_key).where(_here, _in_range)
_MOMENTS = count_moments(highlights.c.player_key).where(
    highlights.c.room_id == sa.bindparam("room"),
    highlights.c.room_hand_number.between(sa.bindparam("first"), sa.bindparam("last")),
)
_NAMES = (
    sa.select(_hand.room_hand_number, _seat.player_key, _seat.name, _hand.ended_at)
    .select_from(HANDS_OF_PLAYERS)
    .where(_here, _hand.room_hand_number.in_(sa.bindparam("numbers", expanding=True)))
)
_STANDINGS = select_standings(sa.and_(_here, _in_range))
_EVENINGS = sa.select(
    _hand.session_number,
    sa.func.min(_hand.ended_at).label("began_at"),
    sa.func.max(_hand.ended_at).label("ended_at"),
    sa.func.min(_hand.room_hand_number).label("first_hand"),
    sa.func.count().label("hands"),
    sa.func.count(sa.case((_hand.with_bots, 1))).label("hands_with_bots"),
).group_by(_hand.session_number)
_SCORES = sum_numbers(_hand.session_number, _hand.game, _seat.player_key, keys=SCORE_KEYS).where(
    _here, _seat.room_hand_number.between(sa.bindparam("first"), sa.bindparam("last"))
)


def _number_in_evening(end: Callable[..., sa.ColumnElement[int]]) -> sa.ScalarSelect[int]:
    """Return the number of the first or last hand of an evening; `end` is SQL's `min` or `max`."""
    there = counted_hands.alias("there").c
    evening = there.room_id == sa.bindparam("of"), there.session_number == sa.bindparam("at")
    return sa.select(end(there.room_hand_number)).where(*evening).scalar_subquery()


_values_text = sa.cast(point_reasons.c["reason_values"], sa.Text).label("told")
_paid = current_player(point_reasons).label("player")
_BY_REASON = (
    sa.select(
        counted_hands.c.game,
        _paid,
        point_reasons.c.reason_key,
        _values_text,
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
    .group_by(counted_hands.c.game, _paid, point_reasons.c.reason_key, _values_text, point_reasons.c.unit)
    .order_by(point_reasons.c.reason_key, _values_text, _paid)
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
    .where(
        counted_hands.c.room_id == sa.bindparam("of"),
        counted_hands.c.session_number == sa.bindparam("at"),
        # Without these bounds, SQLite may read all hands of the room.
        _seat.room_hand_number.between(_number_in_evening(sa.func.min), _number_in_evening(sa.func.max)),
    )
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
