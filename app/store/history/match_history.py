"""Queries of the history pages: a match with its hands, one hand for replay, a record, a person's rooms.

Read-only. Stored hands stay as they were played, even if the rules change later.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any, Final

import sqlalchemy as sa

from app.engine.match.record import build_record
from app.rooms.recorded.verify import ORIGIN_KEYS
from app.store.db.database import Database
from app.store.db.directory import in_directory, is_match, room_of_match
from app.store.db.schema import (
    counted_hands,
    hand_initial_states,
    hands,
    match_directory,
    match_players,
    matches,
    people,
    room_codes,
    room_events,
    room_visits,
    rooms,
)
from app.store.db.types import check_text


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """One player of a match, as shown in the match history."""

    name: str
    bot: bool
    """In an imported match: whether the name is one that bots get."""
    you: bool
    """True if this player is the person who asks."""
    total: int | None
    """Points so far; None before the first hand has ended."""
    won: bool
    now: str | None = None
    """The player's current name if it differs; only for people who played in the match."""


@dataclass(frozen=True, slots=True)
class ImportInfo:
    """Who imported a match from a file, when, and whether this was the person who asks (`yours`)."""

    by: str | None
    """Current name of the person who imported it."""
    at: datetime
    yours: bool
    """True if the person who asks imported it."""


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match in the match history without its hands, as far as the person who asks may see it."""

    id: str
    room: str | None
    """Current code of its room if the person who asks has been there, else None."""
    game: str
    options: dict[str, Any]
    started_at: datetime
    ended_at: datetime | None
    """None while the match is running."""
    hands: int
    """Number of finished hands."""
    players: tuple[PlayerLine, ...]
    """Players in the seat order of the first hand, then later players."""
    winners: tuple[str, ...]
    origin: dict[str, Any] | None = None
    """Source of the cards, if they were known: how, hand, move, and the match if the person who asks played in it."""
    imported: ImportInfo | None = None
    """None for a match played in a room. For an imported match, the times are those of the import."""
    with_bots: int = 0
    """Number of finished hands with at least one bot. Unknown (0) for an imported match."""


@dataclass(frozen=True, slots=True)
class MatchPage:
    """One page of a list of matches in the history."""

    matches: tuple[MatchLine, ...]
    next: str | None
    """Value of `before` for the next page; None on the last page."""


@dataclass(frozen=True, slots=True)
class HandLine:
    """One row of the table of a match's hands, in the match history."""

    number: int
    """Number of the hand, from 0."""
    ended_at: datetime
    dealer: str
    standing: list[Any]
    """Names from first to last place. Players who share a place are a list."""
    titles: dict[str, str]
    points: dict[str, int]
    """Points of this hand, by name."""
    totals: dict[str, int]
    """Match totals after the hand, by name, of the players in it."""
    events: list[str]
    reasons: list[dict[str, Any]]
    """Reasons for the points (`PointReason.to_json`); empty for old hands."""
    cut_off: bool
    """True if the hand was aborted. It is not counted, and `standing` has the players who were out by then."""


@dataclass(frozen=True, slots=True)
class MatchDetail:
    """A match of the match history with all its hands in short."""

    match: MatchLine
    hands: tuple[HandLine, ...]


@dataclass(frozen=True, slots=True)
class HandDetail:
    """One stored hand of a match with its deal, actions and result, to replay it."""

    match: str
    """Id of the match."""
    number: int
    ended_at: datetime
    record: dict[str, Any]
    """One element of a record's `hands`."""
    events: list[dict[str, Any]]
    """Public events, in order."""
    result: dict[str, Any]
    room: str | None = None
    """Id of the room; None for an imported match."""
    persons: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    """Person id of each player of the match by name, in a fixed order; None for bots, deleted and imported people."""


@dataclass(frozen=True, slots=True)
class StoredHandResult:
    """The stored result of a hand: seats, places and points."""

    seats: tuple[str, ...]
    """Names, clockwise."""
    standing: list[Any]
    points: dict[str, int]


@dataclass(frozen=True, slots=True)
class RoomLine:
    """A room in the list of rooms that a person has visited."""

    id: str
    code: str
    """The current code."""
    visited_at: datetime
    created_at: datetime
    active_at: datetime
    """Time of the room's last recorded activity, updated about once a hand."""
    game: str | None
    """Game of the last match; None before the first match."""


def load_record(connection: sa.Connection, match_id: str) -> dict[str, Any] | None:
    """Return a whole stored match as a record, to be exported or replayed; None if the match does not exist.

    The id of the match that its cards come from is left out.
    """
    match = connection.execute(_select_match(match_id)).one_or_none()
    if match is None:
        return None
    query = sa.select(hands.c.record).where(is_match(hands, match_id)).order_by(hands.c.hand_number)
    played = connection.execute(query).scalars()
    origin = None if match.origin is None else public_origin(match.origin)
    return build_record(
        match.game,
        match.options,
        match.players,
        played,
        match.trailing_actions,
        match.initial_state,
        origin,
        match.cancelled_deals,
    )


def find_replayable_record(
    connection: sa.Connection, match_id: str, number: int, last: int | None = None
) -> tuple[int, dict[str, Any]] | None:
    """Return a short record with which a hand can be replayed, and the number of its first hand; or None.

    The record begins with the nearest hand, at or before `number`, whose start was saved. It ends with hand `last`, by
    default with `number`. None if no start was saved.
    """
    query = (
        sa.select(hand_initial_states.c.hand_number, hand_initial_states.c.state, matches.c.game, matches.c.options)
        .select_from(matches.join(hands).join(hand_initial_states, _hand_start_condition(hands)))
        .where(is_match(hand_initial_states, match_id), hand_initial_states.c.hand_number <= number)
        .order_by(hand_initial_states.c.hand_number.desc())
        .limit(1)
    )
    start = connection.execute(query).one_or_none()
    if start is None:
        return None
    of_hands = (
        is_match(hands, match_id),
        hands.c.hand_number.between(start.hand_number, number if last is None else last),
    )
    played = connection.execute(sa.select(hands.c.record).where(*of_hands).order_by(hands.c.hand_number)).scalars()
    return start.hand_number, build_partial_record(start.game, start.options, start.state, played)


def build_partial_record(
    game: str, options: dict[str, Any], start_state: dict[str, Any], hand_records: Iterable[dict[str, Any]]
) -> dict[str, Any]:
    """Return some hands of a match as a separate record, so that they can be replayed without the earlier ones.

    `start_state` is the state of the match right before the first of these hands is dealt.
    """
    first, *others = hand_records
    dealt = {key: value for key, value in first.items() if key not in ("between", "ranks")}
    return build_record(game, options, start_state["seats"], [dealt, *others], None, start_state)


_DEAL_AND_ACTIONS: Final = (
    sa.select(room_events.c.event_type, room_events.c.created_at)
    .where(
        room_events.c.room_id == sa.bindparam("room"),
        room_events.c.created_at <= sa.bindparam("ended"),
        sa.or_(room_events.c.event_type == "dealt", room_events.c.event_type == "acted"),
    )
    .order_by(room_events.c.seq.desc())
    .limit(sa.bindparam("most"))
)
"""The last events of a room up to a time, newest first: the actions of the hand that ended then, and its deal."""


class MatchHistory:
    """Reads stored matches and hands from one database, for the history pages."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find_match(self, match_id: str, *, person_id: str | None = None) -> MatchDetail | None:
        """Return a stored match with its hands in short, or None.

        `person_id` is the person who asks; it decides which names and rooms are visible.
        """

        def work(connection: sa.Connection) -> MatchDetail | None:
            line = _find_match_line(connection, match_id, person_id)
            return None if line is None else MatchDetail(line, _load_hand_lines(connection, match_id))

        check_text(match_id)
        return await self._database.read(work)

    async def find_hand(self, match_id: str, number: int) -> HandDetail | None:
        """Return one stored hand of a match with its record, events, result, room and players, or None."""
        query = sa.select(hands).where(is_match(hands, check_text(match_id)), hands.c.hand_number == number)
        played = (
            sa.select(match_players.c.name, match_players.c.person_id, match_players.c.room_id)
            .where(is_match(match_players, match_id))
            .order_by(match_players.c.joined_at, match_players.c.name)
        )

        def work(connection: sa.Connection) -> HandDetail | None:
            row = connection.execute(query).one_or_none()
            if row is None:
                return None
            players = connection.execute(played).all()
            persons = {each.name: each.person_id for each in players}
            room = next((each.room_id for each in players), None)
            return HandDetail(
                row.match_id, row.hand_number, row.ended_at, row.record, row.events, row.result, room, persons
            )

        return await self._database.read(work)

    async def seconds_of_actions(self, hand: HandDetail) -> list[float]:
        """Return the duration of each action of a stored hand, in seconds; empty if unknown, as after an undo."""
        if hand.room is None:
            return []
        count = len(hand.record["actions"])
        of = {"room": hand.room, "ended": hand.ended_at, "most": count + 1}
        rows = await self._database.read(lambda connection: connection.execute(_DEAL_AND_ACTIONS, of).all())
        kinds, times = [row.event_type for row in reversed(rows)], [row.created_at for row in reversed(rows)]
        if kinds != ["dealt", *["acted"] * count]:
            return []
        return [(after - before).total_seconds() for before, after in pairwise(times)]

    async def load_record(self, match_id: str) -> dict[str, Any] | None:
        """Return a whole stored match as a record (`format`, `game`, `options`, `players`, `hands`), or None.

        For a running match, the record has the finished hands.
        """
        check_text(match_id)
        return await self._database.read(lambda connection: load_record(connection, match_id))

    async def find_replayable_record(self, match_id: str, number: int) -> tuple[int, dict[str, Any]] | None:
        """Return the shortest record with which this hand can be replayed, and the number of its first hand.

        None if no start was saved. The first hand is nearly always this hand.
        """
        check_text(match_id)
        return await self._database.read(lambda connection: find_replayable_record(connection, match_id, number))

    async def hand_results(self, match_id: str, first: int, last: int) -> dict[int, StoredHandResult]:
        """Return the results of a match's finished hands from number `first` to `last`, by number in order."""
        query = (
            sa.select(hands.c.hand_number, hands.c.record, hands.c.result, hand_initial_states.c.state)
            .select_from(hands.outerjoin(hand_initial_states, _hand_start_condition(hands)))
            .where(is_match(hands, check_text(match_id)), hands.c.hand_number.between(first, last), ~hands.c.is_aborted)
            .order_by(hands.c.hand_number)
        )
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return {
            row.hand_number: StoredHandResult(
                # Old hands have no saved seats: then use the players who were dealt cards.
                tuple(row.record["cards"] if row.state is None else row.state["seats"]),
                row.result["standing"],
                row.result["ledger"],
            )
            for row in found
        }

    async def find_origin(self, match_id: str) -> dict[str, Any] | None:
        """Return from which match and position a match's cards come; None if they were shuffled."""
        query = sa.select(matches.c.origin).where(*_match_conditions(check_text(match_id)))
        found: dict[str, Any] | None = await self._database.read(
            lambda connection: connection.execute(query).scalar_one_or_none()
        )
        return found

    async def player_ids(self, match_id: str) -> tuple[str, ...]:
        """Return the ids of the people who played in a match, each once; bots are left out."""
        query = sa.select(match_players.c.person_id).where(
            is_match(match_players, check_text(match_id)), match_players.c.person_id.is_not(None)
        )
        found = await self._database.read(lambda connection: connection.execute(query).scalars().all())
        return tuple(dict.fromkeys(found))

    async def names_of_person(self, match_id: str, person_id: str) -> tuple[str, ...]:
        """Return the names under which a person played in a match; empty if they did not play."""
        query = sa.select(match_players.c.name).where(
            is_match(match_players, check_text(match_id)), match_players.c.person_id == check_text(person_id)
        )
        found = await self._database.read(lambda connection: connection.execute(query).scalars().all())
        return tuple(found)

    async def rooms_of_person(self, person_id: str, *, limit: int) -> tuple[RoomLine, ...]:
        """Return up to `limit` rooms that a person has visited and that still exist, latest visit first."""
        who = {"who": check_text(person_id), "most": limit}
        found = await self._database.read(lambda connection: connection.execute(_ROOMS_OF, who).all())
        return tuple(
            sorted((RoomLine(*row) for row in found), key=lambda line: (line.visited_at, line.id), reverse=True)
        )


# The index finds the latest visits, before the other tables are read.
_latest = (
    sa.select(room_visits.c.room_id, room_visits.c.last_visited_at)
    .where(room_visits.c.person_id == sa.bindparam("who"))
    .order_by(room_visits.c.last_visited_at.desc(), room_visits.c.room_id.desc())
    .limit(sa.bindparam("most", type_=sa.Integer))
    .subquery()
)
_game_of_last_match = (
    sa.select(matches.c.game)
    .where(matches.c.room_id == rooms.c.id)
    .order_by(matches.c.started_at.desc())
    .limit(1)
    .scalar_subquery()
)
_ROOMS_OF = (
    sa.select(
        rooms.c.id,
        room_codes.c.code,
        _latest.c.last_visited_at,
        rooms.c.created_at,
        rooms.c.active_at,
        _game_of_last_match,
    )
    .select_from(_latest)
    .join(rooms, rooms.c.id == _latest.c.room_id)
    .join(room_codes, sa.and_(room_codes.c.room_id == rooms.c.id, room_codes.c.valid_until.is_(None)))
)


def _hand_start_condition(hand: sa.Table) -> sa.ColumnElement[bool]:
    return sa.and_(*(hand_initial_states.c[key] == hand.c[key] for key in ("room_id", "match_id", "hand_number")))


def _match_conditions(match_id: str) -> tuple[sa.ColumnElement[bool], ...]:
    """Build the conditions for the row of a match, whose room is found in the directory."""
    return matches.c.room_id == room_of_match(match_id), matches.c.id == match_id


def _select_match(match_id: str) -> sa.Select[Any]:
    return sa.select(matches).where(*_match_conditions(match_id))


def _find_match_line(connection: sa.Connection, match_id: str, person_id: str | None) -> MatchLine | None:
    found = connection.execute(_select_match(match_id)).all()
    return next(iter(load_match_lines(connection, found, person_id)), None)


def load_match_lines(
    connection: sa.Connection, found: Sequence[sa.Row[Any]], person_id: str | None
) -> tuple[MatchLine, ...]:
    """Return these matches with their players, as far as the person who asks may see them.

    Takes five queries for any number of matches.
    """
    ids = [match.id for match in found]
    if not ids:
        return ()
    over = _count_finished_hands(connection, ids)
    with_bots = _count_hands_with_bots(connection, ids)
    query = (
        sa.select(match_players, people.c.name.label("now"))
        .join(match_directory, in_directory(match_players))
        .outerjoin(people, people.c.id == match_players.c.person_id)
        # The rooms lead to the partitions, if the tables are split.
        .where(match_directory.c.match_id.in_(ids), match_players.c.room_id.in_({match.room_id for match in found}))
        .order_by(match_players.c.joined_at)
    )
    players: dict[str, list[sa.Row[Any]]] = {}
    for player in connection.execute(query):
        players.setdefault(player.match_id, []).append(player)
    codes = _visible_room_codes(connection, {match.room_id for match in found}, person_id)
    known = _matches_played_by(connection, {match.origin["match"] for match in found if match.origin}, person_id)
    return tuple(
        MatchLine(
            match.id,
            codes.get(match.room_id),
            match.game,
            match.options,
            match.started_at,
            match.ended_at,
            over.get(match.id, 0),
            tuple(_build_player_lines(players.get(match.id, ()), match.players, person_id)),
            tuple(match.winners or ()),
            _visible_origin(match.origin, known),
            with_bots=with_bots.get(match.id, 0),
        )
        for match in found
    )


def _count_finished_hands(connection: sa.Connection, ids: Sequence[str]) -> dict[str, int]:
    """Return the number of finished hands of each match, by match id; aborted hands don't count.

    Only the last hand can be aborted. Rows of hands are large, so hands are counted by key, and only the last is read.
    """
    of_match = hands.c.room_id == match_directory.c.room_id, hands.c.match_id == match_directory.c.match_id
    counted = sa.select(sa.func.count()).where(*of_match).scalar_subquery()
    last = (
        sa.select(hands.c.is_aborted).where(*of_match).order_by(hands.c.hand_number.desc()).limit(1).scalar_subquery()
    )
    query = sa.select(match_directory.c.match_id, counted, last).where(match_directory.c.match_id.in_(ids))
    return {match_id: number - bool(cut_off) for match_id, number, cut_off in connection.execute(query)}


def _count_hands_with_bots(connection: sa.Connection, ids: Sequence[str]) -> dict[str, int]:
    """Return the number of finished hands with a bot as a player, by match; matches without such hands are left out."""
    counted = (
        sa.select(sa.func.count())
        .select_from(counted_hands)
        .where(
            counted_hands.c.room_id == match_directory.c.room_id,
            counted_hands.c.match_id == match_directory.c.match_id,
            counted_hands.c.with_bots,
        )
        .scalar_subquery()
    )
    query = sa.select(match_directory.c.match_id, counted).where(match_directory.c.match_id.in_(ids))
    return {match_id: number for match_id, number in connection.execute(query) if number}


def _visible_origin(origin: dict[str, Any] | None, visible_match_ids: set[str]) -> dict[str, Any] | None:
    """Return where a match's cards come from, as shown to a person; None if they were shuffled.

    The original match's id is included only if it is in `visible_match_ids`.
    """
    if origin is None:
        return None
    return {**public_origin(origin), "match": origin["match"] if origin["match"] in visible_match_ids else None}


def public_origin(origin: Mapping[str, Any]) -> dict[str, Any]:
    """Return where a match's cards come from (how, hand and move) without the original match's id."""
    return {key: origin[key] for key in ORIGIN_KEYS}


def _matches_played_by(connection: sa.Connection, ids: Iterable[str], person_id: str | None) -> set[str]:
    """Return the ids of those of these matches in which the person played; empty for None."""
    match_ids = list(ids)
    if person_id is None or not match_ids:
        return set()
    query = (
        sa.select(match_players.c.match_id)
        .join(match_directory, in_directory(match_players))
        .where(match_directory.c.match_id.in_(match_ids), match_players.c.person_id == person_id)
    )
    return set(connection.execute(query).scalars())


def _visible_room_codes(connection: sa.Connection, ids: Iterable[str], person_id: str | None) -> dict[str, str]:
    """Return the current codes of those rooms that a person has visited, by room id.

    Other people may see a room's matches in the history, but not its code, which lets people into the room.
    """
    if person_id is None:
        return {}
    query = (
        sa.select(room_codes.c.room_id, room_codes.c.code)
        .join(room_visits, room_visits.c.room_id == room_codes.c.room_id)
        .where(
            room_visits.c.person_id == person_id,
            room_codes.c.room_id.in_(list(ids)),
            room_codes.c.valid_until.is_(None),
        )
    )
    return {row.room_id: row.code for row in connection.execute(query)}


def _build_player_lines(
    players: Iterable[sa.Row[Any]], seats: list[str], person_id: str | None
) -> Iterable[PlayerLine]:
    players = list(players)
    place = {name: number for number, name in enumerate(seats)}
    played = person_id is not None and any(player.person_id == person_id for player in players)
    for player in sorted(players, key=lambda player: place.get(player.name, len(place))):
        you = person_id is not None and player.person_id == person_id
        now = player.now if played and player.now != player.name else None
        yield PlayerLine(player.name, player.person_id is None, you, player.total, player.won, now)


def _load_hand_lines(connection: sa.Connection, match_id: str) -> tuple[HandLine, ...]:
    query = (
        # Records are large, and the table needs only the dealer of each.
        sa.select(
            hands.c.hand_number,
            hands.c.ended_at,
            hands.c.record["dealer"].as_string().label("dealer"),
            hands.c.result,
            hands.c.totals,
            hands.c.is_aborted,
        )
        .where(is_match(hands, match_id))
        .order_by(hands.c.hand_number)
    )
    return tuple(build_hand_line(hand, hand.ended_at) for hand in connection.execute(query))


def build_hand_line(hand: Any, ended_at: datetime) -> HandLine:
    """Return a row of the table of hands from a row with hand_number, dealer, result, totals and is_aborted."""
    result = hand.result
    return HandLine(
        hand.hand_number,
        ended_at,
        hand.dealer,
        result["standing"],
        result["titles"],
        result["ledger"],
        hand.totals or {},
        result["events"],
        result.get("reasons", []),
        hand.is_aborted,
    )
