"""Open a database for one use: check that it exists, its version, and which other processes use it.

Several servers may share a PostgreSQL. Each holds a shared advisory lock, and so do commands that may run beside a
server. `restore`, `rebuild`, `migrate` and a server that must migrate hold an exclusive lock. SQLite uses a lock file
(`lock_database_file`).
"""

import logging
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, LiteralString, TypeAlias

import sqlalchemy as sa
from sqlalchemy.engine import URL

from app.store.db.cancelling import NEVER, StopSignal
from app.store.db.engines import (
    SESSION_SETTINGS,
    SHORT_TIMEOUTS,
    describe_location,
    make_engine,
    parse_url,
    postgres_connect_arguments,
)
from app.store.db.errors import BadUrl
from app.store.db.file_lock import DatabaseLocked, lock_database_file, os_errors_as_bad_url
from app.store.db.transactions import run_in_transaction
from app.store.maintenance.migrations import (
    MigrationStopped,
    Report,
    migrate_database,
    needs_migration,
    require_newest_revision,
)

if TYPE_CHECKING:
    import psycopg

    Connection: TypeAlias = psycopg.Connection[Any]

Use: TypeAlias = Literal["beside", "alone", "alone, any version"]
"""Which other processes may use the database at the same time.

`beside`: a server may run. `alone`: no other process, and the database has this program's version. `alone, any
version`: no other process, and the version is not checked.
"""

LOCK: Final = 0x7065636C
"""Number of the advisory lock: any number that no other program uses in this database."""
LOCK_SHARED: Final[LiteralString] = f"SELECT pg_try_advisory_lock_shared({LOCK})"
_LOCK_EXCLUSIVE: Final[LiteralString] = f"SELECT pg_try_advisory_lock({LOCK})"
_UNLOCK_EXCLUSIVE: Final[LiteralString] = f"SELECT pg_advisory_unlock({LOCK})"
_HOLDERS: Final = """
SELECT a.application_name, a.backend_start, l.mode = 'ExclusiveLock' FROM pg_locks l JOIN pg_stat_activity a USING (pid)
WHERE l.locktype = 'advisory' AND l.classid = 0 AND l.objid = %s AND l.objsubid = 1 AND l.granted
    AND l.pid <> pg_backend_pid()
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
ORDER BY a.backend_start
"""
_HOLDS_LOCK: Final = """
SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s AND pid = %s
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
_SELECT_SETTINGS: Final = "SELECT lower(name), setting FROM pg_settings WHERE lower(name) = ANY(%s)"
_SELECT_ROLE: Final = "SELECT quote_ident(session_user), quote_ident(current_database())"
_MIGRATES: Final = "migrates"
POLL_SECONDS: Final = 0.2
"""Seconds between two checks while another server migrates the database."""

BAD_POOLER_MESSAGE: Final = (
    "between this server and PostgreSQL is a connection pooler, such as PgBouncer, that does not fit. In transaction "
    "mode, let PECKING_ORDER_DATABASE_DIRECT_URL be an address without the pooler. Or use session mode, with "
    "ignore_startup_parameters = options,extra_float_digits and at least ten connections for each node"
)
OTHER_DATABASE_MESSAGE: Final = "PECKING_ORDER_DATABASE_DIRECT_URL leads to another database than DATABASE_URL"

logger = logging.getLogger(__name__)


@contextmanager
def open_for_command(url: str, use: Use) -> Iterator[None]:
    """Check a database and lock it for a command of the operator, until the context ends.

    `use`: which other processes may use it meanwhile. Raises `BadUrl` if the database is missing or of another
    version, `DatabaseLocked` if another process uses it.
    """
    parsed = parse_url(url)
    if parsed.get_backend_name() == "sqlite" and use != "alone, any version":
        with os_errors_as_bad_url(Path(parsed.database or "")):
            if not Path(parsed.database or "").exists():
                raise BadUrl("there is no such file")
    with (
        lock_database_file(url) if use != "beside" else nullcontext(),
        _hold_postgres_lock(parsed, shared=use == "beside"),
    ):
        if use != "alone, any version":
            _check_version(parsed)
        yield


@contextmanager
def open_for_server(
    url: str, direct_url: str | None = None, *, report: Report = lambda progress: None, stop: StopSignal = NEVER
) -> Iterator[Callable[[], None]]:
    """Lock a database for a server until the context ends; migrate it if it is outdated.

    `direct_url`: the address without the connection pooler to which `url` leads; None: it leads to none. `report` and
    `stop` are those of `migrate_database`; `stop` also ends the wait for another node. Yields a function that releases
    PostgreSQL's lock: the server calls it when another connection holds the lock. Raises `BadUrl`, `DatabaseLocked` and
    `MigrationStopped`.
    """
    unpooled_url = direct_url or url
    parsed = parse_url(unpooled_url)
    migrate = partial(migrate_database, unpooled_url, report=report, stop=stop)
    with lock_database_file(url):
        if parsed.get_backend_name() == "sqlite":
            migrate()
            yield lambda: None
            return
        with closing(_connect(parsed)) as connection:
            _refuse_bad_pooler(connection, parsed)
            _take_shared_lock_when_current(connection, parsed, migrate, stop)
            if direct_url is not None:
                _check_pooler(parse_url(url), connection)
            yield connection.close


def holder_name(what: str = "") -> str:
    """Return the name under which PostgreSQL shows this process to others that want the database's lock.

    `what`: what the process does with it.
    """
    doing = f", {what}" if what else ""
    return f"pecking-order: process {os.getpid()} on {socket.gethostname()}"[: 63 - len(doing)] + doing


def _take_shared_lock_when_current(
    connection: "Connection", parsed: URL, migrate: Callable[[], None], stop: StopSignal
) -> None:
    """Take the shared lock of a PostgreSQL database.

    If it is outdated, migrate it first or wait for another node to. Raises `DatabaseLocked` if another process uses
    the database alone, or an outdated one at all, and `MigrationStopped` if `stop` is set.
    """
    is_reported = False
    while not stop.is_set():
        current = _is_current(parsed)
        if current and _fetch_value(connection, LOCK_SHARED):
            if not _is_current(parsed):
                raise DatabaseLocked(_in_use_message(connection, parsed))
            _show_holder(connection)
            return
        if not current:
            # Before the lock, so that no other node finds a holder without this name and refuses to start.
            _show_holder(connection, _MIGRATES)
            if _fetch_value(connection, _LOCK_EXCLUSIVE):
                migrate()
                _fetch_value(connection, LOCK_SHARED)
                _fetch_value(connection, _UNLOCK_EXCLUSIVE)
                _show_holder(connection)
                return
        # A shared lock conflicts only with an exclusive lock. Nodes that have migrated meanwhile hold shared locks.
        holders = [name for name, _, exclusive in _lock_holders(connection) if exclusive or not current]
        if holders and not any(name.endswith(_MIGRATES) for name in holders):
            if current:
                raise DatabaseLocked(_in_use_message(connection, parsed))
            if not _is_current(parsed):
                raise DatabaseLocked(
                    f"{_in_use_message(connection, parsed)} It must be migrated first, while no other node runs."
                )
        if not is_reported:
            is_reported = True
            logger.info("waiting for another node that migrates the database")
        time.sleep(POLL_SECONDS)
    raise MigrationStopped


def _show_holder(connection: "Connection", what: str = "") -> None:
    connection.execute("SELECT set_config('application_name', %s, false)", (holder_name(what),))


def _is_current(parsed: URL) -> bool:
    """Return whether a server can use this database without a migration.

    Raises `BadUrl` if it can't be read, or a newer program version has used it.
    """
    engine = make_engine(parsed)
    try:
        return not run_in_transaction(engine, needs_migration)
    except sa.exc.DatabaseError as error:
        raise BadUrl(str(error.orig).partition("\n")[0]) from error
    finally:
        engine.dispose()


def _check_version(parsed: URL) -> None:
    engine = make_engine(parsed, readonly=True, alongside_server=True)
    try:
        run_in_transaction(engine, require_newest_revision)
    except sa.exc.DatabaseError as error:
        raise BadUrl(str(error.orig).partition("\n")[0]) from error
    finally:
        engine.dispose()


@contextmanager
def _hold_postgres_lock(parsed: URL, *, shared: bool) -> Iterator[None]:
    """Hold PostgreSQL's lock, shared or exclusive, until the context ends; do nothing for SQLite.

    Raises `DatabaseLocked` if another process holds a conflicting lock.
    """
    if parsed.get_backend_name() == "sqlite":
        yield
        return
    with closing(_connect(parsed)) as connection:
        _refuse_bad_pooler(connection, parsed)
        if not _fetch_value(connection, LOCK_SHARED if shared else _LOCK_EXCLUSIVE):
            raise DatabaseLocked(_in_use_message(connection, parsed))
        try:
            yield
        finally:
            with suppress(Exception):  # the connection is lost, and the lock with it
                # The server would only later notice that the connection was closed, and refuse the next command.
                connection.execute("SELECT pg_advisory_unlock_all()")


def _connect(parsed: URL, *, pooled: bool = False) -> "Connection":
    try:
        import psycopg
    except ModuleNotFoundError as error:
        raise BadUrl("for PostgreSQL, install pecking-order[postgres]") from error
    arguments = {
        **postgres_connect_arguments(parsed, short_timeouts=True, pooled=pooled),
        "application_name": holder_name(),
    }
    try:
        return psycopg.connect(**arguments, autocommit=True)
    except psycopg.Error as error:
        said = str(error).strip().partition("\n")[0]
        raise BadUrl(f"{said} ({BAD_POOLER_MESSAGE})" if "startup parameter" in said else said) from error


def _refuse_bad_pooler(connection: "Connection", parsed: URL) -> None:
    """Raise `BadUrl` if a connection pooler switches a connection to another server process between transactions.

    Locks would then be lost. While a second connection is in a transaction, such a pooler has lent it the process of
    the first. A pooler that allows no transactions, or no second connection, answers with an error.
    """
    import psycopg

    with closing(_connect(parsed)) as other:
        try:
            changes = any(_changes_process(connection, other) for _ in range(3))
        except psycopg.Error as error:
            said = str(error).strip().partition("\n")[0]
            raise BadUrl(f"{said} (perhaps {BAD_POOLER_MESSAGE})") from error
    if changes:
        raise BadUrl(BAD_POOLER_MESSAGE)


def _check_pooler(url: URL, direct: "Connection") -> None:
    """Raise `BadUrl` unless the pooler at `url` leads to the database that `direct` has locked, with fitting settings.

    Sessions behind it have the settings of the role: in transaction mode, nothing else can set them for a connection.
    """
    import psycopg

    needed = {**SESSION_SETTINGS, **SHORT_TIMEOUTS}
    with closing(_connect(url, pooled=True)) as pooled:
        try:
            with pooled.transaction():  # a pooler in statement mode refuses it
                [is_same] = pooled.execute(_HOLDS_LOCK, (LOCK, direct.info.backend_pid)).fetchall()[0]
                found = dict(pooled.execute(_SELECT_SETTINGS, ([*needed],)).fetchall())
                [role, database] = pooled.execute(_SELECT_ROLE).fetchall()[0]
        except psycopg.Error as error:
            said = str(error).strip().partition("\n")[0]
            raise BadUrl(f"{said} (perhaps {BAD_POOLER_MESSAGE})") from error
    if not is_same:
        raise BadUrl(OTHER_DATABASE_MESSAGE)
    wrong = [name for name, value in needed.items() if found[name].partition(",")[0] != value]
    if wrong:
        said = " ".join(f"ALTER ROLE {role} IN DATABASE {database} SET {name} = '{needed[name]}';" for name in wrong)
        raise BadUrl(f"behind a connection pooler the role needs more settings. Restart the pooler after {said}")


def _changes_process(connection: "Connection", other: "Connection") -> bool:
    """Return whether a connection gets another server process while the other connection is in a transaction.

    Then a connection pooler is between, which does not fit.
    """
    before = _fetch_value(connection, "SELECT pg_backend_pid()")
    other.execute("BEGIN")
    after = _fetch_value(connection, "SELECT pg_backend_pid()")
    other.execute("ROLLBACK")
    return bool(before != after)


def _fetch_value(connection: "Connection", query: LiteralString) -> Any:
    row = connection.execute(query).fetchone()
    assert row is not None
    return row[0]


def _lock_holders(connection: "Connection") -> list[tuple[str, Any, bool]]:
    """Return the other processes that hold the database's lock: name, start time, and whether the lock is exclusive."""
    return connection.execute(_HOLDERS, (LOCK,)).fetchall()


def _in_use_message(connection: "Connection", parsed: URL) -> str:
    holders = [
        f"{name.removeprefix('pecking-order: ')}{f', since {since:%Y-%m-%d %H:%M:%S}' if since else ''}"
        for name, since, _ in _lock_holders(connection)
    ]
    where = describe_location(parsed.render_as_string(hide_password=False))
    named = "; ".join(holders) or "it has just ended: try again"
    return f"another Pecking Order uses {where} ({named}). Stop it first, or use another database."
