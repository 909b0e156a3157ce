"""Database URLs, and SQLAlchemy engines for SQLite and PostgreSQL with the settings that they need."""

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
from app.store.db.transactions import keep
from app.store.db.types import encode

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

LOCK_MS: Final = 1000
"""How long a writer waits for one row that another process is writing, while all other rooms wait for it."""


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
    # A hurried one begins a transaction itself where it is more than a statement: see `lent`.
    arguments = {**POSTGRES, "options": hurry(), "autocommit": True} if hurried else POSTGRES
    try:
        engine = sa.create_engine(url, connect_args=arguments, **common)
    except ModuleNotFoundError as error:
        raise BadUrl("for PostgreSQL, install pecking-order[postgres]") from error
    if hurried:
        keep(engine)
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
        keep(engine)
    return engine
