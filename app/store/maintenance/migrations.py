"""Bringing a database up to date, when a server starts or by command.

Many servers may start at once: each migrates under a lock that ends with its transaction, so one does the work
and the others find nothing left to do.
"""

import asyncio
from typing import Final

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError

from app import resources
from app.store.db.engines import make_engine, parse_url
from app.store.db.errors import BadUrl
from app.store.db.transactions import transact

_LOCK: Final = 0x7065636B  # "peck": any number that nobody else locks


def upgrade(url: str, to: str = "head") -> None:
    """Bring the database at `url` to the newest revision (or another), making an SQLite file if there is none."""
    engine = make_engine(parse_url(url), migrating=True)

    def run(connection: sa.Connection) -> None:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        # SQLite's transaction is the lock: it began as IMMEDIATE.
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, to)
        if connection.dialect.name == "sqlite":
            _check_references(connection)

    try:
        transact(engine, run)
    except CommandError as error:
        raise BadUrl(f"a newer version of the program has used this database ({error})") from error
    except sa.exc.DatabaseError as error:
        # May not be read or written, is damaged, has tables of another program …
        raise BadUrl(str(error.orig).partition("\n")[0]) from error
    finally:
        engine.dispose()


def _check_references(connection: sa.Connection) -> None:
    """Raise unless every row that is referred to is there: while SQLite migrates, nobody watches over that."""
    lost = connection.execute(sa.text("PRAGMA foreign_key_check")).first()
    if lost is not None:
        raise BadUrl(f"a row of {lost[0]} refers to none of {lost[2]}")


async def migrate(url: str) -> None:
    """`upgrade` to the newest revision, off the event loop."""
    await asyncio.to_thread(upgrade, url)


def newest() -> str:
    """The revision that this program wants."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    assert head is not None
    return head


def revision(connection: sa.Connection) -> str | None:
    """The revision that a database is at; None for an empty one."""
    return MigrationContext.configure(connection).get_current_revision()


def behind(connection: sa.Connection) -> bool:
    """Return whether a database must be migrated. `BadUrl` if a newer version of the program has used it."""
    found = revision(connection)
    if found is not None and found not in _known():
        raise BadUrl(f"a newer version of the program has used this database (it is at {found})")
    return found != newest()


def fit(connection: sa.Connection) -> None:
    """Raise `BadUrl` unless a database is at the revision that this program wants."""
    if not behind(connection):
        return
    found = revision(connection)
    if found is None:
        raise BadUrl("nothing is kept in it yet")
    raise BadUrl(f"it is at {found}, not at {newest()}: migrate it first")


def _known() -> set[str]:
    return {each.revision for each in ScriptDirectory.from_config(_config()).walk_revisions()}


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(resources.migrations()).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
