"""Update the statistics: each finished hand is counted in the transaction that ends it.

A hand is read and written once, and its counts are added to the stored totals. The cost of a hand therefore does not
grow with the number of earlier hands. When a hand is corrected, its old counts are subtracted and the new ones added.
The counting itself is in `app/stats/`; this module turns the counts into rows.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from operator import attrgetter
from typing import Any, Final

import sqlalchemy as sa

from app.rooms.money.session import MAX_GAP_MS
from app.stats import tallies as count
from app.stats.counted_hand import FinishedHand, HandMoment, LedgerLine, PlayerResult
from app.stats.ratings import Rating, places_of_rated_players, update_ratings
from app.stats.reigns import ENDS, is_reign_continued, seat_at_end
from app.store.db.bulk_insert import Row
from app.store.db.compiled import StatementRunner
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
from app.store.db.transactions import dialect_insert
from app.store.db.types import encode_trusted

EVENING_GAP: Final = timedelta(milliseconds=MAX_GAP_MS)
"""Longest time between the ends of two hands of the same evening, the same as in the rooms."""
VERSION: Final = 2
"""Version of the counting method. Statistics of another version are rebuilt from the log (`rebuild.py`)."""


def count_hand(runner: StatementRunner, hand: FinishedHand, amended: bool) -> None:
    """Count a finished hand in its room's statistics; with `amended`, replace the counts of a corrected hand.

    Does nothing if the room's statistics have another version: these are rebuilt later.
    """
    book = _lock_room_stats(runner, hand.room)
    if book.version != VERSION:
        return
    if amended:
        _recount_hand(runner, hand)
        return
    nth, evening = book.hands + 1, _assign_evening(runner, book, hand)
    runner.execute(_update_room_stats, {"of": hand.room, "hands": nth, "evening": evening, "last_at": hand.at})
    ranks = places_of_rated_players(hand)
    places = encode_trusted(ranks) if ranks else None
    runner.insert_rows(
        room_hands,
        [(hand.room, nth, hand.match_id, hand.number, hand.game, evening, hand.at, places, None, count.has_bots(hand))],
    )
    _insert_hand(runner, hand, nth)
    _add_counts(runner, hand, evening, 1)
    _extend_reigns(runner, hand, nth)
    _update_ratings(runner, hand, nth)


def add_highlights(runner: StatementRunner, match_id: str, moments: Sequence[HandMoment]) -> None:
    """Save highlights that happened between the last hand of a match and its end, together with that hand.

    Nothing is saved if no hand of the match was counted.
    """
    last = runner.fetch_one_or_none(_last_hand, {"of": match_id})
    if last is None:
        return
    _insert_highlights(runner, moments, last.room, last.nth, last.at, last.moments)


def load_counted_hand(runner: StatementRunner, room: str, nth: int) -> FinishedHand:
    """Return the hand that was counted as number `nth` of a room, with the values that were counted then.

    Needed to subtract them when the hand is corrected.
    """
    found = {"room": room, "nth": nth}
    row = runner.fetch_one_or_none(_hand_row, found)
    return FinishedHand(
        room,
        row.match_id,
        row.hand,
        row.game,
        row.at,
        tuple(PlayerResult(*seat) for seat in runner.fetch_all(_seat_rows, found)),
        tuple(LedgerLine(*reason) for reason in runner.fetch_all(_reason_rows, found)),
        tuple(HandMoment(*moment) for moment in runner.fetch_all(_moment_rows, found)),
    )


def _lock_room_stats(runner: StatementRunner, room: str) -> Any:
    """Return the summary row of a room's statistics, locked until the transaction ends; created if it is missing."""
    book = runner.fetch_one_or_none(_select_room_stats, {"of": room})
    if book is None:
        runner.insert_rows(_insert_if_absent(runner.dialect, books), [(room, VERSION, 0, 0, None)])
        book = runner.fetch_one_or_none(_select_room_stats, {"of": room})
    return book


def _assign_evening(runner: StatementRunner, book: Any, hand: FinishedHand) -> int:
    """Count a hand in the evening (session) of the room that it belongs to, and return the evening's number.

    A hand that ends more than `EVENING_GAP` after the last one starts a new evening.
    """
    at, with_bots = hand.at, int(count.has_bots(hand))
    if book.last_at is not None and at - book.last_at <= EVENING_GAP:
        runner.execute(_extend_evening, {"of": book.room, "which": book.evening, "at": at, "more": with_bots})
        return int(book.evening)
    evening = book.evening + 1
    runner.insert_rows(evenings, [(book.room, evening, at, at, book.hands + 1, 1, with_bots)])
    return int(evening)


def _recount_hand(runner: StatementRunner, hand: FinishedHand) -> None:
    """Replace the counts and rows of a hand whose result was corrected.

    Does nothing if it was never counted.
    """
    row = runner.fetch_one_or_none(_hand_of_match, {"of": hand.match_id, "hand": hand.number})
    if row is None:
        return
    before = load_counted_hand(runner, hand.room, row.nth)
    _add_counts(runner, before, row.evening, -1)
    _shorten_reigns(runner, before, row.nth)
    for statement in _delete_hand_rows:
        runner.execute(statement, {"of": hand.room, "which": row.nth})
    _insert_hand(runner, hand, row.nth)
    _add_counts(runner, hand, row.evening, 1)
    _extend_reigns(runner, hand, row.nth)


def _insert_hand(runner: StatementRunner, hand: FinishedHand, nth: int) -> None:
    """Insert the statistics rows of one hand: players, score lines and highlights.

    `nth`: its number in the room.
    """
    runner.insert_rows(hand_players, [(hand.room, nth, *_placed(seat)) for seat in hand.seats])
    lines = enumerate(hand.reasons)
    runner.insert_rows(reasons, [(hand.room, nth, place, *_line(reason)) for place, reason in lines])
    _insert_highlights(runner, hand.moments, hand.room, nth, hand.at, 0)


def _insert_highlights(
    runner: StatementRunner, found: Sequence[HandMoment], room: str, nth: int, at: datetime, first: int
) -> None:
    runner.insert_rows(
        moments, [(room, nth, place, at, *_remembered(moment)) for place, moment in enumerate(found, first)]
    )


_placed, _line, _remembered = (attrgetter(*of.__struct_fields__) for of in (PlayerResult, LedgerLine, HandMoment))


# Counting -----------------------------------------------------------------------------------------------------


def _add_counts(runner: StatementRunner, hand: FinishedHand, evening: int, sign: int) -> None:
    """Add all counts of a hand to the totals of its room, evening, players and pairs.

    `sign` 1 adds; -1 subtracts, which is used only for a hand that is corrected.
    """
    room, game = hand.room, hand.game
    tallied = count.count_hand(hand)
    others = ((who, key, sign * n) for (who, key), n in tallied.items() if key not in EVENING_COUNTS)
    _add_to_rows(runner, tallies, sorted((room, game, *each) for each in others))
    seats = sorted(hand.seats, key=lambda seat: seat.player)
    _add_to_rows(
        runner, evening_players, [_evening_player_row(hand, seat.player, tallied, evening, sign) for seat in seats]
    )
    with_bots = sign * count.has_bots(hand)
    _add_to_rows(
        runner, room_players, [(room, seat.player, seat.name, sign, hand.at, hand.at, with_bots) for seat in seats]
    )
    met = count.pairwise_results(hand)
    _add_to_rows(
        runner, pairs, [(room, game, one.player, one.other, sign, sign * one.above, sign * one.below) for one in met]
    )


EVENING_COUNTS: Final = (
    count.HANDS,
    count.FIRST,
    count.POINTS,
    count.TOP,
    count.BOTTOM,
    count.LUCK,
    count.MADE,
    count.DEALT,
)
"""Counts stored for each evening and summed up for longer times. All other counts are stored for each room.

The order is that of the table's last columns.
"""


def _evening_player_row(
    hand: FinishedHand, player: str, tallied: Mapping[tuple[str, str], int], evening: int, sign: int
) -> Row:
    counted = (sign * tallied.get((player, key), 0) for key in EVENING_COUNTS)
    return (hand.room, evening, hand.game, player, hand.at, *counted)


def _add_to_rows(runner: StatementRunner, table: sa.Table, rows: list[Row]) -> None:
    runner.insert_rows(_additive_upsert(runner.dialect, table), rows)


OVERWRITTEN_COLUMNS: Final = frozenset({"at", "last_at", "name"})
"""Columns that describe the last hand and are replaced. All other numbers are added up."""


@cache
def _additive_upsert(dialect: str, table: sa.Table) -> sa.Insert:
    """Return an INSERT into a table of totals that adds its numbers to the row that already exists."""
    insert = dialect_insert(dialect, table)
    key = [column.name for column in table.primary_key]
    changes: dict[str, Any] = {
        column.name: insert.excluded[column.name]
        if column.name in OVERWRITTEN_COLUMNS
        else column + insert.excluded[column.name]
        for column in table.columns
        if column.name not in key and column.name != "first_at"
    }
    adding: sa.Insert = insert.on_conflict_do_update(index_elements=key, set_=changes)
    return adding


# Reigns -------------------------------------------------------------------------------------------------------


def _extend_reigns(runner: StatementRunner, hand: FinishedHand, nth: int) -> None:
    """Add the hand to each series of hands with the same player at the top or bottom that it continues.

    Where another player is there now, a new series (reign) starts.
    """
    for end in ENDS:
        seat = seat_at_end(hand, end)
        if seat is None:
            continue
        place = {"room": hand.room, "game": hand.game, "end": end}
        last = runner.fetch_one_or_none(_last_reign, place) if is_reign_continued(hand, end) else None
        if last is not None and last.player == seat.player:
            runner.execute(_change_reign_length, {**place, "from": last.began, "more": 1, "at": hand.at})
        else:
            runner.insert_rows(reigns, [(hand.room, hand.game, end, nth, seat.player, 1, hand.at, hand.at)])


def _shorten_reigns(runner: StatementRunner, hand: FinishedHand, nth: int) -> None:
    """Take the last hand of a room, which is corrected, out of its reigns; a reign that began with it is deleted."""
    for end in ENDS:
        if seat_at_end(hand, end) is None:
            continue
        place = {"room": hand.room, "game": hand.game, "end": end}
        last = runner.fetch_one_or_none(_last_reign, place)
        if last.began == nth:
            runner.execute(_delete_reign, {**place, "from": last.began})
        else:
            runner.execute(_change_reign_length, {**place, "from": last.began, "more": -1, "at": last.ended_at})


# Ratings ------------------------------------------------------------------------------------------------------


def _update_ratings(runner: StatementRunner, hand: FinishedHand, nth: int) -> None:
    """Update the skill ratings of the people who played the hand, and number the hand in rating order.

    The rating rows are locked first, so that hands of the same people are rated in turn, in every process.
    """
    places = places_of_rated_players(hand)
    if not places:
        return
    persons = sorted(places)
    held = _lock_ratings(runner, hand.game, persons)
    if len(held) < len(persons):
        new = [person for person in persons if person not in held]
        first = [(person, hand.game, *_rating(Rating())) for person in new]
        runner.insert_rows(_insert_if_absent(runner.dialect, ratings), first)
        held = _lock_ratings(runner, hand.game, persons)
    found = update_ratings(places, held)
    runner.insert_rows(_rating_upsert(runner.dialect), [(one, hand.game, *_rating(found[one])) for one in persons])
    runner.execute(_set_rating_order, {"of": hand.room, "which": nth})


def _lock_ratings(runner: StatementRunner, game: str, person_ids: Sequence[str]) -> dict[str, Rating]:
    """Return the existing skill ratings of these people in a game, locked until the transaction ends."""
    which = {f"person_{n}": person for n, person in enumerate(person_ids)}
    found = runner.fetch_all(_select_ratings(len(person_ids)), {"game": game, **which})
    return {person: Rating(*rating) for person, *rating in found}


_rating = attrgetter(*Rating.__slots__)


# Statements ---------------------------------------------------------------------------------------------------

_delete_hand_rows = [
    table.delete().where(table.c.room == sa.bindparam("of"), table.c.nth == sa.bindparam("which"))
    for table in (hand_players, reasons, moments)
]
_select_room_stats = sa.select(books).where(books.c.room == sa.bindparam("of")).with_for_update()


@cache
def _insert_if_absent(dialect: str, table: sa.Table) -> sa.Insert:
    insert: sa.Insert = dialect_insert(dialect, table).on_conflict_do_nothing()
    return insert


@cache
def _select_ratings(person_count: int) -> sa.Select[Any]:
    these = [sa.bindparam(f"person_{n}", type_=ratings.c.person.type) for n in range(person_count)]
    return (
        sa.select(ratings.c.person, *(ratings.c[name] for name in Rating.__slots__))
        .where(ratings.c.game == sa.bindparam("game"), ratings.c.person.in_(these))
        .order_by(ratings.c.person)
        .with_for_update()
    )


@cache
def _rating_upsert(dialect: str) -> sa.Insert:
    insert = dialect_insert(dialect, ratings)
    now: sa.Insert = insert.on_conflict_do_update(
        index_elements=["person", "game"], set_={name: insert.excluded[name] for name in Rating.__slots__}
    )
    return now


# Two processes may give two hands the same number at once. The row locks ensure that these hands share no player.
_set_rating_order = (
    room_hands.update()
    .where(room_hands.c.room == sa.bindparam("of"), room_hands.c.nth == sa.bindparam("which"))
    .values(rated=sa.select(sa.func.coalesce(sa.func.max(room_hands.alias().c.rated), 0) + 1).scalar_subquery())
)
_update_room_stats = (
    books.update()
    .where(books.c.room == sa.bindparam("of"))
    .values({name: sa.bindparam(name) for name in ("hands", "evening", "last_at")})
)
_extend_evening = (
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


def _select_hand_rows(table: sa.Table, *columns: str) -> sa.Select[Any]:
    here = table.c.room == sa.bindparam("room"), table.c.nth == sa.bindparam("nth")
    return sa.select(*(table.c[name] for name in columns)).where(*here)


_hand_row = _select_hand_rows(room_hands, "match_id", "hand", "game", "at")
_seat_rows = _select_hand_rows(hand_players, *PlayerResult.__struct_fields__).order_by(hand_players.c.player)
_reason_rows = _select_hand_rows(reasons, *LedgerLine.__struct_fields__).order_by(reasons.c.place)
_moment_rows = _select_hand_rows(moments, *HandMoment.__struct_fields__).order_by(moments.c.place)
_reign_at = [
    *(reigns.c[key] == sa.bindparam(key) for key in ("room", "game", "end")),
    reigns.c.began == sa.bindparam("from"),
]
_change_reign_length = (
    reigns.update().where(*_reign_at).values(hands=reigns.c.hands + sa.bindparam("more"), ended_at=sa.bindparam("at"))
)
_delete_reign = reigns.delete().where(*_reign_at)
_last_reign = (
    sa.select(reigns.c.began, reigns.c.player, reigns.c.ended_at)
    .where(*(reigns.c[key] == sa.bindparam(key) for key in ("room", "game", "end")))
    .order_by(reigns.c.began.desc())
    .limit(1)
)
