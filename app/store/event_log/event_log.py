"""Append entries to the rooms' event logs at an expected sequence number (seq), and read them.

A process commits the entries of all its rooms together. Entries that arrive during one transaction share the next one,
with one disk sync and one call to the writer thread. Each append has a
savepoint, so that the database can refuse it alone.

The primary key (room_id, seq) decides which of two writers appends an entry, in one process or in two. It refuses a
number that exists, and a number without an entry before it: then the statement's number is NULL.

This module sees entries only as kinds with JSON. The rooms package gives them their meaning.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, Final, TypeAlias, cast

import sqlalchemy as sa
from msgspec import Struct

from app.rooms.log import snapshots
from app.rooms.ports.addresses import Address, AddressLookup
from app.rooms.ports.facts import AddressChanged, Fact
from app.rooms.ports.storage import (
    AddressTaken,
    AppendResult,
    LoadedLog,
    LogConflict,
    NewEvent,
    StorageUnavailable,
    StoredEvent,
)
from app.store.db.bulk_insert import Statement
from app.store.db.compiled import StatementExecutor, Values
from app.store.db.database import Database
from app.store.db.errors import is_dbapi_error
from app.store.db.schema import people, room_codes, room_events, room_snapshots, room_visits, rooms
from app.store.db.transactions import dialect_insert, run_in_transaction, statement_executor
from app.store.db.types import EncodedJson, check_text, encode_trusted
from app.store.event_log import history_writer as history
from app.store.event_log.checksum import checksum

logger = logging.getLogger(__name__)

RETRY_DELAYS: Final = (0.05, 0.2, *(0.5,) * 16)
"""Seconds to wait before each retry while the database is unavailable.

All delays are short: a room can't continue until the first retry after the database has returned.
"""
GIVE_UP_SECONDS: Final = 8.0
"""Retries of a batch end when its oldest append has this age in seconds."""
NO_CONTEXT: Final = nullcontext()
"""Stands in for `batch_context` if none is given."""
BYTES_BESIDE_DATA: Final = 120
"""Bytes of an entry on the disk besides its data: keys, time, kind, checksum and index."""
BYTES_OF_A_FACT: Final = 1000
"""Bytes of the rows of a fact, such as the start of a match, in the history (`python -m tools soak --stranger`)."""


class EventLogClosed(Exception):
    """Raised when entries are submitted to the event log after it was closed."""


_BatchCallback: TypeAlias = Callable[[list[AppendResult] | Exception], None]


class _Append(Struct, eq=False):
    """One caller's log entries for one room, checked and encoded, that wait to be written."""

    room: str
    expected: int
    """The number of the last entry that the caller knows. Another one in the log is a conflict."""
    last_seq: int
    """The number of the append's last entry."""
    statements: list[Statement]
    """Insert the entries, a new room and a snapshot."""
    facts: list[history.Write]
    """Write the history and the statistics."""
    opens_room: bool
    """Whether the append creates the room."""
    sets_address: bool
    """Whether the append gives the room an address, which another room may already use."""
    enqueued_at: float
    """When the append was submitted, in event loop time."""
    on_done: Callable[[AppendResult], None]

    def write(self, executor: StatementExecutor) -> int:
        """Run all statements in the caller's transaction, and return the number of the last entry."""
        for statement in self.statements:
            executor.run_bound(statement)
        for write in self.facts:
            write(executor)
        return self.last_seq


class EventLog:
    """The event logs of all rooms in one database, written in shared transactions.

    Create the log in a running event loop, and `close` it before the database.
    """

    def __init__(
        self,
        database: Database,
        batch_context: AbstractContextManager[object] = NO_CONTEXT,
    ) -> None:
        """Prepare the log. `batch_context` is entered while the callers of a shared commit are notified."""
        self._database = database
        self._batch_context = batch_context
        self._loop = asyncio.get_running_loop()
        self._pending: list[_Append] = []
        self._writing = False
        """True while appends are being written, or are scheduled for the next iteration of the event loop."""
        self._closing = False
        self._idle: asyncio.Future[None] | None = None
        """Set while `close` waits for the last appends."""
        self._statement_cache = database.statement_cache
        inserts = [self._statement_cache.compiled(each) for each in (_insert_first_entry, _insert_next_entry)]
        self._prepared_names = {each.text: f"append_{n}" for n, each in enumerate(inserts)}
        prepared = {self._prepared_names[each.text]: each.sql_for_prepare() for each in inserts}
        self._pipeline = database.open_pipeline(prepared, "log writer")
        """Direct connection to PostgreSQL for batches of entries only; None on SQLite."""
        self._upsert_snapshot = _build_snapshot_upsert(database.dialect)

    async def create(
        self,
        room: str,
        address: Address,
        first: Sequence[NewEvent],
        facts: Sequence[Fact] = (),
        *,
        host: str | None = None,
    ) -> int:
        """Save a new room: the room, its address, its first log entries, facts, and a visit of its host.

        Returns the bytes that it takes in the database, roughly. Raises `AddressTaken` if the room's id, code or
        invitation is already used.
        """
        at, compiled = first[0].at, self._statement_cache.compiled
        addressed = {"code": address.code, "invite": address.invite, "room_id": room, "valid_from": at}
        opening = [
            compiled(_insert_room).bind({"id": room, "created_at": at, "active_at": at}),
            compiled(_insert_address).bind({**addressed, "valid_until": None}),
        ]
        if host is not None:
            opening.append(compiled(_insert_visit).bind({"host": host, "in_room": room, "at": at}))
        done: asyncio.Future[int] = self._loop.create_future()
        size = self._enqueue(room, 0, first, partial(_set_future_result, done), facts=facts, opening=opening)
        await done
        return size

    def submit(
        self,
        room: str,
        expected: int,
        entries: Sequence[NewEvent],
        on_done: Callable[[AppendResult], None],
        *,
        facts: Sequence[Fact] = (),
        snapshot: dict[str, Any] | None = None,
    ) -> int:
        """Queue entries to be appended to a room's log after entry `expected`; call `on_done` with the result.

        Returns the bytes that entries and facts take in the database, roughly. The result for `on_done` is the new last
        entry number, after the commit. It is `LogConflict` if the log has another last entry, or the room does not
        exist. It is `StorageUnavailable` if the database stays unavailable: then the entries may or may not be in the
        log. `facts` and `snapshot` are stored in the same transaction.
        """
        return self._enqueue(room, expected, entries, on_done, facts=facts, snapshot=snapshot)

    async def append(
        self,
        room: str,
        expected: int,
        entries: Sequence[NewEvent],
        facts: Sequence[Fact] = (),
        snapshot: dict[str, Any] | None = None,
    ) -> int:
        """Append entries to a room's log after entry `expected`, wait for the commit, and return the new last number.

        `facts` and `snapshot` are stored in the same transaction. Raises the errors of `submit`. If the caller is
        cancelled while it waits, the entries may still be written.
        """
        saved: asyncio.Future[int] = self._loop.create_future()
        self._enqueue(room, expected, entries, partial(_set_future_result, saved), facts=facts, snapshot=snapshot)
        return await saved

    @property
    def generation(self) -> int:
        """Number of connections to the database so far. The next server may lack the last entries."""
        return self._database.writer_connections + self._database.health.background_connections

    async def load_confirmed(self, room: str) -> LoadedLog | None:
        """Load a room's log from the database server that accepts writes; None if the room does not exist.

        A write in the same transaction confirms it. Raises `StorageUnavailable` if the PostgreSQL server is a standby.
        """
        check_text(room)

        def work(connection: sa.Connection) -> LoadedLog | None:
            postgres = connection.dialect.name == "postgresql"
            if postgres and connection.exec_driver_sql("SELECT pg_is_in_recovery()").scalar_one():
                raise StorageUnavailable("this PostgreSQL is a standby")
            connection.execute(_update_room_unchanged, {"of": room})
            return _load_room(connection, room, None)

        return _refuse_newer_log(await self._database.write(work))

    async def load(self, room: str, *, at_most: int | None = None) -> LoadedLog | None:
        """Load a room's newest snapshot and the entries after it from the database; None if the room does not exist.

        The whole log is loaded if the snapshot's format is older, unless the log's first entries were deleted. A
        snapshot in a newer format raises `NewerLog`. With `at_most`, any snapshot is used, and only that many entries
        after it are loaded. The room's state may then be older than the newest.
        """
        loaded = (await self.load_all((room,), at_most=at_most)).get(room)
        return _refuse_newer_log(loaded) if at_most is None else loaded

    async def load_all(self, rooms: Sequence[str], *, at_most: int | None = None) -> dict[str, LoadedLog]:
        """Load several rooms in one read, as `load` does; return the loaded logs by room id.

        Rooms that do not exist are left out. `at_most` limits the number of entries for each room.
        """
        for room in rooms:
            check_text(room)

        def work(connection: sa.Connection) -> dict[str, LoadedLog]:
            found = ((room, _load_room(connection, room, at_most)) for room in rooms)
            return {room: loaded for room, loaded in found if loaded is not None}

        return await self._database.read(work)

    async def read(self, room: str, after: int) -> list[StoredEvent]:
        """Return all entries of a room's log after number `after`, in order.

        Empty if the log has no later entries, or if the room does not exist.
        """
        check_text(room)
        return await self._database.read(lambda connection: _read_entries(connection, room, after))

    async def read_last_seqs(self, rooms: Collection[str]) -> dict[str, int]:
        """Return the last entry number of each of these rooms, in one read.

        Rooms that do not exist are left out.
        """
        query = _last_seqs, {"ids": [check_text(room) for room in rooms]}
        return await self._database.read(lambda connection: {row.id: row.head for row in connection.execute(*query)})

    async def by_code(self, code: str) -> AddressLookup | None:
        """Return the room that has, or once had, this code, and whether the code is current; None if unknown."""
        return await self._find_room_by_address(_by_code, code)

    async def by_invite(self, invite: str) -> AddressLookup | None:
        """Return the room that has, or once had, this invitation, and whether it is current; None if unknown."""
        return await self._find_room_by_address(_by_invite, invite)

    async def _find_room_by_address(self, query: sa.Select[Any], address: str) -> AddressLookup | None:
        found = await self._database.fetch_all(query, asked=address)
        return AddressLookup(*found[0]) if found else None

    async def close(self) -> None:
        """Commit all submitted appends, refuse further ones, and close the pipeline to PostgreSQL."""
        self._closing = True
        if self._writing:
            self._idle = self._loop.create_future()
            await self._idle
        if self._pipeline is not None:
            await self._pipeline.close()

    # Writing

    def _enqueue(
        self,
        room: str,
        expected: int,
        entries: Sequence[NewEvent],
        done: Callable[[AppendResult], None],
        *,
        opening: Sequence[Statement] = (),
        facts: Sequence[Fact] = (),
        snapshot: dict[str, Any] | None = None,
    ) -> int:
        """Queue an append for the next transaction, and return the bytes of its entries and facts, roughly.

        `opening`: the statements that create the room.
        """
        if self._closing:
            raise EventLogClosed
        if not entries:
            raise ValueError("there is nothing to append")
        # Check and encode here: an entry that can't be stored must not get into a transaction with other entries.
        compiled = self._statement_cache.compiled
        statements, size, seq = [*opening], BYTES_OF_A_FACT * len(facts), expected
        for seq, entry in enumerate(entries, expected + 1):
            data = encode_trusted(entry.data)
            size += BYTES_BESIDE_DATA + (len(data) if data.isascii() else len(data.encode()))
            statements.append(self._bind_entry(room, seq, entry, data))
        if snapshot is not None:
            state = {"room_id": room, "seq": expected, "state": encode_trusted(snapshot)}
            statements.append(compiled(self._upsert_snapshot).bind(state))
        if facts or snapshot is not None:
            statements.append(compiled(_update_active_at).bind({"of": room, "at": entries[-1].at}))
        append = _Append(
            room,
            expected,
            seq,
            statements,
            history.build_writes(room, facts, self._statement_cache) if facts else [],
            bool(opening),
            bool(opening) or AddressChanged in map(type, facts),
            self._loop.time(),
            done,
        )
        self._pending.append(append)
        if not self._writing:
            self._writing = True
            self._loop.call_soon(self._write_pending)  # to share it with others of this loop iteration
        return size

    def _bind_entry(self, room: str, seq: int, entry: NewEvent, data: EncodedJson) -> Statement:
        insert = _insert_first_entry if seq == 1 else _insert_next_entry
        check_text(room + entry.kind)
        values = {"room": room, "before": seq - 1, "at": entry.at, "kind": entry.kind, "json": data}
        values["told"] = checksum(room, seq, entry.at, entry.kind, data)
        return self._statement_cache.compiled(insert).bind(values)

    def _write_pending(self) -> None:
        # In the order of the rooms, two processes that write to the same rooms can't deadlock.
        batch, self._pending = sorted(self._pending, key=_append_room), []
        self._writing = bool(batch)
        if batch:
            self._write_batch(batch)

    def _write_batch(self, batch: list[_Append], retries: int = 0) -> None:
        reported = self._database.track_write(partial(self._finish_batch, batch, retries))
        if not self._try_pipeline(batch, reported):
            self._database.run_on_writer_thread(partial(_write_appends, batch), reported)

    def _try_pipeline(self, batch: list[_Append], on_done: _BatchCallback) -> bool:
        """Send the statements of a batch through the PostgreSQL pipeline; return False if that is impossible.

        If the database refuses any of them, or the connection is lost, the writer thread runs all of them again.
        """
        statements = [statement for append in batch for statement in append.statements]
        if (
            self._pipeline is None
            or any(append.facts for append in batch)
            or any(text not in self._prepared_names for text, _ in statements)
        ):
            return False
        calls = [(self._prepared_names[text], [*cast("Values", values).values()]) for text, values in statements]

        def answered(result: object) -> None:
            if isinstance(result, Exception):
                self._database.run_on_writer_thread(partial(_write_appends, batch), on_done)
            else:
                on_done([append.last_seq for append in batch])

        return self._pipeline.submit(calls, answered)

    def _finish_batch(self, batch: list[_Append], retries: int, result: list[AppendResult] | Exception) -> None:
        """Tell the callers of a batch its result and start the next batch, or retry if the database is unavailable.

        If only the answer to a commit was lost, the retry finds the batch's own entries in the log. The caller then
        gets `LogConflict`, and finds its entries when it reads the missing part of the log.
        """
        oldest = min(append.enqueued_at for append in batch)
        if (
            isinstance(result, StorageUnavailable)
            and retries < len(RETRY_DELAYS)
            and self._loop.time() - oldest < GIVE_UP_SECONDS
        ):
            self._loop.call_later(RETRY_DELAYS[retries], self._write_batch, batch, retries + 1)
            return
        results = [result] * len(batch) if isinstance(result, Exception) else result
        self._report_health(results)
        self._write_pending()
        self._notify_callers(batch, results)

    def _report_health(self, results: Sequence[AppendResult]) -> None:
        """Record in the database's health whether log entries can be saved.

        Conflicts with other writers are ignored: they do not show that.
        """
        for result in results:
            if isinstance(result, int):
                self._database.health.save_succeeded("entries")
            elif not isinstance(result, StorageUnavailable | LogConflict | AddressTaken):
                self._database.health.save_refused("entries", result)

    def _notify_callers(self, batch: list[_Append], results: Sequence[AppendResult]) -> None:
        """Call `on_done` of each append of a batch with its result.

        An error in one callback is logged and counted; the others still run. `results` has the new last entry number
        or the error of each append, in order.
        """
        with self._batch_context if len(results) > 1 else NO_CONTEXT:
            for append, result in zip(batch, results, strict=True):
                try:
                    append.on_done(result)
                except Exception:
                    logger.exception("room %s: reporting a commit failed", append.room)
                    self._database.failed("log writer")
        if self._idle is not None and not self._writing:
            self._idle.set_result(None)


def _write_appends(batch: list[_Append], engine: sa.Engine) -> list[AppendResult]:
    """Write appends in one transaction, and return the result of each. Runs in the writer thread."""

    def work(connection: sa.Connection) -> list[AppendResult]:
        executor = statement_executor(connection)
        return [_write_append(executor, append) for append in batch]

    return run_in_transaction(engine, work)


def _write_append(executor: StatementExecutor, append: _Append) -> AppendResult:
    """Write an append in the caller's transaction. If the database refuses it, undo it and return the reason."""
    result = executor.attempt(append.write)
    if isinstance(result, int):
        return result
    if is_dbapi_error(result, "OperationalError"):  # another process holds the row's lock and is stalled
        return StorageUnavailable("another process is writing to this room")
    if not is_dbapi_error(result, "IntegrityError"):
        return result
    if not append.opens_room:
        found = executor.fetch_one_or_none(_last_seq, {"of": append.room})
        if found is None or found.head != append.expected:
            return LogConflict(append.expected, 0 if found is None else found.head)
    return AddressTaken(append.room) if append.sets_address else result


def _set_future_result(future: "asyncio.Future[int]", result: AppendResult) -> None:
    """Set a caller's future to the result or error of its append, unless the caller was cancelled."""
    if future.done():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)


def _append_room(append: _Append) -> str:
    return append.room


def _refuse_newer_log(loaded: LoadedLog | None) -> LoadedLog | None:
    """Return the log. Raises `NewerLog` if a newer version of the program wrote its snapshot."""
    if loaded is not None and loaded.snapshot is not None:
        snapshots.refuse_newer_format(loaded.snapshot[1])
    return loaded


def _load_room(connection: sa.Connection, room: str, at_most: int | None) -> LoadedLog | None:
    found = connection.execute(_snapshot_of, {"of": room}).one_or_none()
    if found is None:
        return None
    if found.seq is None:
        return LoadedLog(None, _read_entries(connection, room, 0, at_most))
    if at_most is None and snapshots.is_newer_format(found.state):
        return LoadedLog((found.seq, found.state), [])  # refused after the transaction
    if at_most is None and not snapshots.is_current_format(found.state):
        whole = _read_entries(connection, room, 0)
        if whole and whole[0].seq == 1:
            return LoadedLog(None, whole)
        # The first entries of this log were deleted, so the room can only be loaded from its snapshot.
    return LoadedLog((found.seq, found.state), _read_entries(connection, room, found.seq, at_most))


def _read_entries(connection: sa.Connection, room: str, after: int, at_most: int | None = None) -> list[StoredEvent]:
    query = _entries_after if at_most is None else _entries_after.limit(at_most)
    found = connection.execute(query, {"of": room, "after": after})
    return [StoredEvent(seq, at, kind, data) for seq, at, kind, data in found]


_insert_first_entry = room_events.insert().values(
    room_id=sa.bindparam("room"),
    seq=sa.bindparam("before", type_=room_events.c.seq.type) + 1,
    created_at=sa.bindparam("at"),
    event_type=sa.bindparam("kind"),
    data=sa.bindparam("json"),
    checksum=sa.bindparam("told"),
)
_seq_after = sa.select(room_events.c.seq + 1).where(
    room_events.c.room_id == sa.bindparam("room"), room_events.c.seq == sa.bindparam("before")
)
_insert_next_entry = _insert_first_entry.values(seq=_seq_after.scalar_subquery())
_insert_room = rooms.insert()
_insert_address = room_codes.insert()
_insert_visit = room_visits.insert().from_select(
    ["room_id", "person_id", "last_visited_at"],
    # Inserts nothing if the host was deleted in the meantime.
    sa.select(
        sa.bindparam("in_room", type_=room_visits.c.room_id.type),
        people.c.id,
        sa.bindparam("at", type_=room_visits.c.last_visited_at.type),
    ).where(people.c.id == sa.bindparam("host")),
)
_current = room_codes.alias()
_select_room_by_address = sa.select(
    room_codes.c.room_id, _current.c.code, room_codes.c.valid_until.is_(None).label("current")
).join(_current, sa.and_(_current.c.room_id == room_codes.c.room_id, _current.c.valid_until.is_(None)))
_by_code = _select_room_by_address.where(room_codes.c.code == sa.bindparam("asked"))
_by_invite = _select_room_by_address.where(room_codes.c.invite == sa.bindparam("asked"))
_update_room_unchanged = rooms.update().where(rooms.c.id == sa.bindparam("of")).values(active_at=rooms.c.active_at)
_update_active_at = rooms.update().where(rooms.c.id == sa.bindparam("of")).values(active_at=sa.bindparam("at"))
_heads_of = sa.select(
    rooms.c.id,
    # One index lookup for each room, independent of the log's length.
    sa.func.coalesce(
        sa.select(sa.func.max(room_events.c.seq)).where(room_events.c.room_id == rooms.c.id).scalar_subquery(), 0
    ).label("head"),
)
_last_seq = _heads_of.where(rooms.c.id == sa.bindparam("of"))
_last_seqs = _heads_of.where(rooms.c.id.in_(sa.bindparam("ids", expanding=True)))
_snapshot_of = (
    sa.select(room_snapshots.c.seq, room_snapshots.c.state)
    .select_from(rooms.outerjoin(room_snapshots))
    # Rooms without an address were deleted (room_cleanup.py) and can't be opened.
    .join(room_codes, sa.and_(room_codes.c.room_id == rooms.c.id, room_codes.c.valid_until.is_(None)))
    .where(rooms.c.id == sa.bindparam("of"))
)
_entries_after = (
    sa.select(room_events.c.seq, room_events.c.created_at, room_events.c.event_type, room_events.c.data)
    .where(room_events.c.room_id == sa.bindparam("of"), room_events.c.seq > sa.bindparam("after"))
    .order_by(room_events.c.seq)
)


def _build_snapshot_upsert(dialect: str) -> sa.Executable:
    insert = dialect_insert(dialect, room_snapshots)
    upsert: sa.Executable = insert.on_conflict_do_update(
        index_elements=["room_id"],
        set_={"seq": insert.excluded.seq, "state": insert.excluded.state},
        where=room_snapshots.c.seq < insert.excluded.seq,
    )
    return upsert
