"""Save small changes about people, from many callers, in one shared transaction.

Changes that arrive during one transaction share the next. On PostgreSQL they use a `PgPipeline`, like log entries. A
hundred people who arrive at once need 1 transaction instead of 100 (docs/measurements/server.md).
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeAlias, cast

import sqlalchemy as sa

from app.rooms.ports.storage import StorageUnavailable
from app.store.db.bulk_insert import Statement
from app.store.db.compiled import StatementExecutor, Values
from app.store.db.database import Database, retry_while_unavailable
from app.store.db.errors import DatabaseUnreachable
from app.store.db.transactions import run_in_transaction, statement_executor

logger = logging.getLogger(__name__)

_StatementRows: TypeAlias = list[list[Any]]
"""The rows that each statement returned, as the driver gives them; through the pipeline all values are text."""
_BoundCalls: TypeAlias = list[tuple[Statement, bool]]
"""The statements of one caller, and whether each returns rows."""
_PendingWrite: TypeAlias = tuple[_BoundCalls, "asyncio.Future[_StatementRows]"]
"""The statements of one caller, and the future that gets their result."""
_BatchCallback: TypeAlias = "Callable[[Sequence[_StatementRows | Exception] | Exception], None]"


class WriteBatcher:
    """Writes small changes of many callers, such as new people, in shared transactions, because each commit is slow.

    Only for writes that can safely be repeated: after a lost connection, nobody knows whether a write was done.
    """

    def __init__(self, database: Database, *statements: sa.Executable) -> None:
        """Prepare all `statements` that `execute` will be called with. They may return only text columns."""
        self._database = database
        spelled = [database.statement_cache.compiled(statement) for statement in statements]
        self._names = {each.text: f"kept_{n}" for n, each in enumerate(spelled)}
        prepared = {self._names[each.text]: each.sql_for_prepare() for each in spelled}
        self._pipeline = database.open_pipeline(prepared, "people writer")
        self._pending: list[_PendingWrite] = []
        self._writing = False
        """True while a batch is being written, or is scheduled for the next iteration of the event loop."""

    async def execute(self, *calls: tuple[sa.Executable, Values]) -> list[list[Any]]:
        """Run these statements in one transaction, all or none, shared with other callers; return the rows of each.

        Returns after the commit. While the database is unavailable, the statements are repeated for about three
        seconds, so they may run twice. They must be among those given to the constructor. Raises errors in these
        statements and values only, never those of other callers in the batch, and `StorageUnavailable`.
        """
        spelled = [self._database.statement_cache.compiled(statement) for statement, _ in calls]
        statements = [(each.bind(values), each.returns_rows) for each, (_, values) in zip(spelled, calls, strict=True)]
        # PostgreSQL may fail in the middle of a write. These writes can safely be repeated.
        retried = StorageUnavailable if self._database.dialect == "postgresql" else DatabaseUnreachable
        found = await retry_while_unavailable(lambda: self._enqueue(statements), retried)
        return [[each.convert_row(row) for row in rows] for each, rows in zip(spelled, found, strict=True)]

    def _enqueue(self, statements: _BoundCalls) -> "asyncio.Future[_StatementRows]":
        loop = asyncio.get_running_loop()
        done: asyncio.Future[_StatementRows] = loop.create_future()
        self._pending.append((statements, done))
        if not self._writing:
            self._writing = True
            loop.call_soon(self._write_pending)  # so that writes of the same loop iteration share the batch
        return done

    def _write_pending(self) -> None:
        notes, self._pending = self._pending, []
        self._writing = bool(notes)
        if notes:
            reported = self._database.track_write(partial(self._resolve_callers, notes))
            writes = [statements for statements, _ in notes]
            try:
                if not self._try_pipeline(writes, reported):
                    self._database.run_on_writer_thread(partial(_execute_batch, writes), reported)
            except Exception as error:
                logger.exception("writing a batch of people failed")
                self._database.failed("people writer")
                asyncio.get_running_loop().call_soon(reported, error)

    def _try_pipeline(self, writes: Sequence[_BoundCalls], on_done: _BatchCallback) -> bool:
        """Send the writes to PostgreSQL through the pipeline; return False if there is none or it refuses them.

        If the pipeline fails later, the writer thread writes them.
        """
        if self._pipeline is None:
            return False

        def answered(came: _StatementRows | Exception) -> None:
            if isinstance(came, Exception):
                self._database.run_on_writer_thread(partial(_execute_batch, writes), on_done)
            else:
                on_done(_rows_by_write(writes, came))

        steps = [
            (self._names[text], [*cast("Values", values).values()]) for note in writes for (text, values), _ in note
        ]
        return self._pipeline.submit(steps, answered)

    def _resolve_callers(
        self, writes: Sequence[_PendingWrite], results: Sequence[_StatementRows | Exception] | Exception
    ) -> None:
        self._write_pending()
        each_result = [results] * len(writes) if isinstance(results, Exception) else results
        for (_, waits), result in zip(writes, each_result, strict=True):
            if not isinstance(result, Exception):
                self._database.health.save_succeeded("people")
            elif not isinstance(result, StorageUnavailable):
                self._database.health.save_refused("people", result)
            if waits.done():
                continue
            if isinstance(result, Exception):
                waits.set_exception(result)
            else:
                waits.set_result(result)


def _execute_batch(writes: Sequence[_BoundCalls], engine: sa.Engine) -> Sequence[_StatementRows | Exception]:
    """Run the writes of all callers in one transaction, and return the rows or the error of each write."""

    def work(connection: sa.Connection) -> list[_StatementRows | Exception]:
        executor = statement_executor(connection)
        return [executor.attempt(partial(_run_statements, calls)) for calls in writes]

    return run_in_transaction(engine, work)


def _run_statements(calls: _BoundCalls, executor: StatementExecutor) -> _StatementRows:
    return [executor.run_bound(statement, fetch=returns_rows) for statement, returns_rows in calls]


def _rows_by_write(writes: Sequence[_BoundCalls], rows: Iterable[list[Any]]) -> list[_StatementRows | Exception]:
    """Group the rows returned by all statements of a batch by the write (one caller's statements) they belong to."""
    left = iter(rows)
    return [[next(left) for _ in statements] for statements in writes]
