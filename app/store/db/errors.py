"""Tell which driver errors mean that the database is unavailable, read-only or busy."""

import sqlite3
from typing import Final

import sqlalchemy as sa

from app.rooms.ports.storage import StorageUnavailable

READ_ONLY: Final = "25006"
"""SQLSTATE of a write in a read-only transaction."""


class BadUrl(ValueError):
    """A DATABASE_URL that can't be used, or a database file that can't be opened."""


class DatabaseUnreachable(StorageUnavailable):
    """PostgreSQL can't be reached, and nothing was written."""


def is_read_only(error: Exception) -> bool:
    """Return whether PostgreSQL refused a write because the server is read-only, for example a standby."""
    driver = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    return getattr(driver, "sqlstate", None) == READ_ONLY


def is_temporary_error(error: Exception) -> bool:
    """Return whether a later retry may help: no connection, a locked file, a full disk, a deadlock.

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
    """Return whether an error has this PEP 249 class name (drivers and SQLAlchemy use the same names)."""
    return any(each.__name__ == class_name for each in type(error).__mro__)


def is_transient_sqlite_error(error: sqlite3.OperationalError) -> bool:
    """Return whether the SQLite file can't be used at the moment: it is locked, or the disk is full or fails."""
    return getattr(error, "sqlite_errorname", "").startswith(_TRANSIENT_CODES)


_TRANSIENT_CODES: Final = tuple(
    f"SQLITE_{name}" for name in ("BUSY", "LOCKED", "CANTOPEN", "FULL", "IOERR", "READONLY", "PROTOCOL")
)
