"""Replace names in the rows of a room: its log, its matches and its statistics.

Each function runs in one short transaction and can be repeated.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from app.rooms.events import NamesRewritten, encode as encode_entry
from app.rooms.log import snapshots
from app.rooms.log.name_rewrite import (
    NameRewrite,
    replace_names,
    replace_names_in_text,
    rewrite_event,
    rewrite_snapshot,
)
from app.stats.counted_hand import player_id
from app.store.db.schema import (
    chat_messages,
    counted_hand_players,
    counted_hands,
    hand_initial_states,
    hands,
    highlights,
    match_players,
    matches,
    point_adjustments,
    point_reasons,
    room_events,
    room_snapshots,
)
from app.store.db.types import encode
from app.store.deletion.name_references import REWRITTEN, RewritePlan
from app.store.event_log.checksum import checksum

ROWS_PER_TRANSACTION: Final = 300
"""Number of rows rewritten in one transaction, so that others wait only for a short time."""
_OF_MATCH: Final = {
    "players": "players",
    "winners": "winners",
    "trailing_actions": "after",
    "initial_state": "carried",
    "origin": "origin",
    "cancelled_deals": "cancelled",
}
"""JSON columns of `matches`, each with the key of such data in a log or record (`replace_names`)."""
_OF_HAND: Final = {"record": "record", "events": "events", "result": "result", "totals": "totals"}
_OF_HAND_START: Final = {"state": "society"}


# The log ------------------------------------------------------------------------------------------------------


def last_seq(connection: sa.Connection, room: str) -> int:
    """Return the number of a room's last log entry, 0 if it has none."""
    last = sa.select(sa.func.max(room_events.c.seq)).where(room_events.c.room_id == room)
    return int(connection.execute(last).scalar() or 0)


def rewrite_current_state(
    connection: sa.Connection, room: str, todo: RewritePlan, seen: int, at: datetime
) -> int | None:
    """Append an entry that stores the plan, and replace names in the data from which a room and its chat are loaded.

    Returns the entry's number. The entry makes all processes load the room again. None if another rewrite began after
    entry `seen`: then a new plan is needed.
    """
    since = room_events.c.room_id == room, room_events.c.seq > seen, room_events.c.event_type == REWRITTEN
    if connection.execute(sa.select(room_events.c.seq).where(*since)).first() is not None:
        return None
    # First: from here on, nothing can be appended that the statements below would miss.
    seq = append_rewrite_entry(connection, room, NamesRewritten(todo.person, todo.to_json()), at)
    snapshot = connection.execute(sa.select(room_snapshots).where(room_snapshots.c.room_id == room)).one_or_none()
    # A snapshot of another format version is ignored when the room is opened, so the whole log is rewritten.
    first = 0 if snapshot is None or not snapshots.is_current_format(snapshot.state) else snapshot.seq
    if snapshot is not None:
        state = rewrite_snapshot(snapshot.state, todo.renaming_at(snapshot.seq))
        connection.execute(room_snapshots.update().where(room_snapshots.c.room_id == room).values(state=encode(state)))
    _rewrite_entries(connection, room, todo, room_events.c.seq > first)
    _rewrite_chat(connection, room, todo)
    return seq


def _rewrite_chat(connection: sa.Connection, room: str, todo: RewritePlan) -> None:
    """Delete the person's stored chat messages in a room, and replace their names in the messages of others."""
    chat = chat_messages.c
    connection.execute(chat_messages.delete().where(chat.room_id == room, chat.person_id == todo.person))
    others = sa.select(chat.id, chat.text).where(chat.room_id == room, chat.text.is_not(None))
    for number, text in connection.execute(others).all():
        changed = replace_names_in_text(text, todo.said)
        if changed != text:
            here = chat.room_id == room, chat.id == number
            connection.execute(chat_messages.update().where(*here).values(text=changed))


def append_rewrite_entry(connection: sa.Connection, room: str, entry: NamesRewritten, at: datetime) -> int:
    """Append a log entry that makes all processes load the room again or notice its deletion; return its number.

    Raises `IntegrityError` if another process appended at the same time.
    """
    seq = last_seq(connection, room) + 1
    kind, data = encode_entry(entry)
    row = {"room_id": room, "seq": seq, "created_at": at, "event_type": kind} | _entry_columns(
        room, seq, at, kind, data
    )
    connection.execute(room_events.insert(), row)
    return seq


def rewrite_older_entries(connection: sa.Connection, room: str, todo: RewritePlan, after: int) -> None:
    """Replace names in up to 300 log entries of a room after number `after`, as the plan says."""
    some = sa.and_(room_events.c.seq > after, room_events.c.seq <= after + ROWS_PER_TRANSACTION)
    _rewrite_entries(connection, room, todo, some)


def clear_rewrite_plan(connection: sa.Connection, room: str, seq: int) -> None:
    """Remove the plan, which contains the names, from the log entry that stores it, because it is done."""
    here = room_events.c.room_id == room, room_events.c.seq == seq
    kind, data = encode_entry(NamesRewritten())
    at = connection.execute(sa.select(room_events.c.created_at).where(*here)).scalar_one()
    connection.execute(room_events.update().where(*here).values(_entry_columns(room, seq, at, kind, data)))


def _rewrite_entries(
    connection: sa.Connection, room: str, todo: RewritePlan, condition: sa.ColumnElement[bool]
) -> None:
    query = sa.select(room_events.c.seq, room_events.c.created_at, room_events.c.event_type, room_events.c.data)
    query = query.where(room_events.c.room_id == room, room_events.c.event_type != REWRITTEN, condition)
    for seq, at, kind, data in connection.execute(query).all():
        changed = rewrite_event(kind, data, todo.renaming_at(seq))
        if changed != data:
            here = room_events.c.room_id == room, room_events.c.seq == seq
            connection.execute(room_events.update().where(*here).values(_entry_columns(room, seq, at, kind, changed)))


def _entry_columns(room: str, seq: int, at: datetime, kind: str, data: Any) -> dict[str, Any]:
    """Return the data of a log entry as JSON text, with its new checksum, as columns to store."""
    text = encode(data)
    return {"data": text, "checksum": checksum(room, seq, at, kind, text)}


# The history --------------------------------------------------------------------------------------------------


def rewrite_match(connection: sa.Connection, room: str, match_id: str, renaming: NameRewrite) -> int:
    """Replace names in a stored match except its hands, and return the number of its hands."""
    _rewrite_columns(
        connection, matches, sa.and_(matches.c.room_id == room, matches.c.id == match_id), _OF_MATCH, renaming
    )
    for name, other in renaming.names.items():
        for table in (match_players, point_adjustments):
            named = _is_match(table, room, match_id), table.c.name == name
            connection.execute(table.update().where(*named).values(name=other))
    here = _is_match(point_adjustments, room, match_id)
    _rewrite_columns(connection, point_adjustments, here, {"reason_values": "values"}, renaming)
    last = [
        sa.select(sa.func.max(table.c.hand_number)).where(_is_match(table, room, match_id))
        for table in (hand_initial_states, hands)
    ]
    return 1 + max(connection.execute(query).scalar() or 0 for query in last)


def rewrite_match_hands(connection: sa.Connection, room: str, match_id: str, first: int, renaming: NameRewrite) -> None:
    """Replace names in up to 300 hands of a match from number `first`, and in the statistics of these hands."""
    for table, columns in ((hands, _OF_HAND), (hand_initial_states, _OF_HAND_START)):
        some = table.c.hand_number.between(first, first + ROWS_PER_TRANSACTION - 1)
        _rewrite_columns(connection, table, sa.and_(_is_match(table, room, match_id), some), columns, renaming)
    counted = counted_hands.c.hand_number.between(first, first + ROWS_PER_TRANSACTION - 1)
    numbers = sa.select(counted_hands.c.room_hand_number).where(_is_match(counted_hands, room, match_id), counted)
    for table, columns in (
        (counted_hand_players, {}),
        (point_reasons, {"reason_values": "values"}),
        (highlights, {"event_values": "values"}),
    ):
        here = sa.and_(table.c.room_id == room, table.c.room_hand_number.in_(numbers))
        for name, other in renaming.names.items():
            connection.execute(table.update().where(here, table.c.name == name).values(name=other))
        if columns:
            _rewrite_columns(connection, table, here, columns, renaming)


def _is_match(table: sa.Table, room: str, match_id: str) -> sa.ColumnElement[bool]:
    return sa.and_(table.c.room_id == room, table.c.match_id == match_id)


def _rewrite_columns(
    connection: sa.Connection,
    table: sa.Table,
    condition: sa.ColumnElement[bool],
    columns: Mapping[str, str],
    renaming: NameRewrite,
) -> None:
    """Replace names in these JSON columns of the rows that match the condition. Each column comes with its key."""
    keys = [column.name for column in table.primary_key]
    query = sa.select(*(table.c[each] for each in (*keys, *columns))).where(condition)
    for row in connection.execute(query).mappings().all():
        rewritten = {
            each: replace_names(row[each], renaming.names, key, renaming.said) for each, key in columns.items()
        }
        changed = {table.c[each]: encode(value) for each, value in rewritten.items() if value != row[each]}
        if changed:
            here = [table.c[each] == row[each] for each in keys]
            connection.execute(table.update().where(*here).values(changed))


# Statistics -----------------------------------------------------------------------------------------------------


def rewrite_bot_keys(connection: sa.Connection, room: str, todo: RewritePlan) -> None:
    """Rename bots in a room's statistics that played a seat with the person's name in a variation and kept it."""
    for bearer in todo.bearers:
        if bearer.how != "chair":
            continue
        before, after = player_id(None, bearer.name), player_id(None, todo.words[bearer.name])
        for table in (counted_hand_players, point_reasons, highlights):
            theirs = table.c.room_id == room, table.c.player_key == before
            connection.execute(table.update().where(*theirs).values(player_key=after))
