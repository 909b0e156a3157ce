"""Parse database URLs, and create SQLAlchemy engines for SQLite and PostgreSQL with the required settings."""

import json
import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.pool import QueuePool

from app.store.db.errors import BadUrl
from app.store.db.types import encode

READER_CACHE_KB: Final = 256
BUSY_SECONDS: Final = 2.0
"""Seconds that SQLite waits while another process writes."""
MIGRATION_BUSY_SECONDS: Final = 60.0
"""Seconds that a migration of an SQLite file waits while another process migrates it."""

POSTGRES_OPTIONS: Final = {
    "application_name": "pecking-order",
    "connect_timeout": 10,
    # Notice a server that disappears without closing the connection.
    "keepalives_idle": 20,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}

SESSION_SETTINGS: Final = {
    "client_encoding": "UTF8",
    "datestyle": "ISO",  # the driver reads times in this form only
    "timezone": "UTC",
    "default_transaction_isolation": "read committed",  # writers expect no serialization failures
    "extra_float_digits": "1",  # numbers are read as they were written
}
"""Settings of each PostgreSQL session that the code relies on. A server, database or role may have others."""

IDLE_TRANSACTION_TIMEOUT_MS: Final = 5000
"""PostgreSQL ends a transaction that was idle for this time, for example of a suspended process."""

LOCK_TIMEOUT_MS: Final = 1000
"""Longest wait for a row lock of another process. All other rooms wait meanwhile."""

SHORT_TIMEOUTS: Final = {
    "idle_in_transaction_session_timeout": str(IDLE_TRANSACTION_TIMEOUT_MS),
    "lock_timeout": str(LOCK_TIMEOUT_MS),
}
"""Settings of sessions whose transactions must not block others for long, in milliseconds."""


def parse_url(url: str) -> URL:
    """Parse a database URL in any usual form, and set the driver that this project uses. Raises `BadUrl`.

    >>> parse_url("postgres://app:secret@db/cards").drivername
    'postgresql+psycopg'
    >>> parse_url("sqlite:///data/cards.sqlite3").drivername
    'sqlite+pysqlite'
    """
    # make_url would read the text after the first @ as the host
    if url.partition("://")[2].partition("/")[0].count("@") > 1:
        raise BadUrl("DATABASE_URL has an @ in its password: write it as %40")
    try:
        parsed = make_url(url)
    except (sa.exc.ArgumentError, ValueError):  # the original message would show the URL with its password
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


def make_parent_folder(path: Path) -> None:
    """Create the folder of a database file if it does not exist. Raises `BadUrl` if that fails."""
    folder = path.absolute().parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadUrl(f"the folder {folder} can’t be made: {error.strerror}") from None


def describe_location(url: str) -> str:
    """Return where the data is, for messages to the operator: the path of a file, or a database and its host.

    The password is left out.

    >>> describe_location("postgresql://app:secret@db:5433/cards")
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
    low_latency: bool = False,
    alongside_server: bool = False,
    migrating: bool = False,
    autocommit: bool = False,
    pooled: bool = False,
    size: int = 1,
) -> sa.Engine:
    """Return a new SQLAlchemy engine for this database, with connections set for its purpose.

    The caller disposes of it. `readonly`: connections can't write. `alongside_server`: a server may be using the same
    SQLite file; checkpoints are left to that server. `migrating`: turns off SQLite's foreign keys, since migrations
    replace tables by copies. `low_latency`: for transactions of a few milliseconds that must not wait long or block
    others. `autocommit`: for transactions of one statement, which need no BEGIN. `pooled`: a connection pooler may lend
    each transaction another session (`postgres_connect_arguments`). `size`: the number of connections.
    """
    common: dict[str, Any] = {
        "poolclass": QueuePool,
        "pool_size": size,
        "max_overflow": 0,
        "json_serializer": encode,
        "json_deserializer": json.loads,
        "hide_parameters": True,  # errors are logged, and parameters contain cards and secrets
    }
    if url.get_backend_name() == "sqlite":
        return _make_sqlite_engine(
            url,
            common,
            readonly=readonly,
            alongside_server=alongside_server,
            migrating=migrating,
            autocommit=autocommit,
        )
    arguments: dict[str, Any] = {
        **POSTGRES_OPTIONS,
        **_session_options(url, short_timeouts=low_latency, pooled=pooled),
        "autocommit": autocommit,
        # After an error in a pipeline, psycopg takes statements for prepared that the server has skipped.
        "prepare_threshold": 5 if autocommit and not pooled else None,
    }
    try:
        return sa.create_engine(url, connect_args=arguments, **common)
    except ModuleNotFoundError as error:
        raise BadUrl("for PostgreSQL, install pecking-order[postgres]") from error


def postgres_connect_arguments(url: URL, *, short_timeouts: bool = False, pooled: bool = False) -> dict[str, Any]:
    """Return the keyword arguments with which psycopg connects to this PostgreSQL, without SQLAlchemy.

    With `short_timeouts`, PostgreSQL ends long waits for locks and idle transactions, so that a stalled process can't
    block the others for long. `pooled`: a connection pooler may lend each transaction another session. So the settings
    are those of the role, which the server checks when it starts.
    """
    return {
        **POSTGRES_OPTIONS,
        **url.get_dialect()().create_connect_args(url)[1],
        **_session_options(url, short_timeouts=short_timeouts, pooled=pooled),
    }


def _session_options(url: URL, *, short_timeouts: bool, pooled: bool) -> dict[str, str]:
    """Return the argument `options` of a connection: those of the URL, then the settings that the code relies on.

    Behind a pooler the role has short timeouts, so all other sessions turn these off.
    """
    if pooled:
        return {}
    settings = {**SESSION_SETTINGS, **(SHORT_TIMEOUTS if short_timeouts else dict.fromkeys(SHORT_TIMEOUTS, "0"))}
    requested = url.query.get("options", "")
    given = [requested] if isinstance(requested, str) else [*requested]
    blank = r"\ "
    named = [f"-c {name}={value.replace(' ', blank)}" for name, value in settings.items()]
    return {"options": " ".join([*given, *named])}


def _make_sqlite_engine(
    url: URL,
    engine_options: dict[str, Any],
    *,
    readonly: bool,
    alongside_server: bool,
    migrating: bool,
    autocommit: bool,
) -> sa.Engine:
    assert url.database is not None
    if alongside_server and not Path(url.database).exists():
        raise BadUrl("there is no such file")
    make_parent_folder(Path(url.database))
    # Readable only for this user, since the file contains all cards. SQLite gives its other files the same mode. If the
    # file can't be created, SQLite reports why.
    with suppress(OSError):
        os.close(os.open(url.database, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    engine = sa.create_engine(
        url,
        # None: the driver starts no transactions itself. Connections move between threads, but only one thread uses
        # each.
        connect_args={
            "isolation_level": None,
            "check_same_thread": False,
            "timeout": MIGRATION_BUSY_SECONDS if migrating else BUSY_SECONDS,
        },
        **engine_options,
    )
    pragmas = [
        "journal_mode=WAL",
        "synchronous=FULL",  # a commit is on the disk when it returns
        "fullfsync=ON",  # needed on macOS, where fsync alone does not reach the disk
        f"foreign_keys={'OFF' if migrating else 'ON'}",
        "secure_delete=ON",  # overwrite deleted names with zeros, which not every build of SQLite does by itself
    ]
    if readonly or alongside_server:
        # Only the server's writer runs checkpoints: SQLite before 3.51.3 may lose pages if two connections write and
        # checkpoint at the same time.
        pragmas.append("wal_autocheckpoint=0")
    if readonly:
        pragmas.append("query_only=ON")
        # Every write invalidates the page cache: pages serve one transaction and then only use memory.
        pragmas.append(f"cache_size=-{READER_CACHE_KB}")
    elif not (alongside_server or migrating):
        # Keeps the statement journal in memory: beyond 64 kB SQLite would create a file for it, with most commits.
        pragmas.append("temp_store=MEMORY")
    # writers take the lock at the start: no upgrade can fail halfway
    begin = "BEGIN" if readonly else "BEGIN IMMEDIATE"

    @sa.event.listens_for(engine, "connect")
    def _connected(connection: sqlite3.Connection, _record: object) -> None:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}").close()

    if not autocommit:
        # on the driver: SQLAlchemy doubles the time of an empty transaction
        sa.event.listen(engine, "begin", lambda connection: connection.connection.driver_connection.execute(begin))
    return engine
