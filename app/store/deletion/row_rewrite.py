"""Other names in the rows of a room: its log, its matches and its book, a little at a time.

Each function is one transaction, and may be done twice.
"""

from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from app.rooms.log import snapshots
from app.rooms.log.name_rewrite import Renaming, entry_without, renamed, snapshot_without
from app.rooms.model.events import Rewritten
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
from app.store.deletion.name_references import REWRITTEN, Todo
from app.store.event_log.checksum import checksum

AT_ONCE: Final = 300
"""Rows rewritten in one transaction: others wait for no more."""
_OF_MATCH: Final = ("players", "winners", "after", "carried", "origin")
_OF_HAND: Final = ("record", "events", "result", "totals")


# The log ------------------------------------------------------------------------------------------------------


def head(connection: sa.Connection, room: str) -> int:
    """The seq of a room's last entry."""
    last = sa.select(sa.func.max(room_entry.c.seq)).where(room_entry.c.room == room)
    return int(connection.execute(last).scalar() or 0)


def what_is_open(connection: sa.Connection, room: str, todo: Todo, seen: int, at: datetime) -> int | None:
    """Rewrite what opening a room reads, with an entry that says so and keeps what is to be done; gives its seq.

    None if somebody else was begun with here since the room was at `seen`: then it is to be planned anew.
    """
    since = room_entry.c.room == room, room_entry.c.seq > seen, room_entry.c.kind == REWRITTEN
    if connection.execute(sa.select(room_entry.c.seq).where(*since)).first() is not None:
        return None
    kept = connection.execute(sa.select(room_snapshot).where(room_snapshot.c.room == room)).one_or_none()
    # A snapshot of another version of the code is ignored: then the room is opened from its whole log.
    first = 0 if kept is None or not snapshots.is_current(kept.state) else kept.seq
    if kept is not None:
        state = snapshot_without(kept.state, todo.at(kept.seq))
        connection.execute(room_snapshot.update().where(room_snapshot.c.room == room).values(state=encode(state)))
    _rewrite_entries(connection, room, todo, room_entry.c.seq > first)
    return append(connection, room, Rewritten(todo.person, todo.to_json()), at)


def append(connection: sa.Connection, room: str, entry: Rewritten, at: datetime) -> int:
    """Say in a room's log that it is to be read anew; gives the seq of that. `IntegrityError` if another was faster."""
    seq = head(connection, room) + 1
    kind, data = encode_entry(entry)
    row = {"room": room, "seq": seq, "at": at, "kind": kind} | _told(room, seq, at, kind, data)
    connection.execute(room_entry.insert(), row)
    return seq


def older(connection: sa.Connection, room: str, todo: Todo, after: int) -> None:
    """Rewrite some entries, those after this one."""
    some = sa.and_(room_entry.c.seq > after, room_entry.c.seq <= after + AT_ONCE)
    _rewrite_entries(connection, room, todo, some)


def done(connection: sa.Connection, room: str, seq: int) -> None:
    """Let the entry that kept what was to be done say no more."""
    here = room_entry.c.room == room, room_entry.c.seq == seq
    kind, data = encode_entry(Rewritten())
    at = connection.execute(sa.select(room_entry.c.at).where(*here)).scalar_one()
    connection.execute(room_entry.update().where(*here).values(_told(room, seq, at, kind, data)))


def _rewrite_entries(connection: sa.Connection, room: str, todo: Todo, some: sa.ColumnElement[bool]) -> None:
    query = sa.select(room_entry.c.seq, room_entry.c.at, room_entry.c.kind, room_entry.c.data)
    query = query.where(room_entry.c.room == room, room_entry.c.kind != REWRITTEN, some)
    for seq, at, kind, data in connection.execute(query).all():
        changed = entry_without(kind, data, todo.at(seq))
        if changed != data:
            here = room_entry.c.room == room, room_entry.c.seq == seq
            connection.execute(room_entry.update().where(*here).values(_told(room, seq, at, kind, changed)))


def _told(room: str, seq: int, at: datetime, kind: str, data: Any) -> dict[str, Any]:
    """What an entry says, with the checksum that goes with it."""
    text = encode(data)
    return {"data": text, "checksum": checksum(room, seq, at, kind, text)}


# The history --------------------------------------------------------------------------------------------------


def match_head(connection: sa.Connection, match_id: str, renaming: Renaming) -> int:
    """Rewrite a match but for its hands; gives how many there are."""
    _rewrite(connection, matches, matches.c.id == match_id, _OF_MATCH, renaming)
    for name, other in renaming.names.items():
        for table in (match_players, entered):
            here = table.c.match_id == match_id, table.c.name == name
            connection.execute(table.update().where(*here).values(name=other))
    _rewrite(connection, entered, entered.c.match_id == match_id, ("values",), renaming)
    last = sa.select(sa.func.max(hand_starts.c.number)).where(hand_starts.c.match_id == match_id)
    ended = sa.select(sa.func.max(hands.c.number)).where(hands.c.match_id == match_id)
    return 1 + max(connection.execute(query).scalar() or 0 for query in (last, ended))


def match_hands(connection: sa.Connection, match_id: str, first: int, renaming: Renaming) -> None:
    """Rewrite some hands of a match from this one on, and what the book has of them."""
    for table, columns in ((hands, _OF_HAND), (hand_starts, ("society",))):
        some = sa.and_(table.c.match_id == match_id, table.c.number.between(first, first + AT_ONCE - 1))
        _rewrite(connection, table, some, columns, renaming)
    counted = room_hands.c.match_id == match_id, room_hands.c.hand.between(first, first + AT_ONCE - 1)
    nth = sa.select(room_hands.c.nth).where(*counted)
    room = sa.select(matches.c.room).where(matches.c.id == match_id).scalar_subquery()
    for table in (hand_players, reasons, moments):
        here = sa.and_(table.c.room == room, table.c.nth.in_(nth))
        for name, other in renaming.names.items():
            connection.execute(table.update().where(here, table.c.name == name).values(name=other))
        if table is not hand_players:
            _rewrite(connection, table, here, ("values",), renaming)


def _rewrite(
    connection: sa.Connection,
    table: sa.Table,
    some: sa.ColumnElement[bool],
    columns: tuple[str, ...],
    renaming: Renaming,
) -> None:
    """Rewrite what these columns tell, in some rows."""
    keys = [column.name for column in table.primary_key]
    query = sa.select(*(table.c[each] for each in (*keys, *columns))).where(some)
    for row in connection.execute(query).mappings().all():
        told = {each: renamed(row[each], renaming.names, each, renaming.said) for each in columns}
        changed = {table.c[each]: encode(value) for each, value in told.items() if value != row[each]}
        if changed:
            here = [table.c[each] == row[each] for each in keys]
            connection.execute(table.update().where(*here).values(changed))


# The book -----------------------------------------------------------------------------------------------------


def book(connection: sa.Connection, room: str, todo: Todo) -> None:
    """Rewrite what a room's book tells of all its hands."""
    for bearer in todo.bearers:
        if bearer.how == "lent":
            continue
        word = todo.words[bearer.name]
        theirs = room_players.c.player.in_(bearer.persons), room_players.c.name == bearer.name
        connection.execute(room_players.update().where(room_players.c.room == room, *theirs).values(name=word))
        if bearer.how == "chair":
            _rewrite_bot(connection, room, bearer.name, word)


def _rewrite_bot(connection: sa.Connection, room: str, name: str, other: str) -> None:
    """Give another name to the bot that had a chair of a variation, and kept its name when that was over."""
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
