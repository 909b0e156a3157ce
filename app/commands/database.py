"""`pecking-order migrate`, `backup`, `restore`: what is kept, as a whole."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import click

from app.commands.shared import errors
from app.store.db.engines import place
from app.store.maintenance import backup as store
from app.store.maintenance.migrations import newest, upgrade
from app.store.maintenance.open_database import Use, opened

T = TypeVar("T")

_database = click.option("--database", help="DATABASE_URL; that of the settings if left out.")
_file = click.argument("file", type=click.Path(path_type=Path, allow_dash=True))


def _url(database: str | None) -> str:
    return database or errors.settings().database_url


def _tried(use: Use, work: Callable[[str], T], database: str | None) -> T:
    """Do some work with the database, opened for this use."""
    url = _url(database)
    with errors.database(url):
        try:
            with opened(url, use):
                return work(url)
        except store.BadBackup as error:
            raise click.ClickException(str(error)) from None
        except OSError as error:  # of the file that is written or read
            raise click.ClickException(f"{error.filename or 'The file'}: {error.strerror}.") from None


@click.command()
@_database
def migrate(database: str | None) -> None:
    """Bring the database up to date. A server does that by itself when it starts."""
    _tried("alone, any version", upgrade, database)
    click.echo(f"The database is at {newest()}.")


@click.command()
@_file
@_database
@click.option("--copy", is_flag=True, help="SQLite only: copy the database itself, while a server may be running.")
def backup(file: Path, database: str | None, copy: bool) -> None:
    """Write everything that is kept into FILE (packed if it ends in .gz; - for standard output).

    The file is lines of JSON that fit SQLite and PostgreSQL alike, so it also moves a site from one to the other.
    """
    if copy and file == store.STANDARD:
        raise click.UsageError("a copy is a file: leave out --copy to write a backup to standard output")
    if copy:
        _tried("beside", lambda url: store.copy(url, file), database)
        click.echo(f"Copied into {file}.")
    else:
        counts = _tried("beside", lambda url: store.dump(url, file), database)
        _say(counts, f"written into {file}", err=file == store.STANDARD)


@click.command()
@_file
@_database
@click.option("--replace", is_flag=True, help="Delete all that is in the database first. It says what, and asks.")
@click.option("--yes", is_flag=True, help="With --replace: do not ask.")
def restore(file: Path, database: str | None, replace: bool, yes: bool) -> None:
    """Fill a database from FILE (- for standard input), a backup of either kind, while no server runs.

    A database with people, rooms or matches is refused without --replace. If the restore fails, nothing is changed.
    """
    if file == store.STANDARD and replace and not yes:
        raise click.UsageError("with - there is nobody to ask: add --yes")

    def work(url: str) -> Mapping[str, int]:
        found = store.content(url)
        if found and replace and not yes:
            click.confirm(f"Delete {store.said(found)} in {place(url)}, and restore {file} in their place?", abort=True)
        with _readable(file) as path:
            return store.restore(url, path, replace=replace)

    _say(_tried("alone, any version", work, database), "restored")


@contextmanager
def _readable(file: Path) -> Iterator[Path]:
    """Give a file that can be read twice, which standard input can't."""
    if file != store.STANDARD:
        yield file
        return
    with tempfile.TemporaryDirectory() as folder:  # readable by us alone
        path = Path(folder) / "backup"
        with path.open("wb") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy)
        yield path


def _say(counts: Mapping[str, int], what: str, *, err: bool = False) -> None:
    click.echo(f"{store.said(counts) or 'Nothing'} {what}.", err=err)
