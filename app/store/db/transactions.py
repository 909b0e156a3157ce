"""Run one transaction, through SQLAlchemy or directly on the driver, on a connection that the writer keeps."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from app.rooms.ports.storage import StorageUnavailable
from app.store.db.bulk_insert import Statement
from app.store.db.compiled import StatementCache, StatementRunner
from app.store.db.errors import BadUrl, DatabaseUnreachable, is_read_only, is_temporary_error, is_transient_sqlite_error

T = TypeVar("T")


def run_in_transaction(engine: sa.Engine, work: Callable[[sa.Connection], T]) -> T:
    """Run `work` with a connection in a transaction in this thread, and return its result after the commit.

    If a pooled connection proves dead before the commit, `work` is called a second time. Raises `StorageUnavailable`
    for temporary errors, its subclass `DatabaseUnreachable` if PostgreSQL could not be reached, and `BadUrl` if the
    file is not an SQLite database.
    """
    for last in (False, True):
        connected = committing = False
        try:
            with engine.connect() as connection, connection.begin() as transaction, _invalidate_if_lost(connection):
                connected = True
                result = work(connection)
                committing = True
                transaction.commit()
                return result
        except sa.exc.DBAPIError as error:
            if error.connection_invalidated and not committing and not last:
                continue
            if is_temporary_error(error):
                kind = StorageUnavailable if connected or engine.dialect.name != "postgresql" else DatabaseUnreachable
                raise kind(str(error.orig).partition("\n")[0]) from error
            if getattr(error.orig, "sqlite_errorname", "") == "SQLITE_NOTADB":
                raise BadUrl(f"{engine.url.database} is not an SQLite database") from error
            raise
        except Exception as error:
            if is_temporary_error(error):  # raised by the driver through a StatementRunner
                raise StorageUnavailable(str(error).partition("\n")[0]) from error
            raise
    raise AssertionError


def execute_in_transaction(engine: sa.Engine, statements: Iterable[Statement]) -> None:
    """Run statements directly on the driver, in one transaction, without returning rows.

    Used a thousand times a second, so SQLAlchemy only lends the connection. Raises `StorageUnavailable` if the SQLite
    file can't be written at the moment, else the driver's errors. After an error, the transaction may have been
    committed.
    """
    some = list(statements)
    if len(some) > 1:
        execute_and_fetch(engine, some)
        return
    with borrow_driver(engine) as driver:
        for text, parameters in some:
            # A single statement is a transaction itself: one call, during which other threads run until it is on disk.
            driver.execute(text, parameters)


def execute_and_fetch(engine: sa.Engine, statements: Sequence[Statement]) -> list[list[Any]]:
    """Run statements directly on the driver in one transaction, and return the rows of each, empty if it has none.

    Raises `StorageUnavailable` if the SQLite file can't be used at the moment, else the driver's errors.
    """
    with _driver_transaction(engine) as driver:
        # Leaving the pipeline waits for all results. Before that, a cursor does not know whether it has columns.
        with nullcontext() if engine.dialect.name == "sqlite" else driver.pipeline():
            cursors = [driver.execute(text, parameters) for text, parameters in statements]
        return [cursor.fetchall() if cursor.description else [] for cursor in cursors]


def run_with_driver(engine: sa.Engine, statement_cache: StatementCache, work: Callable[[StatementRunner], T]) -> T:
    """Run `work` with a `StatementRunner`, in one transaction directly on the driver; return its result."""
    with _driver_transaction(engine) as driver:
        return work(StatementRunner(driver, statement_cache))


@contextmanager
def _driver_transaction(engine: sa.Engine) -> Iterator[Any]:
    """Lend the driver's connection inside a transaction that is committed at the end of the context.

    On PostgreSQL, only reads wait for an answer. An error in the context leaves the transaction to be rolled back.
    """
    with borrow_driver(engine) as driver:
        if engine.dialect.name == "sqlite":
            driver.execute("BEGIN IMMEDIATE")
            yield driver
            driver.execute("COMMIT")
        else:
            with driver.pipeline():
                driver.execute("BEGIN")
                yield driver
                driver.execute("COMMIT")


def statement_runner(connection: sa.Connection) -> StatementRunner:
    """Return a runner of compiled statements on the driver inside this SQLAlchemy transaction."""
    driver: Any = connection.connection.driver_connection
    return StatementRunner(driver, connection.info.setdefault("spelling", StatementCache(connection.dialect)))


DRIVER_CONNECTIONS: Final = WeakKeyDictionary[sa.Engine, Any]()
"""The driver connection of each low-latency engine, which belongs to one thread.

To borrow it from SQLAlchemy's pool and return it takes longer than SQLite takes to write an entry. Without this
dictionary a command takes 7.7 % more instructions with one room, where each command has its own commit. With 20 rooms
it takes 0.2 % more (`python -m tests.load.instructions`, 2026-11-27, short sessions of
docs/measurements/optimisations.md).
"""


def cache_driver_connection(engine: sa.Engine) -> None:
    @sa.event.listens_for(engine, "connect")
    def _connected(connection: Any, _record: object) -> None:
        DRIVER_CONNECTIONS[engine] = connection


@contextmanager
def borrow_driver(engine: sa.Engine) -> Iterator[Any]:
    """Lend the driver's connection of an engine for the context; on exit, roll back what is not committed.

    For a low-latency engine no transaction has begun. Raises `StorageUnavailable` for temporary SQLite errors.
    """
    kept = DRIVER_CONNECTIONS.get(engine)
    if getattr(kept, "closed", False):  # closed since its last use
        del DRIVER_CONNECTIONS[engine]
        engine.dispose()
        kept = None
    lent = engine.raw_connection() if kept is None else None
    try:
        if lent is None:
            yield kept
        else:
            with _invalidate_if_lost(lent):
                yield lent.driver_connection
    except sqlite3.OperationalError as error:
        if is_transient_sqlite_error(error):
            raise StorageUnavailable(str(error)) from error
        raise
    except Exception as error:
        if kept is not None and is_read_only(error):
            kept.close()
        raise
    finally:
        if lent is not None:
            lent.close()
        elif getattr(kept, "closed", False):
            DRIVER_CONNECTIONS.pop(engine, None)
            engine.dispose()
        elif kept is not None and _is_in_transaction(kept):
            kept.rollback()


def _is_in_transaction(driver: Any) -> bool:
    if isinstance(driver, sqlite3.Connection):
        return driver.in_transaction
    return bool(driver.info.transaction_status)


@contextmanager
def _invalidate_if_lost(connection: sa.Connection | sa.PoolProxiedConnection) -> Iterator[None]:
    """If an error in the context shows that the connection is lost or read-only, remove it from the pool.

    Then the pool makes a new one. The pool itself would try to roll back, and log a traceback. It does not see errors
    that the driver raised in a `StatementRunner`.
    """
    try:
        yield
    except Exception as error:
        driver = _driver_of(connection)
        if getattr(driver, "broken", False) or is_read_only(error):
            connection.invalidate()
        raise


def _driver_of(connection: sa.Connection | sa.PoolProxiedConnection) -> Any:
    if not isinstance(connection, sa.Connection):
        return connection.driver_connection
    return None if connection.invalidated else connection.connection.driver_connection


def dialect_insert(dialect: str, table: sa.Table) -> Any:
    """Return an INSERT into the table that offers `on_conflict_do_update`, for "sqlite" or "postgresql".

    SQLAlchemy has separate classes for the two.
    """
    return (postgresql if dialect == "postgresql" else sqlite).insert(table)
