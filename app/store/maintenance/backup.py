"""Back up all data to one file, and restore it.

A dump is a file of JSON lines and fits both databases: use it to move from SQLite to PostgreSQL, or back. A copy is an
SQLite file, made while the server runs. `restore_backup` accepts both.
"""

import gzip
import io
import itertools
import json
import os
import shutil
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final, cast

import sqlalchemy as sa

from app.store.db.engines import make_engine, parse_url
from app.store.db.errors import BadUrl
from app.store.db.schema import metadata, planned_deletions, tables_in_backups
from app.store.db.transactions import run_in_transaction
from app.store.db.types import CleanText, Json, UtcTime, encode
from app.store.maintenance.migrations import (
    fill_and_migrate,
    migrate_database,
    newest_revision,
    refuse_unknown_revision,
    require_newest_revision,
)

FORMAT: Final = "pecking-order-dump/1"
ROWS_PER_BATCH: Final = 500
"""Number of rows read or written in one batch."""
STANDARD_STREAM: Final = Path("-")
"""Stands for standard output or input, in place of a file."""
_SQLITE_SIDE_FILES: Final = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite creates beside a database."""


class BadBackup(Exception):
    """Raised if a backup can't be written or restored, or the target database is not empty.

    The message has the reason, for the operator.
    """


def copy_sqlite_file(url: str, path: Path) -> None:
    """Copy an SQLite database to a new file while a server may read and write; the copy is consistent.

    Raises `BadUrl` if the database can't be read, and `BadBackup` if the file can't be written.
    """
    source = parse_url(url)
    if source.get_backend_name() != "sqlite":
        raise BadUrl("only SQLite is copied as a file: dump the database instead")
    assert source.database is not None
    if not Path(source.database).exists():
        raise BadUrl("there is no such file")
    with _write_file_atomically(path) as temporary:
        # Read-only: the copy changes nothing in the database, and does not write to a log that a server is writing.
        from_uri = f"{Path(source.database).absolute().as_uri()}?mode=ro"
        try:
            with closing(sqlite3.connect(from_uri, uri=True)) as here, closing(sqlite3.connect(temporary)) as there:
                here.backup(there)
                there.execute("PRAGMA journal_mode=DELETE")  # one file, not three
        except sqlite3.Error as error:
            name = getattr(error, "sqlite_errorname", "")
            if name == "SQLITE_FULL":  # only the copy is written
                raise BadBackup(_cannot_write_message(path, "the disk is full")) from error
            raise BadUrl(str(error)) from error


def dump_tables(url: str, path: Path) -> dict[str, int]:
    """Write the whole database to a file of JSON lines, which fits SQLite and PostgreSQL.

    Returns the number of rows by table. The file is compressed if its name ends in .gz; `-` is standard output.
    """
    engine = make_engine(parse_url(url), readonly=True, alongside_server=True)

    def work(connection: sa.Connection) -> dict[str, int]:
        require_newest_revision(connection)
        with _open_dump_for_writing(path) as file:
            head = {
                "format": FORMAT,
                "revision": newest_revision(),
                "at": datetime.now(UTC).isoformat(timespec="seconds"),
            }
            file.write(f"{encode(head)}\n")
            counts = {table.name: _dump_table(connection, table, file) for table in tables_in_backups()}
            file.write(f"{encode({'rows': counts})}\n")
            return counts

    still = engine.execution_options(isolation_level="REPEATABLE READ") if engine.name == "postgresql" else engine
    try:
        return run_in_transaction(still, work)
    finally:
        engine.dispose()


def count_main_rows(url: str) -> dict[str, int]:
    """Return the numbers of people, rooms and matches above 0, to see whether a database holds data.

    Empty if the database does not exist. A server that was started once has saved its own push key, which does not
    count as data.
    """
    parsed = parse_url(url)
    if parsed.get_backend_name() == "sqlite" and not Path(parsed.database or "").exists():
        return {}
    engine = make_engine(parsed)
    try:
        return run_in_transaction(engine, _count_main_rows)
    except sa.exc.DatabaseError as error:
        raise BadUrl(str(error.orig).partition("\n")[0]) from error
    finally:
        engine.dispose()


def restore_backup(url: str, path: Path, *, replace: bool = False) -> dict[str, int]:
    """Restore a database from a dump or a copy; return the number of rows by table. Creates SQLite's file.

    The caller must have exclusive use of the database. With `replace`, all existing data is deleted first. A backup of
    an older schema, from version 0.3.0 on, is migrated. If this fails, the database is unchanged. The list of planned
    deletions is not restored: unused rooms are listed again, and operators have 24 hours to keep them. Raises
    `BadBackup` if the file can't be restored, or if the database has people, rooms or matches without `replace`.
    """
    if not path.exists():
        raise BadBackup(f"there is no {path}")
    with path.open("rb") as file:
        start = file.read(16)
    is_copy = start.startswith(b"SQLite format 3")
    if is_copy and parse_url(url).get_backend_name() != "sqlite":
        raise BadBackup("a copy of an SQLite database fits SQLite only: make a dump of it, and restore that")
    if (found := count_main_rows(url)) and not replace:
        raise BadBackup(
            f"the database is not empty, it has {format_counts(found)}. `restore --replace` deletes what is in it first"
        )
    if is_copy:
        return _restore_copy(url, path)
    with _open_dump_for_reading(path) as file, _remove_new_file_on_error(url):
        revision = _read_dump_revision(file)
        return fill_and_migrate(url, revision, lambda connection: _insert_dump_rows(connection, file), _finish_restore)


def format_counts(counts: Mapping[str, int]) -> str:
    """Return row counts as part of a sentence for the operator, without zeros.

    >>> format_counts({"people": 7, "rooms": 0, "matches": 2})
    '7 people, 2 matches'
    """
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)


def _count_main_rows(connection: sa.Connection) -> dict[str, int]:
    tables = set(sa.inspect(connection).get_table_names())
    counts = {
        name: connection.execute(sa.select(sa.func.count()).select_from(metadata.tables[name])).scalar_one()
        for name in ("people", "rooms", "matches")
        if name in tables
    }
    return {name: count for name, count in counts.items() if count}


@contextmanager
def _remove_new_file_on_error(url: str) -> Iterator[None]:
    """If a restore in the context fails, remove the SQLite file that it created."""
    parsed = parse_url(url)
    file = Path(parsed.database or "")
    is_new = parsed.get_backend_name() == "sqlite" and not file.exists()
    try:
        yield
    except BaseException:
        if is_new:
            for suffix in ("", *_SQLITE_SIDE_FILES):
                file.with_name(file.name + suffix).unlink(missing_ok=True)
        raise


def _dump_table(connection: sa.Connection, table: sa.Table, file: IO[str]) -> int:
    query = sa.select(table).order_by(*table.primary_key.columns)
    count = 0
    for row in connection.execution_options(yield_per=ROWS_PER_BATCH).execute(query).mappings():
        values = {key: value.isoformat() if isinstance(value, datetime) else value for key, value in row.items()}
        file.write(f"{encode({table.name: values})}\n")
        count += 1
    return count


def _read_dump_revision(file: IO[str]) -> str:
    """Read the first line of a dump, and return the revision of its schema.

    Raises `BadBackup` if it is no dump, or if this program can't migrate the schema.
    """
    with _damage_as_bad_backup():
        head = json.loads(file.readline() or "{}")
        if not isinstance(head, dict) or head.get("format") != FORMAT:
            raise BadBackup("this is neither a dump nor an SQLite database")
        revision: str = head["revision"]
        try:
            refuse_unknown_revision(revision)
        except BadUrl as error:
            raise BadBackup(f"the database of this dump can’t be restored: {error}") from error
    return revision


def _insert_dump_rows(connection: sa.Connection, file: IO[str]) -> None:
    """Insert the rows of a dump into the empty tables of its schema. Raises `BadBackup` for a damaged dump."""
    tables = sa.MetaData()
    sa.event.listen(tables, "column_reflect", _set_own_type)
    tables.reflect(connection)
    try:
        for table, rows in itertools.groupby(_read_dump_rows(file, tables.tables), key=lambda found: found[0]):
            while batch := [row for _, row in itertools.islice(rows, ROWS_PER_BATCH)]:
                connection.execute(table.insert(), batch)
    except (sa.exc.StatementError, sa.exc.CompileError) as error:
        if isinstance(error, sa.exc.OperationalError):
            raise
        raise BadBackup(f"the dump is damaged: its rows don't fit together ({type(error).__name__})") from error


def _set_own_type(_inspector: object, _table: object, column: dict[str, Any]) -> None:
    """Give a reflected column the type that the tables in schema.py have."""
    for kind, own in ((sa.DateTime, UtcTime()), (sa.JSON, Json), (sa.Text, CleanText())):
        if isinstance(column["type"], kind):
            column["type"] = own


def _finish_restore(connection: sa.Connection) -> dict[str, int]:
    _clear_planned_deletions(connection)
    return _count_all_rows(connection)


def _clear_planned_deletions(connection: sa.Connection) -> None:
    """Clear the list of planned deletions after a restore.

    Operators often restore a backup to get its rooms back. Its list may contain rooms that would be deleted at once.
    """
    connection.execute(planned_deletions.delete())


def _read_dump_rows(file: IO[str], tables: Mapping[str, sa.Table]) -> Iterator[tuple[sa.Table, dict[str, Any]]]:
    """Yield each row of a dump, after its first line, with its table.

    Raises `BadBackup` for a damaged dump, and at the end if the dump is incomplete.
    """
    counts: Counter[str] = Counter()
    whole = False
    with _damage_as_bad_backup():
        for line in file:
            [(name, row)] = json.loads(line).items()
            if name == "rows":
                whole = Counter(row) == counts
                continue
            table = tables[name]
            for column in table.columns:
                if isinstance(column.type, UtcTime) and row[column.name] is not None:
                    row[column.name] = datetime.fromisoformat(row[column.name])
            counts[name] += 1
            yield table, row
    if not whole:
        raise BadBackup("the dump is not whole: its end is missing")


@contextmanager
def _damage_as_bad_backup() -> Iterator[None]:
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, OSError) as error:
        raise BadBackup(f"the dump is damaged: {error}") from error


def _restore_copy(url: str, path: Path) -> dict[str, int]:
    target = parse_url(url)
    assert target.database is not None
    file = Path(target.database)
    with _write_file_atomically(file, replace=True) as temporary:
        shutil.copyfile(path, temporary)
        migrate_database(f"sqlite:///{temporary.absolute()}")  # migrate before it replaces the database
        engine = make_engine(parse_url(f"sqlite:///{temporary.absolute()}"))
        try:
            counts = run_in_transaction(engine, _finish_restore)
        finally:
            engine.dispose()
        for suffix in _SQLITE_SIDE_FILES:
            file.with_name(file.name + suffix).unlink(missing_ok=True)
    return counts


def _count_all_rows(connection: sa.Connection) -> dict[str, int]:
    return {
        table.name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
        for table in tables_in_backups()
    }


@contextmanager
def _write_file_atomically(path: Path, *, replace: bool = False) -> Iterator[Path]:
    """Yield a temporary file, readable only by this user, that is renamed to `path` when it is complete.

    So no incomplete backup is left. An existing file is only replaced with `replace`. Raises `BadBackup` if the file
    exists or can't be written.
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
        raise BadBackup(_cannot_write_message(path, error.strerror or str(error))) from error
    finally:
        for suffix in ("", *_SQLITE_SIDE_FILES):
            with suppress(OSError):
                temporary.with_name(temporary.name + suffix).unlink(missing_ok=True)


def _cannot_write_message(path: Path, why: str) -> str:
    """Return the message for the operator that a backup file can't be written, with the free space there."""
    try:
        free = f", {shutil.disk_usage(path.absolute().parent).free // 1_000_000} MB are free"
    except OSError:
        free = ""
    return f"{path} can’t be written: {why}{free}"


@contextmanager
def _open_dump_for_writing(path: Path) -> Iterator[IO[str]]:
    """Open a dump for writing in the context: standard output for `-`, compressed if its name ends in .gz."""
    if path == STANDARD_STREAM:
        out = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", write_through=True)
        try:
            yield out
        finally:
            out.detach()
        return
    with _write_file_atomically(path) as temporary:
        packed = path.suffix == ".gz"
        with gzip.open(temporary, "wt", encoding="utf-8") if packed else temporary.open("w", encoding="utf-8") as file:
            yield cast("IO[str]", file)


def _open_dump_for_reading(path: Path) -> IO[str]:
    """Open a dump for reading as text, whether it is compressed or not."""
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return cast("IO[str]", gzip.open(path, "rt", encoding="utf-8")) if packed else path.open(encoding="utf-8")
