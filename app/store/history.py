"""What the history pages ask: my matches, one match with its hands, one hand to replay, a match as a record file.

Reads only. What was written stays as it happened, whatever becomes of the rules.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from app.engine.record import FORMAT

from .columns import check_text
from .database import Database
from .tables import hands, ledger, match_players, matches, rooms, visits


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """One player of a match."""

    name: str
    bot: bool
    you: bool
    """Whether it is who asks."""
    total: int | None
    """Points so far; None before the first hand is over."""
    won: bool


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match in a list."""

    id: str
    room: str
    """The room's code."""
    game: str
    options: dict[str, Any]
    started_at: datetime
    ended_at: datetime | None
    """None while it goes on."""
    hands: int
    """Those that are over."""
    players: tuple[PlayerLine, ...]
    """As seated for the first hand, then those who came later."""
    winners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """Some of a longer list."""

    matches: tuple[MatchLine, ...]
    next: str | None
    """What to ask for the page after this one; None if this is the last."""


@dataclass(frozen=True, slots=True)
class HandLine:
    """A hand in the table of its match."""

    number: int
    """From 0."""
    ended_at: datetime
    dealer: str
    standing: list[Any]
    """Best first; those who share a place in a list of their own."""
    titles: dict[str, str]
    points: dict[str, int]
    """What the hand added, by name."""
    totals: dict[str, int]
    """Afterwards, of those who played it."""
    events: list[str]


@dataclass(frozen=True, slots=True)
class MatchDetail:
    """A match with all its hands."""

    match: MatchLine
    hands: tuple[HandLine, ...]


@dataclass(frozen=True, slots=True)
class HandDetail:
    """One hand, as it was dealt and played."""

    match: str
    """Id of its match."""
    number: int
    ended_at: datetime
    record: dict[str, Any]
    """One element of a record's `hands`."""
    events: list[dict[str, Any]]
    """The public ones, as they happened."""
    result: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RoomLine:
    """A room in somebody's list."""

    code: str
    invite: str
    visited_at: datetime
    created_at: datetime
    active_at: datetime
    """When a hand last began or ended there."""
    game: str | None
    """Of the last match; None before there was one."""


class History:
    """The past, in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def matches_of(self, person_id: str, *, limit: int = 20, before: str | None = None) -> Page:
        """Somebody's matches, newest first. `before` is the `next` of the page before."""
        check_text(person_id)
        mine = sa.select(match_players.c.match_id).where(match_players.c.person_id == person_id)
        query = sa.select(matches).where(matches.c.id.in_(mine))
        if before is not None:
            there = sa.select(matches.c.started_at, matches.c.id).where(matches.c.id == check_text(before))
            query = query.where(sa.tuple_(matches.c.started_at, matches.c.id) < there.scalar_subquery())
        # One more than asked for: it tells whether there is another page.
        query = query.order_by(matches.c.started_at.desc(), matches.c.id.desc()).limit(limit + 1)

        def work(connection: sa.Connection) -> Page:
            found = connection.execute(query).all()
            lines = _lines(connection, found[:limit], person_id)
            return Page(lines, lines[-1].id if len(found) > limit else None)

        return await self._database.read(work)

    async def match(self, match_id: str, *, person_id: str | None = None) -> MatchDetail | None:
        """A match with its hands; `person_id` is who asks."""

        def work(connection: sa.Connection) -> MatchDetail | None:
            line = _match(connection, match_id, person_id)
            return None if line is None else MatchDetail(line, _hand_lines(connection, match_id))

        check_text(match_id)
        return await self._database.read(work)

    async def hand(self, match_id: str, number: int) -> HandDetail | None:
        """One hand with everything that is kept of it."""
        query = sa.select(hands).where(hands.c.match_id == check_text(match_id), hands.c.number == number)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            return None
        return HandDetail(row.match_id, row.number, row.ended_at, row.record, row.events, row.result)

    async def record(self, match_id: str) -> dict[str, Any] | None:
        """A whole match as a record file; of one that goes on, the hands that are over."""
        check_text(match_id)

        def work(connection: sa.Connection) -> dict[str, Any] | None:
            match = connection.execute(sa.select(matches).where(matches.c.id == match_id)).one_or_none()
            if match is None:
                return None
            query = sa.select(hands.c.record).where(hands.c.match_id == match_id).order_by(hands.c.number)
            played = list(connection.execute(query).scalars())
            return {
                "format": FORMAT,
                "game": match.game,
                "options": match.options,
                "players": match.players,
                "hands": [*played, {"between": match.after}] if match.after else played,
            }

        return await self._database.read(work)

    async def rooms_of(self, person_id: str, *, limit: int = 20) -> tuple[RoomLine, ...]:
        """The rooms where somebody was, the latest visit first."""
        game = (
            sa.select(matches.c.game)
            .where(matches.c.room == rooms.c.code)
            .order_by(matches.c.started_at.desc())
            .limit(1)
            .scalar_subquery()
        )
        query = (
            sa.select(rooms.c.code, rooms.c.invite, visits.c.last_at, rooms.c.created_at, rooms.c.active_at, game)
            .join(visits)
            .where(visits.c.person_id == check_text(person_id))
            .order_by(visits.c.last_at.desc(), rooms.c.code)
            .limit(limit)
        )
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return tuple(RoomLine(*row) for row in found)


def _match(connection: sa.Connection, match_id: str, person_id: str | None) -> MatchLine | None:
    found = connection.execute(sa.select(matches).where(matches.c.id == match_id)).all()
    return next(iter(_lines(connection, found, person_id)), None)


def _lines(connection: sa.Connection, found: Sequence[sa.Row[Any]], person_id: str | None) -> tuple[MatchLine, ...]:
    """Matches with their players, in three queries however many they are."""
    ids = [match.id for match in found]
    if not ids:
        return ()
    count = (
        sa.select(hands.c.match_id, sa.func.count().label("over"))
        .where(hands.c.match_id.in_(ids))
        .group_by(hands.c.match_id)
    )
    played: dict[str, int] = {row.match_id: row.over for row in connection.execute(count)}
    query = sa.select(match_players).where(match_players.c.match_id.in_(ids)).order_by(match_players.c.came_at)
    players: dict[str, list[sa.Row[Any]]] = {}
    for player in connection.execute(query):
        players.setdefault(player.match_id, []).append(player)
    return tuple(
        MatchLine(
            match.id,
            match.room,
            match.game,
            match.options,
            match.started_at,
            match.ended_at,
            played.get(match.id, 0),
            tuple(_player_lines(players.get(match.id, ()), match.players, person_id)),
            tuple(match.winners or ()),
        )
        for match in found
    )


def _player_lines(players: Iterable[sa.Row[Any]], seats: list[str], person_id: str | None) -> Iterable[PlayerLine]:
    place = {name: number for number, name in enumerate(seats)}
    for player in sorted(players, key=lambda player: place.get(player.name, len(place))):
        you = person_id is not None and player.person_id == person_id
        yield PlayerLine(player.name, player.person_id is None, you, player.total, player.won)


def _hand_lines(connection: sa.Connection, match_id: str) -> tuple[HandLine, ...]:
    totals: dict[int, dict[str, int]] = {}
    for number, name, total in connection.execute(
        sa.select(ledger.c.hand, ledger.c.name, ledger.c.total).where(ledger.c.match_id == match_id)
    ):
        totals.setdefault(number, {})[name] = total
    query = (
        # Records are long, and a table of hands needs one word of each.
        sa.select(
            hands.c.number, hands.c.ended_at, hands.c.record["dealer"].as_string().label("dealer"), hands.c.result
        )
        .where(hands.c.match_id == match_id)
        .order_by(hands.c.number)
    )
    return tuple(
        HandLine(
            hand.number,
            hand.ended_at,
            hand.dealer,
            hand.result["standing"],
            hand.result["titles"],
            hand.result["ledger"],
            totals.get(hand.number, {}),
            hand.result["events"],
        )
        for hand in connection.execute(query)
    )
