"""The logs of all rooms: append at an expected seq, and read.

A process commits for all its rooms together: entries that arrive while one transaction is written share the next one.
So many appends share one sync of the disk and one call to the thread that writes. With a commit for each append, a
command takes 10.8 % more instructions with 20 rooms that act together, and waits for 20 syncs (AT_ONCE = 1,
`python -m tests.load.instructions`, short run of docs/speed.md, 2026-11-27).

Two writers can't both append the same seq: the primary key (room, seq) decides, between rooms of one process and
between processes alike.

Entries are kinds with JSON here; what they mean is the rooms' business.
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
from app.rooms.ports.addresses import Address, Lead
from app.rooms.ports.facts import Fact, Readdressed
from app.rooms.ports.storage import AddressTaken, Kept, Loaded, LogConflict, NewEntry, StoredEntry, Unavailable
from app.store.db.bulk_insert import Row
from app.store.db.compiled import Scribe
from app.store.db.database import Database
from app.store.db.errors import is_a, is_unavailable
from app.store.db.schema import addresses, people, room_entry, room_snapshot, rooms, visits
from app.store.db.transactions import dictate, pour, scribe, transact, upserting
from app.store.db.types import check_text, encode_made
from app.store.event_log import history_writer as history
from app.store.event_log.checksum import checksum

logger = logging.getLogger(__name__)

AT_ONCE: Final = 500
"""Appends in one transaction: what arrives beyond that waits for the next."""
FACTS_AT_ONCE: Final = 8
"""Appends with facts in one transaction: ends of hands. Each is twenty statements, which the other rooms wait for, so
this limits the time of a transaction (some 30 ms on SQLite). With two of them hands ended faster than they were written
once 250 rooms played without pause, and the ends waited for seconds: p99 was 2.9 s; with eight it is 0.6 s, at a
quarter more moves (2026-11-27, `python -m tests.load sat ours --rooms 250`)."""
PATIENCE: Final = (0.05, 0.2, *(0.5,) * 16)
"""Seconds before each new try when the database is away. None is long, since a room stands still until the one after
the database has come back."""
GIVE_UP_SECONDS: Final = 8.0
"""How old an append may be that is tried again."""
ALONE: Final = nullcontext()
"""Entered where nobody minds how many are told of one commit."""
REMEMBERED: Final = 50_000
"""Rooms whose last seq is known without asking."""


class Closed(Exception):
    """This log takes no more entries."""


Written: TypeAlias = tuple[list[Kept], dict[str, int]]
"""What became of each append of a batch, and the last seqs of its rooms."""
_Told: TypeAlias = Callable[[Written | Exception], None]
Opened: TypeAlias = tuple[dict[str, Any], dict[str, Any], dict[str, Any] | None]
"""The row of a new room, that of its address, and who has been there, if anybody."""


class _Append(Struct, eq=False):
    """One caller's entries, ready to be written."""

    room: str
    expected: int
    entries: list[Row]
    at: datetime
    """When the last of them happened."""
    opened: Opened | None
    """The rows of a room that is new; its expected seq is 0."""
    addressed: bool
    """Whether it gives a room an address, which another room may have."""
    snapshot: dict[str, Any] | None
    facts: list[history.Write]
    asked: float
    """When, in the event loop's time."""
    done: Callable[[Kept], None]

    @property
    def last(self) -> int:
        return self.expected + len(self.entries)


class _Batch(Struct, eq=False):
    """Appends that share a transaction."""

    appends: list[_Append]
    known: dict[str, int]
    """Last seqs of its rooms, as far as they need not be looked up."""
    generation: int
    """That of the log when the batch was made."""
    connection: int
    """That of the writer thread when the batch was made: `known` may be wrong on another."""
    tries: int = 0
    """How often the database was away."""


class RoomLog:
    """Rooms in a database. Made on a running event loop; `close` it before the database."""

    def __init__(
        self,
        database: Database,
        together: AbstractContextManager[object] = ALONE,
    ) -> None:
        """`together` is entered while the rooms that share a commit hear of it."""
        self._database = database
        self._together_told = together
        self._loop = asyncio.get_running_loop()
        self._waiting: list[_Append] = []
        self._writing = False
        """Whether a batch is under way, or will be with the next turn of the loop."""
        self._closing = False
        self._idle: asyncio.Future[None] | None = None
        """Whoever closes the log waits for it."""
        self.generation = 0
        """Grows whenever a connection to the database was lost: the next server may lack the last entries."""
        self._connection = database.writer_connection
        """The writer thread's connection when a batch was last made."""
        self._heads: dict[str, int] = {}
        """Last seqs as this process committed them. Others may have gone on: then the primary key says so."""
        self._facts_next = False
        """Whether appends with facts have their turn, if there are any: after others, every other time."""
        self._spelling = database.spelling
        self._entries = self._spelling.inserts(room_entry)
        self._line = database.line(self._entries.prepared(), "log writer", self._connected)
        """To PostgreSQL: for batches that are nothing but entries."""
        self._upsert_snapshot = _upsert_snapshot(database.dialect)

    async def create(
        self,
        room: str,
        address: Address,
        first: Sequence[NewEntry],
        facts: Sequence[Fact] = (),
        *,
        host: str | None = None,
    ) -> None:
        """Keep a new room with its first entries, and that its host has been there; `AddressTaken` if its id, code or
        invitation is in use."""
        at = first[0].at
        kept = {"id": check_text(room), "created_at": at, "active_at": at}
        code, invite = check_text(address.code), check_text(address.invite)
        addressed = {"code": code, "invite": invite, "room": room, "since": at, "until": None}
        visited = None if host is None else {"host": check_text(host), "in_room": room, "at": at}
        done: asyncio.Future[int] = self._loop.create_future()
        self._put(room, 0, first, partial(_resolve, done), facts=facts, opened=(kept, addressed, visited))
        await done

    def submit(
        self,
        room: str,
        expected: int,
        entries: Sequence[NewEntry],
        done: Callable[[Kept], None],
        *,
        facts: Sequence[Fact] = (),
        snapshot: dict[str, Any] | None = None,
    ) -> None:
        """Append after `expected`; `done` is called with the new last seq, only after the commit.

        Or with `LogConflict` if the log has moved on (or if there is no such room), or with `Unavailable` if the
        database stays away: the entries may be in the log then, or not.
        """
        self._put(room, expected, entries, done, facts=facts, snapshot=snapshot)

    async def append(
        self,
        room: str,
        expected: int,
        entries: Sequence[NewEntry],
        facts: Sequence[Fact] = (),
        snapshot: dict[str, Any] | None = None,
    ) -> int:
        """Append, as `submit` does, for whoever waits; who is cancelled meanwhile can't know what became of it."""
        kept: asyncio.Future[int] = self._loop.create_future()
        self._put(room, expected, entries, partial(_resolve, kept), facts=facts, snapshot=snapshot)
        return await kept

    def _connected(self) -> None:
        """Forget how far the logs are: another server may answer now, which lacks the last entries."""
        self._forget_heads()

    def _forget_heads(self) -> None:
        self._heads.clear()
        self.generation += 1

    def _notice_new_connection(self) -> None:
        """Forget how far the logs are if the writer thread has replaced its connection."""
        before, self._connection = self._connection, self._database.writer_connection
        if before != self._connection:
            self._forget_heads()

    async def load_confirmed(self, room: str) -> Loaded | None:
        """Load a room from the server that accepts writes: a write is committed in the same transaction."""
        check_text(room)

        def work(connection: sa.Connection) -> Loaded | None:
            postgres = connection.dialect.name == "postgresql"
            if postgres and connection.exec_driver_sql("SELECT pg_is_in_recovery()").scalar_one():
                raise Unavailable("this PostgreSQL is a standby")
            connection.execute(_touch_nothing, {"of": room})
            return _loaded(connection, room, None)

        return await self._database.write(work)

    async def load(self, room: str, *, at_most: int | None = None) -> Loaded | None:
        """Read what opens a room; None if there is no such room.

        That is the newest snapshot and the entries after it, or the whole log if another version of the code made the
        snapshot. `at_most` is how many entries are read: then a snapshot of another version is used as it is, since
        the first entries of a long log would show the room as it was long ago.
        """
        return (await self.load_all((room,), at_most=at_most)).get(room)

    async def load_all(self, rooms: Sequence[str], *, at_most: int | None = None) -> dict[str, Loaded]:
        """The same of several rooms, in one go: those that there are."""
        for room in rooms:
            check_text(room)

        def work(connection: sa.Connection) -> dict[str, Loaded]:
            found = ((room, _loaded(connection, room, at_most)) for room in rooms)
            return {room: loaded for room, loaded in found if loaded is not None}

        return await self._database.read(work)

    async def read(self, room: str, after: int) -> list[StoredEntry]:
        """Everything after `after`, in order."""
        check_text(room)
        return await self._database.read(lambda connection: _entries(connection, room, after))

    async def heads(self, rooms: Collection[str]) -> dict[str, int]:
        """The last seq of each of these rooms that there are, in one go."""
        query = _last_seqs, {"ids": [check_text(room) for room in rooms]}
        return await self._database.read(lambda connection: {row.id: row.head for row in connection.execute(*query)})

    async def by_code(self, code: str) -> Lead | None:
        """Where a code leads, or once led."""
        return await self._lead(_by_code, code)

    async def by_invite(self, invite: str) -> Lead | None:
        """Where an invitation leads, or once led."""
        return await self._lead(_by_invite, invite)

    async def _lead(self, query: sa.Select[Any], address: str) -> Lead | None:
        found = await self._database.ask(query, asked=address)
        return Lead(*found[0]) if found else None

    async def close(self) -> None:
        """Commit what was asked for until now, and take no more."""
        self._closing = True
        if self._writing:
            self._idle = self._loop.create_future()
            await self._idle
        if self._line is not None:
            await self._line.close()

    # Writing

    def _put(
        self,
        room: str,
        expected: int,
        entries: Sequence[NewEntry],
        done: Callable[[Kept], None],
        *,
        opened: Opened | None = None,
        facts: Sequence[Fact] = (),
        snapshot: dict[str, Any] | None = None,
    ) -> None:
        if self._closing:
            raise Closed
        if not entries:
            raise ValueError("there is nothing to append")
        # Checked and encoded here, so that nothing that can't be kept gets into a transaction with others.
        append = _Append(
            room,
            expected,
            [self._row(room, seq, entry) for seq, entry in enumerate(entries, expected + 1)],
            entries[-1].at,
            opened,
            opened is not None or Readdressed in map(type, facts),
            None if snapshot is None else {"room": room, "seq": expected, "state": encode_made(snapshot)},
            history.prepare(facts, self._spelling) if facts else [],
            self._loop.time(),
            done,
        )
        self._waiting.append(append)
        if not self._writing:
            self._writing = True
            self._loop.call_soon(self._write_what_waits)  # with all that arrives in this iteration of the event loop

    def _row(self, room: str, seq: int, entry: NewEntry) -> Row:
        check_text(room + entry.kind)
        data = encode_made(entry.data)
        told = checksum(room, seq, entry.at, entry.kind, data)
        return self._entries.clean_row(room, seq, entry.at, entry.kind, data, told)

    def _write_what_waits(self) -> None:
        self._notice_new_connection()
        appends, self._waiting = _turn(self._waiting, self._facts_next)
        self._writing = bool(appends)
        self._facts_next = bool(appends) and not appends[0].facts
        if appends:
            known = {append.room: self._heads.pop(append.room) for append in appends if append.room in self._heads}
            self._write(_Batch(appends, known, self.generation, self._connection))

    def _write(self, batch: _Batch) -> None:
        """Write a batch. An unexpected error here is logged and counted, and refuses this batch alone."""
        told = self._database.begins(partial(self._written, batch))
        try:
            plain = _plain(batch)
            if plain is None or not self._goes_down_the_line(batch, plain, told):
                self._database.hand_over(partial(self._commit, batch, plain), told)
        except Exception as error:
            logger.exception("a batch of entries could not be written")
            self._database.failed("log writer")
            self._loop.call_soon(told, error)

    def _goes_down_the_line(self, batch: _Batch, plain: Written, told: _Told) -> bool:
        """Have a batch that is nothing but entries written without the thread, if it can be."""
        if self._line is None:
            return False

        def answered(came: object) -> None:
            if isinstance(came, Exception):
                self._forget_heads()  # the next server may know less than the one that was lost
                self._database.hand_over(partial(self._apart, batch), told)
            else:
                told(plain)

        return self._line.send(self._entries.named(_rows(batch.appends)), answered)

    def _written(self, batch: _Batch, came: Written | Exception) -> None:
        """Tell what became of a batch; it is tried again while the database is away.

        A commit whose answer was lost may be found done: then its own entries look like somebody else's, it is a
        `LogConflict`, and whoever reads what they missed will find them.
        """
        if isinstance(came, Unavailable):
            self._forget_heads()
        if isinstance(came, Unavailable) and batch.tries < len(PATIENCE) and self._is_young(batch):
            self._loop.call_later(PATIENCE[batch.tries], self._write, batch)
            batch.known, batch.generation, batch.tries = {}, self.generation, batch.tries + 1
            return
        outcomes: Sequence[Kept]
        if isinstance(came, Exception):
            outcomes = [came] * len(batch.appends)
        else:
            outcomes, heads = came
            if batch.generation == self.generation:  # else they may be those of another server
                if len(self._heads) > REMEMBERED:
                    self._heads.clear()
                self._heads.update(heads)
        self._note_health(outcomes)
        if self._waiting:
            self._write_what_waits()
        else:
            self._writing = self._facts_next = False
        self._tell(batch, outcomes)

    def _note_health(self, outcomes: Sequence[Kept]) -> None:
        """Tell whether entries can be saved; a conflict with other writers says nothing about that."""
        for outcome in outcomes:
            if isinstance(outcome, int):
                self._database.health.saved("entries")
            elif not isinstance(outcome, Unavailable | LogConflict | AddressTaken):
                self._database.health.refused("entries", outcome)

    def _tell(self, batch: _Batch, outcomes: Sequence[Kept]) -> None:
        """Call each append's `done`. An error of one is logged and counted, and the others are called all the same."""
        with self._together_told if len(outcomes) > 1 else ALONE:
            for append, outcome in zip(batch.appends, outcomes, strict=True):
                try:
                    append.done(outcome)
                except Exception:
                    logger.exception("room %s could not be told of a commit", append.room)
                    self._database.failed("log writer")
        if self._idle is not None and not self._writing:
            self._idle.set_result(None)

    def _is_young(self, batch: _Batch) -> bool:
        """Whether those who wait for it may wait longer: the first has come lately."""
        return self._loop.time() - min(append.asked for append in batch.appends) < GIVE_UP_SECONDS

    # In the thread that writes

    def _commit(self, batch: _Batch, plain: Written | None, engine: sa.Engine) -> Written:
        """All together; if something in it is refused by the database, again with a fresh look, each for itself.

        With a fresh look at once if the connection is another by now: its server may lack the last entries.
        """
        if batch.known and not self._database.has_writer_connection(batch.connection):
            return self._apart(batch, engine)
        try:
            if plain is None:
                return dictate(engine, self._spelling, partial(self._together, batch=batch.appends, known=batch.known))
            pour(engine, self._entries.statements(_rows(batch.appends)))
        except Unavailable:
            raise
        except Exception:
            return self._apart(batch, engine)
        return plain

    def _apart(self, batch: _Batch, engine: sa.Engine) -> Written:
        return transact(engine, lambda connection: self._one_by_one(connection, batch.appends))

    def _together(self, scribe: Scribe, batch: list[_Append], known: dict[str, int]) -> Written:
        heads = _heads(scribe, batch, known)
        outcomes: list[Kept] = []
        accepted: list[_Append] = []
        for append in batch:
            refusal = _refusal(append, heads)
            if refusal is None:
                heads[append.room] = append.last
                accepted.append(append)
            outcomes.append(refusal or append.last)
        self._insert(scribe, accepted)
        return outcomes, heads

    def _one_by_one(self, connection: sa.Connection, batch: list[_Append]) -> Written:
        """One transaction still, so one commit; what is refused is undone alone."""
        heads: dict[str, int] = {}
        outcomes: dict[_Append, Kept] = {}
        by_hand = scribe(connection)
        for append in sorted(batch, key=_by_room):
            outcome: Kept | None = None
            for _ in range(2):
                heads |= _heads(by_hand, [append], {})
                outcome = _refusal(append, heads)
                if outcome is not None:
                    break
                try:
                    with connection.begin_nested():
                        self._insert(by_hand, [append])
                    heads[append.room] = outcome = append.last
                    break
                except Exception as error:
                    if is_unavailable(error):
                        raise
                    # Another process was faster: the second look says where the log is. Or the code or the
                    # invitation is another room's. Or a fact is wrong, and remains so.
                    outcome = error
                    if is_a(error, "IntegrityError") and append.addressed:
                        outcome = AddressTaken(append.room)
                    elif is_a(error, "OperationalError"):  # another process has the row, and sleeps
                        outcome = Unavailable("another process is writing to this room")
                        break
            assert outcome is not None
            outcomes[append] = outcome
        return [outcomes[append] for append in batch], heads

    def _insert(self, scribe: Scribe, accepted: list[_Append]) -> None:
        for append in accepted:
            if append.opened is not None:
                room, address, visited = append.opened
                scribe.execute(_insert_room, room)
                scribe.execute(_insert_address, address)
                if visited is not None:
                    scribe.execute(_insert_visit, visited)
        for statement in self._entries.statements(_rows(accepted)):
            scribe.run(statement)
        for append in sorted(accepted, key=_by_room):
            if append.snapshot is not None:
                scribe.execute(self._upsert_snapshot, append.snapshot)
            if append.facts or append.snapshot is not None:
                scribe.execute(_touch, {"of": append.room, "at": append.at})
        for append in accepted:
            for write in append.facts:
                write(scribe)


def _resolve(future: "asyncio.Future[int]", kept: Kept) -> None:
    """Give the outcome to the caller, unless it was cancelled."""
    if future.done():
        return
    if isinstance(kept, Exception):
        future.set_exception(kept)
    else:
        future.set_result(kept)


def _by_room(append: _Append) -> str:
    return append.room


def _rows(appends: Iterable[_Append]) -> list[Row]:
    """Ordered by room: two processes that write to the same rooms wait for each other, never in a circle."""
    return [row for append in sorted(appends, key=_by_room) for row in append.entries]


def _turn(waiting: Sequence[_Append], facts: bool) -> tuple[list[_Append], list[_Append]]:
    """What goes into the next transaction, and what waits on: those with facts apart from the others, and few of them.

    `facts`: those have their turn, if there are any. Appends of one room stay in their order.
    """
    if len(waiting) < 2:
        return [*waiting], []
    for whose in (facts, not facts):
        chosen: list[_Append] = []
        later: list[_Append] = []
        held: set[str] = set()
        for append in waiting:
            if (
                bool(append.facts) is whose
                and append.room not in held
                and len(chosen) < (FACTS_AT_ONCE if whose else AT_ONCE)
            ):
                chosen.append(append)
            else:
                later.append(append)
                held.add(append.room)
        if chosen:
            return chosen, later
    return [], []


def _plain(batch: _Batch) -> Written | None:
    """What becomes of a batch that is nothing but entries, each where the log of its room is known to end."""
    heads = dict(batch.known)
    for append in batch.appends:
        if append.opened or append.facts or append.snapshot or heads.get(append.room) != append.expected:
            return None
        heads[append.room] = append.last
    return [append.last for append in batch.appends], heads


def _refusal(append: _Append, heads: dict[str, int]) -> Exception | None:
    head = heads.get(append.room)
    if append.opened is not None:
        return None if head is None else AddressTaken(append.room)
    return None if head == append.expected else LogConflict(append.expected, head or 0)


def _heads(scribe: Scribe, batch: list[_Append], known: dict[str, int]) -> dict[str, int]:
    """Last seqs of the rooms in a batch: as known where every append agrees with that, and looked up where not."""
    heads = dict(known)
    unsure: set[str] = set()
    for append in batch:
        if append.opened is not None:
            continue  # there is none yet: else the database refuses it
        if heads.get(append.room) == append.expected:
            heads[append.room] = append.last
        else:
            unsure.add(append.room)
    heads = {room: head for room, head in known.items() if room not in unsure}
    for room in sorted(unsure):
        found = scribe.one_or_none(_last_seq, {"of": room})
        if found is not None:
            heads[room] = found.head
    return heads


def _loaded(connection: sa.Connection, room: str, at_most: int | None) -> Loaded | None:
    found = connection.execute(_snapshot_of, {"of": room}).one_or_none()
    if found is None:
        return None
    if found.seq is None:
        return Loaded(None, _entries(connection, room, 0, at_most))
    if at_most is None and not snapshots.is_current(found.state):
        whole = _entries(connection, room, 0)
        if whole and whole[0].seq == 1:
            return Loaded(None, whole)
        # The beginning of this log is gone: the snapshot is all there is of it.
    return Loaded((found.seq, found.state), _entries(connection, room, found.seq, at_most))


def _entries(connection: sa.Connection, room: str, after: int, at_most: int | None = None) -> list[StoredEntry]:
    query = _entries_after if at_most is None else _entries_after.limit(at_most)
    found = connection.execute(query, {"of": room, "after": after})
    return [StoredEntry(seq, at, kind, data) for seq, at, kind, data in found]


_insert_room = rooms.insert()
_insert_address = addresses.insert()
_insert_visit = visits.insert().from_select(
    ["person_id", "room", "last_at"],
    # Of nobody, where whoever opened it is forgotten already.
    sa.select(
        people.c.id,
        sa.bindparam("in_room", type_=visits.c.room.type),
        sa.bindparam("at", type_=visits.c.last_at.type),
    ).where(people.c.id == sa.bindparam("host")),
)
_current = addresses.alias()
_lead = sa.select(addresses.c.room, _current.c.code, addresses.c.until.is_(None).label("current")).join(
    _current, sa.and_(_current.c.room == addresses.c.room, _current.c.until.is_(None))
)
_by_code = _lead.where(addresses.c.code == sa.bindparam("asked"))
_by_invite = _lead.where(addresses.c.invite == sa.bindparam("asked"))
_touch_nothing = rooms.update().where(rooms.c.id == sa.bindparam("of")).values(active_at=rooms.c.active_at)
_touch = rooms.update().where(rooms.c.id == sa.bindparam("of")).values(active_at=sa.bindparam("at"))
_heads_of = sa.select(
    rooms.c.id,
    # An index lookup for each room, however long its log is.
    sa.func.coalesce(
        sa.select(sa.func.max(room_entry.c.seq)).where(room_entry.c.room == rooms.c.id).scalar_subquery(), 0
    ).label("head"),
)
_last_seq = _heads_of.where(rooms.c.id == sa.bindparam("of"))
_last_seqs = _heads_of.where(rooms.c.id.in_(sa.bindparam("ids", expanding=True)))
_snapshot_of = (
    sa.select(room_snapshot.c.seq, room_snapshot.c.state)
    .select_from(rooms.outerjoin(room_snapshot))
    # Who has no address was let go of (room_cleanup.py): nobody opens that any more.
    .join(addresses, sa.and_(addresses.c.room == rooms.c.id, addresses.c.until.is_(None)))
    .where(rooms.c.id == sa.bindparam("of"))
)
_entries_after = (
    sa.select(room_entry.c.seq, room_entry.c.at, room_entry.c.kind, room_entry.c.data)
    .where(room_entry.c.room == sa.bindparam("of"), room_entry.c.seq > sa.bindparam("after"))
    .order_by(room_entry.c.seq)
)


def _upsert_snapshot(dialect: str) -> sa.Executable:
    insert = upserting(dialect, room_snapshot)
    upsert: sa.Executable = insert.on_conflict_do_update(
        index_elements=["room"],
        set_={"seq": insert.excluded.seq, "state": insert.excluded.state},
        where=room_snapshot.c.seq < insert.excluded.seq,
    )
    return upsert
