"""`pecking-order migrate`, `backup`, `restore`, `copy`: migrate, back up, restore and move the whole database."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import click
from sqlalchemy.exc import SQLAlchemyError

from app.commands.shared import errors
from app.rooms.ports.storage import StorageUnavailable
from app.store.db.engines import describe_location
from app.store.maintenance import backup as store
from app.store.maintenance.backup_file import STANDARD_STREAM, BadBackup, copy_sqlite_file
from app.store.maintenance.migrations import Progress, migrate_database, newest_revision
from app.store.maintenance.open_database import Use, open_for_command

T = TypeVar("T")

_database = click.option("--database", help="DATABASE_URL. Default: the one in the settings.")
_file = click.argument("file", type=click.Path(path_type=Path, allow_dash=True))


def _database_url(database: str | None) -> str:
    return database or errors.load_settings_or_fail().unpooled_database_url


def _run_with_database(use: Use, work: Callable[[str], T], database: str | None) -> T:
    """Open the database for this use, run `work` with its URL, and return the result.

    Problems with the database, a file or a backup become ClickException, whose sentence the operator sees.
    """
    url = _database_url(database)
    with errors.show_database_errors(url):
        try:
            with open_for_command(url, use):
                return work(url)
        except BadBackup as error:
            raise click.ClickException(str(error)) from None
        except OSError as error:  # about the backup file
            raise click.ClickException(f"{error.filename or 'The file'}: {error.strerror}.") from None


@click.command()
@_database
@click.option("--backup", "file", type=click.Path(path_type=Path), help="First write a backup for the version before.")
def migrate(database: str | None, file: Path | None) -> None:
    """Migrate the database to the newest revision. A server does that by itself when it starts.

    Many rows are changed in batches. You can stop the command with Ctrl+C, and the next start continues. An SQLite file
    is copied first.
    """
    if file == STANDARD_STREAM:
        raise click.UsageError("--backup needs a file: standard output has the progress")

    def work(url: str) -> None:
        if file is not None:
            _print_counts(store.dump_tables(url, file, can_be_older=True), f"written into {file}")
        migrate_database(url, report=_print_progress)
        if file is not None:
            _save_backup_time(url)

    _run_with_database("alone, any version", work, database)
    click.echo(f"The database is at {newest_revision()}.")


@click.command()
@_file
@_database
@click.option("--copy", "as_copy", is_flag=True, help="SQLite only: copy the database file. A server may be running.")
@click.option("--gzip", "compress", is_flag=True, help="Compress the backup. A name that ends in .gz does so, too.")
def backup(file: Path, database: str | None, as_copy: bool, compress: bool) -> None:
    """Write all stored data into FILE (compressed if it ends in .gz; - for standard output).

    The file has lines of JSON that fit SQLite and PostgreSQL alike. A server may be running.
    """
    if as_copy and file == STANDARD_STREAM:
        raise click.UsageError("--copy needs a file: leave out --copy to write a backup to standard output")
    if as_copy and compress:
        raise click.UsageError("--copy makes a file that SQLite can open: leave out --gzip")
    if as_copy:
        _run_with_database("beside", lambda url: copy_sqlite_file(url, file), database)
        click.echo(f"Copied into {file}.")
    else:
        counts = _run_with_database("beside", lambda url: store.dump_tables(url, file, compress=compress), database)
        _print_counts(counts, f"written into {file}", err=file == STANDARD_STREAM)
    _save_backup_time(_database_url(database))


def _save_backup_time(url: str) -> None:
    """Save the time of a backup in the database. If that fails, warn: the backup is complete."""
    try:
        store.save_backup_time(url, datetime.now(UTC))
    except (SQLAlchemyError, StorageUnavailable) as error:
        said = str(error).partition("\n")[0]
        click.echo(f"The backup is complete, but its time can’t be saved in the database: {said}", err=True)


@click.command()
@_file
@_database
@click.option("--replace", is_flag=True, help="Delete all data in the database first, after a confirmation.")
@click.option("--yes", is_flag=True, help="With --replace: skip the confirmation.")
def restore(file: Path, database: str | None, replace: bool, yes: bool) -> None:
    """Fill a database from FILE (- for standard input), a backup of either kind, while no server runs.

    A database with people, rooms or matches is refused without --replace. If the restore fails, nothing is changed.
    """
    if file == STANDARD_STREAM and replace and not yes:
        raise click.UsageError("standard input can’t confirm --replace: add --yes")

    def work(url: str) -> Mapping[str, int]:
        if replace and (found := store.count_main_rows(url)):
            deleted = f"{store.format_counts(found)} in {describe_location(url)}"
            if yes:
                click.echo(f"Deleting {deleted}.")
            else:
                click.confirm(f"Delete {deleted}, and restore {file} in their place?", abort=True)
        with _rereadable_file(file) as path:
            return store.restore_backup(url, path, replace=replace)

    _print_counts(_run_with_database("alone, any version", work, database), "restored")


@click.command()
@click.option("--from", "source", required=True, help="The database to copy, such as sqlite:///file.")
@click.option("--to", "target", required=True, help="An empty database of either kind, such as postgresql://…")
def copy(source: str, target: str) -> None:
    """Copy a whole database into an empty one, and compare all rows, while no server uses either.

    The source does not change. If the copy fails, the target does not change.
    """

    def work(url: str) -> Mapping[str, int]:
        if describe_location(url) == describe_location(target):
            raise click.UsageError("--from and --to are the same database")
        return _run_with_database("alone, any version", lambda other: store.copy_database(url, other), target)

    _print_counts(_run_with_database("alone", work, source), f"copied into {describe_location(target)}, and compared")


@contextmanager
def _rereadable_file(file: Path) -> Iterator[Path]:
    """Yield a backup file that can be read twice: standard input (-) is copied to a temporary file first."""
    if file != STANDARD_STREAM:
        yield file
        return
    with tempfile.TemporaryDirectory() as folder:  # readable only by this user
        path = Path(folder) / "backup"
        with path.open("wb") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy)
        yield path


def _print_progress(progress: Progress) -> None:
    if progress.total_rows:
        click.echo(f"{progress.done_rows:,} of {progress.total_rows:,} rows")


def _print_counts(counts: Mapping[str, int], what: str, *, err: bool = False) -> None:
    click.echo(f"{store.format_counts(counts) or 'Nothing'} {what}.", err=err)
