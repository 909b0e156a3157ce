"""Tell which driver errors mean that the database is unavailable, read-only or busy."""

import sqlite3
from typing import Final

import sqlalchemy as sa

from app.rooms.ports.storage import StorageUnavailable

READ_ONLY: Final = "25006"
"""SQLSTATE of a write in a read-only transaction."""


class BadUrl(ValueError):
    """Raised for a DATABASE_URL that can't be used, or a database file that can't be opened.

    The message is shown to the operator.
    """


class DatabaseUnreachable(StorageUnavailable):
    """Raised if PostgreSQL can't be reached, so that surely nothing was written and a retry is safe."""


def is_read_only(error: Exception) -> bool:
    """Return whether PostgreSQL refused a write because the server is read-only, for example a standby.

    Then the connection is dropped, so that the next one may reach the main server.
    """
    driver = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    return getattr(driver, "sqlstate", None) == READ_ONLY


def is_temporary_error(error: Exception) -> bool:
    """Return whether the operation may succeed later: no connection, a locked file, a full disk, a deadlock.

    Accepts errors of sqlite3 and psycopg, and SQLAlchemy's wrapped errors.
    """
    if isinstance(error, sa.exc.DBAPIError) and error.connection_invalidated:
        return True
    if is_dbapi_error(error, "InterfaceError"):
        return True
    if is_read_only(error):
        return True
    if not is_dbapi_error(error, "OperationalError"):
        return False
    driver = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    if isinstance(driver, sqlite3.OperationalError):
        return is_transient_sqlite_error(driver)
    state = getattr(driver, "sqlstate", None)
    # No state: the connection failed. 40: rolled back by a deadlock or race. 08, 53, 57, 58: connection or server
    # failure.
    return state is None or state[:2] in {"08", "40", "53", "57", "58"}


def is_dbapi_error(error: Exception, class_name: str) -> bool:
    """Return whether an error is of the PEP 249 class with this name, such as "IntegrityError".

    Drivers and SQLAlchemy use the same names, so no driver needs to be imported.
    """
    return any(each.__name__ == class_name for each in type(error).__mro__)


def is_transient_sqlite_error(error: sqlite3.OperationalError) -> bool:
    """Return whether the SQLite file can't be used only now: it is locked, or the disk is full or fails."""
    return getattr(error, "sqlite_errorname", "").startswith(_TRANSIENT_CODES)


_TRANSIENT_CODES: Final = tuple(
    f"SQLITE_{name}" for name in ("BUSY", "LOCKED", "CANTOPEN", "FULL", "IOERR", "READONLY", "PROTOCOL")
)
