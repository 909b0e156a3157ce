"""The connection to one database, SQLite or PostgreSQL, and the threads that speak to it.

Work is a plain function of a connection; `read` and `write` run it in a thread, in a transaction of its own. One hop
to a thread for a whole transaction costs half of what an async driver does with a hop for each statement, and what
works with a connection is the same for both databases. All writes of a process go through one thread (on SQLite,
through one connection): the log's group commit is what makes them many. Only what is written most goes to the database
from the event loop itself: to PostgreSQL by a `DirectLine`, to SQLite by a `Shortcut`.

Nothing here knows what is stored.
"""

import asyncio
import json
import os
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar
from weakref import WeakKeyDictionary

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.pool import QueuePool

from app.rooms.ports import Unavailable
from app.tasks import Failed, TaskName, not_counted

from .columns import encode
from .health import Health
from .inserting import Statement
from .scribe import Scribe, Spelling, Values
from .shortcut import Shortcut
from .threads import Threads

if TYPE_CHECKING:
    from .line import DirectLine

T = TypeVar("T")

READ_ONLY: Final = "25006"
"""The SQLSTATE of a write where none is allowed."""
READERS: Final = 3
READER_CACHE_KB: Final = 256
BUSY_SECONDS: Final = 2.0
"""How long SQLite waits for another process that writes."""

POSTGRES: Final = {
    "application_name": "pecking-order",
    "connect_timeout": 10,
    # A server that is gone without a word is noticed.
    "keepalives_idle": 20,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
SLEEP_MS: Final = 5000
"""After so long PostgreSQL ends the transaction of a process that was put to sleep in the middle of it."""
RETURNS: Final = (0.1, 0.4, *(0.5,) * 5)
"""Seconds before each new try to reach a PostgreSQL: one that restarts is back soon, and nobody need hear of it."""
NO_LOCK: Final = "the lock of the database is lost, and is taken again"
LOCK_MS: Final = 1000
"""How long a writer waits for one row that another process is writing, while all other rooms wait for it."""


class BadUrl(ValueError):
    """A DATABASE_URL that names no database we can use."""


class NotReached(Unavailable):
    """There is no PostgreSQL just now, and nothing was done."""


def parse_url(url: str) -> URL:
    """Any usual way to write a database's address, with the driver that we use.

    >>> parse_url("postgres://app:secret@db/cards").drivername
    'postgresql+psycopg'
    >>> parse_url("sqlite:///data/cards.sqlite3").drivername
    'sqlite+pysqlite'
    """
    if url.partition("://")[2].partition("/")[0].count("@") > 1:  # what stands behind the first would count as a host
        raise BadUrl("DATABASE_URL has an @ in its password: write it as %40")
    try:
        parsed = make_url(url)
    except (sa.exc.ArgumentError, ValueError):  # its message would show the address, and with it a password
        raise BadUrl(
            "DATABASE_URL should look like sqlite:///file or postgresql://user:password@host/database"
        ) from None
    match parsed.drivername.partition("+")[0]:
        case "sqlite":
            if parsed.database in (None, "", ":memory:"):
                raise BadUrl("an SQLite database needs a file, as in sqlite:///data/cards.sqlite3")
            return parsed.set(drivername="sqlite+pysqlite")
        case "postgres" | "postgresql":
            return parsed.set(drivername="postgresql+psycopg")
        case other:
            raise BadUrl(f"{other} is not a database we know: sqlite and postgresql are")


def make_folder(path: Path) -> None:
    """Make the folder that a file shall lie in, where there is none."""
    folder = path.absolute().parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadUrl(f"the folder {folder} can’t be made: {error.strerror}") from None


def place(url: str) -> str:
    """Where everything is kept, to be shown: a file with its whole path, or a database and its host.

    >>> place("postgresql://app:secret@db:5433/cards")
    'PostgreSQL, cards on db:5433'
    """
    parsed = parse_url(url)
    if parsed.get_backend_name() == "sqlite":
        return str(Path(parsed.database or "").absolute())
    host = str(parsed.host or parsed.query.get("host") or "this machine")
    return f"PostgreSQL, {parsed.database or parsed.username} on {host}{f':{parsed.port}' if parsed.port else ''}"


def make_engine(
    url: URL,
    *,
    readonly: bool = False,
    hurried: bool = False,
    visiting: bool = False,
    migrating: bool = False,
    size: int = 1,
) -> sa.Engine:
    """An engine set up as every connection should be. Whoever made it disposes of it.

    `visiting`: a server may be at work on the same file, and moving SQLite's log into it is left to that.
    `migrating`: tables are copied and take each other's place, which SQLite's foreign keys would not survive.
    `hurried` is for transactions of some milliseconds that may not keep anybody waiting, nor wait for long; one thread
    has such an engine for itself, and there is one connection.
    """
    common: dict[str, Any] = {
        "poolclass": QueuePool,
        "pool_size": size,
        "max_overflow": 0,
        "json_serializer": encode,
        "json_deserializer": json.loads,
        "hide_parameters": True,  # errors get logged, and parameters have cards and secrets in them
    }
    if url.get_backend_name() == "sqlite":
        return _sqlite(url, common, readonly=readonly, hurried=hurried, visiting=visiting, migrating=migrating)
    # A hurried one begins a transaction itself where it is more than a statement: see `_lent`.
    arguments = {**POSTGRES, "options": hurry(), "autocommit": True} if hurried else POSTGRES
    try:
        engine = sa.create_engine(url, connect_args=arguments, **common)
    except ModuleNotFoundError as error:
        raise BadUrl("for PostgreSQL, install pecking-order[postgres]") from error
    if hurried:
        _keep(engine)
        sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    return engine


def hurry() -> str:
    """Return the options of PostgreSQL connections that may not wait long nor make others wait."""
    return f"-c idle_in_transaction_session_timeout={SLEEP_MS} -c lock_timeout={LOCK_MS}"


def postgres_arguments(url: URL) -> dict[str, Any]:
    """How psycopg itself reaches a PostgreSQL."""
    return {**POSTGRES, **url.get_dialect()().create_connect_args(url)[1]}


def _sqlite(
    url: URL, common: dict[str, Any], *, readonly: bool, hurried: bool, visiting: bool, migrating: bool
) -> sa.Engine:
    assert url.database is not None
    if visiting and not Path(url.database).exists():
        raise BadUrl("there is no such file")
    make_folder(Path(url.database))
    # Readable by us alone, as every hand is in it; SQLite gives its other files the same mode. If it can't be made,
    # SQLite says why.
    with suppress(OSError):
        os.close(os.open(url.database, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    engine = sa.create_engine(
        url,
        # None: no transaction begins behind our back. Connections wander between threads, one at a time.
        connect_args={"isolation_level": None, "check_same_thread": False, "timeout": BUSY_SECONDS},
        **common,
    )
    pragmas = [
        "journal_mode=WAL",
        "synchronous=FULL",  # a commit is on the disk when it returns
        "fullfsync=ON",  # … also where fsync alone doesn't say so (macOS)
        f"foreign_keys={'OFF' if migrating else 'ON'}",
    ]
    if readonly or visiting:
        # Only the writer of the server moves the log into the database: SQLite before 3.51.3 may lose pages when two
        # connections write and checkpoint at the same moment.
        pragmas.append("wal_autocheckpoint=0")
    if readonly:
        pragmas.append("query_only=ON")
        # What was read is forgotten once anybody writes: pages of it serve one transaction, and lie there then.
        pragmas.append(f"cache_size=-{READER_CACHE_KB}")
    elif not (visiting or migrating):
        # What a statement may have to take back: beyond 64 kB SQLite would make a file for it, with most commits.
        pragmas.append("temp_store=MEMORY")
    begin = "BEGIN" if readonly else "BEGIN IMMEDIATE"  # who will write says so first: no upgrade can fail halfway

    @sa.event.listens_for(engine, "connect")
    def _connected(connection: sqlite3.Connection, _record: object) -> None:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}").close()

    @sa.event.listens_for(engine, "begin")
    def _begun(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)

    if hurried:
        _keep(engine)
    return engine


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
        # Who visits leaves SQLite's log to the server, which a shortcut would tidy.
        self._shortcut = Shortcut(BUSY_SECONDS) if self.dialect == "sqlite" and not visiting else None
        self._handed_over = 0
        """Jobs that the thread that writes has not told the end of."""
        self._writing = Threads("store-write")
        self._reading = Threads("store-read", READERS)
        self._asking = Threads("store-ask")

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
            with _lent(self._asker) as driver:
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
        self._handed_over += 1

        def back(came: T | Exception) -> None:
            self._handed_over -= 1
            told(came)

        def work() -> None:
            came: T | Exception
            try:
                if not self.health.may_write:
                    raise NotReached(NO_LOCK)
                if self._shortcut is not None and (driver := _KEPT.get(self._writer)) is not None:
                    self._shortcut.leave(driver)
                came = job(self._writer)
                if self._shortcut is not None:
                    self._shortcut.wrote()
            except Exception as error:
                came = error
            with suppress(RuntimeError):  # the loop is closed: nobody is left to hear of it
                loop.call_soon_threadsafe(back, came)

        self._writing.put(work)

    def write_here(self, statement: Statement, meanwhile: Callable[[], Iterable[None]]) -> bool:
        """Run a short statement that is a transaction of its own, on this thread, and do `meanwhile` while it waits for
        the disk. Tells whether it was done; where not, it is for the thread that writes. See `Shortcut`."""
        shortcut, driver = self._shortcut, _KEPT.get(self._writer)
        if shortcut is None or driver is None or self._handed_over or not shortcut.is_open:
            return False
        began = time.perf_counter()
        try:
            shortcut.write(driver, statement, meanwhile)
        except sqlite3.Error:  # whatever it is, that thread will see
            return False
        self._written(time.perf_counter() - began)
        if shortcut.is_untidy:
            self.hand_over(lambda _: shortcut.tidy(driver), _nobody_asked)
        return True

    def line(
        self, statements: Mapping[str, str], name: TaskName, connected: Callable[[], None] = lambda: None
    ) -> "DirectLine | None":
        """Return a connection on the event loop for these statements, see `DirectLine`; None for SQLite.

        SQLite works in this process and would block the event loop. `name` stands in the log and in metrics;
        `connected` is called with each new connection.
        """
        if self.dialect == "sqlite":
            return None
        from .line import DirectLine  # with psycopg, which need not be there

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
        if self._shortcut is not None:
            self._shortcut.close()
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


def transact(engine: sa.Engine, work: Callable[[sa.Connection], T]) -> T:
    """Run `work` in a transaction, in this thread; once more if a connection of the pool proves to be dead."""
    for last in (False, True):
        connected = committing = False
        try:
            with engine.connect() as connection, connection.begin() as transaction, _let_go_if_lost(connection):
                connected = True
                result = work(connection)
                committing = True
                transaction.commit()
                return result
        except sa.exc.DBAPIError as error:
            if error.connection_invalidated and not committing and not last:
                continue
            if is_unavailable(error):
                kind = Unavailable if connected or engine.dialect.name != "postgresql" else NotReached
                raise kind(str(error.orig).partition("\n")[0]) from error
            if getattr(error.orig, "sqlite_errorname", "") == "SQLITE_NOTADB":
                raise BadUrl(f"{engine.url.database} is not an SQLite database") from error
            raise
        except Exception as error:
            if is_unavailable(error):  # as the driver itself said it to a scribe
                raise Unavailable(str(error).partition("\n")[0]) from error
            raise
    raise AssertionError


def pour(engine: sa.Engine, statements: Iterable[Statement]) -> None:
    """Run statements as the driver takes them, in one transaction.

    For what is done a thousand times a second: SQLAlchemy's part in it is to lend the connection. `Unavailable` if
    the file can't be written now; other errors are the driver's. Whoever gets one can't know whether it was done.
    """
    some = list(statements)
    if len(some) > 1:
        converse(engine, some)
        return
    with _lent(engine) as driver:
        for text, parameters in some:
            # Alone it is a transaction: one call, in which other threads go on until it is on the disk.
            driver.execute(text, parameters)


def converse(engine: sa.Engine, statements: Sequence[Statement]) -> list[list[Any]]:
    """Run statements as `pour` does, and give what each of them returns: rows as the driver has them."""
    with _in_transaction(engine) as driver:
        cursors = [driver.execute(text, parameters) for text, parameters in statements]
        return [cursor.fetchall() if cursor.description else [] for cursor in cursors]


def dictate(engine: sa.Engine, spelling: Spelling, work: Callable[[Scribe], T]) -> T:
    """Run `work` in one transaction, as `pour` does."""
    with _in_transaction(engine) as driver:
        return work(Scribe(driver, spelling))


@contextmanager
def _in_transaction(engine: sa.Engine) -> Iterator[Any]:
    """The driver's connection, with a transaction around. PostgreSQL is only waited for where something is read."""
    with _lent(engine) as driver:
        if engine.dialect.name == "sqlite":
            driver.execute("BEGIN IMMEDIATE")
            yield driver
            driver.execute("COMMIT")
        else:
            with driver.pipeline():
                driver.execute("BEGIN")
                yield driver
                driver.execute("COMMIT")


def scribe(connection: sa.Connection) -> Scribe:
    """Write with the driver in a transaction of SQLAlchemy's."""
    driver: Any = connection.connection.driver_connection
    return Scribe(driver, connection.info.setdefault("spelling", Spelling(connection.dialect)))


_KEPT: Final = WeakKeyDictionary[sa.Engine, Any]()
"""The connection of each hurried engine. To borrow it and to give it back takes SQLAlchemy longer than it takes SQLite
to write an entry, and nobody else could want it."""


def _keep(engine: sa.Engine) -> None:
    @sa.event.listens_for(engine, "connect")
    def _connected(connection: Any, _record: object) -> None:
        _KEPT[engine] = connection


@contextmanager
def _lent(engine: sa.Engine) -> Iterator[Any]:
    """The driver's connection, that of a hurried engine with no transaction begun; what is not committed is undone."""
    kept = _KEPT.get(engine)
    if getattr(kept, "closed", False):  # dropped since it was used last
        del _KEPT[engine]
        engine.dispose()
        kept = None
    lent = engine.raw_connection() if kept is None else None
    try:
        if lent is None:
            yield kept
        else:
            with _let_go_if_lost(lent):
                yield lent.driver_connection
    except sqlite3.OperationalError as error:
        if _may_pass(error):
            raise Unavailable(str(error)) from error
        raise
    except Exception as error:
        if kept is not None and _is_read_only(error):
            kept.close()
        raise
    finally:
        if lent is not None:
            lent.close()
        elif getattr(kept, "closed", False):
            _KEPT.pop(engine, None)
            engine.dispose()
        elif kept is not None and _is_in_transaction(kept):
            kept.rollback()


def _is_in_transaction(driver: Any) -> bool:
    if isinstance(driver, sqlite3.Connection):
        return driver.in_transaction
    return bool(driver.info.transaction_status)


@contextmanager
def _let_go_if_lost(connection: sa.Connection | sa.PoolProxiedConnection) -> Iterator[None]:
    """Drop a connection that is lost or has become read-only, so that the pool makes a new one.

    The pool itself would try to roll back, and log a traceback. It can't know of errors that the driver raised in a
    `Scribe`.
    """
    try:
        yield
    except Exception as error:
        driver = _driver_of(connection)
        if getattr(driver, "broken", False) or _is_read_only(error):
            connection.invalidate()
        raise


def _is_read_only(error: Exception) -> bool:
    """Return whether PostgreSQL refuses to write on this connection: its server has become a standby, say."""
    driver = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    return getattr(driver, "sqlstate", None) == READ_ONLY


def _driver_of(connection: sa.Connection | sa.PoolProxiedConnection) -> Any:
    if not isinstance(connection, sa.Connection):
        return connection.driver_connection
    return None if connection.invalidated else connection.connection.driver_connection


def upserting(dialect: str, table: sa.Table) -> Any:
    """An INSERT that knows `on_conflict_do_update`, which SQLAlchemy keeps apart for each dialect that has it."""
    return (postgresql if dialect == "postgresql" else sqlite).insert(table)


def is_unavailable(error: Exception) -> bool:
    """Whether trying again later may help: no connection, a locked file, a full disk, a deadlock. Of an error of either
    driver, or of SQLAlchemy's for it."""
    if isinstance(error, sa.exc.DBAPIError) and error.connection_invalidated:
        return True
    if is_a(error, "InterfaceError"):
        return True
    if _is_read_only(error):
        return True
    if not is_a(error, "OperationalError"):
        return False
    driver = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    if isinstance(driver, sqlite3.OperationalError):
        return _may_pass(driver)
    state = getattr(driver, "sqlstate", None)
    # No state: never connected. 40: rolled back by a deadlock or a race. 53, 57, 58: the server is in trouble.
    return state is None or state[:2] in {"08", "40", "53", "57", "58"}


def is_a(error: Exception, kind: str) -> bool:
    """Whether an error is what Python's rules for databases (PEP 249) call so: drivers and SQLAlchemy alike do."""
    return any(each.__name__ == kind for each in type(error).__mro__)


def _resolve(future: "asyncio.Future[T]", came: T | Exception) -> None:
    """Tell whoever waits, if they still do."""
    if future.done():
        return
    if isinstance(came, Exception):
        future.set_exception(came)
    else:
        future.set_result(came)


def _may_pass(error: sqlite3.OperationalError) -> bool:
    """Whether it is the file that can't be used now: somebody else has it, or the disk is full or fails."""
    return getattr(error, "sqlite_errorname", "").startswith(_MAY_PASS)


_MAY_PASS: Final = tuple(
    f"SQLITE_{name}" for name in ("BUSY", "LOCKED", "CANTOPEN", "FULL", "IOERR", "READONLY", "PROTOCOL")
)


def _nobody_asked(came: object) -> None:
    """Tell nobody."""


def _write_nothing(connection: sa.Connection) -> None:
    """Change nothing, in a transaction that must be on the disk like any other."""
    if connection.dialect.name == "sqlite":
        version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        connection.exec_driver_sql(f"PRAGMA user_version={version:d}")
    else:
        connection.exec_driver_sql("SELECT pg_current_xact_id()")
