"""Back up all data to one file, restore it, and copy one database into another.

A dump is a file of JSON lines and fits both databases. A copy is an SQLite file. Both are made while the server runs,
and `restore_backup` accepts both.
"""

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from itertools import islice, zip_longest
from pathlib import Path
from typing import Final, TypeVar

import sqlalchemy as sa

from app.store.db.engines import make_engine, parse_url
from app.store.db.errors import BadUrl
from app.store.db.schema import metadata, planned_deletions, server_times, tables_in_backups
from app.store.db.transactions import dialect_insert, run_in_transaction
from app.store.maintenance.backup_file import (
    SQLITE_SIDE_FILES,
    BadBackup,
    open_for_reading,
    open_for_writing,
    write_file_atomically,
)
from app.store.maintenance.dump import dump_lines, insert_rows, read_counts, read_revision
from app.store.maintenance.migrations import (
    current_revision,
    fill_and_migrate,
    has_begun,
    migrate_database,
    needs_migration,
    require_newest_revision,
)

T = TypeVar("T")

LAST_BACKUP: Final = "last_backup"
"""Name of the time of the last successful backup in `server_times`."""


def dump_tables(url: str, path: Path, *, compress: bool = False, can_be_older: bool = False) -> dict[str, int]:
    """Write the whole database to a file of JSON lines, which fits SQLite and PostgreSQL.

    Returns the number of rows by table. The file is compressed with `compress`, and if its name ends in .gz; `-` is
    standard output. With `can_be_older`, a database of an older schema gives a backup for the version that made it.
    """

    def work(connection: sa.Connection) -> dict[str, int]:
        if not (can_be_older and current_revision(connection) and needs_migration(connection)):
            require_newest_revision(connection)
        elif has_begun(connection):
            raise BadBackup("the migration has begun, so this would be no backup of before: leave out --backup")
        last_line = ""
        with open_for_writing(path, compress=compress) as file:
            for line in dump_lines(connection):
                file.write(line)
                last_line = line
        return read_counts(last_line)

    return _read_snapshot(url, work)


def save_backup_time(url: str, at: datetime) -> None:
    """Save the time of a successful backup in the database, while a server may run.

    Raises `StorageUnavailable` or a `DatabaseError` if the database can't be written.
    """
    engine = make_engine(parse_url(url), alongside_server=True)

    def work(connection: sa.Connection) -> None:
        insert = dialect_insert(engine.dialect.name, server_times).values(name=LAST_BACKUP, happened_at=at)
        connection.execute(insert.on_conflict_do_update(index_elements=["name"], set_={"happened_at": at}))

    try:
        run_in_transaction(engine, work)
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
    with open_for_reading(path) as file, _remove_new_file_on_error(url):
        revision = read_revision(file)
        return fill_and_migrate(url, revision, lambda connection: insert_rows(connection, file), _finish_restore)


def copy_database(source: str, target: str) -> dict[str, int]:
    """Copy all rows of a database into an empty one of either kind, and compare each row with its copy.

    Returns the number of rows by table. The caller must have exclusive use of both. The source does not change, and if
    this fails, nor does the target. Raises `BadBackup` if the target has people, rooms or matches, or a copied row
    differs, and `BadUrl` if the source is missing or has another version.
    """
    if found := count_main_rows(target):
        raise BadBackup(f"the target is not empty, it has {format_counts(found)}: choose an empty database")

    def work(connection: sa.Connection) -> dict[str, int]:
        require_newest_revision(connection)

        def compare(copy: sa.Connection) -> dict[str, int]:
            last_line = ""
            pairs = zip_longest(_source_lines(connection, by_bytes=True), dump_lines(copy, by_bytes=True))
            for line, copied in islice(pairs, 1, None):  # the first lines have the time
                if line is None or line != copied:
                    raise BadBackup("a row of the copy differs from its source: nothing is copied")
                last_line = line
            return read_counts(last_line)

        lines = _source_lines(connection)
        return fill_and_migrate(target, read_revision(lines), lambda copy: insert_rows(copy, lines), compare)

    with _remove_new_file_on_error(target):
        return _read_snapshot(source, work)


def format_counts(counts: Mapping[str, int]) -> str:
    """Return row counts as part of a sentence for the operator, without zeros.

    >>> format_counts({"people": 7, "rooms": 0, "matches": 2})
    '7 people, 2 matches'
    """
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)


def _read_snapshot(url: str, work: Callable[[sa.Connection], T]) -> T:
    """Run `work` with a connection that reads the database as it is at one moment, while a server may write."""
    engine = make_engine(parse_url(url), readonly=True, alongside_server=True)
    still = engine.execution_options(isolation_level="REPEATABLE READ") if engine.name == "postgresql" else engine
    try:
        return run_in_transaction(still, work)
    finally:
        engine.dispose()


def _source_lines(connection: sa.Connection, *, by_bytes: bool = False) -> Iterator[str]:
    """Yield the lines of a dump. Errors name the source, because the target has its own."""
    try:
        yield from dump_lines(connection, by_bytes=by_bytes)
    except sa.exc.DBAPIError as error:
        raise BadBackup(f"the source can’t be read: {str(error.orig).partition(chr(10))[0]}") from error


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
            for suffix in ("", *SQLITE_SIDE_FILES):
                file.with_name(file.name + suffix).unlink(missing_ok=True)
        raise


def _finish_restore(connection: sa.Connection) -> dict[str, int]:
    _clear_planned_deletions(connection)
    return _count_all_rows(connection)


def _clear_planned_deletions(connection: sa.Connection) -> None:
    """Clear the list of planned deletions after a restore.

    Operators often restore a backup to get its rooms back. Its list may contain rooms that would be deleted at once.
    """
    connection.execute(planned_deletions.delete())


def _restore_copy(url: str, path: Path) -> dict[str, int]:
    target = parse_url(url)
    assert target.database is not None
    file = Path(target.database)
    with write_file_atomically(file, replace=True) as temporary:
        shutil.copyfile(path, temporary)
        # migrate before it replaces the database
        migrate_database(f"sqlite:///{temporary.absolute()}", keeps_way_back=False)
        engine = make_engine(parse_url(f"sqlite:///{temporary.absolute()}"))
        try:
            counts = run_in_transaction(engine, _finish_restore)
        finally:
            engine.dispose()
        for suffix in SQLITE_SIDE_FILES:
            file.with_name(file.name + suffix).unlink(missing_ok=True)
    return counts


def _count_all_rows(connection: sa.Connection) -> dict[str, int]:
    return {
        table.name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
        for table in tables_in_backups()
    }
