"""Everything that is kept, in one file, and back.

A *dump* is lines of JSON and fits both databases: that is how one moves from SQLite to PostgreSQL, or back. A *copy*
is SQLite's own file, made while the server runs. `restore` takes either.
"""

import gzip
import io
import itertools
import json
import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final, cast

import sqlalchemy as sa

from app.store.db.engines import make_engine, parse_url
from app.store.db.errors import BadUrl
from app.store.db.schema import metadata, planned_deletions
from app.store.db.transactions import transact
from app.store.db.types import UtcTime, encode
from app.store.maintenance.migrations import fit, newest, revision, upgrade

FORMAT: Final = "pecking-order-dump/1"
AT_ONCE: Final = 500
"""Rows read or written in one go."""
STANDARD: Final = Path("-")
"""Standard output or input, in place of a file."""
_BESIDE: Final = ("-wal", "-shm", "-journal")
"""The ends of the names of SQLite's own files beside a database."""


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
            name = getattr(error, "sqlite_errorname", "")
            if name == "SQLITE_FULL":  # nothing is written but the copy
                raise BadBackup(_not_written(path, "the disk is full")) from error
            raise BadUrl(str(error)) from error


def dump(url: str, path: Path) -> dict[str, int]:
    """Write every table into a file of JSON lines; returns the number of rows of each.

    The file is packed if its name ends in .gz; `-` is standard output.
    """
    engine = make_engine(parse_url(url), readonly=True, visiting=True)

    def work(connection: sa.Connection) -> dict[str, int]:
        fit(connection)
        with _dump_file(path) as file:
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


def content(url: str) -> dict[str, int]:
    """Return the numbers of people, rooms and matches in a database that exists or not; only those above 0.

    A server that was started once has written a key of its own. That is nobody's data and does not count.
    """
    parsed = parse_url(url)
    if parsed.get_backend_name() == "sqlite" and not Path(parsed.database or "").exists():
        return {}
    engine = make_engine(parsed)
    try:
        return transact(engine, _content)
    except sa.exc.DatabaseError as error:
        raise BadUrl(str(error.orig).partition("\n")[0]) from error
    finally:
        engine.dispose()


def restore(url: str, path: Path, *, replace: bool = False) -> dict[str, int]:
    """Fill a database from a dump or a copy; returns the number of rows of each table. SQLite's file is made.

    The caller has the database for itself. With `replace` all that is in it is deleted first. If this fails, the
    database is as before. The list of planned deletions is not restored: unused rooms are listed again first, and
    operators have 24 hours to keep them. Raises `BadBackup` if the file can't be restored, or if the database has
    people, rooms or matches and `replace` is false.
    """
    if not path.exists():
        raise BadBackup(f"there is no {path}")
    with path.open("rb") as file:
        start = file.read(16)
    is_copy = start.startswith(b"SQLite format 3")
    if is_copy and parse_url(url).get_backend_name() != "sqlite":
        raise BadBackup("a copy of an SQLite database fits SQLite only: make a dump of it, and restore that")
    if (found := content(url)) and not replace:
        raise BadBackup(
            f"the database is not empty, it has {said(found)}. `restore --replace` deletes what is in it first"
        )
    if is_copy:
        return _restore_copy(url, path)
    with _open(path) as file:  # all of it is read once before anything is made
        for _ in _rows(file, _no_rows()):
            pass
    with _undone_if_it_fails(url):
        upgrade(url)
        engine = make_engine(parse_url(url))
        try:
            with _open(path) as file:
                return transact(engine, lambda connection: _load(connection, file))
        finally:
            engine.dispose()


def said(counts: Mapping[str, int]) -> str:
    """Return numbers of rows as a part of a sentence.

    >>> said({"people": 7, "rooms": 0, "matches": 2})
    '7 people, 2 matches'
    """
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)


def _content(connection: sa.Connection) -> dict[str, int]:
    tables = set(sa.inspect(connection).get_table_names())
    counts = {
        name: connection.execute(sa.select(sa.func.count()).select_from(metadata.tables[name])).scalar_one()
        for name in ("people", "rooms", "matches")
        if name in tables
    }
    return {name: count for name, count in counts.items() if count}


@contextmanager
def _undone_if_it_fails(url: str) -> Iterator[None]:
    """Remove the file, or the tables, that a failed restore made in an empty database."""
    parsed = parse_url(url)
    file = Path(parsed.database or "")
    if parsed.get_backend_name() == "sqlite":
        was_empty = not file.exists()
    else:
        engine = make_engine(parsed)
        was_empty = transact(engine, revision) is None
        engine.dispose()
    try:
        yield
    except BaseException:
        if was_empty and parsed.get_backend_name() == "sqlite":
            for suffix in ("", *_BESIDE):
                file.with_name(file.name + suffix).unlink(missing_ok=True)
        elif was_empty:
            engine = make_engine(parsed)
            transact(engine, _drop_tables)
            engine.dispose()
        raise


def _drop_tables(connection: sa.Connection) -> None:
    metadata.drop_all(connection)
    connection.execute(sa.text("DROP TABLE IF EXISTS alembic_version"))


def _no_rows() -> dict[str, int]:
    return dict.fromkeys((table.name for table in metadata.sorted_tables), 0)


def _dump_table(connection: sa.Connection, table: sa.Table, file: IO[str]) -> int:
    query = sa.select(table).order_by(*table.primary_key.columns)
    count = 0
    for row in connection.execution_options(yield_per=AT_ONCE).execute(query).mappings():
        values = {key: value.isoformat() if isinstance(value, datetime) else value for key, value in row.items()}
        file.write(f"{encode({table.name: values})}\n")
        count += 1
    return count


def _load(connection: sa.Connection, file: IO[str]) -> dict[str, int]:
    for table in reversed(metadata.sorted_tables):
        connection.execute(table.delete())
    counts = _no_rows()
    try:
        for table, rows in itertools.groupby(_rows(file, counts), key=lambda found: found[0]):
            while batch := [row for _, row in itertools.islice(rows, AT_ONCE)]:
                connection.execute(table.insert(), batch)
    except sa.exc.StatementError as error:
        if isinstance(error, sa.exc.OperationalError):
            raise
        raise BadBackup(f"the dump is damaged: its rows don't fit together ({type(error).__name__})") from error
    counts[planned_deletions.name] -= _clear_planned_deletions(connection)
    return counts


def _clear_planned_deletions(connection: sa.Connection) -> int:
    """Empty the list of planned deletions; returns the number of its rows.

    A backup is often restored because its rooms are missed. Its list may have rooms that are due at once.
    """
    return connection.execute(planned_deletions.delete()).rowcount


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
    assert target.database is not None
    file = Path(target.database)
    with _new_file(file, replace=True) as temporary:
        shutil.copyfile(path, temporary)
        upgrade(f"sqlite:///{temporary.absolute()}")  # before it takes the place of a database
        engine = make_engine(parse_url(f"sqlite:///{temporary.absolute()}"))
        try:
            transact(engine, _clear_planned_deletions)
        finally:
            engine.dispose()
        for suffix in _BESIDE:
            file.with_name(file.name + suffix).unlink(missing_ok=True)
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
def _new_file(path: Path, *, replace: bool = False) -> Iterator[Path]:
    """Give a file, readable by us alone, that gets its name when it is complete.

    Only with `replace` it takes the place of another. Raises `BadBackup` if it can't be written.
    """
    if path.exists() and not replace:
        raise BadBackup(f"{path} is there already")
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.absolute().parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise BadBackup(_not_written(path, error.strerror or str(error))) from error
    finally:
        for suffix in ("", *_BESIDE):
            with suppress(OSError):
                temporary.with_name(temporary.name + suffix).unlink(missing_ok=True)


def _not_written(path: Path, why: str) -> str:
    """Return a sentence about a file that can't be written, with the space that is free there."""
    try:
        free = f", {shutil.disk_usage(path.absolute().parent).free // 1_000_000} MB are free"
    except OSError:
        free = ""
    return f"{path} can’t be written: {why}{free}"


@contextmanager
def _dump_file(path: Path) -> Iterator[IO[str]]:
    """Give the file that a dump is written to: standard output for `-`, packed if its name ends in .gz."""
    if path == STANDARD:
        out = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", write_through=True)
        try:
            yield out
        finally:
            out.detach()
        return
    with _new_file(path) as temporary:
        packed = path.suffix == ".gz"
        with gzip.open(temporary, "wt", encoding="utf-8") if packed else temporary.open("w", encoding="utf-8") as file:
            yield cast("IO[str]", file)


def _open(path: Path) -> IO[str]:
    """Open a dump for reading, packed or not."""
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return cast("IO[str]", gzip.open(path, "rt", encoding="utf-8")) if packed else path.open(encoding="utf-8")
