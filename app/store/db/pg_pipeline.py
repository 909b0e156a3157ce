"""Run frequent statements on PostgreSQL from the event loop, up to a thousand times a second.

It sends them in libpq's pipeline mode (`psycopg.pq`) and reads the answers when the socket is readable, without a
thread or a task. The writer thread would wait for the answer to each savepoint (docs/measurements/server.md).
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from selectors import EVENT_READ, EVENT_WRITE
from typing import Any, Final, TypeAlias

import psycopg
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus
from psycopg.pq.abc import PGconn, PGresult

from app.background_tasks import CountFailure, TaskName, ignore_failure, run_with_restarts
from app.store.db.pg_connection import run_with_reconnect, watch_socket
from app.store.db.write_health import WriteHealth

PAUSES: Final = (0.1, 0.5)
"""Seconds before each new attempt to connect; the last value repeats."""

READ_ONLY: Final = b"25006"
"""SQLSTATE of a write on a read-only server, for example after it became a standby."""

PreparedCall: TypeAlias = tuple[str, Sequence[Any]]
"""The name of a statement of the pipeline, and its values in order."""
Rows: TypeAlias = list[tuple[str | None, ...]]
"""The rows that a statement returned, all values as text."""
ResultCallback: TypeAlias = Callable[[list[Rows] | Exception], None]


class PgPipeline:
    """A PostgreSQL connection that runs some statements from the event loop, one transaction for each `submit`.

    The first `submit` only starts to connect. A lost connection is opened again. Call `close` at the end.
    """

    def __init__(
        self,
        arguments: Mapping[str, Any],
        statements: Mapping[str, str],
        name: TaskName,
        health: WriteHealth,
        failed: CountFailure = ignore_failure,
        *,
        prepares: bool = True,
    ) -> None:
        """Store the settings; the connection is opened by the first `submit`.

        `statements` are SQL texts by name, with values as `$1`, `$2`. `arguments`, `name` and `health` are used by
        `run_with_reconnect`. `failed` counts unexpected errors. `prepares`: prepare each statement once. Without it,
        its text is sent each time, because a connection pooler may lend each transaction another session.
        """
        self._arguments = arguments
        self._statements = {name: text.encode() for name, text in statements.items()}
        self._name = name
        self._health = health
        self._failed = failed
        self._prepares = prepares
        self._task: asyncio.Task[None] | None = None
        self._pgconn: PGconn | None = None
        """None until connected, and after the connection was lost."""
        self._watch: Callable[[int], object]
        """Changes the events for which the event loop watches the connection."""
        self._is_socket_full = False
        """Whether data waits for space in the socket."""
        self._callbacks = deque[ResultCallback]()
        """Callbacks of the submitted transactions, in the order in which their answers arrive."""
        self._results: list[Rows] = []
        self._error: psycopg.Error | None = None
        """The error of the transaction whose answers are being read. `_results` are its results so far."""
        self._lost: asyncio.Future[None]

    def submit(self, calls: Sequence[PreparedCall], on_done: ResultCallback) -> bool:
        """Run statements in one transaction, and call `on_done` later with their rows or with the error.

        After a lost connection the transaction may have been committed all the same. Returns False and does nothing
        without a connection or the database lock; the first such call starts to connect.
        """
        postgres = self._pgconn
        if postgres is None or not self._health.has_lock:
            if self._task is None:
                work = partial(
                    run_with_reconnect, self._arguments, self._run_connection, PAUSES, self._name, self._health
                )
                self._task = asyncio.create_task(run_with_restarts(self._name, work, self._failed), name=self._name)
            return False
        self._callbacks.append(on_done)
        try:
            for name, values in calls:
                encoded = [_encode_value(value) for value in values]
                if self._prepares:
                    postgres.send_query_prepared(name.encode(), encoded)
                else:
                    postgres.send_query_params(self._statements[name], encoded)
            postgres.pipeline_sync()
            self._flush()
        except psycopg.Error as error:
            self._handle_lost_connection(error)
        return True

    async def close(self) -> None:
        """Close the pipeline's connection. The caller must have waited for all submitted transactions before."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run_connection(self, connection: psycopg.AsyncConnection[Any]) -> None:
        postgres = connection.pgconn
        # All statements up to a sync form one transaction, and none waits for the answer to another.
        postgres.enter_pipeline_mode()
        self._lost = asyncio.get_running_loop().create_future()
        try:
            with watch_socket(postgres, self._on_ready) as self._watch:
                self._pgconn, self._is_socket_full = postgres, False
                if self._prepares:
                    self._prepare_statements(postgres)
                await self._lost
        finally:
            self._pgconn = None
            await connection.close()  # otherwise psycopg tries to roll back, which fails in pipeline mode

    def _prepare_statements(self, postgres: PGconn) -> None:
        """Prepare the pipeline's statements on a new connection before any other use; reconnect if that fails."""

        def prepared(came: list[Rows] | Exception) -> None:
            if isinstance(came, Exception):
                self._handle_lost_connection(came)

        self._callbacks.append(prepared)
        try:
            for name, text in self._statements.items():
                postgres.send_prepare(name.encode(), text)
            postgres.pipeline_sync()
            self._flush()
        except psycopg.Error as error:
            self._handle_lost_connection(error)

    def _flush(self) -> None:
        """Send the buffered data of the connection; if the socket is full, continue when there is space."""
        assert self._pgconn is not None
        is_full = bool(self._pgconn.flush())
        if is_full != self._is_socket_full:
            self._is_socket_full = is_full
            self._watch(EVENT_READ | EVENT_WRITE if is_full else EVENT_READ)

    def _on_ready(self) -> None:
        postgres = self._pgconn
        if postgres is None:  # lost
            return
        try:
            postgres.consume_input()
            if self._is_socket_full:
                self._flush()
            while self._callbacks and not postgres.is_busy():
                result = postgres.get_result()
                if result is None:  # None separates the answers of two statements
                    if postgres.status == ConnStatus.BAD:
                        raise psycopg.OperationalError(postgres.get_error_message())
                elif result.status == ExecStatus.PIPELINE_SYNC:
                    came = self._error or self._results
                    self._results, self._error = [], None
                    self._callbacks.popleft()(came)
                elif result.status == ExecStatus.COMMAND_OK:
                    self._results.append([])
                elif result.status == ExecStatus.TUPLES_OK:
                    self._results.append(_decode_rows(result))
                elif result.status == ExecStatus.FATAL_ERROR:
                    if result.error_field(DiagnosticField.SQLSTATE) == READ_ONLY:
                        raise psycopg.errors.ReadOnlySqlTransaction(result.get_error_message())
                    self._error = psycopg.DatabaseError(result.get_error_message())
        except psycopg.Error as error:
            self._handle_lost_connection(error)

    def _handle_lost_connection(self, error: Exception) -> None:
        """Start to reconnect after the pipeline's connection was lost, and call all waiting callbacks with the error.

        It is unknown whether their transactions were committed.
        """
        self._pgconn = None
        if not self._lost.done():
            self._lost.set_exception(error)
        waiting, self._callbacks = self._callbacks, deque()
        self._results, self._error = [], None
        for done in waiting:
            done(error)


def _decode_rows(result: PGresult) -> Rows:
    columns = range(result.nfields)
    return [
        tuple([_decode_value(result.get_value(row, column)) for column in columns]) for row in range(result.ntuples)
    ]


def _decode_value(value: bytes | None) -> str | None:
    return None if value is None else value.decode()


def _encode_value(value: Any) -> bytes | None:
    """Return a value as text for PostgreSQL, None for NULL.

    Supports texts, numbers, and times with a zone.
    """
    return None if value is None else str(value).encode()
