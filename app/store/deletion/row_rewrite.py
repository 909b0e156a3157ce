"""Replace names in the rows of a room: its log, its matches and its statistics.

Each function runs in one short transaction and can be repeated.
"""

from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from app.rooms.log import snapshots
from app.rooms.log.name_rewrite import NameRewrite, replace_names, rewrite_event, rewrite_snapshot
from app.rooms.model.events import NamesRewritten
from app.rooms.model.events import encode as encode_entry
from app.stats.counted_hand import player_id
from app.store.db.schema import (
    entered,
    evening_players,
    hand_players,
    hand_starts,
    hands,
    match_players,
    matches,
    moments,
    pairs,
    reasons,
    reigns,
    room_entry,
    room_hands,
    room_players,
    room_snapshot,
    tallies,
)
from app.store.db.types import encode
from app.store.deletion.name_references import REWRITTEN, RewritePlan
from app.store.event_log.checksum import checksum

ROWS_PER_TRANSACTION: Final = 300
"""Number of rows rewritten in one transaction, so that others wait only for a short time."""
_OF_MATCH: Final = ("players", "winners", "after", "carried", "origin")
_OF_HAND: Final = ("record", "events", "result", "totals")


# The log ------------------------------------------------------------------------------------------------------


def last_seq(connection: sa.Connection, room: str) -> int:
    """Return the number of a room's last log entry, 0 if it has none."""
    last = sa.select(sa.func.max(room_entry.c.seq)).where(room_entry.c.room == room)
    return int(connection.execute(last).scalar() or 0)


def rewrite_current_state(
    connection: sa.Connection, room: str, todo: RewritePlan, seen: int, at: datetime
) -> int | None:
    """Replace names in the data from which a room is loaded, and append a log entry that stores the plan.

    Returns the entry's number. The entry makes all processes load the room again. None if another rewrite began after
    entry `seen`: then a new plan is needed.
    """
    since = room_entry.c.room == room, room_entry.c.seq > seen, room_entry.c.kind == REWRITTEN
    if connection.execute(sa.select(room_entry.c.seq).where(*since)).first() is not None:
        return None
    kept = connection.execute(sa.select(room_snapshot).where(room_snapshot.c.room == room)).one_or_none()
    # A snapshot of another format version is ignored when the room is opened, so the whole log is rewritten.
    first = 0 if kept is None or not snapshots.is_current_format(kept.state) else kept.seq
    if kept is not None:
        state = rewrite_snapshot(kept.state, todo.renaming_at(kept.seq))
        connection.execute(room_snapshot.update().where(room_snapshot.c.room == room).values(state=encode(state)))
    _rewrite_entries(connection, room, todo, room_entry.c.seq > first)
    return append_rewrite_entry(connection, room, NamesRewritten(todo.person, todo.to_json()), at)


def append_rewrite_entry(connection: sa.Connection, room: str, entry: NamesRewritten, at: datetime) -> int:
    """Append a log entry that makes all processes load the room again or notice its deletion; return its number.

    Raises `IntegrityError` if another process appended at the same time.
    """
    seq = last_seq(connection, room) + 1
    kind, data = encode_entry(entry)
    row = {"room": room, "seq": seq, "at": at, "kind": kind} | _entry_columns(room, seq, at, kind, data)
    connection.execute(room_entry.insert(), row)
    return seq


def rewrite_older_entries(connection: sa.Connection, room: str, todo: RewritePlan, after: int) -> None:
    """Replace names in up to 300 log entries of a room after number `after`, as the plan says."""
    some = sa.and_(room_entry.c.seq > after, room_entry.c.seq <= after + ROWS_PER_TRANSACTION)
    _rewrite_entries(connection, room, todo, some)


def clear_rewrite_plan(connection: sa.Connection, room: str, seq: int) -> None:
    """Remove the plan, which contains the names, from the log entry that stores it, because it is done."""
    here = room_entry.c.room == room, room_entry.c.seq == seq
    kind, data = encode_entry(NamesRewritten())
    at = connection.execute(sa.select(room_entry.c.at).where(*here)).scalar_one()
    connection.execute(room_entry.update().where(*here).values(_entry_columns(room, seq, at, kind, data)))


def _rewrite_entries(
    connection: sa.Connection, room: str, todo: RewritePlan, condition: sa.ColumnElement[bool]
) -> None:
    query = sa.select(room_entry.c.seq, room_entry.c.at, room_entry.c.kind, room_entry.c.data)
    query = query.where(room_entry.c.room == room, room_entry.c.kind != REWRITTEN, condition)
    for seq, at, kind, data in connection.execute(query).all():
        changed = rewrite_event(kind, data, todo.renaming_at(seq))
        if changed != data:
            here = room_entry.c.room == room, room_entry.c.seq == seq
            connection.execute(room_entry.update().where(*here).values(_entry_columns(room, seq, at, kind, changed)))


def _entry_columns(room: str, seq: int, at: datetime, kind: str, data: Any) -> dict[str, Any]:
    """Return the data of a log entry as JSON text, with its new checksum, as columns to store."""
    text = encode(data)
    return {"data": text, "checksum": checksum(room, seq, at, kind, text)}


# The history --------------------------------------------------------------------------------------------------


def rewrite_match(connection: sa.Connection, match_id: str, renaming: NameRewrite) -> int:
    """Replace names in a stored match except its hands, and return the number of its hands."""
    _rewrite_columns(connection, matches, matches.c.id == match_id, _OF_MATCH, renaming)
    for name, other in renaming.names.items():
        for table in (match_players, entered):
            here = table.c.match_id == match_id, table.c.name == name
            connection.execute(table.update().where(*here).values(name=other))
    _rewrite_columns(connection, entered, entered.c.match_id == match_id, ("values",), renaming)
    last = sa.select(sa.func.max(hand_starts.c.number)).where(hand_starts.c.match_id == match_id)
    ended = sa.select(sa.func.max(hands.c.number)).where(hands.c.match_id == match_id)
    return 1 + max(connection.execute(query).scalar() or 0 for query in (last, ended))


def rewrite_match_hands(connection: sa.Connection, match_id: str, first: int, renaming: NameRewrite) -> None:
    """Replace names in up to 300 hands of a match from number `first`, and in the statistics of these hands."""
    for table, columns in ((hands, _OF_HAND), (hand_starts, ("society",))):
        some = sa.and_(table.c.match_id == match_id, table.c.number.between(first, first + ROWS_PER_TRANSACTION - 1))
        _rewrite_columns(connection, table, some, columns, renaming)
    counted = room_hands.c.match_id == match_id, room_hands.c.hand.between(first, first + ROWS_PER_TRANSACTION - 1)
    nth = sa.select(room_hands.c.nth).where(*counted)
    room = sa.select(matches.c.room).where(matches.c.id == match_id).scalar_subquery()
    for table in (hand_players, reasons, moments):
        here = sa.and_(table.c.room == room, table.c.nth.in_(nth))
        for name, other in renaming.names.items():
            connection.execute(table.update().where(here, table.c.name == name).values(name=other))
        if table is not hand_players:
            _rewrite_columns(connection, table, here, ("values",), renaming)


def _rewrite_columns(
    connection: sa.Connection,
    table: sa.Table,
    condition: sa.ColumnElement[bool],
    columns: tuple[str, ...],
    renaming: NameRewrite,
) -> None:
    """Replace names in these JSON columns of the rows that match the condition."""
    keys = [column.name for column in table.primary_key]
    query = sa.select(*(table.c[each] for each in (*keys, *columns))).where(condition)
    for row in connection.execute(query).mappings().all():
        told = {each: replace_names(row[each], renaming.names, each, renaming.said) for each in columns}
        changed = {table.c[each]: encode(value) for each, value in told.items() if value != row[each]}
        if changed:
            here = [table.c[each] == row[each] for each in keys]
            connection.execute(table.update().where(*here).values(changed))


# Statistics -----------------------------------------------------------------------------------------------------


def rewrite_room_stats(connection: sa.Connection, room: str, todo: RewritePlan) -> None:
    """Replace a deleted person's names in a room's statistics of players."""
    for bearer in todo.bearers:
        if bearer.how == "lent":
            continue
        word = todo.words[bearer.name]
        theirs = room_players.c.player.in_(bearer.persons), room_players.c.name == bearer.name
        connection.execute(room_players.update().where(room_players.c.room == room, *theirs).values(name=word))
        if bearer.how == "chair":
            _rename_bot(connection, room, bearer.name, word)


def _rename_bot(connection: sa.Connection, room: str, name: str, other: str) -> None:
    """Rename a bot in a room's statistics.

    It played a seat with the person's name in a variation and kept that name.
    """
    before, after = player_id(None, name), player_id(None, other)
    here = room_players.c.room == room, room_players.c.name == name
    connection.execute(room_players.update().where(*here).values(name=other))
    for table in (hand_players, reasons, moments, evening_players, room_players, tallies, reigns):
        theirs = table.c.room == room, table.c.player == before
        connection.execute(table.update().where(*theirs).values(player=after))
    met = pairs.c.room == room, sa.or_(pairs.c.player == before, pairs.c.other == before)
    found = connection.execute(sa.select(pairs).where(*met)).mappings().all()
    connection.execute(pairs.delete().where(*met))
    for row in found:
        new = dict(row) | {key: after for key in ("player", "other") if row[key] == before}
        if new["player"] > new["other"]:
            new |= {"player": new["other"], "other": new["player"], "above": row["below"], "below": row["above"]}
        connection.execute(pairs.insert(), new)
