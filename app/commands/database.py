"""`pecking-order migrate`, `backup`, `restore`: what is kept, as a whole."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

import click

from app.commands import trouble
from app.store import backup as store
from app.store.access import Use, opened
from app.store.migrate import newest, upgrade

T = TypeVar("T")

_database = click.option("--database", help="DATABASE_URL; that of the settings if left out.")
_file = click.argument("file", type=click.Path(path_type=Path))


def _url(database: str | None) -> str:
    return database or trouble.settings().database_url


def _tried(use: Use, work: Callable[[str], T], database: str | None) -> T:
    """Do some work with the database, opened for this use."""
    url = _url(database)
    with trouble.database(url):
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
    """Write everything that is kept into FILE (packed if it ends in .gz).

    The file is lines of JSON that fit SQLite and PostgreSQL alike, so it also moves a site from one to the other.
    """
    if copy:
        _tried("beside", lambda url: store.copy(url, file), database)
        click.echo(f"Copied into {file}.")
    else:
        _say(_tried("beside", lambda url: store.dump(url, file), database), f"written into {file}")


@click.command()
@_file
@_database
def restore(file: Path, database: str | None) -> None:
    """Fill an empty database from FILE, a backup of either kind."""
    _say(_tried("alone, any version", lambda url: store.restore(url, file), database), "restored")


def _say(counts: Mapping[str, int], what: str) -> None:
    rows = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    click.echo(f"{rows or 'Nothing'} {what}.")
