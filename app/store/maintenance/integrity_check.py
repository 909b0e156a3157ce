"""Check all stored data: database pages, log entries, snapshots, hands, and rows derived from the logs.

The check reads one consistent state and writes nothing, so a server may continue to run. Each problem is reported at
once, and the check goes on. Data that can't be read is reported in the same way.
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
from app.rooms.log.reducer import apply_and_decode_event
from app.rooms.model.state import Room
from app.rooms.ports.storage import StoredEvent
from app.rooms.recorded.verify import NOT_SHUFFLED, verify_match as check_record
from app.store.db.engines import make_engine, parse_url
from app.store.db.schema import match_directory, matches, room_events, room_snapshots, rooms
from app.store.db.transactions import run_in_transaction
from app.store.db.types import encode
from app.store.deletion.name_references import REWRITTEN
from app.store.event_log.checksum import checksum
from app.store.history.match_history import load_record
from app.store.maintenance.migrations import require_newest_revision
from app.store.maintenance.page_check import find_corrupt_pages, one_line_message
from app.store.maintenance.rebuild import Difference, compare_with_logs, select_rooms_with_logs

ENTRIES_PER_BATCH: Final = 500
"""Number of log entries read in one batch."""
MAX_NAMED_ENTRIES: Final = 200
"""Number of unreadable entries in one batch that are reported one by one: more than one or two pages contain."""

RESTORE: Final = "Stop the server, keep a copy of the database, and restore the newest backup without findings."
REBUILD: Final = "Stop the server and run `pecking-order rebuild`, which corrects this from the log."
WITHOUT: Final = "Stop the server and delete this room’s row of room_snapshots. The room then opens from its log."
AMENDED: Final = "This is expected if the rules have changed since. Otherwise restore a backup without findings."


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem found by the check of all stored data, with advice for the operator."""

    where: str
    """Room and seq if known, or table and page."""
    what: str
    advice: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}. {self.advice}"


@dataclass(slots=True)
class CheckCounts:
    """Numbers of rooms, log entries and hands that the check of all stored data has read, and of problems found."""

    rooms: int = 0
    entries: int = 0
    without_checksum: int = 0
    """Entries without a checksum."""
    hands: int = 0
    """Hands replayed from their records."""
    refused_entries: int = 0
    """Entries that today's rules refuse: their hands are not counted."""
    findings: int = 0


class _Row(NamedTuple):
    """A log entry as stored in the database, with its JSON as text and its checksum."""

    seq: int
    at: datetime
    kind: str
    data: str
    checksum: int | None


def check_database(url: str, on_finding: Callable[[Finding], None]) -> CheckCounts:
    """Check all data of a database, read in one consistent state, and report each problem with `on_finding`.

    Writes nothing, so a server may run. Raises `BadUrl` if the database does not belong to this program or is not up
    to date.
    """
    engine = make_engine(parse_url(url), readonly=True, alongside_server=True)
    still = engine.execution_options(isolation_level="REPEATABLE READ") if engine.name == "postgresql" else engine
    try:
        run_in_transaction(still, require_newest_revision)
        with still.connect() as connection:  # one snapshot for the whole check, rolled back at the end
            return _IntegrityCheck(connection, on_finding).run()
    except (sa.exc.DatabaseError, sqlite3.DatabaseError) as error:
        on_finding(Finding("the database", f"it can’t be read any further: {one_line_message(error)}", RESTORE))
        return CheckCounts(findings=1)
    finally:
        engine.dispose()


@dataclass(slots=True)
class _IntegrityCheck:
    """One run of the check of all stored data in a database."""

    connection: sa.Connection
    on_finding: Callable[[Finding], None]
    counts: CheckCounts = field(default_factory=CheckCounts)
    broken_rooms: set[str] = field(default_factory=set[str])
    """Rooms with a damaged log: data derived from it can't be judged."""
    rooms_with_refused_entries: set[str] = field(default_factory=set[str])
    """Rooms with entries that today's rules refuse."""

    def run(self) -> CheckCounts:
        """Check database pages, logs, hands and derived rows, in this order; return the counts."""
        for where, what in find_corrupt_pages(self.connection):
            self._report(where, what, RESTORE)
        with self._isolate_errors("rooms"):
            whole = set(self.connection.execute(select_rooms_with_logs()).scalars())
            for room in self.connection.execute(_ROOMS).scalars().all():
                self.counts.rooms += 1
                with self._isolate_errors(f"room {room}, log", room):
                    if room in whole:
                        self._check_log(room)
                    else:
                        self._check_entries_of_deleted_room(room)
                with self._isolate_errors(f"room {room}, matches"):
                    self._check_matches(room)
        with self._isolate_errors("history and books"):
            self._check_derived_rows()
        return self.counts

    def _report(self, where: str, what: str, todo: str) -> None:
        self.counts.findings += 1
        self.on_finding(Finding(where, what, todo))

    def _report_broken_entry(self, room: str, seq: int, what: str) -> None:
        self.broken_rooms.add(room)
        self._report(f"room {room}, entry {seq}", what, RESTORE)

    @contextmanager
    def _isolate_errors(self, where: str, room: str | None = None) -> Iterator[None]:
        """Report an error inside the context as a problem found, so that the check can go on.

        `room` is given if the block reads the log of this room; an error marks it as broken. A lost connection is
        raised.
        """
        try:
            with self.connection.begin_nested():
                yield
        except Exception as error:  # damaged data can cause any error
            if isinstance(error, sa.exc.DBAPIError) and error.connection_invalidated:
                raise
            if room is not None:
                self.broken_rooms.add(room)
            self._report(where, f"it can’t be read: {one_line_message(error)}", RESTORE)

    # Logs

    def _check_log(self, room: str) -> None:
        """Verify each entry of a room's log, apply the entries, and compare the result with the stored snapshot.

        Problems are reported.
        """
        folded: Room | None = Room()
        snapshot, last, rewriting = self._load_snapshot(room), 0, False
        for seq, row in self._read_entries(room):
            self.counts.entries += 1
            if seq != last + 1:
                missing = "it is" if seq == last + 2 else f"this entry and those up to {seq - 1} are"
                self._report_broken_entry(room, last + 1, f"{missing} missing")
                folded = None
            last = seq
            data = None if row is None else self._verify_entry(room, row)
            rewriting = rewriting or bool(row and row.kind == REWRITTEN and data and data.get("todo"))
            folded = (
                None if folded is None or row is None or data is None else self._apply_entry(folded, room, row, data)
            )
            if folded is not None and snapshot is not None and snapshot[0] == seq and not rewriting:
                self._check_snapshot(room, folded, snapshot[1])
        if last == 0:
            self._report_broken_entry(room, 1, "it is missing, and so is the whole log")
        elif snapshot is not None and snapshot[0] > last:
            self._report_broken_entry(
                room, last, f"the log ends here, and the room’s snapshot is of entry {snapshot[0]}"
            )

    def _check_entries_of_deleted_room(self, room: str) -> None:
        """Verify the checksums of the remaining log entries of a deleted room, whose log is incomplete on purpose."""
        for _, row in self._read_entries(room):
            self.counts.entries += 1
            if row is not None:
                self._verify_entry(room, row)

    def _read_entries(self, room: str) -> Iterator[tuple[int, _Row | None]]:
        """Yield (number, entry) for all entries of a room's log, in order; None in place of one that can't be read."""
        last = 0
        while True:
            query = _ENTRIES.where(room_events.c.room_id == room, room_events.c.seq > last).limit(ENTRIES_PER_BATCH)
            try:
                with self.connection.begin_nested():
                    some = [(row.seq, _Row(*row)) for row in self.connection.execute(query)]
            except Exception:  # find the unreadable entries one by one
                if not (yield from self._read_entries_one_by_one(room, last)):
                    return
                last += ENTRIES_PER_BATCH
                continue
            if not some:
                return
            yield from some
            last = some[-1][0]

    def _read_entries_one_by_one(self, room: str, last: int) -> Generator[tuple[int, _Row | None], None, bool]:
        """Yield the log entries of a batch that could not be read as a whole; None in place of one that can't be read.

        The generator's result is False if the batch is empty. Raises the error if `MAX_NAMED_ENTRIES` entries can't be
        read.
        """
        failed, there = 0, False
        for seq in range(last + 1, last + ENTRIES_PER_BATCH + 1):
            query = _ENTRIES.where(room_events.c.room_id == room, room_events.c.seq == seq)
            try:
                with self.connection.begin_nested():
                    row = self.connection.execute(query).one_or_none()
            except Exception as error:
                self._report_broken_entry(room, seq, f"it can’t be read: {one_line_message(error)}")
                yield seq, None
                failed, there = failed + 1, True
                if failed == MAX_NAMED_ENTRIES:
                    raise
            else:
                if row is not None:
                    there = True
                    yield seq, _Row(*row)
        return there

    def _verify_entry(self, room: str, row: _Row) -> dict[str, Any] | None:
        """Return the data of a log entry; None after reporting a wrong checksum or malformed JSON."""
        if row.checksum is None:
            self.counts.without_checksum += 1
        elif checksum(room, *row[:4]) != row.checksum:
            self._report_broken_entry(room, row.seq, f"its checksum is wrong ({row.kind})")
            return None
        try:
            data: dict[str, Any] = json.loads(row.data)
        except ValueError as error:
            self._report_broken_entry(room, row.seq, f"it is not valid JSON ({row.kind}): {error}")
            return None
        return data

    def _apply_entry(self, before: Room, room: str, row: _Row, data: dict[str, Any]) -> Room | None:
        try:
            after, entry, _ = apply_and_decode_event(before, StoredEvent(row.seq, row.at, row.kind, data))
        except Exception as error:  # any error here prevents the room from opening
            self._report_broken_entry(
                room, row.seq, f"it does not follow from the entries before it ({row.kind}): {one_line_message(error)}"
            )
            return None
        if entry is None:
            self.counts.refused_entries += 1
            self.rooms_with_refused_entries.add(room)
        return after

    def _load_snapshot(self, room: str) -> tuple[int, Any] | None:
        """Return the entry number and state of a room's stored snapshot; None if it has none.

        Also None, after reporting it, if the snapshot can't be read.
        """
        seq = self.connection.execute(_SNAPSHOT_SEQ, {"of": room}).scalar_one_or_none()
        if seq is None:
            return None
        try:
            with self.connection.begin_nested():
                return seq, self.connection.execute(_SNAPSHOT_STATE, {"of": room}).scalar_one()
        except Exception as error:
            what = f"its snapshot can’t be read: {one_line_message(error)}"
            self._report(f"room {room}, entry {seq}", what, WITHOUT)
            return None

    def _check_snapshot(self, room: str, folded: Room, state: Any) -> None:
        """Compare a stored snapshot with the state that the log leads to (`folded`), and report a difference.

        Ignores snapshots of another format version, which are never used to open a room.
        """
        if isinstance(state, dict) and not snapshots.is_current_format(state):
            return
        wrong = first_difference(json.loads(encode(snapshots.room_to_json(folded))), state)
        if wrong is not None:
            what = f"its snapshot differs from the log in “{wrong}”"
            self._report(f"room {room}, entry {folded.seq}", what, WITHOUT)

    # Hands

    def _check_matches(self, room: str) -> None:
        for match_id in self.connection.execute(_MATCHES, {"of": room}).scalars().all():
            self._check_match_record(room, match_id)

    def _check_match_record(self, room: str, match_id: str) -> None:
        """Replay a match from its stored record and check the proof of each deal; report what is wrong."""
        where = f"room {room}, match {match_id}"
        try:
            with self.connection.begin_nested():
                found = check_record(load_record(self.connection, match_id), GAMES)
        except Exception as error:  # a damaged row can cause any error
            self._report_derived(room, where, f"its record can’t be played: {one_line_message(error)}")
            return
        for hand in found.hands:
            self.counts.hands += 1
            if hand.deal_problem is not None and hand.deal_problem.key != NOT_SHUFFLED.key:
                self._report_derived(room, where, f"the deal of hand {hand.number + 1}: {hand.deal_problem}")
        if found.refused is not None and room not in self.rooms_with_refused_entries:
            self._report(where, str(found.refused).rstrip("."), AMENDED)

    # Rows

    def _check_derived_rows(self) -> None:
        """Rebuild history and statistics from the logs, and report each stored row that differs."""
        made = compare_with_logs(self.connection, self._report_difference)
        for table, why in made.unreadable_tables.items():
            self._report(f"table {table}", f"not every row can be read: {why}", RESTORE)
        for room, why in made.unreadable_rooms.items():
            if room not in self.broken_rooms:
                self._report(f"room {room}", f"its history can’t be rebuilt: {why}", RESTORE)

    def _report_difference(self, found: Difference) -> None:
        room = found.key.get("room_id") or self._room_of(found)
        self._report_derived(room, f"room {room}" if room else "all rooms", str(found))

    def _report_derived(self, room: str | None, where: str, what: str) -> None:
        """Report a problem in data that is derived from the logs, with the advice to rebuild it.

        If the log itself is damaged, the advice is to restore a backup.
        """
        broken = self.broken_rooms if room is None else room in self.broken_rooms
        self._report(where, what, RESTORE if broken else REBUILD)

    def _room_of(self, found: Difference) -> str | None:
        match_id = found.key.get("match_id")
        query = sa.select(match_directory.c.room_id).where(match_directory.c.match_id == match_id)
        return None if match_id is None else self.connection.execute(query).scalar_one_or_none()


def first_difference(expected: Any, stored: Any) -> str | None:
    """Return the path of the first stored value that differs from the expected one, or None if none differs.

    Keys that `stored` lacks are ignored: they may be newer than the stored value.

    >>> first_difference({"a": 1, "b": [{"c": 2, "new": 0}]}, {"a": 1, "b": [{"c": 3}]})
    'b.0.c'
    """
    if isinstance(expected, dict) and isinstance(stored, dict):
        pairs = [(key, expected.get(key), value) for key, value in stored.items() if key in expected]
    elif isinstance(expected, list) and isinstance(stored, list) and len(expected) == len(stored):
        pairs = [(str(place), expected[place], value) for place, value in enumerate(stored)]
    else:
        return None if expected == stored else ""
    found = ((key, first_difference(one, other)) for key, one, other in pairs)
    return next((f"{key}.{inside}".rstrip(".") for key, inside in found if inside is not None), None)


_ROOMS = sa.select(rooms.c.id).order_by(rooms.c.id)
_ENTRIES = sa.select(
    room_events.c.seq,
    room_events.c.created_at,
    room_events.c.event_type,
    sa.cast(room_events.c.data, sa.Text),
    room_events.c.checksum,
).order_by(room_events.c.seq)
_SNAPSHOT_SEQ = sa.select(room_snapshots.c.seq).where(room_snapshots.c.room_id == sa.bindparam("of"))
_SNAPSHOT_STATE = sa.select(room_snapshots.c.state).where(room_snapshots.c.room_id == sa.bindparam("of"))
_MATCHES = (
    sa.select(matches.c.id).where(matches.c.room_id == sa.bindparam("of")).order_by(matches.c.started_at, matches.c.id)
)
