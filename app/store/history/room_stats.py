"""What the page of a room asks of its book: who is who there, the evenings, the charts, the moments.

Reads only, and a little at a time: what a page costs does not grow with the hands that were played, only with the
people who played them.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from app.stats.counted_hand import Remembered, is_person
from app.stats.reigns import ENDS, End
from app.store.db.database import Database
from app.store.db.schema import (
    books,
    evening_players,
    evenings,
    hand_players,
    matches,
    moments,
    pairs,
    people,
    reasons,
    reigns,
    room_hands,
    room_players,
    same_players,
    tallies,
)
from app.store.db.types import check_text
from app.store.event_log.stats_writer import COUNTED, VERSION

LONGEST_REIGNS: Final = 10
"""Listed for each end of each game's hierarchy."""
MOST_POINTS: Final = 300
"""Hands of an evening that a chart has places for: of a longer one every second, third …"""

Tallies: TypeAlias = dict[str, int]
"""Numbers by key, as `app/stats/tallies.py` names them; what is not there is 0."""


@dataclass(frozen=True, slots=True)
class RoomPlayer:
    """Somebody who played in a room."""

    player: str
    """A person's id, or of a bot its name after a colon."""
    name: str
    """As last used in a match here."""
    bot: bool
    bird: str | None
    """As a person chose, if they did; so is the colour."""
    colour: str | None
    hands: int
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True, slots=True)
class Reign:
    """So many hands in a row at one end of a hierarchy."""

    game: str
    end: End
    player: str
    hands: int
    began: int
    """With this hand of the room."""
    began_at: datetime
    ended_at: datetime
    """So far."""
    lasts: bool
    """Whether it is the last one there was: who is there now."""


@dataclass(frozen=True, slots=True)
class PairLine:
    """How two players did against each other."""

    player: str
    other: str
    together: int
    above: int
    """How often `player` was placed above `other`."""
    below: int


@dataclass(frozen=True, slots=True)
class RoomBook:
    """What all hands of a room come to."""

    ready: bool
    """Whether it is all there: a book that is being made again from the log is not yet."""
    hands: int
    evenings: int
    players: tuple[RoomPlayer, ...]
    """Who played last, first."""
    tallies: Mapping[str, Mapping[str, Tallies]]
    """By game and player."""
    pairs: Mapping[str, tuple[PairLine, ...]]
    """By game."""
    reigns: tuple[Reign, ...]
    """The longest of each game and end, the longest first and of equals the latest, and the last of each."""


@dataclass(frozen=True, slots=True)
class EveningScore:
    """What an evening brought somebody in one game."""

    game: str
    player: str
    hands: int
    first: int
    points: int
    top: int
    bottom: int
    luck: int
    """Summed up over the hands counted in `dealt`, as `made`."""
    made: int
    dealt: int


@dataclass(frozen=True, slots=True)
class EveningLine:
    """Hands of a room without a long gap between them."""

    number: int
    """From 1."""
    began_at: datetime
    ended_at: datetime
    first: int
    """Its first hand in the room."""
    hands: int
    with_bots: int
    """Hands in which at least one bot played."""
    scores: tuple[EveningScore, ...]


@dataclass(frozen=True, slots=True)
class EveningsPage:
    """Some evenings, the newest first."""

    evenings: tuple[EveningLine, ...]
    next: int | None
    """What to ask for those before; None: there are none."""


@dataclass(frozen=True, slots=True)
class ChartSeat:
    """One player in one hand of a chart."""

    player: str
    place: int | None
    rank_before: int | None
    rank: int | None
    title: str | None
    luck: int | None
    points: int
    """What the hand added."""
    sum: int
    """Points of the evening up to here, in this game; hands that the chart leaves out are counted, too."""


@dataclass(frozen=True, slots=True)
class ChartHand:
    """One hand of a chart."""

    nth: int
    """In the room, from 1."""
    match_id: str
    hand: int
    """In its match, from 0."""
    game: str
    at: datetime
    seats: tuple[ChartSeat, ...]


@dataclass(frozen=True, slots=True)
class MomentLine:
    """Something that people speak of, and where to see it again."""

    room: str
    nth: int
    place: int
    """In the hand's list: with `nth` the key by which lists go on."""
    match_id: str
    hand: int
    """In its match, from 0."""
    game: str
    at: datetime
    told: Remembered


@dataclass(frozen=True, slots=True)
class MomentsPage:
    """Some moments, the newest first."""

    moments: tuple[MomentLine, ...]
    next: tuple[int, int] | None
    """What to ask for those before; None: there are none."""


@dataclass(frozen=True, slots=True)
class ReasonSum:
    """What an evening brought somebody for one reason."""

    game: str
    player: str
    key: str
    values: Mapping[str, Any]
    unit: str
    amount: int


@dataclass(frozen=True, slots=True)
class MatchSum:
    """What the hands of a match in one evening brought somebody."""

    match_id: str
    game: str
    options: Mapping[str, Any]
    player: str
    points: int
    differences: int
    """The same, if after each hand everybody settled the difference with everybody."""
    last: int
    """Their last hand there, in the room."""


class RoomBooks:
    """The books of rooms, in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def room(self, room: str) -> RoomBook | None:
        """All that a room comes to; None before its first hand is over."""
        check_text(room)
        return await self._database.read(lambda connection: _room(connection, room))

    async def evenings(self, room: str, *, limit: int = 100, before: int | None = None) -> EveningsPage:
        """The evenings of a room with what each brought to whom, the newest first: one point each for a chart."""
        check_text(room)
        return await self._database.read(lambda connection: _evenings(connection, room, limit, before))

    async def chart(self, room: str, evening: int, *, most: int = MOST_POINTS) -> tuple[ChartHand, ...]:
        """The hands of an evening, in order, `most` at most: of a longer one every second, third …, and the last."""
        check_text(room)
        return await self._database.read(lambda connection: _chart(connection, room, evening, most))

    async def sums(self, room: str, evening: int) -> tuple[ReasonSum, ...]:
        """What an evening brought to whom, added up by reason: what was told otherwise is another reason."""
        check_text(room)
        where = {"of": room, "at": evening}
        found = await self._database.read(lambda connection: connection.execute(_SUMS, where).all())
        return tuple(
            ReasonSum(row.game, row.player, row.key, json.loads(row.told), row.unit, int(row.amount)) for row in found
        )

    async def matches_of(self, room: str, evening: int) -> tuple[MatchSum, ...]:
        """What an evening brought to whom, match by match in the order of their last hands."""
        check_text(room)
        where = {"of": room, "at": evening}
        found = await self._database.read(lambda connection: connection.execute(_BY_MATCH, where).all())
        return tuple(
            MatchSum(
                row.match_id, row.game, row.options, row.player, int(row.points), int(row.differences), int(row.last)
            )
            for row in found
        )

    async def moments(
        self,
        room: str,
        *,
        what: Collection[str] | None = None,
        but: Collection[str] = (),
        limit: int = 50,
        before: tuple[int, int] | None = None,
    ) -> MomentsPage:
        """What people speak of in a room, the newest first: all of it, or these events, and none of those in `but`."""
        query = moments_query(limit).where(moments.c.room == check_text(room))
        if before is not None:
            query = query.where(sa.tuple_(moments.c.nth, moments.c.place) < sa.tuple_(*map(sa.literal, before)))
        if what is not None:
            query = query.where(moments.c.what.in_(what))
        if but:
            query = query.where(moments.c.what.not_in(but))
        query = query.order_by(moments.c.nth.desc(), moments.c.place.desc())
        found = await self._database.read(lambda connection: connection.execute(query).all())
        lines = moment_lines(found[:limit])
        return MomentsPage(lines, (lines[-1].nth, lines[-1].place) if len(found) > limit else None)


def moments_query(limit: int) -> sa.Select[Any]:
    """Moments as lines; one more than asked for, which tells whether there are others."""
    columns = (
        moments.c.room,
        moments.c.nth,
        moments.c.place,
        room_hands.c.match_id,
        room_hands.c.hand,
        room_hands.c.game,
        moments.c.at,
        *(moments.c[name] for name in Remembered.__struct_fields__),
    )
    return sa.select(*columns).join(room_hands).limit(limit + 1)


def moment_lines(found: Iterable[Sequence[Any]]) -> tuple[MomentLine, ...]:
    """What that query has found."""
    return tuple(
        MomentLine(room, nth, place, match_id, hand, game, at, Remembered(*told))
        for room, nth, place, match_id, hand, game, at, *told in found
    )


def one_player(table: sa.Table, column: str = "player") -> sa.ColumnElement[str]:
    """Return the player of a row, or who that player is by now: the host may have let them in with another browser."""
    same = same_players.alias()
    player: sa.ColumnElement[str] = table.c[column]
    is_now = sa.select(same.c.is_player).where(same.c.room == table.c.room, same.c.player == player).scalar_subquery()
    return sa.func.coalesce(is_now, player)


def by_key(sums: Iterable[int]) -> Tallies:
    """What `SUMS` has found, as tallies."""
    return {key: n for key, n in zip(COUNTED, sums, strict=True) if n}


def _room(connection: sa.Connection, room: str) -> RoomBook | None:
    book = connection.execute(sa.select(books).where(books.c.room == room)).one_or_none()
    if book is None:
        return None
    here = {"room": room}
    counted: dict[str, dict[str, Tallies]] = {}
    for game, player, *sums in connection.execute(_SUMMED, here):
        counted.setdefault(game, {})[player] = by_key(sums)
    for game, player, key, n in connection.execute(_TALLIES, here):
        counted.setdefault(game, {}).setdefault(player, {})[key] = n
    met: dict[str, list[PairLine]] = {}
    for game, *pair in connection.execute(_PAIRS, here):
        met.setdefault(game, []).append(PairLine(*pair))
    is_now: dict[str, str] = {row.player: row.is_player for row in connection.execute(_SAME, here)}
    return RoomBook(
        book.version == VERSION,
        book.hands,
        book.evening,
        _players(connection.execute(_PLAYERS, here).all(), is_now),
        counted,
        {game: _merged_pairs(lines) for game, lines in met.items()},
        tuple(
            replace(reign, player=is_now.get(reign.player, reign.player))
            for reign in _reigns(connection, room, counted)
        ),
    )


def _players(found: Sequence[sa.Row[Any]], is_now: Mapping[str, str]) -> tuple[RoomPlayer, ...]:
    """Return the players of a room, those who played last first. A player with several identities is the newest one."""
    players = {
        row.player: RoomPlayer(
            row.player,
            row.name,
            not is_person(row.player),
            row.bird,
            row.colour,
            row.hands,
            row.first_at,
            row.last_at,
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


def _merged_pairs(lines: Iterable[PairLine]) -> tuple[PairLine, ...]:
    """Add up the lines of the same two players, whichever of them comes first in a line."""
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


def _reigns(connection: sa.Connection, room: str, games: Iterable[str]) -> Iterable[Reign]:
    """The longest reigns of each game and end, and the last of each."""
    for game in games:
        for end in ENDS:
            where = {"room": room, "game": game, "end": end}
            last = connection.execute(_LAST_REIGN, where).one_or_none()
            if last is None:
                continue
            longest = connection.execute(_LONGEST, where).all()
            began = {row.began for row in longest}
            for row in longest if last.began in began else [*longest, last]:
                yield Reign(
                    game, end, row.player, row.hands, row.began, row.began_at, row.ended_at, row.began == last.began
                )


def _evenings(connection: sa.Connection, room: str, limit: int, before: int | None) -> EveningsPage:
    query = sa.select(evenings).where(evenings.c.room == room)
    if before is not None:
        query = query.where(evenings.c.number < before)
    found = connection.execute(query.order_by(evenings.c.number.desc()).limit(limit + 1)).all()
    shown = found[:limit]
    scores: dict[int, list[EveningScore]] = {}
    if shown:
        player = one_player(evening_players).label("player")
        sums = [sa.func.sum(evening_players.c[name]).label(name) for name in EveningScore.__slots__[2:]]
        of_these = (
            sa.select(evening_players.c.evening, evening_players.c.game, player, *sums)
            .where(
                evening_players.c.room == room,
                evening_players.c.evening.between(shown[-1].number, shown[0].number),
            )
            .group_by(evening_players.c.evening, evening_players.c.game, player)
            .order_by(evening_players.c.evening, evening_players.c.game, player)
        )
        for number, *score in connection.execute(of_these):
            scores.setdefault(number, []).append(EveningScore(*score))
    lines = tuple(
        EveningLine(
            row.number,
            row.began_at,
            row.ended_at,
            row.first,
            row.hands,
            row.with_bots,
            tuple(scores.get(row.number, ())),
        )
        for row in shown
    )
    return EveningsPage(lines, lines[-1].number if len(found) > limit else None)


def _chart(connection: sa.Connection, room: str, evening: int, most: int) -> tuple[ChartHand, ...]:
    there = connection.execute(
        sa.select(evenings.c.first, evenings.c.hands).where(evenings.c.room == room, evenings.c.number == evening)
    ).one_or_none()
    if there is None:
        return ()
    last = there.first + there.hands - 1
    step = max(1, -(-there.hands // most))
    seats = hand_players.c
    inside = seats.room == room, seats.nth.between(there.first, last)
    summed = (
        sa.select(
            seats.nth,
            one_player(hand_players).label("player"),
            *(seats[name] for name in ("place", "rank_before", "rank", "title", "luck", "points")),
            room_hands.c.match_id,
            room_hands.c.hand,
            room_hands.c.game,
            room_hands.c.at,
            sa.func.sum(seats.points)
            .over(partition_by=(one_player(hand_players), room_hands.c.game), order_by=seats.nth)
            .label("sum"),
        )
        .join(room_hands)
        .where(*inside)
        .subquery()
    )
    query = (
        sa.select(summed)
        .where(((summed.c.nth - there.first) % step == 0) | (summed.c.nth == last))
        .order_by(summed.c.nth, summed.c.player)
    )
    hands: dict[int, tuple[sa.Row[Any], list[ChartSeat]]] = {}
    for row in connection.execute(query):
        seat = ChartSeat(
            row.player, row.place, row.rank_before, row.rank, row.title, row.luck, row.points, int(row.sum)
        )
        hands.setdefault(row.nth, (row, []))[1].append(seat)
    return tuple(
        ChartHand(nth, row.match_id, row.hand, row.game, row.at, tuple(found)) for nth, (row, found) in hands.items()
    )


SUMS: Final = [sa.func.sum(evening_players.c[key]) for key in COUNTED]
"""What evenings add up to."""
_scorer = one_player(evening_players).label("player")
_SUMMED = (
    sa.select(evening_players.c.game, _scorer, *SUMS)
    .where(evening_players.c.room == sa.bindparam("room"))
    .group_by(evening_players.c.game, _scorer)
)
_counted = one_player(tallies).label("player")
_TALLIES = (
    sa.select(tallies.c.game, _counted, tallies.c.key, sa.func.sum(tallies.c.n))
    .where(tallies.c.room == sa.bindparam("room"))
    .group_by(tallies.c.game, _counted, tallies.c.key)
)
_PAIRS = sa.select(
    pairs.c.game,
    one_player(pairs).label("player"),
    one_player(pairs, "other").label("other"),
    *(pairs.c[name] for name in PairLine.__slots__[2:]),
).where(pairs.c.room == sa.bindparam("room"))
_SAME = sa.select(same_players).where(same_players.c.room == sa.bindparam("room"))
_PLAYERS = (
    sa.select(room_players, people.c.bird, people.c.colour)
    .outerjoin(people, people.c.id == room_players.c.player)
    .where(room_players.c.room == sa.bindparam("room"))
    .order_by(room_players.c.last_at.desc(), room_players.c.player)
)
_REIGNS = sa.select(reigns).where(*(reigns.c[name] == sa.bindparam(name) for name in ("room", "game", "end")))
_LAST_REIGN = _REIGNS.order_by(reigns.c.began.desc()).limit(1)
_LONGEST = _REIGNS.order_by(reigns.c.hands.desc(), reigns.c.began.desc()).limit(LONGEST_REIGNS)
_told = sa.cast(reasons.c["values"], sa.Text).label("told")
_paid = one_player(reasons).label("player")
_SUMS = (
    sa.select(
        room_hands.c.game,
        _paid,
        reasons.c.key,
        _told,
        reasons.c.unit,
        sa.func.sum(reasons.c.amount).label("amount"),
    )
    .join(room_hands, sa.and_(room_hands.c.room == reasons.c.room, room_hands.c.nth == reasons.c.nth))
    .where(room_hands.c.room == sa.bindparam("of"), room_hands.c.evening == sa.bindparam("at"))
    .group_by(room_hands.c.game, _paid, reasons.c.key, _told, reasons.c.unit)
    .order_by(reasons.c.key, _told, _paid)
)
_in_hand = (
    sa.select(
        room_hands.c.match_id,
        room_hands.c.game,
        one_player(hand_players).label("player"),
        hand_players.c.nth,
        hand_players.c.points,
        (
            hand_players.c.points * sa.func.count().over(partition_by=hand_players.c.nth)
            - sa.func.sum(hand_players.c.points).over(partition_by=hand_players.c.nth)
        ).label("differences"),
    )
    .join(room_hands)
    .where(room_hands.c.room == sa.bindparam("of"), room_hands.c.evening == sa.bindparam("at"))
    .subquery()
)
_in_match = (
    sa.select(
        _in_hand.c.match_id,
        _in_hand.c.game,
        _in_hand.c.player,
        sa.func.sum(_in_hand.c.points).label("points"),
        sa.func.sum(_in_hand.c.differences).label("differences"),
        sa.func.max(_in_hand.c.nth).label("last"),
    )
    .group_by(_in_hand.c.match_id, _in_hand.c.game, _in_hand.c.player)
    .subquery()
)
_BY_MATCH = (
    sa.select(_in_match, matches.c.options)
    .join(matches, matches.c.id == _in_match.c.match_id)
    .order_by(_in_match.c.last, _in_match.c.match_id, _in_match.c.player)
)
