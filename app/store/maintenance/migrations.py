"""Migrate a database to the newest revision, when a server starts or by command.

Several servers may start at once: each migrates under a lock that ends with its transaction. So one does the work, and
the others find nothing to do.
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
from app.store.db.transactions import run_in_transaction

_LOCK: Final = 0x7065636B  # "peck"; any number that no other program locks


def migrate_database(url: str, revision: str = "head") -> None:
    """Bring the database's schema to the newest revision (or another).

    Creates an SQLite file if it is missing. Raises `BadUrl` if the database can't be migrated, for example because a
    newer version has used it.
    """
    engine = make_engine(parse_url(url), migrating=True)

    def run(connection: sa.Connection) -> None:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        # SQLite's transaction is the lock: it begins with BEGIN IMMEDIATE.
        config = _alembic_config()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        if connection.dialect.name == "sqlite":
            _check_foreign_keys(connection)

    try:
        run_in_transaction(engine, run)
    except CommandError as error:
        raise BadUrl(f"a newer version of the program has used this database ({error})") from error
    except sa.exc.DatabaseError as error:
        # The database can't be read or written, is damaged, has tables of another program, and so on.
        raise BadUrl(str(error.orig).partition("\n")[0]) from error
    finally:
        engine.dispose()


def _check_foreign_keys(connection: sa.Connection) -> None:
    """Raise `BadUrl` if a row refers to a missing row after a migration, during which SQLite does not check this."""
    lost = connection.execute(sa.text("PRAGMA foreign_key_check")).first()
    if lost is not None:
        raise BadUrl(f"a row of {lost[0]} refers to none of {lost[2]}")


async def migrate_database_async(url: str) -> None:
    """Run `migrate_database` in a thread, outside the event loop."""
    await asyncio.to_thread(migrate_database, url)


def newest_revision() -> str:
    """Return the revision of the database schema that this program needs."""
    head = ScriptDirectory.from_config(_alembic_config()).get_current_head()
    assert head is not None
    return head


def current_revision(connection: sa.Connection) -> str | None:
    """Return the revision of a database's schema; None for an empty database."""
    return MigrationContext.configure(connection).get_current_revision()


def needs_migration(connection: sa.Connection) -> bool:
    """Return whether a database's schema is older than this program needs, or the database is empty.

    Raises `BadUrl` if a newer program version has used it.
    """
    found = current_revision(connection)
    if found is not None and found not in _known_revisions():
        raise BadUrl(f"a newer version of the program has used this database (it is at {found})")
    return found != newest_revision()


def require_newest_revision(connection: sa.Connection) -> None:
    """Raise `BadUrl` unless the database's schema has the revision that this program needs."""
    if not needs_migration(connection):
        return
    found = current_revision(connection)
    if found is None:
        raise BadUrl("nothing is kept in it yet")
    raise BadUrl(f"it is at {found}, not at {newest_revision()}: migrate it first")


def _known_revisions() -> set[str]:
    return {each.revision for each in ScriptDirectory.from_config(_alembic_config()).walk_revisions()}


def _alembic_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(resources.migrations_folder()).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
