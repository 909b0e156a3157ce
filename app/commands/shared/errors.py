"""Show errors that an operator can fix as a sentence, with exit status 2 (or 75) and without a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from app.settings import BadSettings, Settings, load_settings


class CommandError(click.ClickException):
    """An error that an operator can fix, shown as a sentence, with exit status 2 and without a traceback.

    Raised for invalid settings, an unusable database, or an address that can't be listened on.
    """

    exit_code = 2


class DatabaseInUse(CommandError):
    """Another process uses the database, so the same command may work later: status 75 (EX_TEMPFAIL)."""

    exit_code = 75


def load_settings_or_fail(**given: Any) -> Settings:
    """Load the settings for a command; `given` are values of its command line, which come first unless None.

    Raises `CommandError` if a setting is invalid.
    """
    try:
        return load_settings(**{key: value for key, value in given.items() if value is not None})
    except BadSettings as error:
        raise CommandError(str(error)) from None


@contextmanager
def show_database_errors(url: str) -> Iterator[None]:
    """Turn errors of the database at `url` inside the block into a `CommandError`.

    The operator then sees a sentence, not a traceback.
    """
    from app.rooms.ports.storage import StorageUnavailable
    from app.store.db.engines import describe_location
    from app.store.db.errors import BadUrl
    from app.store.db.file_lock import DatabaseLocked

    try:
        describe_location(url)
    except BadUrl as error:
        raise CommandError(f"{error}.") from None
    try:
        yield
    except DatabaseLocked as error:
        raise DatabaseInUse(str(error)) from None
    except (BadUrl, StorageUnavailable) as error:
        raise CommandError(f"The database can’t be used ({describe_location(url)}): {error}.") from None
