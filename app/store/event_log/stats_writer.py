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
    counted_hand_players,
    counted_hands,
    counters,
    game_sessions,
    head_to_head,
    highlights,
    point_reasons,
    ratings,
    room_players,
    room_stats,
    session_players,
    streaks,
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
    if book.stats_version != VERSION:
        return
    if amended:
        _recount_hand(runner, hand)
        return
    nth, evening = book.hands + 1, _assign_evening(runner, book, hand)
    runner.execute(
        _update_room_stats, {"of": hand.room, "hands": nth, "last_session": evening, "last_hand_at": hand.at}
    )
    ranks = places_of_rated_players(hand)
    places = encode_trusted(ranks) if ranks else None
    runner.insert_rows(
        counted_hands,
        [(hand.room, nth, hand.match_id, hand.number, hand.game, evening, hand.at, places, None, count.has_bots(hand))],
    )
    _insert_hand(runner, hand, nth)
    _add_counts(runner, hand, evening, 1)
    _extend_reigns(runner, hand, nth)
    _update_ratings(runner, hand, nth)


def add_highlights(runner: StatementRunner, room: str, match_id: str, moments: Sequence[HandMoment]) -> None:
    """Save highlights that happened between the last hand of a match and its end, together with that hand.

    Nothing is saved if no hand of the match was counted.
    """
    last = runner.fetch_one_or_none(_last_hand, {"room": room, "of": match_id})
    if last is None:
        return
    _insert_highlights(runner, moments, room, last.room_hand_number, last.ended_at, last.highlights)


def load_counted_hand(runner: StatementRunner, room: str, nth: int) -> FinishedHand:
    """Return the hand that was counted as number `nth` of a room, with the values that were counted then.

    Needed to subtract them when the hand is corrected.
    """
    found = {"room": room, "nth": nth}
    row = runner.fetch_one_or_none(_hand_row, found)
    return FinishedHand(
        room,
        row.match_id,
        row.hand_number,
        row.game,
        row.ended_at,
        tuple(PlayerResult(*seat) for seat in runner.fetch_all(_seat_rows, found)),
        tuple(LedgerLine(*reason) for reason in runner.fetch_all(_reason_rows, found)),
        tuple(HandMoment(*moment) for moment in runner.fetch_all(_moment_rows, found)),
    )


def _lock_room_stats(runner: StatementRunner, room: str) -> Any:
    """Return the summary row of a room's statistics, locked until the transaction ends; created if it is missing."""
    book = runner.fetch_one_or_none(_select_room_stats, {"of": room})
    if book is None:
        runner.insert_rows(_insert_if_absent(runner.dialect, room_stats), [(room, VERSION, 0, 0, None)])
        book = runner.fetch_one_or_none(_select_room_stats, {"of": room})
    return book


def _assign_evening(runner: StatementRunner, book: Any, hand: FinishedHand) -> int:
    """Count a hand in the evening (session) of the room that it belongs to, and return the evening's number.

    A hand that ends more than `EVENING_GAP` after the last one starts a new evening.
    """
    at, with_bots = hand.at, int(count.has_bots(hand))
    if book.last_hand_at is not None and at - book.last_hand_at <= EVENING_GAP:
        runner.execute(_extend_evening, {"of": book.room_id, "which": book.last_session, "at": at, "more": with_bots})
        return int(book.last_session)
    evening = book.last_session + 1
    runner.insert_rows(game_sessions, [(book.room_id, evening, at, at, book.hands + 1, 1, with_bots)])
    return int(evening)


def _recount_hand(runner: StatementRunner, hand: FinishedHand) -> None:
    """Replace the counts and rows of a hand whose result was corrected.

    Does nothing if it was never counted.
    """
    row = runner.fetch_one_or_none(_hand_of_match, {"room": hand.room, "of": hand.match_id, "hand": hand.number})
    if row is None:
        return
    before = load_counted_hand(runner, hand.room, row.room_hand_number)
    _add_counts(runner, before, row.session_number, -1)
    _shorten_reigns(runner, before, row.room_hand_number)
    for statement in _delete_hand_rows:
        runner.execute(statement, {"of": hand.room, "which": row.room_hand_number})
    _insert_hand(runner, hand, row.room_hand_number)
    _add_counts(runner, hand, row.session_number, 1)
    _extend_reigns(runner, hand, row.room_hand_number)


def _insert_hand(runner: StatementRunner, hand: FinishedHand, nth: int) -> None:
    """Insert the statistics rows of one hand: players, score lines and highlights.

    `nth`: its number in the room.
    """
    runner.insert_rows(counted_hand_players, [(hand.room, nth, *_placed(seat)) for seat in hand.seats])
    lines = enumerate(hand.reasons)
    runner.insert_rows(point_reasons, [(hand.room, nth, place, *_line(reason)) for place, reason in lines])
    _insert_highlights(runner, hand.moments, hand.room, nth, hand.at, 0)


def _insert_highlights(
    runner: StatementRunner, found: Sequence[HandMoment], room: str, nth: int, at: datetime, first: int
) -> None:
    runner.insert_rows(
        highlights, [(room, nth, place, at, *_remembered(moment)) for place, moment in enumerate(found, first)]
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
    _add_to_rows(runner, counters, sorted((room, game, *each) for each in others))
    seats = sorted(hand.seats, key=lambda seat: seat.player)
    _add_to_rows(
        runner, session_players, [_evening_player_row(hand, seat.player, tallied, evening, sign) for seat in seats]
    )
    with_bots = sign * count.has_bots(hand)
    _add_to_rows(
        runner, room_players, [(room, seat.player, seat.name, sign, hand.at, hand.at, with_bots) for seat in seats]
    )
    met = count.pairwise_results(hand)
    _add_to_rows(
        runner,
        head_to_head,
        [(room, game, one.player, one.other, sign, sign * one.above, sign * one.below) for one in met],
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


OVERWRITTEN_COLUMNS: Final = frozenset({"last_hand_at", "name"})
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
        if column.name not in key and column.name != "first_hand_at"
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
        if last is not None and last.player_key == seat.player:
            runner.execute(_change_reign_length, {**place, "from": last.first_hand, "more": 1, "at": hand.at})
        else:
            runner.insert_rows(streaks, [(hand.room, hand.game, end, nth, seat.player, 1, hand.at, hand.at)])


def _shorten_reigns(runner: StatementRunner, hand: FinishedHand, nth: int) -> None:
    """Take the last hand of a room, which is corrected, out of its reigns; a reign that began with it is deleted."""
    for end in ENDS:
        if seat_at_end(hand, end) is None:
            continue
        place = {"room": hand.room, "game": hand.game, "end": end}
        last = runner.fetch_one_or_none(_last_reign, place)
        if last.first_hand == nth:
            runner.execute(_delete_reign, {**place, "from": last.first_hand})
        else:
            runner.execute(_change_reign_length, {**place, "from": last.first_hand, "more": -1, "at": last.ended_at})


# Ratings ------------------------------------------------------------------------------------------------------


def _update_ratings(runner: StatementRunner, hand: FinishedHand, nth: int) -> None:
    """Update the skill ratings of the people who played the hand, and number the hand in rating order.

    The rating rows are locked first, so that hands of the same people are rated in turn, in every process. The number
    is one more than the highest number of these people. So two hands with a common player have different numbers, in
    the order in which they were rated. The order of other hands has no effect on a rating.
    """
    places = places_of_rated_players(hand)
    if not places:
        return
    persons = sorted(places)
    held = _lock_ratings(runner, hand.game, persons)
    if len(held) < len(persons):
        new = [person for person in persons if person not in held]
        first = [(person, hand.game, *_rating(Rating()), 0) for person in new]
        runner.insert_rows(_insert_if_absent(runner.dialect, ratings), first)
        held = _lock_ratings(runner, hand.game, persons)
    found = update_ratings(places, {person: rating for person, (rating, _) in held.items()})
    order = 1 + max(last for _, last in held.values())
    rows = [(one, hand.game, *_rating(found[one]), order) for one in persons]
    runner.insert_rows(_rating_upsert(runner.dialect), rows)
    runner.execute(_set_rating_order, {"of": hand.room, "which": nth, "order": order})


def _lock_ratings(runner: StatementRunner, game: str, person_ids: Sequence[str]) -> dict[str, tuple[Rating, int]]:
    """Return the existing ratings of these people, locked until the transaction ends.

    With each rating comes the number of the person's last rated hand in rating order.
    """
    which = {f"person_{n}": person for n, person in enumerate(person_ids)}
    found = runner.fetch_all(_select_ratings(len(person_ids)), {"game": game, **which})
    return {person: (Rating(*rating), order) for person, *rating, order in found}


_rating = attrgetter(*Rating.__slots__)


# Statements ---------------------------------------------------------------------------------------------------

_delete_hand_rows = [
    table.delete().where(table.c.room_id == sa.bindparam("of"), table.c.room_hand_number == sa.bindparam("which"))
    for table in (counted_hand_players, point_reasons, highlights)
]
_select_room_stats = sa.select(room_stats).where(room_stats.c.room_id == sa.bindparam("of")).with_for_update()


@cache
def _insert_if_absent(dialect: str, table: sa.Table) -> sa.Insert:
    insert: sa.Insert = dialect_insert(dialect, table).on_conflict_do_nothing()
    return insert


@cache
def _select_ratings(person_count: int) -> sa.Select[Any]:
    these = [sa.bindparam(f"person_{n}", type_=ratings.c.person_id.type) for n in range(person_count)]
    return (
        sa.select(ratings.c.person_id, *(ratings.c[name] for name in Rating.__slots__), ratings.c.rating_order)
        .where(ratings.c.game == sa.bindparam("game"), ratings.c.person_id.in_(these))
        .order_by(ratings.c.person_id)
        .with_for_update()
    )


@cache
def _rating_upsert(dialect: str) -> sa.Insert:
    insert = dialect_insert(dialect, ratings)
    now: sa.Insert = insert.on_conflict_do_update(
        index_elements=["person_id", "game"],
        set_={name: insert.excluded[name] for name in (*Rating.__slots__, "rating_order")},
    )
    return now


_set_rating_order = (
    counted_hands.update()
    .where(counted_hands.c.room_id == sa.bindparam("of"), counted_hands.c.room_hand_number == sa.bindparam("which"))
    .values(rating_order=sa.bindparam("order"))
)
_update_room_stats = (
    room_stats.update()
    .where(room_stats.c.room_id == sa.bindparam("of"))
    .values({name: sa.bindparam(name) for name in ("hands", "last_session", "last_hand_at")})
)
_extend_evening = (
    game_sessions.update()
    .where(game_sessions.c.room_id == sa.bindparam("of"), game_sessions.c.session_number == sa.bindparam("which"))
    .values(
        hands=game_sessions.c.hands + 1,
        hands_with_bots=game_sessions.c.hands_with_bots + sa.bindparam("more"),
        ended_at=sa.bindparam("at"),
    )
)
_hand_of_match = sa.select(counted_hands).where(
    counted_hands.c.room_id == sa.bindparam("room"),
    counted_hands.c.match_id == sa.bindparam("of"),
    counted_hands.c.hand_number == sa.bindparam("hand"),
)
_last_hand = (
    sa.select(
        counted_hands.c.room_hand_number,
        counted_hands.c.ended_at,
        sa.select(sa.func.count())
        .where(
            highlights.c.room_id == counted_hands.c.room_id,
            highlights.c.room_hand_number == counted_hands.c.room_hand_number,
        )
        .scalar_subquery()
        .label("highlights"),
    )
    .where(counted_hands.c.room_id == sa.bindparam("room"), counted_hands.c.match_id == sa.bindparam("of"))
    .order_by(counted_hands.c.hand_number.desc())
    .limit(1)
)

SEAT_COLUMNS: Final = [
    counted_hand_players.c[{"player": "player_key", "rank": "rank_after"}.get(name, name)]
    for name in PlayerResult.__struct_fields__
]
"""Columns in the order of the fields of `PlayerResult`."""
REASON_COLUMNS: Final = [
    point_reasons.c[{"player": "player_key", "key": "reason_key", "values": "reason_values"}.get(name, name)]
    for name in LedgerLine.__struct_fields__
]
"""Columns in the order of the fields of `LedgerLine`."""
HIGHLIGHT_COLUMNS: Final = [
    highlights.c[name] for name in ("action_number", "event_type", "player_key", "name", "cause", "event_values")
]
"""Columns in the order of the fields of `HandMoment`."""


def _select_hand_rows(table: sa.Table, *columns: sa.Column[Any]) -> sa.Select[Any]:
    here = table.c.room_id == sa.bindparam("room"), table.c.room_hand_number == sa.bindparam("nth")
    return sa.select(*columns).where(*here)


_hand_row = _select_hand_rows(
    counted_hands,
    counted_hands.c.match_id,
    counted_hands.c.hand_number,
    counted_hands.c.game,
    counted_hands.c.ended_at,
)
_seat_rows = _select_hand_rows(counted_hand_players, *SEAT_COLUMNS).order_by(counted_hand_players.c.player_key)
_reason_rows = _select_hand_rows(point_reasons, *REASON_COLUMNS).order_by(point_reasons.c.position)
_moment_rows = _select_hand_rows(highlights, *HIGHLIGHT_COLUMNS).order_by(highlights.c.position)
_reigns_there = [
    streaks.c.room_id == sa.bindparam("room"),
    streaks.c.game == sa.bindparam("game"),
    streaks.c.rank_end == sa.bindparam("end"),
]
_reign_at = [*_reigns_there, streaks.c.first_hand == sa.bindparam("from")]
_change_reign_length = (
    streaks.update().where(*_reign_at).values(hands=streaks.c.hands + sa.bindparam("more"), ended_at=sa.bindparam("at"))
)
_delete_reign = streaks.delete().where(*_reign_at)
_last_reign = (
    sa.select(streaks.c.first_hand, streaks.c.player_key, streaks.c.ended_at)
    .where(*_reigns_there)
    .order_by(streaks.c.first_hand.desc())
    .limit(1)
)
