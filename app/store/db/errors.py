"""Which errors of the drivers mean that the database is away, read-only or busy."""

import sqlite3
from typing import Final

import sqlalchemy as sa

from app.rooms.ports.storage import Unavailable

READ_ONLY: Final = "25006"
"""The SQLSTATE of a write where none is allowed."""


class BadUrl(ValueError):
    """A DATABASE_URL that names no database we can use."""


class NotReached(Unavailable):
    """There is no PostgreSQL just now, and nothing was done."""


def is_read_only(error: Exception) -> bool:
    """Return whether PostgreSQL refuses to write on this connection: its server has become a standby, say."""
    driver = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    return getattr(driver, "sqlstate", None) == READ_ONLY


def is_unavailable(error: Exception) -> bool:
    """Whether trying again later may help: no connection, a locked file, a full disk, a deadlock. Of an error of either
    driver, or of SQLAlchemy's for it."""
    if isinstance(error, sa.exc.DBAPIError) and error.connection_invalidated:
        return True
    if is_a(error, "InterfaceError"):
        return True
    if is_read_only(error):
        return True
    if not is_a(error, "OperationalError"):
        return False
    driver = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    if isinstance(driver, sqlite3.OperationalError):
        return may_pass(driver)
    state = getattr(driver, "sqlstate", None)
    # No state: never connected. 40: rolled back by a deadlock or a race. 53, 57, 58: the server is in trouble.
    return state is None or state[:2] in {"08", "40", "53", "57", "58"}


def is_a(error: Exception, kind: str) -> bool:
    """Whether an error is what Python's rules for databases (PEP 249) call so: drivers and SQLAlchemy alike do."""
    return any(each.__name__ == kind for each in type(error).__mro__)


def may_pass(error: sqlite3.OperationalError) -> bool:
    """Whether it is the file that can't be used now: somebody else has it, or the disk is full or fails."""
    return getattr(error, "sqlite_errorname", "").startswith(_MAY_PASS)


_MAY_PASS: Final = tuple(
    f"SQLITE_{name}" for name in ("BUSY", "LOCKED", "CANTOPEN", "FULL", "IOERR", "READONLY", "PROTOCOL")
)
