"""Whether all that is kept is still as it was written, and as it follows: pages, logs, snapshots, hands, rows.

It reads as of one moment and writes nothing, so a server may go on meanwhile. What is found is told at once, and the
next thing looked at; what can't even be read is a finding like any other.
"""

import json
import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from app.engine.games import GAMES
from app.rooms.log import snapshots
from app.rooms.log.reducer import fold_as_written
from app.rooms.model.state import Room
from app.rooms.ports.storage import StoredEntry
from app.rooms.recorded.verify import NOT_SHUFFLED
from app.rooms.recorded.verify import check as check_record
from app.store.db.engines import make_engine, parse_url
from app.store.db.schema import matches, room_entry, room_snapshot, rooms
from app.store.db.transactions import transact
from app.store.db.types import encode
from app.store.deletion.name_references import REWRITTEN
from app.store.event_log.checksum import checksum
from app.store.history.match_history import record_of
from app.store.maintenance.migrations import fit
from app.store.maintenance.page_check import damaged, one_line
from app.store.maintenance.rebuild import Difference, compare, with_logs

AT_ONCE: Final = 500
"""Entries read in one go."""
NAMED: Final = 200
"""Entries of one stretch that can't be read and are named one by one: more than lie in a page or two."""

RESTORE: Final = "Stop the server, keep the database as it is, and restore the newest backup in which all is well."
REBUILD: Final = "Stop the server; `pecking-order rebuild` puts what the log says in its place."
WITHOUT: Final = "Stop the server and delete this room’s row of room_snapshot: its log opens the room without."
AMENDED: Final = (
    "If rules have been amended since, this is as it should be; else restore a backup in which all is well."
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be."""

    where: str
    """Room and seq, where it has them; or table and page."""
    what: str
    todo: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}. {self.todo}"


@dataclass(slots=True)
class LookedAt:
    """What was looked at."""

    rooms: int = 0
    entries: int = 0
    unsigned: int = 0
    """Entries without a checksum."""
    hands: int = 0
    """Those that were played again from their records."""
    lost: int = 0
    """Entries that the rules of today no longer allow: their hands count for nothing."""
    findings: int = 0


class _Row(NamedTuple):
    """An entry as it stands in the table."""

    seq: int
    at: datetime
    kind: str
    data: str
    checksum: int | None


def check(url: str, tell: Callable[[Finding], None]) -> LookedAt:
    """Look at everything, as of one moment. `BadUrl` if this is no database of ours, or not up to date."""
    engine = make_engine(parse_url(url), readonly=True, visiting=True)
    still = engine.execution_options(isolation_level="REPEATABLE READ") if engine.name == "postgresql" else engine
    try:
        transact(still, fit)
        with still.connect() as connection:  # as of one moment, and undone in the end: nothing is written
            return _Checkup(connection, tell).all()
    except (sa.exc.DatabaseError, sqlite3.DatabaseError) as error:
        tell(Finding("the database", f"it can’t be read any further: {one_line(error)}", RESTORE))
        return LookedAt(findings=1)
    finally:
        engine.dispose()


@dataclass(slots=True)
class _Checkup:
    """One look at everything."""

    connection: sa.Connection
    tell: Callable[[Finding], None]
    checked: LookedAt = field(default_factory=LookedAt)
    broken: set[str] = field(default_factory=set[str])
    """Rooms whose logs are not what they were: what follows from them proves nothing."""
    amended: set[str] = field(default_factory=set[str])
    """Rooms with entries that the rules of today no longer allow."""

    def all(self) -> LookedAt:
        """From the ground up: pages, logs, hands, and the rows that follow."""
        for where, what in damaged(self.connection):
            self._found(where, what, RESTORE)
        with self._apart("rooms"):
            whole = set(self.connection.execute(with_logs()).scalars())
            for room in self.connection.execute(_ROOMS).scalars().all():
                self.checked.rooms += 1
                with self._apart(f"room {room}, log", room):
                    if room in whole:
                        self._log(room)
                    else:
                        self._what_is_left(room)
                with self._apart(f"room {room}, matches"):
                    self._matches(room)
        with self._apart("history and books"):
            self._rows()
        return self.checked

    def _found(self, where: str, what: str, todo: str) -> None:
        self.checked.findings += 1
        self.tell(Finding(where, what, todo))

    def _broken(self, room: str, seq: int, what: str) -> None:
        self.broken.add(room)
        self._found(f"room {room}, entry {seq}", what, RESTORE)

    @contextmanager
    def _apart(self, where: str, room: str | None = None) -> Iterator[None]:
        """Around what may fail by itself, so that all else is looked at nevertheless; `room`: it is of this log."""
        try:
            with self.connection.begin_nested():
                yield
        except Exception as error:  # the disk may have made anything of it
            if isinstance(error, sa.exc.DBAPIError) and error.connection_invalidated:
                raise
            if room is not None:
                self.broken.add(room)
            self._found(where, f"it can’t be read: {one_line(error)}", RESTORE)

    # Logs

    def _log(self, room: str) -> None:
        """Look at each entry of a room, and fold them as far as they can be."""
        folded: Room | None = Room()
        snapshot, last, rewriting = self._snapshot(room), 0, False
        for seq, row in self._entries(room):
            self.checked.entries += 1
            if seq != last + 1:
                missing = "it is" if seq == last + 2 else f"this entry and those up to {seq - 1} are"
                self._broken(room, last + 1, f"{missing} missing")
                folded = None
            last = seq
            data = None if row is None else self._read(room, row)
            rewriting = rewriting or bool(row and row.kind == REWRITTEN and data and data.get("todo"))
            folded = None if folded is None or row is None or data is None else self._fold(folded, room, row, data)
            if folded is not None and snapshot is not None and snapshot[0] == seq and not rewriting:
                self._compare(room, folded, snapshot[1])
        if last == 0:
            self._broken(room, 1, "it is missing, and so is the whole log")
        elif snapshot is not None and snapshot[0] > last:
            self._broken(room, last, f"the log ends here, and the room’s snapshot is of entry {snapshot[0]}")

    def _what_is_left(self, room: str) -> None:
        """Look at the entries of a room that was let go of: most of its log is gone, and should be."""
        for _, row in self._entries(room):
            self.checked.entries += 1
            if row is not None:
                self._read(room, row)

    def _entries(self, room: str) -> Iterator[tuple[int, _Row | None]]:
        """A room's entries by their seqs; None for what can't be read."""
        last = 0
        while True:
            query = _ENTRIES.where(room_entry.c.room == room, room_entry.c.seq > last).limit(AT_ONCE)
            try:
                with self.connection.begin_nested():
                    some = [(row.seq, _Row(*row)) for row in self.connection.execute(query)]
            except Exception:  # which of them it was, is found one by one
                if not (yield from self._one_by_one(room, last)):
                    return
                last += AT_ONCE
                continue
            if not some:
                return
            yield from some
            last = some[-1][0]

    def _one_by_one(self, room: str, last: int) -> Generator[tuple[int, _Row | None], None, bool]:
        """The next entries of which some can't be read, and whether there are any; an error if hardly any can."""
        failed, there = 0, False
        for seq in range(last + 1, last + AT_ONCE + 1):
            query = _ENTRIES.where(room_entry.c.room == room, room_entry.c.seq == seq)
            try:
                with self.connection.begin_nested():
                    row = self.connection.execute(query).one_or_none()
            except Exception as error:
                self._broken(room, seq, f"it can’t be read: {one_line(error)}")
                yield seq, None
                failed, there = failed + 1, True
                if failed == NAMED:
                    raise
            else:
                if row is not None:
                    there = True
                    yield seq, _Row(*row)
        return there

    def _read(self, room: str, row: _Row) -> dict[str, Any] | None:
        """What an entry says, if it is still as it was written."""
        if row.checksum is None:
            self.checked.unsigned += 1
        elif checksum(room, *row[:4]) != row.checksum:
            self._broken(room, row.seq, f"it ({row.kind}) is not as it was written: its checksum is another")
            return None
        try:
            data: dict[str, Any] = json.loads(row.data)
        except ValueError as error:
            self._broken(room, row.seq, f"it ({row.kind}) is no JSON: {error}")
            return None
        return data

    def _fold(self, before: Room, room: str, row: _Row, data: dict[str, Any]) -> Room | None:
        try:
            after, entry, _ = fold_as_written(before, StoredEntry(row.seq, row.at, row.kind, data))
        except Exception as error:  # whatever it was, the room can't be opened
            self._broken(room, row.seq, f"it ({row.kind}) does not go on from those before it: {one_line(error)}")
            return None
        if entry is None:
            self.checked.lost += 1
            self.amended.add(room)
        return after

    def _snapshot(self, room: str) -> tuple[int, Any] | None:
        """The room's snapshot, if it has one that can be read."""
        seq = self.connection.execute(_SNAPSHOT_SEQ, {"of": room}).scalar_one_or_none()
        if seq is None:
            return None
        try:
            with self.connection.begin_nested():
                return seq, self.connection.execute(_SNAPSHOT_STATE, {"of": room}).scalar_one()
        except Exception as error:
            what = f"the snapshot of it can’t be read: {one_line(error)}"
            self._found(f"room {room}, entry {seq}", what, WITHOUT)
            return None

    def _compare(self, room: str, folded: Room, state: Any) -> None:
        """Compare a snapshot with the log, unless another version of the code made it: then no room is opened by it."""
        if isinstance(state, dict) and not snapshots.is_current(state):
            return
        wrong = differs(json.loads(encode(snapshots.save(folded))), state)
        if wrong is not None:
            what = f"the snapshot of it is not what the log says, in “{wrong}”"
            self._found(f"room {room}, entry {folded.seq}", what, WITHOUT)

    # Hands

    def _matches(self, room: str) -> None:
        for match_id in self.connection.execute(_MATCHES, {"of": room}).scalars().all():
            self._hands(room, match_id)

    def _hands(self, room: str, match_id: str) -> None:
        """Play a match again from its record, and look at the proof of each deal."""
        where = f"room {room}, match {match_id}"
        try:
            with self.connection.begin_nested():
                found = check_record(record_of(self.connection, match_id), GAMES)
        except Exception as error:  # whatever a row that was changed may lead to
            self._follows(room, where, f"its record can’t be played: {one_line(error)}")
            return
        for hand in found.hands:
            self.checked.hands += 1
            if hand.unfair is not None and hand.unfair.key != NOT_SHUFFLED.key:
                self._follows(room, where, f"the deal of hand {hand.number + 1}: {hand.unfair}")
        if found.refused is not None and room not in self.amended:
            self._found(where, str(found.refused).rstrip("."), AMENDED)

    # Rows

    def _rows(self) -> None:
        """Make history and books again, and name each row that is another."""
        made = compare(self.connection, self._differs)
        for table, why in made.unread.items():
            self._found(f"table {table}", f"not every row can be read: {why}", RESTORE)
        for room, why in made.unreadable.items():
            if room not in self.broken:
                self._found(f"room {room}", f"its history can’t be told again: {why}", RESTORE)

    def _differs(self, found: Difference) -> None:
        room = found.key.get("room") or self._room_of(found)
        self._follows(room, f"room {room}" if room else "all rooms", str(found))

    def _follows(self, room: str | None, where: str, what: str) -> None:
        """Something that follows from a log is not so; if the log is broken itself, it must not be made from that."""
        broken = self.broken if room is None else room in self.broken
        self._found(where, what, RESTORE if broken else REBUILD)

    def _room_of(self, found: Difference) -> str | None:
        match_id = found.key.get("id" if found.table == matches.name else "match_id")
        query = sa.select(matches.c.room).where(matches.c.id == match_id)
        return None if match_id is None else self.connection.execute(query).scalar_one_or_none()


def differs(told: Any, kept: Any) -> str | None:
    """Where something kept is not as it is told now, as far as it goes: what it lacks had not been thought of then.

    >>> differs({"a": 1, "b": [{"c": 2, "new": 0}]}, {"a": 1, "b": [{"c": 3}]})
    'b.0.c'
    """
    if isinstance(told, dict) and isinstance(kept, dict):
        pairs = [(key, told.get(key), value) for key, value in kept.items() if key in told]
    elif isinstance(told, list) and isinstance(kept, list) and len(told) == len(kept):
        pairs = [(str(place), told[place], value) for place, value in enumerate(kept)]
    else:
        return None if told == kept else ""
    found = ((key, differs(one, other)) for key, one, other in pairs)
    return next((f"{key}.{inside}".rstrip(".") for key, inside in found if inside is not None), None)


_ROOMS = sa.select(rooms.c.id).order_by(rooms.c.id)
_ENTRIES = sa.select(
    room_entry.c.seq, room_entry.c.at, room_entry.c.kind, sa.cast(room_entry.c.data, sa.Text), room_entry.c.checksum
).order_by(room_entry.c.seq)
_SNAPSHOT_SEQ = sa.select(room_snapshot.c.seq).where(room_snapshot.c.room == sa.bindparam("of"))
_SNAPSHOT_STATE = sa.select(room_snapshot.c.state).where(room_snapshot.c.room == sa.bindparam("of"))
_MATCHES = (
    sa.select(matches.c.id).where(matches.c.room == sa.bindparam("of")).order_by(matches.c.started_at, matches.c.id)
)
