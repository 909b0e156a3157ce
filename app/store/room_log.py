"""The logs of all rooms: append at an expected seq, and read.

One task per process commits for all its rooms together: whatever arrived while the last transaction was written goes
into the next one, so that many appends share the cost of one commit. Two writers can't both append the same
seq: the primary key (room, seq) decides, between rooms of one process and between processes alike.

Entries are kinds with JSON here; what they mean is the rooms' business.
"""

import asyncio
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from app.rooms.ports import CodeTaken, Fact, Loaded, LogConflict, NewEntry, StoredEntry

from . import facts as history
from .columns import check_text, check_time, encode
from .database import Database, Unavailable, is_unavailable, upserting
from .tables import room_entry, room_snapshot, rooms

AT_ONCE: Final = 500
"""Appends in one transaction: what arrives beyond that waits for the next."""
PATIENCE: Final = (0.05, 0.2, 0.5, 1.0, 2.0, 4.0)
"""Seconds before each new try when the database is away."""
REMEMBERED: Final = 50_000
"""Rooms whose last seq is known without asking."""


class Closed(Exception):
    """This log takes no more entries."""


Written: TypeAlias = int | Exception
"""The new last seq, or why there is none."""


@dataclass(slots=True, eq=False)
class _Append:
    """One caller's entries, ready to be written."""

    code: str
    expected: int
    entries: list[dict[str, Any]]
    room: dict[str, Any] | None
    """The row of a room that is new; its expected seq is 0."""
    snapshot: dict[str, Any] | None
    facts: list[history.Rows]
    done: "asyncio.Future[int]"

    @property
    def last(self) -> int:
        return self.expected + len(self.entries)


class RoomLog:
    """Rooms in a database. Made on a running event loop; `close` it before the database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[_Append] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._heads: dict[str, int] = {}
        """Last seqs as this process committed them. Others may have gone on: then the primary key says so."""
        self._upsert_snapshot = _upsert_snapshot(database.dialect)
        self._task = asyncio.create_task(self._run(), name="room log")

    async def create(self, code: str, invite: str, first: Sequence[NewEntry]) -> None:
        """Keep a new room with its first entries; `CodeTaken` if the code or the invitation is in use."""
        at = first[0].at
        room = {"code": check_text(code), "invite": check_text(invite), "created_at": at, "active_at": at}
        await self._commit(code, 0, first, room=room)

    async def append(
        self,
        code: str,
        expected: int,
        entries: Sequence[NewEntry],
        facts: Sequence[Fact] = (),
        snapshot: dict[str, Any] | None = None,
    ) -> int:
        """Append after `expected`; returns the new last seq, only after the commit.

        `LogConflict` if the log has moved on (or if there is no such room). `Unavailable` if the database stays
        away: the entries may be in the log then, or not. Who is cancelled while waiting knows no more than that either.
        """
        return await self._commit(code, expected, entries, facts=facts, snapshot=snapshot)

    async def load(self, code: str, *, at_most: int | None = None) -> Loaded | None:
        """The newest snapshot and what came after it (`at_most` so much); None if there is no such room."""
        check_text(code)

        def work(connection: sa.Connection) -> Loaded | None:
            found = connection.execute(_snapshot_of, {"of": code}).one_or_none()
            if found is None:
                return None
            snapshot = None if found.seq is None else (found.seq, found.state)
            return Loaded(snapshot, _entries(connection, code, found.seq or 0, at_most))

        return await self._database.read(work)

    async def read(self, code: str, after: int) -> list[StoredEntry]:
        """Everything after `after`, in order."""
        check_text(code)
        return await self._database.read(lambda connection: _entries(connection, code, after))

    async def by_invite(self, invite: str) -> str | None:
        """The code of the room that this invitation opens."""
        query = sa.select(rooms.c.code).where(rooms.c.invite == check_text(invite))
        return await self._database.read(lambda connection: connection.execute(query).scalar_one_or_none())

    async def close(self) -> None:
        """Commit what was asked for until now, and take no more."""
        self._closing = True
        self._wake.set()
        await asyncio.wait({self._task})

    # Writing

    async def _commit(
        self,
        code: str,
        expected: int,
        entries: Sequence[NewEntry],
        *,
        room: dict[str, Any] | None = None,
        facts: Sequence[Fact] = (),
        snapshot: dict[str, Any] | None = None,
    ) -> int:
        if self._closing:
            raise Closed
        if not entries:
            raise ValueError("there is nothing to append")
        check_text(code)
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        # Checked and encoded here, so that nothing that can't be kept gets into a transaction with others.
        append = _Append(
            code,
            expected,
            [
                {
                    "room": code,
                    "seq": seq,
                    "at": check_time(entry.at),
                    "kind": check_text(entry.kind),
                    "data": encode(entry.data),
                }
                for seq, entry in enumerate(entries, expected + 1)
            ],
            room,
            None if snapshot is None else {"room": code, "seq": expected, "state": encode(snapshot)},
            history.prepare(facts, self._database.dialect),
            done,
        )
        self._waiting.append(append)
        self._wake.set()
        return await done

    async def _run(self) -> None:
        try:
            await self._commit_what_comes()
        finally:  # cancelled, with the whole program
            self._closing = True
            for append in self._waiting:
                append.done.cancel()

    async def _commit_what_comes(self) -> None:
        while True:
            if not self._waiting:
                if self._closing:
                    return
                self._wake.clear()
                await self._wake.wait()
                continue
            batch, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
            try:
                outcomes = await self._write(batch)
            except Exception as error:  # whatever it was, nobody may wait for ever
                outcomes = [error] * len(batch)
            for append, outcome in zip(batch, outcomes, strict=True):
                if append.done.done():  # cancelled meanwhile
                    continue
                if isinstance(outcome, Exception):
                    append.done.set_exception(outcome)
                else:
                    append.done.set_result(outcome)

    async def _write(self, batch: list[_Append]) -> list[Written]:
        """Commit a batch, trying again while the database is away.

        A commit whose answer was lost may be found done: then its own entries look like somebody else's, it is a
        `LogConflict`, and whoever reads what they missed will find them.
        """
        known = {append.code: head for append in batch if (head := self._heads.pop(append.code, None)) is not None}
        for pause in (*PATIENCE, None):
            try:
                outcomes, heads = await self._once(batch, known)
            except Unavailable:
                if pause is None:
                    raise
                known = {}
                await asyncio.sleep(pause)
            else:
                if len(self._heads) > REMEMBERED:
                    self._heads.clear()
                self._heads.update(heads)
                return outcomes
        raise AssertionError

    async def _once(self, batch: list[_Append], known: dict[str, int]) -> "tuple[list[Written], dict[str, int]]":
        """All together; if something in it is refused by the database, again with a fresh look, each for itself."""
        try:
            return await self._database.write(lambda connection: self._together(connection, batch, known))
        except Unavailable:
            raise
        except Exception:
            return await self._database.write(lambda connection: self._one_by_one(connection, batch))

    def _together(
        self, connection: sa.Connection, batch: list[_Append], known: dict[str, int]
    ) -> tuple[list[Written], dict[str, int]]:
        heads = _heads(connection, batch, known)
        outcomes: list[Written] = []
        accepted: list[_Append] = []
        for append in batch:
            refusal = _refusal(append, heads)
            if refusal is None:
                heads[append.code] = append.last
                accepted.append(append)
            outcomes.append(refusal or append.last)
        self._insert(connection, accepted)
        return outcomes, heads

    def _one_by_one(self, connection: sa.Connection, batch: list[_Append]) -> tuple[list[Written], dict[str, int]]:
        """One transaction still, so one commit; what is refused is undone alone."""
        heads: dict[str, int] = {}
        outcomes: dict[_Append, Written] = {}
        for append in sorted(batch, key=_by_room):
            outcome: Written | None = None
            for _ in range(2):
                heads |= _heads(connection, [append], {})
                outcome = _refusal(append, heads)
                if outcome is not None:
                    break
                try:
                    with connection.begin_nested():
                        self._insert(connection, [append])
                    heads[append.code] = outcome = append.last
                    break
                except Exception as error:
                    if isinstance(error, sa.exc.DBAPIError) and is_unavailable(error):
                        raise
                    # Another process was faster: the second look says where the log is. Or the code or the
                    # invitation is another room's. Or a fact is wrong, and remains so.
                    outcome = error
                    if isinstance(error, sa.exc.IntegrityError) and append.room is not None:
                        outcome = CodeTaken(append.code)
                    elif isinstance(error, sa.exc.OperationalError):  # another process has the row, and sleeps
                        outcome = Unavailable("another process is writing to this room")
                        break
            assert outcome is not None
            outcomes[append] = outcome
        return [outcomes[append] for append in batch], heads

    def _insert(self, connection: sa.Connection, accepted: list[_Append]) -> None:
        if not accepted:
            return
        new_rooms = [append.room for append in accepted if append.room is not None]
        if new_rooms:
            connection.execute(_insert_room, new_rooms)
        # Ordered by room: two processes that write to the same rooms wait for each other, never in a circle.
        entries = [append.entries for append in sorted(accepted, key=_by_room)]
        connection.execute(_insert_entry, list(itertools.chain.from_iterable(entries)))
        snapshots = [append.snapshot for append in accepted if append.snapshot is not None]
        if snapshots:
            connection.execute(self._upsert_snapshot, snapshots)
        active = [
            {"of": append.code, "at": append.entries[-1]["at"]}
            for append in sorted(accepted, key=_by_room)
            if append.facts or append.snapshot is not None
        ]
        if active:
            connection.execute(_touch, active)
        for append in accepted:
            for statement, rows in append.facts:
                connection.execute(statement, rows)


def _by_room(append: _Append) -> str:
    return append.code


def _refusal(append: _Append, heads: dict[str, int]) -> Exception | None:
    head = heads.get(append.code)
    if append.room is not None:
        return None if head is None else CodeTaken(append.code)
    return None if head == append.expected else LogConflict(append.expected, head or 0)


def _heads(connection: sa.Connection, batch: list[_Append], known: dict[str, int]) -> dict[str, int]:
    """Last seqs of the rooms in a batch: as known where every append agrees with that, and looked up where not."""
    heads = dict(known)
    unsure: set[str] = set()
    for append in batch:
        if append.room is None and heads.get(append.code) == append.expected:
            heads[append.code] = append.last
        else:
            unsure.add(append.code)
    heads = {code: head for code, head in known.items() if code not in unsure}
    if unsure:
        found = connection.execute(_last_seqs, {"codes": sorted(unsure)})
        heads |= {row.code: row.head for row in found}
    return heads


def _entries(connection: sa.Connection, code: str, after: int, at_most: int | None = None) -> list[StoredEntry]:
    query = _entries_after if at_most is None else _entries_after.limit(at_most)
    found = connection.execute(query, {"of": code, "after": after})
    return [StoredEntry(seq, at, kind, data) for seq, at, kind, data in found]


_insert_room = rooms.insert()
_insert_entry = room_entry.insert()
_touch = rooms.update().where(rooms.c.code == sa.bindparam("of")).values(active_at=sa.bindparam("at"))
_last_seqs = sa.select(
    rooms.c.code,
    # An index lookup for each room, however long its log is.
    sa.func.coalesce(
        sa.select(sa.func.max(room_entry.c.seq)).where(room_entry.c.room == rooms.c.code).scalar_subquery(), 0
    ).label("head"),
).where(rooms.c.code.in_(sa.bindparam("codes", expanding=True)))
_snapshot_of = (
    sa.select(room_snapshot.c.seq, room_snapshot.c.state)
    .select_from(rooms.outerjoin(room_snapshot))
    .where(rooms.c.code == sa.bindparam("of"))
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
