"""Open one database, SQLite or PostgreSQL, and run work on it in threads.

Work is a plain function of a connection; `read` and `write` run it in a thread, each in its own transaction. One hop to
a thread for a whole transaction costs half of an async driver's hops for each statement. The same function works for
both databases. All writes of a process go through one thread (on SQLite, through one connection), and the log's group
commit makes this fast. Only the most frequent writes to PostgreSQL are sent from the event loop, by a `PgPipeline`.

This module does not depend on the tables.
"""

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import sqlalchemy as sa

from app.background_tasks import CountFailure, TaskName, ignore_failure
from app.rooms.ports.storage import StorageUnavailable
from app.store.db.compiled import StatementCache
from app.store.db.threads import WorkerThreads
from app.store.db.write_health import WriteHealth

if TYPE_CHECKING:
    from app.store.db.pg_pipeline import PgPipeline
from app.store.db.engines import BUSY_SECONDS, make_engine, parse_url, postgres_connect_arguments
from app.store.db.errors import DatabaseUnreachable
from app.store.db.transactions import run_in_transaction, statement_executor

T = TypeVar("T")

READER_COUNT: Final = 3


RETRY_DELAYS: Final = (0.1, 0.4, *(0.5,) * 5)
"""Seconds before each retry to reach PostgreSQL. A restarting server returns before an error is shown."""

LOCK_LOST_MESSAGE: Final = "the lock of the database is lost, and is taken again"


class Database:
    """An open database, SQLite or PostgreSQL, with its connections and threads. Call `close` at the end."""

    def __init__(
        self,
        url: str,
        on_write_time: Callable[[float], None] = lambda seconds: None,
        *,
        direct_url: str | None = None,
        alongside_server: bool = False,
        failed: CountFailure = ignore_failure,
        probe: Callable[[sa.Connection], None] = lambda connection: None,
    ) -> None:
        """Create the engines and start the threads.

        `on_write_time` gets the seconds that each successful write took, including the wait in the queue.
        `direct_url`: the address without the connection pooler to which `url` leads; None: it leads to none.
        `alongside_server`: a server may be using the same file. `failed` counts unexpected errors of background tasks.
        `probe` writes test data and rolls it back, to check whether saving works.
        """
        self.failed = failed
        self.url = parse_url(url)
        self.direct_url = parse_url(direct_url or url)
        """The address for locks, heartbeats, and hints between nodes. Each of these needs a separate session."""
        self._pooled = direct_url is not None
        self.dialect = self.url.get_backend_name()
        self._on_write_time = on_write_time
        open_engine = partial(make_engine, self.url, pooled=self._pooled)
        self._writer = open_engine(low_latency=True, alongside_server=alongside_server)
        self.writer_connections = 0
        """Number of connections that the writer thread has had."""
        sa.event.listen(self._writer, "connect", self._count_writer_connection)
        self.statement_cache = StatementCache(self._writer.dialect)
        """Compiled forms of the frequent statements."""
        self._readers = open_engine(readonly=True, size=READER_COUNT)
        self._fetch_engine = open_engine(readonly=True, low_latency=True, autocommit=True)

        def attempt(connection: sa.Connection) -> None:
            probe(connection)
            _commit_without_change(connection)

        self.health = WriteHealth(lambda: self._write_once(attempt))
        """Shows whether writes succeed."""
        self._pipelines: list[PgPipeline] = []
        self._writer_thread = WorkerThreads("store-write")
        self._reader_threads = WorkerThreads("store-read", READER_COUNT)
        self._fetch_thread = WorkerThreads("store-ask")

    def _count_writer_connection(self, _connection: object, _record: object) -> None:
        self.writer_connections += 1

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        """Run `work` with a connection in a read-only transaction in a reader thread, and return its result.

        On PostgreSQL, `work` is repeated after a lost connection. Raises `StorageUnavailable` if the database stays
        unavailable.
        """
        return await self._read_with_retry(self._reader_threads, partial(run_in_transaction, self._readers, work))

    async def fetch_all(self, query: sa.Select[Any], **values: Any) -> list[Any]:
        """Run a frequent SELECT with these values and return its rows as named tuples.

        The statement is compiled once and runs directly with the driver. It has its own thread and connection, so that
        it never waits for a long read.
        """

        def work(connection: sa.Connection) -> list[Any]:
            return statement_executor(connection).fetch_all(query, values)

        return await self._read_with_retry(self._fetch_thread, partial(run_in_transaction, self._fetch_engine, work))

    async def _read_with_retry(self, threads: WorkerThreads, job: Callable[[], T]) -> T:
        # PostgreSQL may fail in the middle of a read. A read can safely be repeated.
        retried = StorageUnavailable if self.dialect == "postgresql" else DatabaseUnreachable
        return await retry_while_unavailable(lambda: self._run_in_thread(threads, job), retried)

    async def _run_in_thread(self, threads: WorkerThreads, job: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()

        def work() -> None:
            came: T | Exception
            try:
                came = job()
            except Exception as error:
                came = error
            with suppress(RuntimeError):  # the event loop is closed, so no caller waits
                loop.call_soon_threadsafe(_set_future_result, done, came)

        threads.put(work)
        try:
            return await done
        except StorageUnavailable as error:
            self.health.report_failure(str(error))
            raise

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """Run `work` with a connection in one transaction in the writer thread; return its result after the commit.

        `work` is called again if the connection was lost, so it must not depend on an earlier call. Raises
        `StorageUnavailable`.
        """
        return await retry_while_unavailable(lambda: self._write_once(work))

    async def _write_once(self, work: Callable[[sa.Connection], T]) -> T:
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.submit_write(lambda engine: run_in_transaction(engine, work), partial(_set_future_result, done))
        return await done

    async def empty_sqlite_log(self) -> bool:
        """Move SQLite's log (`-wal`) into the database file and empty it, so that deleted text is in no file any more.

        Returns False if other connections prevent it for the moment: then try again later. True for PostgreSQL.
        """
        if self.dialect != "sqlite":
            return True
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.run_on_writer_thread(_empty_log, partial(_set_future_result, done))
        try:
            return await done
        except (StorageUnavailable, sqlite3.OperationalError):
            return False

    def submit_write(self, job: Callable[[sa.Engine], T], done: Callable[[T | Exception], None]) -> None:
        """Run a job in the writer thread, then call `done` in the event loop with its result or its error.

        The job makes its own transactions with `run_in_transaction`. The write is recorded for health and times. The
        caller does not wait.
        """
        self.run_on_writer_thread(job, self.track_write(done))

    def track_write(self, on_done: Callable[[T | Exception], None]) -> Callable[[T | Exception], None]:
        """Record that a write has started, so that the health check notices if it takes too long or fails.

        Returns a callback to use in place of `on_done`: it records the result and the time, then calls `on_done`.
        """
        return partial(self._finish_write, on_done, time.perf_counter(), self.health.write_started())

    def _finish_write(
        self, on_done: Callable[[T | Exception], None], began: float, write_number: int, result: T | Exception
    ) -> None:
        if isinstance(result, StorageUnavailable):
            self.health.report_failure(str(result), write_number)
        else:
            self.health.write_finished(write_number)
        if not isinstance(result, Exception):
            self._on_write_time(time.perf_counter() - began)
        on_done(result)

    def run_on_writer_thread(self, job: Callable[[sa.Engine], T], on_done: Callable[[T | Exception], None]) -> None:
        """Run a job in the writer thread, and call `on_done` in the event loop with the result or the error.

        Unlike `submit_write`, it does not record the write. If the database lock is lost, the error is
        `DatabaseUnreachable`.
        """
        loop = asyncio.get_running_loop()

        def work() -> None:
            came: T | Exception
            try:
                if not self.health.has_lock:
                    raise DatabaseUnreachable(LOCK_LOST_MESSAGE)
                came = job(self._writer)
            except Exception as error:
                came = error
            with suppress(RuntimeError):  # the event loop is closed, so no caller waits
                loop.call_soon_threadsafe(on_done, came)

        self._writer_thread.put(work)

    def open_pipeline(self, statements: Mapping[str, str], name: TaskName) -> "PgPipeline | None":
        """Return a pipeline that runs these statements on PostgreSQL from the event loop; None for SQLite.

        SQLite runs inside this process and would block the event loop. `name` is used in the log and in metrics.
        """
        if self.dialect == "sqlite":
            return None
        from app.store.db.pg_pipeline import PgPipeline  # imports psycopg, which is optional

        arguments = postgres_connect_arguments(self.url, short_timeouts=True, pooled=self._pooled)
        line = PgPipeline(arguments, statements, name, self.health, self.failed, prepares=not self._pooled)
        self._pipelines.append(line)
        return line

    async def ping(self) -> None:
        """Run a trivial query, to check the database. Raises `StorageUnavailable` unless it answers."""
        ping = sa.text("SELECT 1")
        await self._run_in_thread(
            self._reader_threads,
            partial(run_in_transaction, self._readers, lambda connection: connection.execute(ping).scalar_one()),
        )

    async def close(self) -> None:
        """Finish all queued jobs of the database, then close its threads and connections.

        The writer closes last, so that SQLite leaves a single file.
        """
        self.health.close()
        for line in self._pipelines:
            await line.close()
        await asyncio.to_thread(self._close_threads_and_engines)

    def _close_threads_and_engines(self) -> None:
        for threads in (self._fetch_thread, self._reader_threads, self._writer_thread):
            threads.close()
        for engine in (self._fetch_engine, self._readers, self._writer):
            engine.dispose()


async def retry_while_unavailable(
    operation: Callable[[], Awaitable[T]], retry_on: type[StorageUnavailable] = DatabaseUnreachable
) -> T:
    """Await `operation` and return its result; repeat it for about three seconds while it raises `retry_on`.

    The last attempt's error is raised. So a short outage of the database is not noticed.
    """
    for pause in RETRY_DELAYS:
        try:
            return await operation()
        except retry_on:
            await asyncio.sleep(pause)
    return await operation()


def _set_future_result(future: "asyncio.Future[T]", result: T | Exception) -> None:
    """Set the future to this result or error, unless the caller that waited for it was cancelled."""
    if future.done():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)


def _empty_log(engine: sa.Engine) -> bool:
    with engine.connect() as connection:
        driver: Any = connection.connection.driver_connection  # SQLAlchemy would begin a transaction
        driver.execute("PRAGMA busy_timeout=0").close()  # writes of players must not wait for a reader
        try:
            busy, _, _ = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            driver.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000:.0f}").close()
    return not busy


def _commit_without_change(connection: sa.Connection) -> None:
    """Make the transaction's commit write to the disk although no data changes, to check that commits work."""
    if connection.dialect.name == "sqlite":
        version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        connection.exec_driver_sql(f"PRAGMA user_version={version:d}")
    else:
        connection.exec_driver_sql("SELECT pg_current_xact_id()")
