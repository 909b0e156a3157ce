"""Read all matches of a person for a file: as records, or as lines of CSV with the points of each hand.

Both are read in pages of a limited number of hands, so that the memory needed does not grow with the matches.
"""

import csv
import io
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

import sqlalchemy as sa

from app.engine.match.record import build_record
from app.stats.counted_hand import is_person
from app.store.db.database import Database
from app.store.db.schema import counted_hand_players, counted_hands, hands, match_players, matches
from app.store.db.types import check_text, encode
from app.store.history.match_history import public_origin

MATCHES_READ: Final = 50
"""Number of matches read in one query."""
HANDS_READ: Final = 100
"""Number of hands read in one query."""
FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Beginnings of a text that a spreadsheet may take for a formula (OWASP, CSV injection); some are full-width."""
CSV_COLUMNS: Final = ("match", "game", "hand", "ended", "player", "bot", "you", "place", "title", "points")


class MatchExport:
    """Reads the matches of people from one database, piece by piece."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def stream_records(self, person_id: str, *, even_without_hands: bool = False) -> AsyncIterator[str]:
        """Yield the matches of a person, oldest first, as pieces of a JSON list without its brackets.

        Each match is an object with its id, the person's name in it, its times, its winners and its `record`. Matches
        without a hand can't be imported; they are left out unless `even_without_hands`.
        """
        separator = ""
        async for match in self._matches(person_id):
            page = await self._database.read(partial(_read_records, match, -1))
            if not page and not even_without_hands:
                continue
            yield f"{separator}{_head_of_match(match)}"
            between = ""
            while page:
                yield between + ",".join(text for _, text in page)
                between = ","
                page = await self._database.read(partial(_read_records, match, page[-1][0]))
            last = encode({"between": match.trailing_actions}) if match.trailing_actions else ""
            yield f"{between if last else ''}{last}]}}}}"
            separator = ","

    async def stream_csv(self, person_id: str) -> AsyncIterator[str]:
        """Yield a line of CSV for each player of each counted hand of a person, oldest match first, under a heading.

        Hands count from 1. A name that a spreadsheet could take for a formula begins with an apostrophe.
        """
        yield f"\ufeff{_csv_lines([CSV_COLUMNS])}"  # the mark by which spreadsheets know UTF-8
        async for match in self._matches(person_id):
            last, lines = await self._database.read(partial(_read_csv_lines, match, person_id, -1))
            while last is not None:
                yield lines
                last, lines = await self._database.read(partial(_read_csv_lines, match, person_id, last))

    async def _matches(self, person_id: str) -> AsyncIterator[sa.Row[Any]]:
        """Yield the rows of all matches of a person, oldest first, with the person's name."""
        after, last = datetime.min.replace(tzinfo=UTC), ""
        check_text(person_id)
        while True:
            where = {"who": person_id, "after": after, "last": last, "most": MATCHES_READ}
            page = await self._database.read(partial(_read_matches, where))
            for match in page:
                yield match
            if len(page) < MATCHES_READ:
                return
            after, last = page[-1].started_at, page[-1].id


def _head_of_match(match: sa.Row[Any]) -> str:
    """Return the beginning of a match as JSON, up to the bracket before its first hand."""
    origin = None if match.origin is None else public_origin(match.origin)
    record = build_record(
        match.game, match.options, match.players, (), None, match.initial_state, origin, match.cancelled_deals
    )
    del record["hands"]  # comes last
    about = {
        "id": match.id,
        "name": match.name,
        "started": _format_time(match.started_at),
        "ended": None if match.ended_at is None else _format_time(match.ended_at),
        "winners": match.winners or [],
    }
    return f'{encode(about)[:-1]},"record":{encode(record)[:-1]},"hands":['


def _read_matches(where: Mapping[str, Any], connection: sa.Connection) -> Sequence[sa.Row[Any]]:
    return connection.execute(_MATCHES, where).all()


def _read_records(match: sa.Row[Any], last_hand: int, connection: sa.Connection) -> Sequence[tuple[int, str]]:
    where = {"room": match.room_id, "match": match.id, "last": last_hand, "most": HANDS_READ}
    return [(number, text) for number, text in connection.execute(_RECORDS, where)]


def _read_csv_lines(
    match: sa.Row[Any], person_id: str, last_hand: int, connection: sa.Connection
) -> tuple[int | None, str]:
    """Return the number of the last hand on the next page of a match, and its lines; None after the last page."""
    where = {"room": match.room_id, "match": match.id, "last": last_hand, "most": HANDS_READ}
    found = connection.execute(_POINTS, where).all()
    lines = (
        (
            match.id,
            match.game,
            row.hand_number + 1,
            _format_time(row.ended_at),
            safe_cell(row.name),
            "" if is_person(row.player_key) else "yes",
            "yes" if row.player_key == person_id else "",
            row.place,
            safe_cell(row.title or ""),
            row.points,
        )
        for row in found
    )
    return (found[-1].hand_number if found else None), _csv_lines(lines)


def _csv_lines(lines: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows(lines)
    return text.getvalue()


def safe_cell(text: str) -> str:
    """Return a text as a cell of a spreadsheet: with an apostrophe before what could be a formula.

    >>> safe_cell("=1+1"), safe_cell("Ana")
    ("'=1+1", 'Ana')
    """
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def _format_time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds")


_plays, _hand, _seat = match_players.c, counted_hands.c, counted_hand_players.c
_after = sa.tuple_(
    sa.bindparam("after", type_=_plays.started_at.type), sa.bindparam("last", type_=_plays.match_id.type)
)
_played = (
    sa.select(_plays.room_id, _plays.match_id, _plays.started_at, sa.func.min(_plays.name).label("name"))
    .where(_plays.person_id == sa.bindparam("who"), sa.tuple_(_plays.started_at, _plays.match_id) > _after)
    .group_by(_plays.started_at, _plays.match_id, _plays.room_id)
    .order_by(_plays.started_at, _plays.match_id)
    .limit(sa.bindparam("most", type_=sa.Integer))
    .subquery()
)
_MATCHES = (
    sa.select(matches, _played.c.name)
    .join(_played, sa.and_(matches.c.room_id == _played.c.room_id, matches.c.id == _played.c.match_id))
    .order_by(_played.c.started_at, _played.c.match_id)
)
_room: sa.BindParameter[str] = sa.bindparam("room")
_match: sa.BindParameter[str] = sa.bindparam("match")
_last: sa.BindParameter[int] = sa.bindparam("last")
_RECORDS = (
    # As stored text: decoding and encoding it again would take most of the time.
    sa.select(hands.c.hand_number, sa.cast(hands.c.record, sa.Text))
    .where(hands.c.room_id == _room, hands.c.match_id == _match, hands.c.hand_number > _last)
    .order_by(hands.c.hand_number)
    .limit(sa.bindparam("most", type_=sa.Integer))
)
_page = (
    sa.select(_hand.room_id, _hand.room_hand_number, _hand.hand_number, _hand.ended_at)
    .where(_hand.room_id == _room, _hand.match_id == _match, _hand.hand_number > _last)
    .order_by(_hand.hand_number)
    .limit(sa.bindparam("most", type_=sa.Integer))
    .subquery()
)
_POINTS = (
    sa.select(
        _page.c.hand_number, _page.c.ended_at, _seat.name, _seat.player_key, _seat.place, _seat.title, _seat.points
    )
    .join(
        counted_hand_players,
        sa.and_(_seat.room_id == _page.c.room_id, _seat.room_hand_number == _page.c.room_hand_number),
    )
    .order_by(_page.c.hand_number, _seat.place, _seat.name)
)
