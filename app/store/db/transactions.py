"""Run one transaction on a database: statements through SQLAlchemy, or directly on its driver's connection."""

from collections.abc import Callable
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from app.rooms.ports.storage import StorageUnavailable
from app.store.db.compiled import StatementCache, StatementExecutor
from app.store.db.errors import BadUrl, DatabaseUnreachable, is_read_only, is_temporary_error

T = TypeVar("T")


def run_in_transaction(engine: sa.Engine, work: Callable[[sa.Connection], T]) -> T:
    """Run `work` with a connection in a transaction in this thread, and return its result after the commit.

    If the connection is lost before the commit, `work` is called a second time. Raises `StorageUnavailable` for
    temporary errors, its subclass `DatabaseUnreachable` if PostgreSQL could not be reached, and `BadUrl` if the file is
    not an SQLite database.
    """
    for last in (False, True):
        connected = committing = lost = False
        try:
            with engine.connect() as connection, connection.begin() as transaction:
                connected = True
                try:
                    result = work(connection)
                except Exception as error:
                    lost = _invalidate_if_lost(connection, error)
                    raise
                committing = True
                transaction.commit()
                return result
        except Exception as error:
            lost = lost or (isinstance(error, sa.exc.DBAPIError) and error.connection_invalidated)
            if lost and not committing and not last:
                continue
            reason: Any = error.orig if isinstance(error, sa.exc.DBAPIError) else error
            if is_temporary_error(error):
                kind = StorageUnavailable if connected or engine.dialect.name != "postgresql" else DatabaseUnreachable
                raise kind(str(reason).partition("\n")[0]) from error
            if getattr(reason, "sqlite_errorname", "") == "SQLITE_NOTADB":
                raise BadUrl(f"{engine.url.database} is not an SQLite database") from error
            raise
    raise AssertionError


def statement_executor(connection: sa.Connection) -> StatementExecutor:
    """Return a runner of compiled statements on the driver inside this SQLAlchemy transaction."""
    driver: Any = connection.connection.driver_connection
    return StatementExecutor(driver, connection.info.setdefault("spelling", StatementCache(connection.dialect)))


def _invalidate_if_lost(connection: sa.Connection, error: Exception) -> bool:
    """If the connection is lost or read-only, remove it from the pool. Return whether it is lost.

    Then the pool makes a new one. The pool itself would try to roll back, and log a traceback. It does not see errors
    that the driver raised in a `StatementExecutor`.
    """
    if connection.invalidated:
        return True
    lost = getattr(connection.connection.driver_connection, "broken", False)
    if lost or is_read_only(error):
        connection.invalidate()
    return lost


def dialect_insert(dialect: str, table: sa.Table) -> Any:
    """Return an INSERT into the table that offers `on_conflict_do_update`, for "sqlite" or "postgresql".

    SQLAlchemy has separate classes for the two.
    """
    return (postgresql if dialect == "postgresql" else sqlite).insert(table)
