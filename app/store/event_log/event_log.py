"""Append entries to the rooms' event logs at an expected sequence number (seq), and read them.

A process commits the entries of all its rooms together: entries that arrive during one transaction share the next
transaction. Several appends therefore share one disk sync and one call to the writer thread. With one commit for each
append, a command of 20 rooms that act together takes 10.8 % more instructions and waits for 20 syncs. (AT_ONCE = 1,
`python -m tests.load.instructions`, short session of docs/measurements/optimisations.md, 2026-11-27.)

Two writers can't both append the same seq, in one process or in two: the primary key (room_id, seq) refuses the second.

This module sees entries only as kinds with JSON. The rooms package gives them their meaning.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeAlias

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
from app.store.db.bulk_insert import Row
from app.store.db.compiled import StatementRunner
from app.store.db.database import Database
from app.store.db.errors import is_dbapi_error, is_temporary_error
from app.store.db.schema import people, room_codes, room_events, room_snapshots, room_visits, rooms
from app.store.db.transactions import (
    dialect_insert,
    execute_in_transaction,
    run_in_transaction,
    run_with_driver,
    statement_runner,
)
from app.store.db.types import EncodedJson, check_text, encode_trusted
from app.store.event_log import history_writer as history
from app.store.event_log.checksum import checksum

logger = logging.getLogger(__name__)

MAX_BATCH: Final = 500
"""Largest number of appends in one transaction. Further appends wait for the next transaction."""
MAX_BATCH_WITH_FACTS: Final = 8
"""Largest number of appends with facts (ends of hands) in one transaction.

The end of a hand takes twenty statements, and the other rooms wait for them. This limit keeps a transaction at about 30
ms on SQLite. With a limit of 2, hands ended faster than they were written when 250 rooms played without pause: p99 was
2.9 s. With 8 it is 0.6 s, with a quarter more moves (2026-11-27, `python -m tests.load sat ours --rooms 250`).
"""
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
MAX_KNOWN_ROOMS: Final = 50_000
"""Largest number of rooms whose last seq is cached. Beyond it, the cache is cleared."""


class EventLogClosed(Exception):
    """Raised when entries are submitted to the event log after it was closed."""


BatchResult: TypeAlias = tuple[list[AppendResult], dict[str, int]]
"""The result of each append of a batch, and the last seq of each of its rooms."""
_BatchCallback: TypeAlias = Callable[[BatchResult | Exception], None]
NewRoomRows: TypeAlias = tuple[dict[str, Any], dict[str, Any], dict[str, Any] | None]
"""The rows of a new room: the room, its address, and its host's visit (None without a host)."""


class _Append(Struct, eq=False):
    """One caller's log entries for one room, checked and encoded, that wait to be written.

    `expected` is the number of the last entry that the caller knows; another one in the log is a conflict. `new_room`
    has the rows of a room to be created, else None. `sets_address`: a new address may be taken. `snapshot` and `facts`
    (writes to history and statistics) are saved along. `enqueued_at` is in event loop time. `on_done` gets the result.
    """

    room: str
    expected: int
    entries: list[Row]
    at: datetime
    """Time of the last entry."""
    new_room: NewRoomRows | None
    """Rows to insert if this append creates the room (then `expected` is 0), else None."""
    sets_address: bool
    """True if this append gives the room an address, which another room may already use."""
    snapshot: dict[str, Any] | None
    facts: list[history.Write]
    enqueued_at: float
    """When the append was submitted, in event loop time."""
    on_done: Callable[[AppendResult], None]

    @property
    def last_seq(self) -> int:
        return self.expected + len(self.entries)


class _Batch(Struct, eq=False):
    """The appends of several rooms to their logs that are written in one transaction.

    `known_last_seqs` caches the last entry number of rooms. It belongs to the log's `generation` and the writer's
    `connection` (a number); later ones may know other numbers. `retries` counts attempts after the database was
    unavailable.
    """

    appends: list[_Append]
    known_last_seqs: dict[str, int]
    """Cached last seqs of the batch's rooms. The database is asked for the missing ones."""
    generation: int
    """The log's `generation` when the batch was created."""
    connection: int
    """Number of the writer connection when the batch was created. `known_last_seqs` may be wrong on any other."""
    retries: int = 0
    """Number of retries because the database was unavailable."""


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
        """True while a batch is being written, or is scheduled for the next iteration of the event loop."""
        self._closing = False
        self._idle: asyncio.Future[None] | None = None
        """Set while `close` waits for the last batch."""
        self.generation = 0
        """Increases whenever a database connection was lost: the next server may lack the last entries."""
        self._connection = database.writer_connection
        """Number of the writer thread's connection when the last batch was created."""
        self._last_seqs: dict[str, int] = {}
        """Last seqs as this process committed them. If another process has written since, the primary key refuses the
        append.
        """
        self._facts_next = False
        """True if appends with facts go first into the next batch. They alternate with other appends."""
        self._statement_cache = database.statement_cache
        self._entry_insert = self._statement_cache.bulk_insert_for(room_events)
        self._pipeline = database.open_pipeline(
            self._entry_insert.prepared_statements(), "log writer", self._on_reconnect
        )
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
        at = first[0].at
        kept = {"id": check_text(room), "created_at": at, "active_at": at}
        code, invite = check_text(address.code), check_text(address.invite)
        addressed = {"code": code, "invite": invite, "room_id": room, "valid_from": at, "valid_until": None}
        visited = None if host is None else {"host": check_text(host), "in_room": room, "at": at}
        done: asyncio.Future[int] = self._loop.create_future()
        size = self._enqueue(
            room, 0, first, partial(_set_future_result, done), facts=facts, new_room=(kept, addressed, visited)
        )
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
        kept: asyncio.Future[int] = self._loop.create_future()
        self._enqueue(room, expected, entries, partial(_set_future_result, kept), facts=facts, snapshot=snapshot)
        return await kept

    def _on_reconnect(self) -> None:
        """Forget the cached last entry numbers: the database server that answers now may lack the last entries."""
        self._forget_last_seqs()

    def _forget_last_seqs(self) -> None:
        self._last_seqs.clear()
        self.generation += 1

    def _notice_new_connection(self) -> None:
        """Forget the cached last entry numbers if the writer thread has replaced its database connection."""
        before, self._connection = self._connection, self._database.writer_connection
        if before != self._connection:
            self._forget_last_seqs()

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
        new_room: NewRoomRows | None = None,
        facts: Sequence[Fact] = (),
        snapshot: dict[str, Any] | None = None,
    ) -> int:
        """Queue an append for the next transaction, and return the bytes of its entries and facts, roughly."""
        if self._closing:
            raise EventLogClosed
        if not entries:
            raise ValueError("there is nothing to append")
        # Check and encode here: an entry that can't be stored must not get into a transaction with other entries.
        data = [encode_trusted(entry.data) for entry in entries]
        encoded = enumerate(zip(entries, data, strict=True), expected + 1)
        append = _Append(
            room,
            expected,
            [self._entry_row(room, seq, *each) for seq, each in encoded],
            entries[-1].at,
            new_room,
            new_room is not None or AddressChanged in map(type, facts),
            None if snapshot is None else {"room_id": room, "seq": expected, "state": encode_trusted(snapshot)},
            history.build_writes(room, facts, self._statement_cache) if facts else [],
            self._loop.time(),
            done,
        )
        self._pending.append(append)
        if not self._writing:
            self._writing = True
            self._loop.call_soon(self._write_next_batch)  # so that appends of the same loop iteration share the batch
        return sum(map(_entry_size, data)) + BYTES_OF_A_FACT * len(facts)

    def _entry_row(self, room: str, seq: int, entry: NewEvent, data: EncodedJson) -> Row:
        check_text(room + entry.kind)
        told = checksum(room, seq, entry.at, entry.kind, data)
        return self._entry_insert.convert_row(room, seq, entry.at, entry.kind, data, told)

    def _write_next_batch(self) -> None:
        self._notice_new_connection()
        appends, self._pending = _choose_next_batch(self._pending, self._facts_next)
        self._writing = bool(appends)
        self._facts_next = bool(appends) and not appends[0].facts
        if appends:
            known = {
                append.room: self._last_seqs.pop(append.room) for append in appends if append.room in self._last_seqs
            }
            self._write_batch(_Batch(appends, known, self.generation, self._connection))

    def _write_batch(self, batch: _Batch) -> None:
        """Start to write a batch of appends in one transaction; `_finish_batch` gets the result.

        An unexpected error here is logged and counted, and fails this batch only.
        """
        told = self._database.track_write(partial(self._finish_batch, batch))
        try:
            plain = _entries_only_result(batch)
            if plain is None or not self._try_pipeline(batch, plain, told):
                self._database.run_on_writer_thread(partial(self._commit_batch, batch, plain), told)
        except Exception as error:
            logger.exception("writing a batch of entries failed")
            self._database.failed("log writer")
            self._loop.call_soon(told, error)

    def _try_pipeline(self, batch: _Batch, result: BatchResult, on_done: _BatchCallback) -> bool:
        """Send a batch that has log entries only through the PostgreSQL pipeline; return False if that is impossible.

        If the pipeline fails later, the writer thread writes the batch, each append for itself.
        """
        if self._pipeline is None:
            return False

        def answered(came: object) -> None:
            if isinstance(came, Exception):
                self._forget_last_seqs()  # the next server may lack entries of the lost server
                self._database.run_on_writer_thread(partial(self._commit_one_by_one, batch), on_done)
            else:
                on_done(result)

        return self._pipeline.submit(self._entry_insert.prepared_calls(_sorted_entry_rows(batch.appends)), answered)

    def _finish_batch(self, batch: _Batch, result: BatchResult | Exception) -> None:
        """Tell the callers of a batch its result and start the next batch, or retry if the database is unavailable.

        If only the answer to a commit was lost, the retry finds the batch's own entries in the log. The caller then
        gets `LogConflict`, and finds its entries when it reads the missing part of the log.
        """
        if isinstance(result, StorageUnavailable):
            self._forget_last_seqs()
        if (
            isinstance(result, StorageUnavailable)
            and batch.retries < len(RETRY_DELAYS)
            and self._is_within_retry_time(batch)
        ):
            self._loop.call_later(RETRY_DELAYS[batch.retries], self._write_batch, batch)
            batch.known_last_seqs, batch.generation, batch.retries = {}, self.generation, batch.retries + 1
            return
        outcomes: Sequence[AppendResult]
        if isinstance(result, Exception):
            outcomes = [result] * len(batch.appends)
        else:
            outcomes, heads = result
            if batch.generation == self.generation:  # else they may belong to another server
                if len(self._last_seqs) > MAX_KNOWN_ROOMS:
                    self._last_seqs.clear()
                self._last_seqs.update(heads)
        self._report_health(outcomes)
        if self._pending:
            self._write_next_batch()
        else:
            self._writing = self._facts_next = False
        self._notify_callers(batch, outcomes)

    def _report_health(self, outcomes: Sequence[AppendResult]) -> None:
        """Record in the database's health whether log entries can be saved.

        Conflicts with other writers are ignored: they do not show that.
        """
        for outcome in outcomes:
            if isinstance(outcome, int):
                self._database.health.save_succeeded("entries")
            elif not isinstance(outcome, StorageUnavailable | LogConflict | AddressTaken):
                self._database.health.save_refused("entries", outcome)

    def _notify_callers(self, batch: _Batch, outcomes: Sequence[AppendResult]) -> None:
        """Call `on_done` of each append of a batch with its result.

        An error in one callback is logged and counted; the others still run. `outcomes` has the new last entry number
        or the error of each append, in order.
        """
        with self._batch_context if len(outcomes) > 1 else NO_CONTEXT:
            for append, outcome in zip(batch.appends, outcomes, strict=True):
                try:
                    append.on_done(outcome)
                except Exception:
                    logger.exception("room %s: reporting a commit failed", append.room)
                    self._database.failed("log writer")
        if self._idle is not None and not self._writing:
            self._idle.set_result(None)

    def _is_within_retry_time(self, batch: _Batch) -> bool:
        """Return whether a failed batch may be tried again: its oldest append is younger than 8 seconds."""
        return self._loop.time() - min(append.enqueued_at for append in batch.appends) < GIVE_UP_SECONDS

    # In the writer thread

    def _commit_batch(self, batch: _Batch, entries_only_result: BatchResult | None, engine: sa.Engine) -> BatchResult:
        """Commit a batch of appends in one transaction; if the database refuses a part, commit each for itself.

        `entries_only_result` is the result of a batch of log entries alone, if it is known before; else None. If the
        connection was replaced, each append is committed for itself at once: the new server may lack the last entries.
        """
        if batch.known_last_seqs and not self._database.has_writer_connection(batch.connection):
            return self._commit_one_by_one(batch, engine)
        try:
            if entries_only_result is None:
                return run_with_driver(
                    engine,
                    self._statement_cache,
                    partial(self._insert_batch, batch=batch.appends, known=batch.known_last_seqs),
                )
            execute_in_transaction(engine, self._entry_insert.insert_statements(_sorted_entry_rows(batch.appends)))
        except StorageUnavailable:
            raise
        except Exception:
            return self._commit_one_by_one(batch, engine)
        return entries_only_result

    def _commit_one_by_one(self, batch: _Batch, engine: sa.Engine) -> BatchResult:
        return run_in_transaction(engine, lambda connection: self._insert_one_by_one(connection, batch.appends))

    def _insert_batch(self, runner: StatementRunner, batch: list[_Append], known: dict[str, int]) -> BatchResult:
        heads = _find_last_seqs(runner, batch, known)
        outcomes: list[AppendResult] = []
        accepted: list[_Append] = []
        for append in batch:
            refusal = _append_error(append, heads)
            if refusal is None:
                heads[append.room] = append.last_seq
                accepted.append(append)
            outcomes.append(refusal or append.last_seq)
        self._insert_appends(runner, accepted)
        return outcomes, heads

    def _insert_one_by_one(self, connection: sa.Connection, batch: list[_Append]) -> BatchResult:
        """Insert each append in a savepoint of one shared transaction, so that a refused append is undone alone.

        Returns the result of each append, and the last entry number of each room.
        """
        heads: dict[str, int] = {}
        outcomes: dict[_Append, AppendResult] = {}
        by_hand = statement_runner(connection)
        for append in sorted(batch, key=_append_room):
            outcome: AppendResult | None = None
            for _ in range(2):
                heads |= _find_last_seqs(by_hand, [append], {})
                outcome = _append_error(append, heads)
                if outcome is not None:
                    break
                try:
                    with connection.begin_nested():
                        self._insert_appends(by_hand, [append])
                    heads[append.room] = outcome = append.last_seq
                    break
                except Exception as error:
                    if is_temporary_error(error):
                        raise
                    # Either another process was faster (the second try reads the new last seq), or the code or
                    # invitation belongs to another room, or a fact is wrong and stays wrong.
                    outcome = error
                    if is_dbapi_error(error, "IntegrityError") and append.sets_address:
                        outcome = AddressTaken(append.room)
                    # another process holds the row's lock and is stalled
                    elif is_dbapi_error(error, "OperationalError"):
                        outcome = StorageUnavailable("another process is writing to this room")
                        break
            assert outcome is not None
            outcomes[append] = outcome
        return [outcomes[append] for append in batch], heads

    def _insert_appends(self, runner: StatementRunner, accepted: list[_Append]) -> None:
        for append in accepted:
            if append.new_room is not None:
                room, address, visited = append.new_room
                runner.execute(_insert_room, room)
                runner.execute(_insert_address, address)
                if visited is not None:
                    runner.execute(_insert_visit, visited)
        for statement in self._entry_insert.insert_statements(_sorted_entry_rows(accepted)):
            runner.run_bound(statement)
        for append in sorted(accepted, key=_append_room):
            if append.snapshot is not None:
                runner.execute(self._upsert_snapshot, append.snapshot)
            if append.facts or append.snapshot is not None:
                runner.execute(_update_active_at, {"of": append.room, "at": append.at})
        for append in accepted:
            for write in append.facts:
                write(runner)


def _set_future_result(future: "asyncio.Future[int]", outcome: AppendResult) -> None:
    """Set a caller's future to the result or error of its append, unless the caller was cancelled."""
    if future.done():
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)


def _entry_size(data: EncodedJson) -> int:
    """Return the bytes that a log entry with this data takes in the database, roughly."""
    return BYTES_BESIDE_DATA + (len(data) if data.isascii() else len(data.encode()))


def _append_room(append: _Append) -> str:
    return append.room


def _sorted_entry_rows(appends: Iterable[_Append]) -> list[Row]:
    """Return the log entries of several appends as rows ordered by room.

    With this order, two processes that write to the same rooms can't deadlock.
    """
    return [row for append in sorted(appends, key=_append_room) for row in append.entries]


def _choose_next_batch(waiting: Sequence[_Append], facts_first: bool) -> tuple[list[_Append], list[_Append]]:
    """Split the waiting appends into those for the next transaction and those that wait longer.

    Appends with facts get their own transactions, with a smaller limit. With `facts_first` they go first, if there are
    any. Appends of one room stay in their order.
    """
    if len(waiting) < 2:
        return [*waiting], []
    for whose in (facts_first, not facts_first):
        chosen: list[_Append] = []
        later: list[_Append] = []
        held: set[str] = set()
        for append in waiting:
            if (
                bool(append.facts) is whose
                and append.room not in held
                and len(chosen) < (MAX_BATCH_WITH_FACTS if whose else MAX_BATCH)
            ):
                chosen.append(append)
            else:
                later.append(append)
                held.add(append.room)
        if chosen:
            return chosen, later
    return [], []


def _entries_only_result(batch: _Batch) -> BatchResult | None:
    """Return the result that a batch of log entries only will have, if each append continues its room's last entry.

    None if it has anything else, or the cache does not know a last entry; then the database is asked.
    """
    heads = dict(batch.known_last_seqs)
    for append in batch.appends:
        if append.new_room or append.facts or append.snapshot or heads.get(append.room) != append.expected:
            return None
        heads[append.room] = append.last_seq
    return [append.last_seq for append in batch.appends], heads


def _append_error(append: _Append, last_seqs: dict[str, int]) -> Exception | None:
    head = last_seqs.get(append.room)
    if append.new_room is not None:
        return None if head is None else AddressTaken(append.room)
    return None if head == append.expected else LogConflict(append.expected, head or 0)


def _find_last_seqs(runner: StatementRunner, batch: list[_Append], known: dict[str, int]) -> dict[str, int]:
    """Return the last entry numbers of a batch's rooms before it is written.

    The database is asked only where an append disagrees with the cache `known`.
    """
    heads = dict(known)
    unsure: set[str] = set()
    for append in batch:
        if append.new_room is not None:
            continue  # a new room has no seq yet; if the room exists, the insert fails
        if heads.get(append.room) == append.expected:
            heads[append.room] = append.last_seq
        else:
            unsure.add(append.room)
    heads = {room: head for room, head in known.items() if room not in unsure}
    for room in sorted(unsure):
        found = runner.fetch_one_or_none(_last_seq, {"of": room})
        if found is not None:
            heads[room] = found.head
    return heads


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
