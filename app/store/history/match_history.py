"""What the history pages ask: one match with its hands, one hand to replay, a match as a record file, my rooms.

Reads only. What was written stays as it happened, whatever becomes of the rules.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from app.engine.match.record import file_of
from app.rooms.recorded.verify import ORIGIN_KEYS
from app.store.db.database import Database
from app.store.db.schema import addresses, hand_starts, hands, match_players, matches, people, room_hands, rooms, visits
from app.store.db.types import check_text


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
    now: str | None = None
    """What they called themselves last, where that is another name; told to those who played with them."""


@dataclass(frozen=True, slots=True)
class Imported:
    """How a match came here that was not played here."""

    by: str | None
    """The name of who brought it, as last used."""
    at: datetime
    yours: bool
    """Whether that is who asks."""


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match in a list."""

    id: str
    room: str | None
    """The code of its room now, for who belongs there; None to others."""
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
    origin: dict[str, Any] | None = None
    """Where its cards come from, if they were known: how, hand, move; match, if who asks played that one."""
    imported: Imported | None = None
    """None: it was played in a room. Of others nobody knows when."""
    with_bots: int = 0
    """Finished hands in which at least one bot played. Of an imported match this is not known."""


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
    reasons: list[dict[str, Any]]
    """What the points are for (`Reason.to_json`); of an old hand it was not kept."""
    cut_off: bool
    """The table stopped in the middle of it, and it counts for nothing: who was out by then stands in `standing`."""


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
    looks: Mapping[str, Mapping[str, str | None]] = field(default_factory=dict[str, Mapping[str, str | None]])
    """The `bird` and `colour` that who played the match have chosen, by name; only of those who have."""
    room: str | None = None
    """The id of the room in which it was played; None for an imported match."""
    persons: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    """The id of each player's person, by name; None for a bot, and for a person who was deleted."""


@dataclass(frozen=True, slots=True)
class HandOfSeats:
    """What a hand came to, seat by seat."""

    seats: tuple[str, ...]
    """Names, clockwise."""
    standing: list[Any]
    points: dict[str, int]


@dataclass(frozen=True, slots=True)
class RoomLine:
    """A room in somebody's list."""

    id: str
    code: str
    """As it is now."""
    visited_at: datetime
    created_at: datetime
    active_at: datetime
    """When a hand last began or ended there."""
    game: str | None
    """Of the last match; None before there was one."""


def record_of(connection: sa.Connection, match_id: str) -> dict[str, Any] | None:
    """A whole match as a record file, if there is such a match."""
    match = connection.execute(sa.select(matches).where(matches.c.id == match_id)).one_or_none()
    if match is None:
        return None
    query = sa.select(hands.c.record).where(hands.c.match_id == match_id).order_by(hands.c.number)
    played = connection.execute(query).scalars()
    origin = None if match.origin is None else _as_told(match.origin)
    return file_of(match.game, match.options, match.players, played, match.after, match.carried, origin)


def since(
    connection: sa.Connection, match_id: str, number: int, last: int | None = None
) -> tuple[int, dict[str, Any]] | None:
    """A hand with those before it, back to one of which it is kept how it began; None if of none it is.

    With those after it, too, up to the `last`.
    """
    query = (
        sa.select(hand_starts.c.number, hand_starts.c.society, matches.c.game, matches.c.options)
        .select_from(matches.join(hands).join(hand_starts, _start_of(hands)))
        .where(hand_starts.c.match_id == match_id, hand_starts.c.number <= number)
        .order_by(hand_starts.c.number.desc())
        .limit(1)
    )
    start = connection.execute(query).one_or_none()
    if start is None:
        return None
    of_hands = hands.c.match_id == match_id, hands.c.number.between(start.number, number if last is None else last)
    played = connection.execute(sa.select(hands.c.record).where(*of_hands).order_by(hands.c.number)).scalars()
    return start.number, begun(start.game, start.options, start.society, played)


def begun(
    game: str, options: dict[str, Any], society: dict[str, Any], played: Iterable[dict[str, Any]]
) -> dict[str, Any]:
    """Some hands of a match as a record file of their own, which begins with the society right before their deal."""
    first, *others = played
    dealt = {key: value for key, value in first.items() if key not in ("between", "ranks")}
    return file_of(game, options, society["seats"], [dealt, *others], None, society)


class History:
    """The past, in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

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
        dressed = (
            sa.select(
                match_players.c.name, match_players.c.person_id, match_players.c.room, people.c.bird, people.c.colour
            )
            .outerjoin(people)
            .where(match_players.c.match_id == match_id)
        )

        def work(connection: sa.Connection) -> HandDetail | None:
            row = connection.execute(query).one_or_none()
            if row is None:
                return None
            players = connection.execute(dressed).all()
            looks = {
                each.name: {"bird": each.bird, "colour": each.colour} for each in players if each.bird or each.colour
            }
            persons = {each.name: each.person_id for each in players}
            room = next((each.room for each in players), None)
            return HandDetail(
                row.match_id, row.number, row.ended_at, row.record, row.events, row.result, looks, room, persons
            )

        return await self._database.read(work)

    async def record(self, match_id: str) -> dict[str, Any] | None:
        """A whole match as a record file (`format`, `game`, `options`, `players`, `hands`); of one that goes on,
        the hands that are over."""
        check_text(match_id)
        return await self._database.read(lambda connection: record_of(connection, match_id))

    async def since(self, match_id: str, number: int) -> tuple[int, dict[str, Any]] | None:
        """A hand that is there, as a record file with as few hands before it as it can be played with, and the number
        of the first of them: nearly always its own. None where of none of them it is kept how it began."""
        check_text(match_id)
        return await self._database.read(lambda connection: since(connection, match_id, number))

    async def results(self, match_id: str, first: int, last: int) -> dict[int, HandOfSeats]:
        """What these hands of a match came to, those that are over, by their numbers in order."""
        query = (
            sa.select(hands.c.number, hands.c.record, hands.c.result, hand_starts.c.society)
            .select_from(hands.outerjoin(hand_starts, _start_of(hands)))
            .where(hands.c.match_id == check_text(match_id), hands.c.number.between(first, last), ~hands.c.cut_off)
            .order_by(hands.c.number)
        )
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return {
            row.number: HandOfSeats(
                # Of an old hand it was not kept how all sat: then it is who was dealt cards.
                tuple(row.record["cards"] if row.society is None else row.society["seats"]),
                row.result["standing"],
                row.result["ledger"],
            )
            for row in found
        }

    async def origin(self, match_id: str) -> dict[str, Any] | None:
        """Where the cards of a match come from, if they were known."""
        query = sa.select(matches.c.origin).where(matches.c.id == check_text(match_id))
        found: dict[str, Any] | None = await self._database.read(
            lambda connection: connection.execute(query).scalar_one_or_none()
        )
        return found

    async def persons(self, match_id: str) -> tuple[str, ...]:
        """The persons who played in a match."""
        query = sa.select(match_players.c.person_id).where(
            match_players.c.match_id == check_text(match_id), match_players.c.person_id.is_not(None)
        )
        found = await self._database.read(lambda connection: connection.execute(query).scalars().all())
        return tuple(dict.fromkeys(found))

    async def names_of(self, match_id: str, person_id: str) -> tuple[str, ...]:
        """The names by which somebody played in a match; none if they did not."""
        query = sa.select(match_players.c.name).where(
            match_players.c.match_id == check_text(match_id), match_players.c.person_id == check_text(person_id)
        )
        found = await self._database.read(lambda connection: connection.execute(query).scalars().all())
        return tuple(found)

    async def rooms_of(self, person_id: str, *, limit: int = 20) -> tuple[RoomLine, ...]:
        """The rooms where somebody was, the latest visit first."""
        who = {"who": check_text(person_id), "most": limit}
        found = await self._database.read(lambda connection: connection.execute(_ROOMS_OF, who).all())
        return tuple(
            sorted((RoomLine(*row) for row in found), key=lambda line: (line.visited_at, line.id), reverse=True)
        )


# Of all visits the index gives the latest, before anything is looked up for them.
_latest = (
    sa.select(visits.c.room, visits.c.last_at)
    .where(visits.c.person_id == sa.bindparam("who"))
    .order_by(visits.c.last_at.desc(), visits.c.room.desc())
    .limit(sa.bindparam("most", type_=sa.Integer))
    .subquery()
)
_game_of_last_match = (
    sa.select(matches.c.game)
    .where(matches.c.room == rooms.c.id)
    .order_by(matches.c.started_at.desc())
    .limit(1)
    .scalar_subquery()
)
_ROOMS_OF = (
    sa.select(
        rooms.c.id,
        addresses.c.code,
        _latest.c.last_at,
        rooms.c.created_at,
        rooms.c.active_at,
        _game_of_last_match,
    )
    .select_from(_latest)
    .join(rooms, rooms.c.id == _latest.c.room)
    .join(addresses, sa.and_(addresses.c.room == rooms.c.id, addresses.c.until.is_(None)))
)


def _start_of(hand: sa.Table) -> sa.ColumnElement[bool]:
    return sa.and_(hand_starts.c.match_id == hand.c.match_id, hand_starts.c.number == hand.c.number)


def _match(connection: sa.Connection, match_id: str, person_id: str | None) -> MatchLine | None:
    found = connection.execute(sa.select(matches).where(matches.c.id == match_id)).all()
    return next(iter(lines(connection, found, person_id)), None)


def lines(connection: sa.Connection, found: Sequence[sa.Row[Any]], person_id: str | None) -> tuple[MatchLine, ...]:
    """Matches with their players, in five queries however many they are."""
    ids = [match.id for match in found]
    if not ids:
        return ()
    over = _hands_over(connection, ids)
    with_bots = _hands_with_bots(connection, ids)
    query = (
        sa.select(match_players, people.c.name.label("now"))
        .outerjoin(people)
        .where(match_players.c.match_id.in_(ids))
        .order_by(match_players.c.came_at)
    )
    players: dict[str, list[sa.Row[Any]]] = {}
    for player in connection.execute(query):
        players.setdefault(player.match_id, []).append(player)
    codes = _codes(connection, {match.room for match in found}, person_id)
    known = _played_in(connection, {match.origin["match"] for match in found if match.origin}, person_id)
    return tuple(
        MatchLine(
            match.id,
            codes.get(match.room),
            match.game,
            match.options,
            match.started_at,
            match.ended_at,
            over.get(match.id, 0),
            tuple(_player_lines(players.get(match.id, ()), match.players, person_id)),
            tuple(match.winners or ()),
            _origin(match.origin, known),
            with_bots=with_bots.get(match.id, 0),
        )
        for match in found
    )


def _hands_over(connection: sa.Connection, ids: Sequence[str]) -> dict[str, int]:
    """How many hands of each of these matches are over.

    Only the last one can be cut off. Rows of hands are long: all are counted by their keys, and only that one is read.
    """
    of_match = hands.c.match_id == matches.c.id
    counted = sa.select(sa.func.count()).where(of_match).scalar_subquery()
    last = sa.select(hands.c.cut_off).where(of_match).order_by(hands.c.number.desc()).limit(1).scalar_subquery()
    query = sa.select(matches.c.id, counted, last).where(matches.c.id.in_(ids))
    return {match_id: number - bool(cut_off) for match_id, number, cut_off in connection.execute(query)}


def _hands_with_bots(connection: sa.Connection, ids: Sequence[str]) -> dict[str, int]:
    """Return how many finished hands of each of these matches had bots. Matches without such hands are left out."""
    query = (
        sa.select(room_hands.c.match_id, sa.func.count().label("hands"))
        .where(room_hands.c.match_id.in_(ids), room_hands.c.with_bots)
        .group_by(room_hands.c.match_id)
    )
    return {row.match_id: row.hands for row in connection.execute(query)}


def _origin(origin: dict[str, Any] | None, known: set[str]) -> dict[str, Any] | None:
    """Where cards come from, as it is shown: another match to none but those who were in it."""
    if origin is None:
        return None
    return {**_as_told(origin), "match": origin["match"] if origin["match"] in known else None}


def _as_told(origin: Mapping[str, Any]) -> dict[str, Any]:
    """Where cards come from, for everybody: not from which match."""
    return {key: origin[key] for key in ORIGIN_KEYS}


def _played_in(connection: sa.Connection, ids: Iterable[str], person_id: str | None) -> set[str]:
    """Those of these matches in which somebody played."""
    wanted = list(ids)
    if person_id is None or not wanted:
        return set()
    query = sa.select(match_players.c.match_id).where(
        match_players.c.person_id == person_id, match_players.c.match_id.in_(wanted)
    )
    return set(connection.execute(query).scalars())


def _codes(connection: sa.Connection, ids: Iterable[str], person_id: str | None) -> dict[str, str]:
    """The codes of those of these rooms that somebody has been in: a match may be shown to others, its room may not."""
    if person_id is None:
        return {}
    query = (
        sa.select(addresses.c.room, addresses.c.code)
        .join(visits, visits.c.room == addresses.c.room)
        .where(visits.c.person_id == person_id, addresses.c.room.in_(list(ids)), addresses.c.until.is_(None))
    )
    return {row.room: row.code for row in connection.execute(query)}


def _player_lines(players: Iterable[sa.Row[Any]], seats: list[str], person_id: str | None) -> Iterable[PlayerLine]:
    players = list(players)
    place = {name: number for number, name in enumerate(seats)}
    played = person_id is not None and any(player.person_id == person_id for player in players)
    for player in sorted(players, key=lambda player: place.get(player.name, len(place))):
        you = person_id is not None and player.person_id == person_id
        now = player.now if played and player.now != player.name else None
        yield PlayerLine(player.name, player.person_id is None, you, player.total, player.won, now)


def _hand_lines(connection: sa.Connection, match_id: str) -> tuple[HandLine, ...]:
    query = (
        # Records are long, and a table of hands needs one word of each.
        sa.select(
            hands.c.number,
            hands.c.ended_at,
            hands.c.record["dealer"].as_string().label("dealer"),
            hands.c.result,
            hands.c.totals,
            hands.c.cut_off,
        )
        .where(hands.c.match_id == match_id)
        .order_by(hands.c.number)
    )
    return tuple(hand_line(hand, hand.ended_at) for hand in connection.execute(query))


def hand_line(hand: Any, ended_at: datetime) -> HandLine:
    """A hand in the table of its match, of a row with its number, dealer, result, totals and whether it was cut off."""
    result = hand.result
    return HandLine(
        hand.number,
        ended_at,
        hand.dealer,
        result["standing"],
        result["titles"],
        result["ledger"],
        hand.totals or {},
        result["events"],
        result.get("reasons", []),
        hand.cut_off,
    )
