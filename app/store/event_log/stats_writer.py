"""The book, kept while people play: each hand that ends is counted in the transaction that ends it.

A hand is read and written once, and what it adds is added to what stands there: what a hand costs does not grow with
those before it. A hand that is told again is taken out as it was and put in as it is. The counting itself is
`app/stats/`; here it becomes rows.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from operator import attrgetter
from typing import Any, Final

import sqlalchemy as sa

from app.rooms.money.session import LONGEST_GAP
from app.stats import tallies as count
from app.stats.counted_hand import LedgerLine, Placed, Played, Remembered
from app.stats.ratings import Rating, ranked, rated
from app.stats.reigns import ENDS, goes_on, holder
from app.store.db.bulk_insert import Row
from app.store.db.compiled import Scribe
from app.store.db.schema import (
    books,
    evening_players,
    evenings,
    hand_players,
    moments,
    pairs,
    ratings,
    reasons,
    reigns,
    room_hands,
    room_players,
    tallies,
)
from app.store.db.transactions import upserting
from app.store.db.types import encode_made

GAP: Final = timedelta(milliseconds=LONGEST_GAP)
"""Between the ends of two hands of one evening, as the rooms have it."""
VERSION: Final = 2
"""Of the way of counting. A book of another one is made again from the log (`rebuild.py`)."""


def enter(scribe: Scribe, hand: Played, amended: bool) -> None:
    """Count a hand that is over, or one that is told again. A book that is yet to be made again is left alone."""
    book = _opened(scribe, hand.room)
    if book.version != VERSION:
        return
    if amended:
        _again(scribe, hand)
        return
    nth, evening = book.hands + 1, _evening_of(scribe, book, hand)
    scribe.execute(_one_more_hand, {"of": hand.room, "hands": nth, "evening": evening, "last_at": hand.at})
    ranks = ranked(hand)
    places = encode_made(ranks) if ranks else None
    scribe.insert(
        room_hands,
        [(hand.room, nth, hand.match_id, hand.number, hand.game, evening, hand.at, places, None, count.has_bots(hand))],
    )
    _write(scribe, hand, nth)
    _count(scribe, hand, evening, 1)
    _reign(scribe, hand, nth)
    _rate(scribe, hand, nth)


def remember(scribe: Scribe, match_id: str, moments: Sequence[Remembered]) -> None:
    """Keep what people will speak of that happened after the last hand of a match, with that hand."""
    last = scribe.one_or_none(_last_hand, {"of": match_id})
    if last is None:
        return
    _write_moments(scribe, moments, last.room, last.nth, last.at, last.moments)


def kept(scribe: Scribe, room: str, nth: int) -> Played:
    """The hand that was counted as the `nth` of a room, as it was counted."""
    found = {"room": room, "nth": nth}
    row = scribe.one_or_none(_hand_row, found)
    return Played(
        room,
        row.match_id,
        row.hand,
        row.game,
        row.at,
        tuple(Placed(*seat) for seat in scribe.all(_seat_rows, found)),
        tuple(LedgerLine(*reason) for reason in scribe.all(_reason_rows, found)),
        tuple(Remembered(*moment) for moment in scribe.all(_moment_rows, found)),
    )


def _opened(scribe: Scribe, room: str) -> Any:
    """The book of a room, held until the transaction ends; a new one if there is none."""
    book = scribe.one_or_none(_book_of, {"of": room})
    if book is None:
        scribe.insert(_unless_there(scribe.dialect, books), [(room, VERSION, 0, 0, None)])
        book = scribe.one_or_none(_book_of, {"of": room})
    return book


def _evening_of(scribe: Scribe, book: Any, hand: Played) -> int:
    """Count a hand in the evening that it belongs to, and return the evening's number."""
    at, with_bots = hand.at, int(count.has_bots(hand))
    if book.last_at is not None and at - book.last_at <= GAP:
        scribe.execute(_longer_evening, {"of": book.room, "which": book.evening, "at": at, "more": with_bots})
        return int(book.evening)
    evening = book.evening + 1
    scribe.insert(evenings, [(book.room, evening, at, at, book.hands + 1, 1, with_bots)])
    return int(evening)


def _again(scribe: Scribe, hand: Played) -> None:
    """Take a hand out as it was, and put it in as it is."""
    row = scribe.one_or_none(_hand_of_match, {"of": hand.match_id, "hand": hand.number})
    if row is None:
        return
    before = kept(scribe, hand.room, row.nth)
    _count(scribe, before, row.evening, -1)
    _unreign(scribe, before, row.nth)
    for statement in _rows_out:
        scribe.execute(statement, {"of": hand.room, "which": row.nth})
    _write(scribe, hand, row.nth)
    _count(scribe, hand, row.evening, 1)
    _reign(scribe, hand, row.nth)


def _write(scribe: Scribe, hand: Played, nth: int) -> None:
    """The rows of one hand."""
    scribe.insert(hand_players, [(hand.room, nth, *_placed(seat)) for seat in hand.seats])
    lines = enumerate(hand.reasons)
    scribe.insert(reasons, [(hand.room, nth, place, *_line(reason)) for place, reason in lines])
    _write_moments(scribe, hand.moments, hand.room, nth, hand.at, 0)


def _write_moments(scribe: Scribe, found: Sequence[Remembered], room: str, nth: int, at: datetime, first: int) -> None:
    scribe.insert(moments, [(room, nth, place, at, *_remembered(moment)) for place, moment in enumerate(found, first)])


_placed, _line, _remembered = (attrgetter(*of.__struct_fields__) for of in (Placed, LedgerLine, Remembered))


# Counting -----------------------------------------------------------------------------------------------------


def _count(scribe: Scribe, hand: Played, evening: int, sign: int) -> None:
    """Add what a hand comes to, or take it away (`sign` -1)."""
    room, game = hand.room, hand.game
    tallied = count.tallies(hand)
    others = ((who, key, sign * n) for (who, key), n in tallied.items() if key not in COUNTED)
    _add(scribe, tallies, sorted((room, game, *each) for each in others))
    seats = sorted(hand.seats, key=lambda seat: seat.player)
    _add(scribe, evening_players, [_of_evening(hand, seat.player, tallied, evening, sign) for seat in seats])
    with_bots = sign * count.has_bots(hand)
    _add(scribe, room_players, [(room, seat.player, seat.name, sign, hand.at, hand.at, with_bots) for seat in seats])
    met = count.pairs(hand)
    _add(scribe, pairs, [(room, game, one.player, one.other, sign, sign * one.above, sign * one.below) for one in met])


COUNTED: Final = (count.HANDS, count.FIRST, count.POINTS, count.TOP, count.BOTTOM, count.LUCK, count.MADE, count.DEALT)
"""What is counted by evening and summed up from there: the last columns. Everything else is counted by room."""


def _of_evening(hand: Played, player: str, tallied: Mapping[tuple[str, str], int], evening: int, sign: int) -> Row:
    counted = (sign * tallied.get((player, key), 0) for key in COUNTED)
    return (hand.room, evening, hand.game, player, hand.at, *counted)


def _add(scribe: Scribe, table: sa.Table, rows: list[Row]) -> None:
    scribe.insert(_adding(scribe.dialect, table), rows)


LATEST: Final = frozenset({"at", "last_at", "name"})
"""Columns that tell of the last hand; all other numbers are added up."""


@cache
def _adding(dialect: str, table: sa.Table) -> sa.Insert:
    """An insert that adds to the row that is there."""
    insert = upserting(dialect, table)
    key = [column.name for column in table.primary_key]
    changes: dict[str, Any] = {
        column.name: insert.excluded[column.name] if column.name in LATEST else column + insert.excluded[column.name]
        for column in table.columns
        if column.name not in key and column.name != "first_at"
    }
    adding: sa.Insert = insert.on_conflict_do_update(index_elements=key, set_=changes)
    return adding


# Reigns -------------------------------------------------------------------------------------------------------


def _reign(scribe: Scribe, hand: Played, nth: int) -> None:
    """Make the reigns that go on a hand longer, and begin those that begin."""
    for end in ENDS:
        seat = holder(hand, end)
        if seat is None:
            continue
        place = {"room": hand.room, "game": hand.game, "end": end}
        last = scribe.one_or_none(_last_reign, place) if goes_on(hand, end) else None
        if last is not None and last.player == seat.player:
            scribe.execute(_longer_reign, {**place, "from": last.began, "more": 1, "at": hand.at})
        else:
            scribe.insert(reigns, [(hand.room, hand.game, end, nth, seat.player, 1, hand.at, hand.at)])


def _unreign(scribe: Scribe, hand: Played, nth: int) -> None:
    """Take the last hand of a room out of the reigns that it made longer, or began."""
    for end in ENDS:
        if holder(hand, end) is None:
            continue
        place = {"room": hand.room, "game": hand.game, "end": end}
        last = scribe.one_or_none(_last_reign, place)
        if last.began == nth:
            scribe.execute(_no_reign, {**place, "from": last.began})
        else:
            scribe.execute(_longer_reign, {**place, "from": last.began, "more": -1, "at": last.ended_at})


# Ratings ------------------------------------------------------------------------------------------------------


def _rate(scribe: Scribe, hand: Played, nth: int) -> None:
    """Change the ratings of those who played. They are held first, so that hands of the same people come one after
    the other, in every process; the number that the hand gets is then the order."""
    places = ranked(hand)
    if not places:
        return
    persons = sorted(places)
    held = _held(scribe, hand.game, persons)
    if len(held) < len(persons):
        new = [person for person in persons if person not in held]
        first = [(person, hand.game, *_rating(Rating())) for person in new]
        scribe.insert(_unless_there(scribe.dialect, ratings), first)
        held = _held(scribe, hand.game, persons)
    found = rated(places, held)
    scribe.insert(_rating_now(scribe.dialect), [(one, hand.game, *_rating(found[one])) for one in persons])
    scribe.execute(_rated, {"of": hand.room, "which": nth})


def _held(scribe: Scribe, game: str, persons: Sequence[str]) -> dict[str, Rating]:
    """The ratings of those of these persons who have one, held until the transaction ends."""
    which = {f"person_{n}": person for n, person in enumerate(persons)}
    found = scribe.all(_ratings_of(len(persons)), {"game": game, **which})
    return {person: Rating(*rating) for person, *rating in found}


_rating = attrgetter(*Rating.__slots__)


# Statements ---------------------------------------------------------------------------------------------------

_rows_out = [
    table.delete().where(table.c.room == sa.bindparam("of"), table.c.nth == sa.bindparam("which"))
    for table in (hand_players, reasons, moments)
]
_book_of = sa.select(books).where(books.c.room == sa.bindparam("of")).with_for_update()


@cache
def _unless_there(dialect: str, table: sa.Table) -> sa.Insert:
    insert: sa.Insert = upserting(dialect, table).on_conflict_do_nothing()
    return insert


@cache
def _ratings_of(persons: int) -> sa.Select[Any]:
    these = [sa.bindparam(f"person_{n}", type_=ratings.c.person.type) for n in range(persons)]
    return (
        sa.select(ratings.c.person, *(ratings.c[name] for name in Rating.__slots__))
        .where(ratings.c.game == sa.bindparam("game"), ratings.c.person.in_(these))
        .order_by(ratings.c.person)
        .with_for_update()
    )


@cache
def _rating_now(dialect: str) -> sa.Insert:
    insert = upserting(dialect, ratings)
    now: sa.Insert = insert.on_conflict_do_update(
        index_elements=["person", "game"], set_={name: insert.excluded[name] for name in Rating.__slots__}
    )
    return now


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
    .values(
        hands=evenings.c.hands + 1, with_bots=evenings.c.with_bots + sa.bindparam("more"), ended_at=sa.bindparam("at")
    )
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
_seat_rows = _rows_of(hand_players, *Placed.__struct_fields__).order_by(hand_players.c.player)
_reason_rows = _rows_of(reasons, *LedgerLine.__struct_fields__).order_by(reasons.c.place)
_moment_rows = _rows_of(moments, *Remembered.__struct_fields__).order_by(moments.c.place)
_reign_at = [
    *(reigns.c[key] == sa.bindparam(key) for key in ("room", "game", "end")),
    reigns.c.began == sa.bindparam("from"),
]
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
