"""A connection to PostgreSQL on the event loop, for a few prepared statements that run a thousand times a second.

It sends them in libpq's pipeline mode (`psycopg.pq`) and reads the answers when the socket is readable, without a
thread or a task. With the writer thread instead, a command takes 6.1 % more instructions (20 rooms on PostgreSQL,
`python -m tests.load.instructions --postgres --rooms 20 --rounds 12`, 2026-11-27). At 1,000 actions a second p50 was
1.6 to 3.4 ms with the thread, and 0.8 ms with this (docs/measurements.md, not repeated since).
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import psycopg
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus
from psycopg.pq.abc import PGconn, PGresult

from app.background_tasks import Failed, TaskName, not_counted, supervise
from app.store.db.pg_connection import keep_connected
from app.store.db.write_health import Health

PAUSES: Final = (0.1, 0.5, 1.0)
"""Seconds before each new try to connect; the last for all that follow."""

READ_ONLY: Final = b"25006"
"""The SQLSTATE of a write on a connection whose server takes none: it became a standby, say."""

Step: TypeAlias = tuple[str, Sequence[Any]]
"""The name of a statement, and its values in their order."""
Rows: TypeAlias = list[tuple[str | None, ...]]
"""What a statement returns, as text."""
Done: TypeAlias = Callable[[list[Rows] | Exception], None]


class DirectLine:
    """Statements run one after the other, those of one `send` in one transaction. `close` it."""

    def __init__(
        self,
        arguments: Mapping[str, Any],
        statements: Mapping[str, str],
        name: TaskName,
        health: Health,
        failed: Failed = not_counted,
        connected: Callable[[], None] = lambda: None,
    ) -> None:
        """`statements` have names, and their values as `$1`, `$2` and so on. The protocol prepares them: a pooler can
        follow that, but not SQL's PREPARE. `name`, `health` and `arguments` are for `keep_connected`; `failed` counts
        unexpected errors; `connected` is called with each new connection.
        """
        self._arguments = arguments
        self._statements = statements
        self._name = name
        self._health = health
        self._failed = failed
        self._connected = connected
        self._task: asyncio.Task[None] | None = None
        self._postgres: PGconn | None = None
        """The connection, while there is one."""
        self._asked = deque[Done]()
        """Who waits for a transaction: the first for the one whose answers come next."""
        self._found: list[Rows] = []
        self._refused: psycopg.Error | None = None
        """What that one has returned so far, and what went wrong in it."""
        self._lost: asyncio.Future[None]

    def send(self, steps: Sequence[Step], done: Done) -> bool:
        """Run these in a transaction, and call `done` with what each returns, or with what went wrong; it may have been
        done all the same where the connection was lost.

        False if there is no connection, and nothing is done. The first call begins to make one.
        """
        postgres = self._postgres
        if postgres is None or not self._health.may_write:
            if self._task is None:
                work = partial(keep_connected, self._arguments, self._work, PAUSES, self._name, self._health)
                self._task = asyncio.create_task(supervise(self._name, work, self._failed), name=self._name)
            return False
        self._asked.append(done)
        try:
            for name, values in steps:
                postgres.send_query_prepared(name.encode(), [_as_text(value) for value in values])
            postgres.pipeline_sync()
            self._flush()
        except psycopg.Error as error:
            self._lose(error)
        return True

    async def close(self) -> None:
        """Let go of the connection. Nobody may wait for anything."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _work(self, connection: psycopg.AsyncConnection[Any]) -> None:
        loop, postgres = asyncio.get_running_loop(), connection.pgconn
        # All up to a sync is one transaction, and what is sent waits for no answer.
        postgres.enter_pipeline_mode()
        self._lost = loop.create_future()
        loop.add_reader(postgres.socket, self._read)
        self._connected()
        self._postgres = postgres
        self._prepare(postgres)
        try:
            await self._lost
        finally:
            self._postgres = None
            loop.remove_reader(postgres.socket)
            loop.remove_writer(postgres.socket)
            await connection.close()  # before psycopg tries to roll back, which a pipeline refuses

    def _prepare(self, postgres: PGconn) -> None:
        """Prepare the statements, before anything else that is sent; if that fails, the connection is made again."""

        def prepared(came: list[Rows] | Exception) -> None:
            if isinstance(came, Exception):
                self._lose(came)

        self._asked.append(prepared)
        try:
            for name, text in self._statements.items():
                postgres.send_prepare(name.encode(), text.encode())
            postgres.pipeline_sync()
            self._flush()
        except psycopg.Error as error:
            self._lose(error)

    def _flush(self) -> None:
        """Have written what the system does not take now as soon as it does."""
        assert self._postgres is not None
        if self._postgres.flush():
            asyncio.get_running_loop().add_writer(self._postgres.socket, self._flushed)

    def _flushed(self) -> None:
        if self._postgres is not None:  # else it was lost this very moment
            asyncio.get_running_loop().remove_writer(self._postgres.socket)
            self._flush()

    def _read(self) -> None:
        postgres = self._postgres
        if postgres is None:
            return
        try:
            postgres.consume_input()
            while self._asked and not postgres.is_busy():
                result = postgres.get_result()
                if result is None:  # it stands between the answers of two statements
                    if postgres.status == ConnStatus.BAD:
                        raise psycopg.OperationalError(postgres.get_error_message())
                elif result.status == ExecStatus.PIPELINE_SYNC:
                    came = self._refused or self._found
                    self._found, self._refused = [], None
                    self._asked.popleft()(came)
                elif result.status == ExecStatus.COMMAND_OK:
                    self._found.append([])
                elif result.status == ExecStatus.TUPLES_OK:
                    self._found.append(_rows(result))
                elif result.status == ExecStatus.FATAL_ERROR:
                    if result.error_field(DiagnosticField.SQLSTATE) == READ_ONLY:
                        raise psycopg.errors.ReadOnlySqlTransaction(result.get_error_message())
                    self._refused = psycopg.DatabaseError(result.get_error_message())
        except psycopg.Error as error:
            self._lose(error)

    def _lose(self, error: Exception) -> None:
        """Have it connected anew, and tell who waits that nobody knows what became of it."""
        self._postgres = None
        if not self._lost.done():
            self._lost.set_exception(error)
        asked, self._asked = self._asked, deque()
        self._found, self._refused = [], None
        for done in asked:
            done(error)


def _rows(result: PGresult) -> Rows:
    columns = range(result.nfields)
    return [tuple([_text(result.get_value(row, column)) for column in columns]) for row in range(result.ntuples)]


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode()


def _as_text(value: Any) -> bytes | None:
    """A value as PostgreSQL reads it: texts, numbers, and times that tell their zone."""
    return None if value is None else str(value).encode()
