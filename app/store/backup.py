"""Everything that is kept, in one file, and back.

A *dump* is lines of JSON and fits both databases: that is how one moves from SQLite to PostgreSQL, or back. A *copy*
is SQLite's own file, made while the server runs. `restore` takes either.
"""

import gzip
import itertools
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

import sqlalchemy as sa

from .columns import UtcTime, encode
from .database import BadUrl, make_engine, parse_url, transact
from .migrate import fit, newest, upgrade
from .tables import metadata

FORMAT: Final = "pecking-order-dump/1"
AT_ONCE: Final = 500
"""Rows read or written in one go."""


class BadBackup(Exception):
    """A file that can't be restored, or a database that is not empty; the message says which."""


def copy(url: str, path: Path) -> None:
    """Copy an SQLite database into a file, as it is at one moment, while others read and write."""
    source = parse_url(url)
    if source.get_backend_name() != "sqlite":
        raise BadUrl("only SQLite is copied as a file: dump the database instead")
    assert source.database is not None
    if not Path(source.database).exists():
        raise BadUrl("there is no such file")
    with _new_file(path) as temporary:
        # Read-only: a copy leaves no trace in the database, and writes no log that another is writing.
        from_uri = f"{Path(source.database).absolute().as_uri()}?mode=ro"
        try:
            with closing(sqlite3.connect(from_uri, uri=True)) as here, closing(sqlite3.connect(temporary)) as there:
                here.backup(there)
                there.execute("PRAGMA journal_mode=DELETE")  # one file, not three
        except sqlite3.Error as error:
            raise BadUrl(str(error)) from error


def dump(url: str, path: Path) -> dict[str, int]:
    """Write every table into a file of JSON lines (packed if its name ends in .gz); returns how many rows of each."""
    engine = make_engine(parse_url(url), readonly=True, visiting=True)

    def work(connection: sa.Connection) -> dict[str, int]:
        fit(connection)
        with _new_file(path) as temporary, _open(temporary, "wt", path) as file:
            head = {"format": FORMAT, "revision": newest(), "at": datetime.now(UTC).isoformat(timespec="seconds")}
            file.write(f"{encode(head)}\n")
            counts = {table.name: _dump_table(connection, table, file) for table in metadata.sorted_tables}
            file.write(f"{encode({'rows': counts})}\n")
            return counts

    still = engine.execution_options(isolation_level="REPEATABLE READ") if engine.name == "postgresql" else engine
    try:
        return transact(still, work)
    finally:
        engine.dispose()


def restore(url: str, path: Path) -> dict[str, int]:
    """Fill an empty database (a new one is made for SQLite) from a dump or a copy; returns how many rows of each."""
    if not path.exists():
        raise BadBackup(f"there is no {path}")
    with path.open("rb") as file:
        start = file.read(16)
    if start.startswith(b"SQLite format 3"):
        return _restore_copy(url, path)
    upgrade(url)
    engine = make_engine(parse_url(url))
    try:
        with _open(path, "rt", path) as file:
            return transact(engine, lambda connection: _load(connection, file))
    finally:
        engine.dispose()


def _dump_table(connection: sa.Connection, table: sa.Table, file: IO[str]) -> int:
    query = sa.select(table).order_by(*table.primary_key.columns)
    count = 0
    for row in connection.execution_options(yield_per=AT_ONCE).execute(query).mappings():
        values = {key: value.isoformat() if isinstance(value, datetime) else value for key, value in row.items()}
        file.write(f"{encode({table.name: values})}\n")
        count += 1
    return count


def _load(connection: sa.Connection, file: IO[str]) -> dict[str, int]:
    for table in metadata.sorted_tables:
        if connection.execute(sa.select(table).limit(1)).first() is not None:
            raise BadBackup(f"the database is not empty: {table.name} has rows")
    counts = dict.fromkeys((table.name for table in metadata.sorted_tables), 0)
    try:
        for table, rows in itertools.groupby(_rows(file, counts), key=lambda found: found[0]):
            while batch := [row for _, row in itertools.islice(rows, AT_ONCE)]:
                connection.execute(table.insert(), batch)
    except sa.exc.StatementError as error:
        if isinstance(error, sa.exc.OperationalError):
            raise
        raise BadBackup(f"the dump is damaged: its rows don't fit together ({type(error).__name__})") from error
    return counts


def _rows(file: IO[str], counts: dict[str, int]) -> Iterator[tuple[sa.Table, dict[str, Any]]]:
    """Every row of a dump with its table, counted; fails at the end if the dump was not whole."""
    try:
        head, whole = json.loads(file.readline() or "{}"), False
        if not isinstance(head, dict) or head.get("format") != FORMAT:
            raise BadBackup("this is neither a dump nor an SQLite database")
        if head["revision"] != newest():
            raise BadBackup(
                f"the dump was made at {head['revision']}, and this program is at {newest()}: "
                "restore it with the version that made it, then start this one"
            )
        for line in file:
            [(name, row)] = json.loads(line).items()
            if name == "rows":
                whole = row == counts
                continue
            table = metadata.tables[name]
            for column in table.columns:
                if isinstance(column.type, UtcTime) and row[column.name] is not None:
                    row[column.name] = datetime.fromisoformat(row[column.name])
            counts[name] += 1
            yield table, row
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, OSError) as error:
        raise BadBackup(f"the dump is damaged: {error}") from error
    if not whole:
        raise BadBackup("the dump is not whole: its end is missing")


def _restore_copy(url: str, path: Path) -> dict[str, int]:
    target = parse_url(url)
    if target.get_backend_name() != "sqlite":
        raise BadBackup("a copy of an SQLite database fits SQLite only: make a dump of it, and restore that")
    assert target.database is not None
    with _new_file(Path(target.database)) as temporary:
        temporary.write_bytes(path.read_bytes())
    upgrade(url)
    engine = make_engine(target, readonly=True)
    try:
        return transact(engine, _count)
    finally:
        engine.dispose()


def _count(connection: sa.Connection) -> dict[str, int]:
    return {
        table.name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
        for table in metadata.sorted_tables
    }


@contextmanager
def _new_file(path: Path) -> Iterator[Path]:
    """A file that appears under its name when it is complete, readable by us alone; never in place of another."""
    if path.exists():
        raise BadBackup(f"{path} is there already")
    path.absolute().parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _open(path: Path, mode: str, named: Path) -> IO[Any]:
    if named.suffix == ".gz":
        return gzip.open(path, mode, encoding="utf-8")  # type: ignore[return-value]
    return path.open(mode, encoding="utf-8")
