"""One transaction each, through SQLAlchemy or on the driver alone, on a connection that the writer keeps."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from app.rooms.ports.storage import Unavailable
from app.store.db.bulk_insert import Statement
from app.store.db.compiled import Scribe, Spelling
from app.store.db.errors import BadUrl, NotReached, is_read_only, is_unavailable, may_pass

T = TypeVar("T")


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
    with lent(engine) as driver:
        for text, parameters in some:
            # Alone it is a transaction: one call, in which other threads go on until it is on the disk.
            driver.execute(text, parameters)


def converse(engine: sa.Engine, statements: Sequence[Statement]) -> list[list[Any]]:
    """Run statements as `pour` does, and give what each of them returns: rows as the driver has them."""
    with _in_transaction(engine) as driver:
        # The end of a pipeline waits for all results: before that, a cursor does not know whether it has columns.
        with nullcontext() if engine.dialect.name == "sqlite" else driver.pipeline():
            cursors = [driver.execute(text, parameters) for text, parameters in statements]
        return [cursor.fetchall() if cursor.description else [] for cursor in cursors]


def dictate(engine: sa.Engine, spelling: Spelling, work: Callable[[Scribe], T]) -> T:
    """Run `work` in one transaction, as `pour` does."""
    with _in_transaction(engine) as driver:
        return work(Scribe(driver, spelling))


@contextmanager
def _in_transaction(engine: sa.Engine) -> Iterator[Any]:
    """The driver's connection, with a transaction around. PostgreSQL is only waited for where something is read."""
    with lent(engine) as driver:
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


KEPT: Final = WeakKeyDictionary[sa.Engine, Any]()
"""The connection of each hurried engine, which one thread has for itself.

To borrow it from SQLAlchemy's pool and to give it back takes longer than SQLite takes to write an entry. Without this a
command takes 7.7 % more instructions with one room, where each command has its own commit, and 0.2 % more with 20 rooms
(`python -m tests.load.instructions`, short runs of docs/speed.md, 2026-11-27).
"""


def keep(engine: sa.Engine) -> None:
    @sa.event.listens_for(engine, "connect")
    def _connected(connection: Any, _record: object) -> None:
        KEPT[engine] = connection


@contextmanager
def lent(engine: sa.Engine) -> Iterator[Any]:
    """The driver's connection, that of a hurried engine with no transaction begun; what is not committed is undone."""
    kept = KEPT.get(engine)
    if getattr(kept, "closed", False):  # dropped since it was used last
        del KEPT[engine]
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
        if may_pass(error):
            raise Unavailable(str(error)) from error
        raise
    except Exception as error:
        if kept is not None and is_read_only(error):
            kept.close()
        raise
    finally:
        if lent is not None:
            lent.close()
        elif getattr(kept, "closed", False):
            KEPT.pop(engine, None)
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
        if getattr(driver, "broken", False) or is_read_only(error):
            connection.invalidate()
        raise


def _driver_of(connection: sa.Connection | sa.PoolProxiedConnection) -> Any:
    if not isinstance(connection, sa.Connection):
        return connection.driver_connection
    return None if connection.invalidated else connection.connection.driver_connection


def upserting(dialect: str, table: sa.Table) -> Any:
    """An INSERT that knows `on_conflict_do_update`, which SQLAlchemy keeps apart for each dialect that has it."""
    return (postgresql if dialect == "postgresql" else sqlite).insert(table)
