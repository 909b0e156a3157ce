"""Save each finished hand for the statistics, in the transaction that ends it.

A hand is a row, with a row for each player, score line and highlight. Pages sum them up when they are read
(`app/store/history/`), so a corrected hand only replaces its rows. Ratings are the only numbers that are kept.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from operator import attrgetter
from typing import Any, Final

import sqlalchemy as sa

from app.rooms.money.session import MAX_GAP_MS
from app.stats import tallies as count
from app.stats.counted_hand import FinishedHand, HandHighlight, LedgerLine, PlayerResult
from app.stats.ratings import Rating, places_of_rated_players, update_ratings
from app.store.db.compiled import StatementExecutor
from app.store.db.schema import counted_hand_players, counted_hands, highlights, point_reasons, ratings
from app.store.db.transactions import dialect_insert
from app.store.db.types import encode_trusted

EVENING_GAP: Final = timedelta(milliseconds=MAX_GAP_MS)
"""Longest time between the ends of two hands of the same evening, the same as in the rooms."""


def count_hand(executor: StatementExecutor, hand: FinishedHand, amended: bool) -> None:
    """Save a finished hand for its room's statistics; with `amended`, replace the rows of a corrected hand."""
    if amended:
        _replace_hand(executor, hand)
        return
    last = executor.fetch_one_or_none(_last_hand_of_room, {"room": hand.room})
    nth = 1 if last is None else last.room_hand_number + 1
    ranks = places_of_rated_players(hand)
    places = encode_trusted(ranks) if ranks else None
    executor.insert_rows(
        counted_hands,
        [
            (
                *(hand.room, nth, hand.match_id, hand.number, hand.game, _session_of(hand, last), hand.at),
                *(places, None, count.has_bots(hand), *count.last_places(hand)),
            )
        ],
    )
    _insert_hand(executor, hand, nth)
    _update_ratings(executor, hand, nth)


def add_highlights(executor: StatementExecutor, room: str, match_id: str, moments: Sequence[HandHighlight]) -> None:
    """Save highlights that happened between the last hand of a match and its end, together with that hand.

    Nothing is saved if no hand of the match was counted.
    """
    last = executor.fetch_one_or_none(_last_hand_of_match, {"room": room, "of": match_id})
    if last is None:
        return
    _insert_highlights(executor, moments, room, last.room_hand_number, last.ended_at, last.highlights)


def load_counted_hand(executor: StatementExecutor, room: str, nth: int) -> FinishedHand:
    """Return the hand that was counted as number `nth` of a room, with the values that were counted then."""
    found = {"room": room, "nth": nth}
    row = executor.fetch_one_or_none(_hand_row, found)
    return FinishedHand(
        room,
        row.match_id,
        row.hand_number,
        row.game,
        row.ended_at,
        tuple(PlayerResult(*seat) for seat in executor.fetch_all(_seat_rows, found)),
        tuple(LedgerLine(*reason) for reason in executor.fetch_all(_reason_rows, found)),
        tuple(HandHighlight(*highlight) for highlight in executor.fetch_all(_highlight_rows, found)),
    )


def _session_of(hand: FinishedHand, last: Any) -> int:
    """Return the number of the room's evening (session) that a new hand belongs to; `last` is the hand before it.

    A hand that ends more than `EVENING_GAP` after the last one starts a new evening.
    """
    if last is None:
        return 1
    number: int = last.session_number
    return number + 1 if hand.at - last.ended_at > EVENING_GAP else number


def _replace_hand(executor: StatementExecutor, hand: FinishedHand) -> None:
    """Replace the rows of a hand whose result was corrected. Does nothing if it was never counted."""
    row = executor.fetch_one_or_none(_hand_of_match, {"room": hand.room, "of": hand.match_id, "hand": hand.number})
    if row is None:
        return
    which = {"of": hand.room, "which": row.room_hand_number}
    for statement in _delete_hand_rows:
        executor.execute(statement, which)
    ends = zip(("place", "rank", "rank_before"), count.last_places(hand), strict=True)
    executor.execute(_set_last_places, {**which, **dict(ends)})
    _insert_hand(executor, hand, row.room_hand_number)


def _insert_hand(executor: StatementExecutor, hand: FinishedHand, nth: int) -> None:
    """Insert the statistics rows of one hand: players, score lines and highlights.

    `nth`: its number in the room.
    """
    executor.insert_rows(
        counted_hand_players,
        [(hand.room, nth, *_placed(seat), count.performance_score(hand, seat)) for seat in hand.seats],
    )
    lines = enumerate(hand.reasons)
    executor.insert_rows(point_reasons, [(hand.room, nth, place, *_line(reason)) for place, reason in lines])
    _insert_highlights(executor, hand.moments, hand.room, nth, hand.at, 0)


def _insert_highlights(
    executor: StatementExecutor, found: Sequence[HandHighlight], room: str, nth: int, at: datetime, first: int
) -> None:
    executor.insert_rows(
        highlights, [(room, nth, place, at, *_remembered(highlight)) for place, highlight in enumerate(found, first)]
    )


_placed, _line, _remembered = (attrgetter(*of.__struct_fields__) for of in (PlayerResult, LedgerLine, HandHighlight))


# Ratings ------------------------------------------------------------------------------------------------------


def _update_ratings(executor: StatementExecutor, hand: FinishedHand, nth: int) -> None:
    """Update the skill ratings of the people who played the hand, and number the hand in rating order.

    The rating rows are locked first, so that hands of the same people are rated in turn, in every process. The number
    is one more than the highest number of these people. So two hands with a common player have different numbers, in
    the order in which they were rated. The order of other hands has no effect on a rating.
    """
    places = places_of_rated_players(hand)
    if not places:
        return
    persons = sorted(places)
    held = _lock_ratings(executor, hand.game, persons)
    if len(held) < len(persons):
        new = [person for person in persons if person not in held]
        first = [(person, hand.game, *_rating(Rating()), 0) for person in new]
        executor.insert_rows(_insert_if_absent(executor.dialect, ratings), first)
        held = _lock_ratings(executor, hand.game, persons)
    found = update_ratings(places, {person: rating for person, (rating, _) in held.items()})
    order = 1 + max(last for _, last in held.values())
    rows = [(one, hand.game, *_rating(found[one]), order) for one in persons]
    executor.insert_rows(_rating_upsert(executor.dialect), rows)
    executor.execute(_set_rating_order, {"of": hand.room, "which": nth, "order": order})


def _lock_ratings(executor: StatementExecutor, game: str, person_ids: Sequence[str]) -> dict[str, tuple[Rating, int]]:
    """Return the existing ratings of these people, locked until the transaction ends.

    With each rating comes the number of the person's last rated hand in rating order.
    """
    which = {f"person_{n}": person for n, person in enumerate(person_ids)}
    found = executor.fetch_all(_select_ratings(len(person_ids)), {"game": game, **which})
    return {person: (Rating(*rating), order) for person, *rating, order in found}


_rating = attrgetter(*Rating.__slots__)


# Statements ---------------------------------------------------------------------------------------------------

_delete_hand_rows = [
    table.delete().where(table.c.room_id == sa.bindparam("of"), table.c.room_hand_number == sa.bindparam("which"))
    for table in (counted_hand_players, point_reasons, highlights)
]
_last_hand_of_room = (
    sa.select(counted_hands.c.room_hand_number, counted_hands.c.session_number, counted_hands.c.ended_at)
    .where(counted_hands.c.room_id == sa.bindparam("room"))
    .order_by(counted_hands.c.room_hand_number.desc())
    .limit(1)
)


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
_set_last_places = (
    counted_hands.update()
    .where(counted_hands.c.room_id == sa.bindparam("of"), counted_hands.c.room_hand_number == sa.bindparam("which"))
    .values(
        last_place=sa.bindparam("place"),
        last_rank=sa.bindparam("rank"),
        last_rank_before=sa.bindparam("rank_before"),
    )
)
_hand_of_match = sa.select(counted_hands).where(
    counted_hands.c.room_id == sa.bindparam("room"),
    counted_hands.c.match_id == sa.bindparam("of"),
    counted_hands.c.hand_number == sa.bindparam("hand"),
)
_last_hand_of_match = (
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
"""Columns in the order of the fields of `HandHighlight`."""


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
_highlight_rows = _select_hand_rows(highlights, *HIGHLIGHT_COLUMNS).order_by(highlights.c.position)
