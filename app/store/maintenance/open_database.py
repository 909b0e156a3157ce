"""Opens a database for one use: checks that it exists, its version, and which processes use it.

Several servers may share a PostgreSQL. Each holds a shared advisory lock, as commands do that may run beside a server.
`restore`, `rebuild`, `migrate` and a server that must migrate hold an exclusive one. For SQLite see `claim`.
"""

import logging
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, LiteralString, TypeAlias

import sqlalchemy as sa
from sqlalchemy.engine import URL

from app.store.db.engines import hurry, make_engine, parse_url, place, postgres_arguments
from app.store.db.errors import BadUrl
from app.store.db.file_lock import InUse, claimed, explained
from app.store.db.transactions import transact
from app.store.maintenance.migrations import behind, fit, upgrade
from app.store.maintenance.rebuild import bring_up_to_date, is_book_current

if TYPE_CHECKING:
    import psycopg

    Connection: TypeAlias = psycopg.Connection[Any]

Use: TypeAlias = Literal["beside", "alone", "alone, any version"]
"""`beside`: a server may run. `alone`: no other process may use the database, whose version is this program's or, in
the last case, is not checked."""

LOCK: Final = 0x7065636C
"""The number of the advisory lock: any that no other program takes in this database."""
LOCK_SHARED: Final[LiteralString] = f"SELECT pg_try_advisory_lock_shared({LOCK})"
_LOCK_ALONE: Final[LiteralString] = f"SELECT pg_try_advisory_lock({LOCK})"
_UNLOCK_ALONE: Final[LiteralString] = f"SELECT pg_advisory_unlock({LOCK})"
_HOLDERS: Final = """
SELECT a.application_name, a.backend_start FROM pg_locks l JOIN pg_stat_activity a USING (pid)
WHERE l.locktype = 'advisory' AND l.classid = 0 AND l.objid = %s AND l.objsubid = 1 AND l.granted
    AND l.pid <> pg_backend_pid()
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
ORDER BY a.backend_start
"""
_MIGRATES: Final = "migrates"
PAUSE: Final = 0.2
"""Seconds between two looks while another server migrates the database."""

POOLER: Final = (
    "between this server and PostgreSQL is a connection pooler, such as PgBouncer, that does not fit. Use session "
    "mode, with ignore_startup_parameters = options,extra_float_digits and at least ten connections for each node"
)

logger = logging.getLogger(__name__)


@contextmanager
def opened(url: str, use: Use) -> Iterator[None]:
    """Hold a database for a command, until the end of the block.

    Raises `BadUrl` if the database is missing or of another version, `InUse` if another process uses it.
    """
    parsed = parse_url(url)
    if parsed.get_backend_name() == "sqlite" and use != "alone, any version":
        with explained(Path(parsed.database or "")):
            if not Path(parsed.database or "").exists():
                raise BadUrl("there is no such file")
    with claimed(url) if use != "beside" else nullcontext(), _locked(parsed, shared=use == "beside"):
        if use != "alone, any version":
            _check_version(parsed)
        yield


@contextmanager
def opened_by_server(url: str) -> Iterator[Callable[[], None]]:
    """Hold a database for a server, and bring it up to date.

    Gives a function that releases PostgreSQL's lock: the server calls it when another connection has the lock. Raises
    as `opened` does.
    """
    parsed = parse_url(url)
    with claimed(url):
        if parsed.get_backend_name() == "sqlite":
            _bring_up_to_date(url)
            yield lambda: None
            return
        with closing(_connected(parsed)) as connection:
            _check_pooling(connection, parsed)
            _share_up_to_date(connection, parsed, url)
            yield connection.close


def holder_name(what: str = "") -> str:
    """Return the name by which PostgreSQL shows this process to others that want the lock."""
    who = f"process {os.getpid()} on {socket.gethostname()}"
    return f"pecking-order: {who}{f', {what}' if what else ''}"[:63]


def _bring_up_to_date(url: str) -> None:
    upgrade(url)
    bring_up_to_date(url)


def _share_up_to_date(connection: "Connection", parsed: URL, url: str) -> None:
    """Take the shared lock of a database that is up to date, and bring it up to date before if it is not."""
    told = False
    while True:
        if _is_current(parsed):
            if _ask(connection, LOCK_SHARED):
                if _is_current(parsed):
                    return
                raise InUse(_in_use(connection, parsed))
        elif _ask(connection, _LOCK_ALONE):
            connection.execute("SELECT set_config('application_name', %s, false)", (holder_name(_MIGRATES),))
            _bring_up_to_date(url)
            _ask(connection, LOCK_SHARED)
            _ask(connection, _UNLOCK_ALONE)
            connection.execute("SELECT set_config('application_name', %s, false)", (holder_name(),))
            return
        holders = _holders(connection)
        if holders and not any(name.endswith(_MIGRATES) for name, _ in holders):
            if not _is_current(parsed):
                raise InUse(f"{_in_use(connection, parsed)} It must be migrated first, while no other node runs.")
            raise InUse(_in_use(connection, parsed))
        if not told:
            told = True
            logger.info("waiting for another node that brings the database up to date")
        time.sleep(PAUSE)


def _is_current(parsed: URL) -> bool:
    """Return whether a server can use this database as it is. `BadUrl` if a newer version has used it."""
    engine = make_engine(parsed)
    try:
        return transact(engine, lambda connection: not behind(connection) and is_book_current(connection))
    except sa.exc.DatabaseError as error:
        raise BadUrl(str(error.orig).partition("\n")[0]) from error
    finally:
        engine.dispose()


def _check_version(parsed: URL) -> None:
    engine = make_engine(parsed, readonly=True, visiting=True)
    try:
        transact(engine, fit)
    except sa.exc.DatabaseError as error:
        raise BadUrl(str(error.orig).partition("\n")[0]) from error
    finally:
        engine.dispose()


@contextmanager
def _locked(parsed: URL, *, shared: bool) -> Iterator[None]:
    """Hold PostgreSQL's lock; SQLite needs none here."""
    if parsed.get_backend_name() == "sqlite":
        yield
        return
    with closing(_connected(parsed)) as connection:
        if not _ask(connection, LOCK_SHARED if shared else _LOCK_ALONE):
            raise InUse(_in_use(connection, parsed))
        yield


def _connected(parsed: URL) -> "Connection":
    try:
        import psycopg
    except ModuleNotFoundError as error:
        raise BadUrl("for PostgreSQL, install pecking-order[postgres]") from error
    arguments = {**postgres_arguments(parsed), "options": hurry(), "application_name": holder_name()}
    try:
        return psycopg.connect(**arguments, autocommit=True)
    except psycopg.Error as error:
        said = str(error).strip().partition("\n")[0]
        raise BadUrl(f"{said} ({POOLER})" if "startup parameter" in said else said) from error


def _check_pooling(connection: "Connection", parsed: URL) -> None:
    """Raise `BadUrl` if a pooler gives a connection another server process after each transaction.

    While a second connection is in a transaction, such a pooler has lent it the process that the first one used. A
    pooler that allows no transactions, or no second connection, answers with an error.
    """
    import psycopg

    with closing(_connected(parsed)) as other:
        try:
            changes = any(_changes_process(connection, other) for _ in range(3))
        except psycopg.Error as error:
            said = str(error).strip().partition("\n")[0]
            raise BadUrl(f"{said} (perhaps {POOLER})") from error
    if changes:
        raise BadUrl(POOLER)


def _changes_process(connection: "Connection", other: "Connection") -> bool:
    """Return whether a connection has another server process while the other one is in a transaction."""
    before = _ask(connection, "SELECT pg_backend_pid()")
    other.execute("BEGIN")
    after = _ask(connection, "SELECT pg_backend_pid()")
    other.execute("ROLLBACK")
    return bool(before != after)


def _ask(connection: "Connection", query: LiteralString) -> Any:
    row = connection.execute(query).fetchone()
    assert row is not None
    return row[0]


def _holders(connection: "Connection") -> list[tuple[str, Any]]:
    """Return the names and starts of the processes that hold the lock."""
    return connection.execute(_HOLDERS, (LOCK,)).fetchall()


def _in_use(connection: "Connection", parsed: URL) -> str:
    holders = [
        f"{name.removeprefix('pecking-order: ')}{f', since {since:%Y-%m-%d %H:%M:%S}' if since else ''}"
        for name, since in _holders(connection)
    ]
    where = place(parsed.render_as_string(hide_password=False))
    named = "; ".join(holders) or "it has just ended: try again"
    return f"another Pecking Order uses {where} ({named}). Stop it first, or use another database."
