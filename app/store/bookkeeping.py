"""The book, kept while people play: each hand that ends is counted in the transaction that ends it.

A hand is read and written once, and what it adds is added to what stands there: what a hand costs does not grow with
those before it. A hand that is told again is taken out as it was and put in as it is. The counting itself is
`app/book/`; here it becomes rows.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from app.book import tallies as count
from app.book.hand import LedgerLine, Placed, Played, Remembered, is_person
from app.book.ratings import Rating, ranked, rated
from app.book.reigns import ENDS, goes_on, holder
from app.rooms.evening import LONGEST_GAP

from .columns import encode
from .database import upserting
from .tables import (
    books,
    evening_players,
    evenings,
    hand_players,
    moments,
    pairs,
    person_pairs,
    person_tallies,
    ratings,
    reasons,
    reigns,
    room_hands,
    room_players,
    tallies,
)

GAP: Final = timedelta(milliseconds=LONGEST_GAP)
"""Between the ends of two hands of one evening, as the rooms have it."""
VERSION: Final = 2
"""Of the way of counting. A book of another one is made again from the log (`rebuild.py`)."""

Row: TypeAlias = dict[str, Any]


def enter(connection: sa.Connection, hand: Played, amended: bool, dialect: str) -> None:
    """Count a hand that is over, or one that is told again. A book that is yet to be made again is left alone."""
    book = _opened(connection, hand.room, dialect)
    if book.version != VERSION:
        return
    if amended:
        _again(connection, hand, dialect)
        return
    nth, evening = book.hands + 1, _evening_of(connection, book, hand.at)
    connection.execute(_one_more_hand, {"of": hand.room, "hands": nth, "evening": evening, "last_at": hand.at})
    row = {"room": hand.room, "nth": nth, "match_id": hand.match_id, "hand": hand.number}
    row |= {"game": hand.game, "evening": evening, "at": hand.at, "ranked": ranked(hand) or None}
    connection.execute(_new_hand, row)
    _write(connection, hand, nth)
    _count(connection, hand, evening, dialect, 1)
    _reign(connection, hand, nth)
    _rate(connection, hand, nth, dialect)


def remember(connection: sa.Connection, match_id: str, moments: Sequence[Remembered]) -> None:
    """Keep what people will speak of that happened after the last hand of a match, with that hand."""
    last = connection.execute(_last_hand, {"of": match_id}).one_or_none()
    if last is None:
        return
    _write_moments(connection, moments, last.room, last.nth, last.at, last.moments)


def kept(connection: sa.Connection, room: str, nth: int) -> Played:
    """The hand that was counted as the `nth` of a room, as it was counted."""
    found = {"room": room, "nth": nth}
    row = connection.execute(_hand_row, found).one()
    return Played(
        room,
        row.match_id,
        row.hand,
        row.game,
        row.at,
        tuple(Placed(*seat) for seat in connection.execute(_seat_rows, found)),
        tuple(LedgerLine(*reason) for reason in connection.execute(_reason_rows, found)),
        tuple(Remembered(*moment) for moment in connection.execute(_moment_rows, found)),
    )


def _opened(connection: sa.Connection, room: str, dialect: str) -> sa.Row[Any]:
    """The book of a room, held until the transaction ends; a new one if there is none."""
    book = connection.execute(_book_of, {"of": room}).one_or_none()
    if book is None:
        connection.execute(_new_book(dialect), {"room": room, "version": VERSION, "hands": 0, "evening": 0})
        book = connection.execute(_book_of, {"of": room}).one()
    return book


def _evening_of(connection: sa.Connection, book: sa.Row[Any], at: datetime) -> int:
    """The number of the evening that a hand belongs to, which is counted in it."""
    if book.last_at is not None and at - book.last_at <= GAP:
        connection.execute(_longer_evening, {"of": book.room, "which": book.evening, "at": at})
        return int(book.evening)
    evening = book.evening + 1
    row = {"room": book.room, "number": evening, "began_at": at, "ended_at": at, "first": book.hands + 1, "hands": 1}
    connection.execute(_new_evening, row)
    return int(evening)


def _again(connection: sa.Connection, hand: Played, dialect: str) -> None:
    """Take a hand out as it was, and put it in as it is."""
    row = connection.execute(_hand_of_match, {"of": hand.match_id, "hand": hand.number}).one_or_none()
    if row is None:
        return
    before = kept(connection, hand.room, row.nth)
    _count(connection, before, row.evening, dialect, -1)
    _unreign(connection, before, row.nth)
    for statement in _rows_out:
        connection.execute(statement, {"of": hand.room, "which": row.nth})
    _write(connection, hand, row.nth)
    _count(connection, hand, row.evening, dialect, 1)
    _reign(connection, hand, row.nth)


def _write(connection: sa.Connection, hand: Played, nth: int) -> None:
    """The rows of one hand."""
    seats: list[Row] = [{"room": hand.room, "nth": nth, **_fields(seat)} for seat in hand.seats]
    if seats:
        connection.execute(_new_seats, seats)
    if hand.reasons:
        lines: list[Row] = [
            {"room": hand.room, "nth": nth, "place": place, **_fields(reason), "values": encode(reason.values)}
            for place, reason in enumerate(hand.reasons)
        ]
        connection.execute(_new_reasons, lines)
    _write_moments(connection, hand.moments, hand.room, nth, hand.at, 0)


def _write_moments(
    connection: sa.Connection, found: Sequence[Remembered], room: str, nth: int, at: datetime, first: int
) -> None:
    rows: list[Row] = [
        {"room": room, "nth": nth, "place": place, "at": at, **_fields(moment), "values": encode(moment.values)}
        for place, moment in enumerate(found, first)
    ]
    if rows:
        connection.execute(_new_moments, rows)


def _fields(value: Placed | LedgerLine | Remembered | Rating) -> Row:
    return {name: getattr(value, name) for name in value.__slots__}


# Counting -----------------------------------------------------------------------------------------------------


def _count(connection: sa.Connection, hand: Played, evening: int, dialect: str, sign: int) -> None:
    """Add what a hand comes to, or take it away (`sign` -1)."""
    tallied = count.tallies(hand)
    found = sorted((player, key, sign * n) for (player, key), n in tallied.items())
    place = {"room": hand.room, "game": hand.game}
    _add(connection, dialect, tallies, ({**place, "player": who, "key": key, "n": n} for who, key, n in found))
    _add(
        connection,
        dialect,
        person_tallies,
        ({"person": who, "game": hand.game, "key": key, "n": n} for who, key, n in found if is_person(who)),
    )
    _add(connection, dialect, evening_players, _of_evening(hand, tallied, evening, sign))
    _add(connection, dialect, room_players, _of_room(hand, sign))
    met = [(pair.player, pair.other, sign * pair.above, sign * pair.below) for pair in count.pairs(hand)]
    _add(
        connection,
        dialect,
        pairs,
        (
            {**place, "player": player, "other": other, "together": sign, "above": above, "below": below}
            for player, other, above, below in met
        ),
    )
    both = [(one, two, up, down) for one, two, up, down in met if is_person(one) and is_person(two)]
    both += [(two, one, down, up) for one, two, up, down in both]
    _add(
        connection,
        dialect,
        person_pairs,
        (
            {
                "person": person,
                "game": hand.game,
                "other": other,
                "together": sign,
                "above": above,
                "below": below,
                "margin": above - below,
            }
            for person, other, above, below in sorted(both)
        ),
    )


COUNTED: Final = (count.HANDS, count.FIRST, count.POINTS, count.TOP, count.BOTTOM, count.LUCK, count.MADE, count.DEALT)
"""What is counted by evening, too."""


def _of_evening(hand: Played, tallied: Mapping[tuple[str, str], int], evening: int, sign: int) -> Iterator[Row]:
    for seat in sorted(hand.seats, key=lambda seat: seat.player):
        yield {
            "room": hand.room,
            "evening": evening,
            "game": hand.game,
            "player": seat.player,
            "at": hand.at,
            **{key: sign * tallied.get((seat.player, key), 0) for key in COUNTED},
        }


def _of_room(hand: Played, sign: int) -> Iterator[Row]:
    for seat in sorted(hand.seats, key=lambda seat: seat.player):
        yield {
            "room": hand.room,
            "player": seat.player,
            "name": seat.name,
            "hands": sign,
            "first_at": hand.at,
            "last_at": hand.at,
        }


def _add(connection: sa.Connection, dialect: str, table: sa.Table, rows: Iterable[Row]) -> None:
    found = list(rows)
    if found:
        connection.execute(_adding(dialect, table), found)


LATEST: Final = frozenset({"at", "last_at", "name"})
"""Columns that tell of the last hand; all other numbers are added up."""


@cache
def _adding(dialect: str, table: sa.Table) -> sa.Executable:
    """An insert that adds to the row that is there."""
    insert = upserting(dialect, table)
    key = [column.name for column in table.primary_key]
    changes: dict[str, Any] = {
        column.name: insert.excluded[column.name] if column.name in LATEST else column + insert.excluded[column.name]
        for column in table.columns
        if column.name not in key and column.name != "first_at"
    }
    adding: sa.Executable = insert.on_conflict_do_update(index_elements=key, set_=changes)
    return adding


# Reigns -------------------------------------------------------------------------------------------------------


def _reign(connection: sa.Connection, hand: Played, nth: int) -> None:
    """Make the reigns that go on a hand longer, and begin those that begin."""
    for end in ENDS:
        seat = holder(hand, end)
        if seat is None:
            continue
        place = {"room": hand.room, "game": hand.game, "end": end}
        last = connection.execute(_last_reign, place).one_or_none()
        if last is not None and last.player == seat.player and goes_on(hand, end):
            connection.execute(
                _longer_reign,
                {f"of_{key}": value for key, value in place.items()}
                | {
                    "of_began": last.began,
                    "more": 1,
                    "at": hand.at,
                },
            )
        else:
            row = {**place, "began": nth, "player": seat.player, "hands": 1}
            connection.execute(_new_reign, row | {"began_at": hand.at, "ended_at": hand.at})


def _unreign(connection: sa.Connection, hand: Played, nth: int) -> None:
    """Take the last hand of a room out of the reigns that it made longer, or began."""
    for end in ENDS:
        if holder(hand, end) is None:
            continue
        place = {"room": hand.room, "game": hand.game, "end": end}
        last = connection.execute(_last_reign, place).one()
        where = {f"of_{key}": value for key, value in place.items()} | {"of_began": last.began}
        if last.began == nth:
            connection.execute(_no_reign, where)
        else:
            connection.execute(_longer_reign, where | {"more": -1, "at": last.ended_at})


# Ratings ------------------------------------------------------------------------------------------------------


def _rate(connection: sa.Connection, hand: Played, nth: int, dialect: str) -> None:
    """Change the ratings of those who played. They are held first, so that hands of the same people come one after
    the other, in every process; the number that the hand gets is then the order."""
    places = ranked(hand)
    if not places:
        return
    who = {"game": hand.game, "persons": sorted(places)}
    held = connection.execute(_ratings_of, who).all()
    if len(held) < len(places):
        new = set(places) - {row.person for row in held}
        first = [{"person": person, "game": hand.game, **_fields(Rating())} for person in sorted(new)]
        connection.execute(_new_ratings(dialect), first)
        held = connection.execute(_ratings_of, who).all()
    before = {row.person: Rating(row.mu, row.sigma, row.hands) for row in held}
    found = rated(places, before)
    after = [{"of": person, "played": hand.game, **_fields(rating)} for person, rating in sorted(found.items())]
    connection.execute(_new_rating, after)
    connection.execute(_rated, {"of": hand.room, "which": nth})


# Statements ---------------------------------------------------------------------------------------------------

_new_hand = room_hands.insert()
_new_evening = evenings.insert()
_new_seats = hand_players.insert()
_new_reasons = reasons.insert()
_new_moments = moments.insert()
_new_reign = reigns.insert()
_rows_out = [
    table.delete().where(table.c.room == sa.bindparam("of"), table.c.nth == sa.bindparam("which"))
    for table in (hand_players, reasons, moments)
]
_book_of = sa.select(books).where(books.c.room == sa.bindparam("of")).with_for_update()


@cache
def _new_book(dialect: str) -> sa.Executable:
    insert: sa.Executable = upserting(dialect, books).on_conflict_do_nothing()
    return insert


_ratings_of = (
    sa.select(ratings)
    .where(ratings.c.game == sa.bindparam("game"), ratings.c.person.in_(sa.bindparam("persons", expanding=True)))
    .order_by(ratings.c.person)
    .with_for_update()
)
_new_rating = (
    ratings.update()
    .where(ratings.c.person == sa.bindparam("of"), ratings.c.game == sa.bindparam("played"))
    .values({name: sa.bindparam(name) for name in Rating.__slots__})
)


@cache
def _new_ratings(dialect: str) -> sa.Executable:
    insert: sa.Executable = upserting(dialect, ratings).on_conflict_do_nothing()
    return insert


# Two hands may get the same number, in two processes at once: then nobody played both.
_rated = (
    room_hands.update()
    .where(room_hands.c.room == sa.bindparam("of"), room_hands.c.nth == sa.bindparam("which"))
    .values(rated=sa.select(sa.func.coalesce(sa.func.max(room_hands.alias().c.rated), 0) + 1).scalar_subquery())
)
_one_more_hand = (
    books.update()
    .where(books.c.room == sa.bindparam("of"))
    .values({name: sa.bindparam(name) for name in ("hands", "evening", "last_at")})
)
_longer_evening = (
    evenings.update()
    .where(evenings.c.room == sa.bindparam("of"), evenings.c.number == sa.bindparam("which"))
    .values(hands=evenings.c.hands + 1, ended_at=sa.bindparam("at"))
)
_hand_of_match = sa.select(room_hands).where(
    room_hands.c.match_id == sa.bindparam("of"), room_hands.c.hand == sa.bindparam("hand")
)
_last_hand = (
    sa.select(
        room_hands.c.room,
        room_hands.c.nth,
        room_hands.c.at,
        sa.select(sa.func.count())
        .where(moments.c.room == room_hands.c.room, moments.c.nth == room_hands.c.nth)
        .scalar_subquery()
        .label("moments"),
    )
    .where(room_hands.c.match_id == sa.bindparam("of"))
    .order_by(room_hands.c.hand.desc())
    .limit(1)
)


def _rows_of(table: sa.Table, *columns: str) -> sa.Select[Any]:
    here = table.c.room == sa.bindparam("room"), table.c.nth == sa.bindparam("nth")
    return sa.select(*(table.c[name] for name in columns)).where(*here)


_hand_row = _rows_of(room_hands, "match_id", "hand", "game", "at")
_seat_rows = _rows_of(hand_players, *Placed.__slots__).order_by(hand_players.c.player)
_reason_rows = _rows_of(reasons, *LedgerLine.__slots__).order_by(reasons.c.place)
_moment_rows = _rows_of(moments, *Remembered.__slots__).order_by(moments.c.place)
_reign_at = [reigns.c[key] == sa.bindparam(f"of_{key}") for key in ("room", "game", "end", "began")]
_longer_reign = (
    reigns.update().where(*_reign_at).values(hands=reigns.c.hands + sa.bindparam("more"), ended_at=sa.bindparam("at"))
)
_no_reign = reigns.delete().where(*_reign_at)
_last_reign = (
    sa.select(reigns.c.began, reigns.c.player, reigns.c.ended_at)
    .where(*(reigns.c[key] == sa.bindparam(key) for key in ("room", "game", "end")))
    .order_by(reigns.c.began.desc())
    .limit(1)
)
