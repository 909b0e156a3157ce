"""One database, SQLite or PostgreSQL, and the threads that speak to it.

Work is a plain function of a connection; `read` and `write` run it in a thread, in a transaction of its own. One hop
to a thread for a whole transaction costs half of what an async driver does with a hop for each statement, and the same
function works for both databases. All writes of a process go through one thread (on SQLite, through one connection),
and the group commit of the log makes that fast. Only the most frequent writes to PostgreSQL go from the event loop
itself, by a `DirectLine`.

Nothing here knows what is stored.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import sqlalchemy as sa

from app.background_tasks import Failed, TaskName, not_counted
from app.rooms.ports.storage import Unavailable
from app.store.db.compiled import Scribe, Spelling, Values
from app.store.db.threads import Threads
from app.store.db.write_health import Health

if TYPE_CHECKING:
    from app.store.db.pg_pipeline import DirectLine
from app.store.db.engines import hurry, make_engine, parse_url, postgres_arguments
from app.store.db.errors import NotReached
from app.store.db.transactions import KEPT, lent, transact

T = TypeVar("T")

READERS: Final = 3


RETURNS: Final = (0.1, 0.4, *(0.5,) * 5)
"""Seconds before each new try to reach a PostgreSQL: one that restarts is back soon, and nobody need hear of it."""

NO_LOCK: Final = "the lock of the database is lost, and is taken again"


class Database:
    """One database, open. `close` it at the end."""

    def __init__(
        self,
        url: str,
        written: Callable[[float], None] = lambda seconds: None,
        *,
        visiting: bool = False,
        failed: Failed = not_counted,
        probe: Callable[[sa.Connection], None] = lambda connection: None,
    ) -> None:
        """`written` is told how long each transaction took that wrote something, the wait for its turn included.

        `visiting`: a server may be at work on the same file. `failed` counts unexpected errors of background tasks.
        `probe` writes what must be possible to save, and rolls it back.
        """
        self.failed = failed
        self.url = parse_url(url)
        self.dialect = self.url.get_backend_name()
        self._written = written
        self._writer = make_engine(self.url, hurried=True, visiting=visiting)
        self.writer_connection = 0
        """The number of the newest connection that the writer thread has made. 0: it has made none."""
        sa.event.listen(self._writer, "connect", self._count_writer_connection)
        self.spelling = Spelling(self._writer.dialect)
        """Of what is written and asked all the time."""
        self._readers = make_engine(self.url, readonly=True, size=READERS)
        self._asker = make_engine(self.url, readonly=True, hurried=True)

        def attempt(connection: sa.Connection) -> None:
            probe(connection)
            _write_nothing(connection)

        self.health = Health(lambda: self._write(attempt))
        """Whether what is to be written gets written."""
        self._lines: list[DirectLine] = []
        self._writing = Threads("store-write")
        self._reading = Threads("store-read", READERS)
        self._asking = Threads("store-ask")

    def _count_writer_connection(self, _connection: object, _record: object) -> None:
        self.writer_connection += 1

    def has_writer_connection(self, number: int) -> bool:
        """Return whether the writer thread still has the connection of this number. Only this thread may ask."""
        kept = KEPT.get(self._writer)
        return number == self.writer_connection and kept is not None and not getattr(kept, "closed", False)

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        """What `work` makes of the database, seen in one transaction. It writes nothing."""
        return await self._read_again(self._reading, partial(transact, self._readers, work))

    async def ask(self, query: sa.Select[Any], **values: Any) -> list[Any]:
        """The rows that a SELECT finds which is kept, their columns by name: for what is asked all the time.

        It is spelled once, the driver alone asks it, and it waits for nobody who reads a lot: it has a thread of its
        own, with its connection.
        """
        return await self._read_again(self._asking, partial(self._asked, query, values))

    async def _read_again(self, threads: Threads, job: Callable[[], T]) -> T:
        # PostgreSQL may go in the middle of it: reading may be done again all the same.
        trouble = Unavailable if self.dialect == "postgresql" else NotReached
        return await patiently(lambda: self._read(threads, job), trouble)

    async def _read(self, threads: Threads, job: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()

        def work() -> None:
            came: T | Exception
            try:
                came = job()
            except Exception as error:
                came = error
            with suppress(RuntimeError):  # the loop is closed: nobody is left to hear of it
                loop.call_soon_threadsafe(_resolve, done, came)

        threads.put(work)
        try:
            return await done
        except Unavailable as error:
            self.health.failed(str(error))
            raise

    def _asked(self, query: sa.Select[Any], values: Values) -> list[Any]:
        try:
            with lent(self._asker) as driver:
                return Scribe(driver, self.spelling).all(query, values)
        except Unavailable:
            raise
        except Exception:  # SQLAlchemy says what it is, and asks again where a connection is lost
            return transact(self._asker, lambda connection: list(connection.execute(query, values)))

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """Do `work` in one transaction and return after the commit.

        `work` may be called a second time, if the connection turns out to be lost: it should begin from nothing.
        """
        return await patiently(lambda: self._write(work))

    async def _write(self, work: Callable[[sa.Connection], T]) -> T:
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.submit(lambda engine: transact(engine, work), partial(_resolve, done))
        return await done

    def submit(self, job: Callable[[sa.Engine], T], done: Callable[[T | Exception], None]) -> None:
        """Let the thread that writes do a whole job, and call `done` with what came of it, on the event loop.

        One call there and one back, and nobody waits. The job makes its transactions itself, with `transact`.
        """
        self.hand_over(job, self.begins(done))

    def begins(self, done: Callable[[T | Exception], None]) -> Callable[[T | Exception], None]:
        """Tell that something is to be written, by whomever; gives what to call with what came of it, in `done`'s
        place."""
        return partial(self._told, done, time.perf_counter(), self.health.begins())

    def _told(self, done: Callable[[T | Exception], None], began: float, write: int, came: T | Exception) -> None:
        if isinstance(came, Unavailable):
            self.health.failed(str(came), write)
        else:
            self.health.done(write)
        if not isinstance(came, Exception):
            self._written(time.perf_counter() - began)
        done(came)

    def hand_over(self, job: Callable[[sa.Engine], T], told: Callable[[T | Exception], None]) -> None:
        """Let the thread that writes do the job of a write that has begun."""
        loop = asyncio.get_running_loop()

        def work() -> None:
            came: T | Exception
            try:
                if not self.health.may_write:
                    raise NotReached(NO_LOCK)
                came = job(self._writer)
            except Exception as error:
                came = error
            with suppress(RuntimeError):  # the loop is closed: nobody is left to hear of it
                loop.call_soon_threadsafe(told, came)

        self._writing.put(work)

    def line(
        self, statements: Mapping[str, str], name: TaskName, connected: Callable[[], None] = lambda: None
    ) -> "DirectLine | None":
        """Return a connection on the event loop for these statements, see `DirectLine`; None for SQLite.

        SQLite works in this process and would block the event loop. `name` stands in the log and in metrics;
        `connected` is called with each new connection.
        """
        if self.dialect == "sqlite":
            return None
        from app.store.db.pg_pipeline import DirectLine  # with psycopg, which need not be there

        arguments = {**postgres_arguments(self.url), "options": hurry()}
        line = DirectLine(arguments, statements, name, self.health, self.failed, connected)
        self._lines.append(line)
        return line

    async def ping(self) -> None:
        """`Unavailable` unless the database answers."""
        ping = sa.text("SELECT 1")
        await self._read(
            self._reading, partial(transact, self._readers, lambda connection: connection.execute(ping).scalar_one())
        )

    async def close(self) -> None:
        """Finish what was begun and let go. The writer goes last and leaves a single file."""
        self.health.close()
        for line in self._lines:
            await line.close()
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        for threads in (self._asking, self._reading, self._writing):
            threads.close()
        for engine in (self._asker, self._readers, self._writer):
            engine.dispose()


async def patiently(once: Callable[[], Awaitable[T]], trouble: type[Unavailable] = NotReached) -> T:
    """What comes of it as soon as the database is there, if it is soon; `trouble` is what is tried again after."""
    for pause in RETURNS:
        try:
            return await once()
        except trouble:
            await asyncio.sleep(pause)
    return await once()


def _resolve(future: "asyncio.Future[T]", came: T | Exception) -> None:
    """Tell whoever waits, if they still do."""
    if future.done():
        return
    if isinstance(came, Exception):
        future.set_exception(came)
    else:
        future.set_result(came)


def _write_nothing(connection: sa.Connection) -> None:
    """Change nothing, in a transaction that must be on the disk like any other."""
    if connection.dialect.name == "sqlite":
        version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        connection.exec_driver_sql(f"PRAGMA user_version={version:d}")
    else:
        connection.exec_driver_sql("SELECT pg_current_xact_id()")
