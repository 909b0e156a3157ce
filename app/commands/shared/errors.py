"""What whoever runs the program can mend, told in a sentence: status 2, as for wrong options, and never a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from app.settings import BadSettings, Settings, read


class Trouble(click.ClickException):
    """Settings or a database that can't be used, or a place that can't be listened on."""

    exit_code = 2


def settings(**given: Any) -> Settings:
    """The settings in force; `given` are those of the command line, None where it says nothing."""
    try:
        return read(**{key: value for key, value in given.items() if value is not None})
    except BadSettings as error:
        raise Trouble(str(error)) from None


@contextmanager
def database(url: str) -> Iterator[None]:
    """Around work with the database at `url`: why it can't be used becomes a sentence."""
    from app.rooms.ports.storage import Unavailable
    from app.store.db.engines import place
    from app.store.db.errors import BadUrl
    from app.store.db.file_lock import InUse

    try:
        place(url)
    except BadUrl as error:
        raise Trouble(f"{error}.") from None
    try:
        yield
    except InUse as error:
        raise Trouble(str(error)) from None
    except (BadUrl, Unavailable) as error:
        raise Trouble(f"The database can’t be used ({place(url)}): {error}.") from None
