"""Migrate a database to the newest revision, when a server starts or by command.

Several servers may start at once: each migrates under a lock. So one does the work, and the others find nothing to do.
Many rows are changed in batches (batches.py), with a transaction for each. Everything else is done in one transaction,
or in two, one before the batches.
"""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

import sqlalchemy as sa

from app import resources
from app.rooms.ports.storage import StorageUnavailable
from app.store.db.cancelling import NEVER, StopSignal, cancel_statements
from app.store.db.engines import make_engine, parse_url
from app.store.db.errors import BadUrl, is_temporary_error
from app.store.db.schema import metadata
from app.store.db.transactions import run_in_transaction
from app.store.maintenance.batches import (
    PROGRESS,
    Step,
    are_all_finished,
    count_rows,
    done_rows,
    drop_old_rows,
    forget_progress,
    prepare_steps,
    run_in_transactions,
    run_steps,
)
from app.store.maintenance.before_migration import keep_way_back

if TYPE_CHECKING:
    # Alembic is imported where it migrates. Without it, a server that has nothing to migrate needs 7 MB less memory.
    from alembic.config import Config
    from alembic.script import ScriptDirectory

T = TypeVar("T")

_LOCK: Final = 0x7065636B  # "peck"; any number that no other program locks
_BEFORE_0_3_0: Final = frozenset(
    (
        *("first_evening", "permanent_ids", "the_book", "links_to_books", "known_cards", "imported_matches"),
        *("hand_starts", "imported_origins", "quick_log", "checksums", "imported_starts", "chat", "house_rules"),
        *("push", "summed_up", "hands_with_bots", "import_bytes", "same_players", "planned_deletions", "schema_copy"),
    )
)
"""Revisions that only version 0.3.0 can migrate."""
_COMMIT_OF_0_3_0: Final = "7e393dd4d9b5891345adc7467e54de53c9772378"
_DECLARED: Final = re.compile(r"""^(revision|down_revision) = (?:["'](\w+)["']|None)$""", re.MULTILINE)
"""How the file of a migration names its revision and the one before."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the migrations of a database are, over all batches of all pending migrations."""

    done_rows: int
    total_rows: int
    """The number is known when the first migration begins. 0 if no migration works in batches."""


Report: TypeAlias = Callable[[Progress], object]
"""Shows the progress. It is called in the thread of the migration: at the start, and after each batch."""


class MigrationStopped(Exception):
    """Raised if a migration was told to stop. The next start continues with the next batch."""


def migrate_database(
    url: str,
    revision: str = "head",
    *,
    report: Report = lambda progress: None,
    stop: StopSignal = NEVER,
    keeps_way_back: bool = True,
) -> None:
    """Migrate the database to the newest revision (or another). Creates an SQLite file if it is missing.

    After a revision with `STEPS`, rows are changed in batches, each in its own transaction. A migration that was
    stopped continues with the next batch. `report` gets the progress. When `stop` is set, the running statement is
    cancelled and its transaction is rolled back. Raises `MigrationStopped` then, `StorageUnavailable` if the server
    can't be reached, and `BadUrl` if a newer version has used the database, or one older than 0.3.0, or the disk has no
    space. With `keeps_way_back`, SQLite's file is copied first (`keep_way_back`).
    """

    def end_if_stopped() -> None:
        if stop.is_set():
            raise MigrationStopped

    try:
        with _migrating_engine(url, stop) as engine:
            if revision == "head" and not run_in_transaction(engine, needs_migration):
                report(Progress(0, 0))
                return
            done, total = run_in_transaction(engine, partial(_count_pending_rows, revision=revision))
            report(Progress(done, total))
            if keeps_way_back and run_in_transaction(engine, partial(_begins_migration, revision=revision)):
                keep_way_back(url, end_if_stopped)
                run_in_transaction(engine, drop_old_rows)

            def after_batch(rows: int) -> None:
                nonlocal done
                done += rows
                report(Progress(done, total))
                end_if_stopped()

            while (at := run_in_transaction(engine, partial(_upgrade_to_next_stop, revision=revision))) is not None:
                end_if_stopped()
                with suppress(_OtherRevision):  # another process has done the rest
                    run_in_transactions(partial(_run_at_revision, engine, at.revision), at.steps, after_batch)
    except Exception as error:
        if stop.is_set() and not isinstance(error, MigrationStopped):
            raise MigrationStopped from error
        raise


def fill_and_migrate(
    url: str, revision: str, fill: Callable[[sa.Connection], object], done: Callable[[sa.Connection], T]
) -> T:
    """Empty the database, make the schema of `revision`, fill it, migrate it to the newest revision, and call `done`.

    All of this is one transaction. Returns the result of `done`. Raises the errors of `migrate_database`.
    """

    def work(connection: sa.Connection) -> T:
        if current_revision(connection) is not None:
            _upgrade_at_once(connection, "head")
            metadata.drop_all(connection)
            drop_old_rows(connection)
            connection.execute(sa.text("DROP TABLE alembic_version"))
        _upgrade_at_once(connection, revision)
        fill(connection)
        _upgrade_at_once(connection, "head")
        return done(connection)

    with _migrating_engine(url) as engine:
        return run_in_transaction(engine, work)


@contextmanager
def _migrating_engine(url: str, stop: StopSignal = NEVER) -> Iterator[sa.Engine]:
    """Yield an engine for migrations, while no other process migrates the database.

    When `stop` is set, the running statement is cancelled. Raises `StorageUnavailable` and `BadUrl` for errors of the
    database.
    """
    parsed = parse_url(url)
    engine, lock = make_engine(parsed, migrating=True), make_engine(parsed)
    try:
        with cancel_statements((engine, lock), stop), _hold_migration_lock(lock):
            yield engine
    except sa.exc.DBAPIError as error:
        said = str(error.orig).partition("\n")[0]
        if is_temporary_error(error):  # of the connection that holds the lock
            raise StorageUnavailable(said) from error
        # The database can't be read or written, is damaged, has tables of another program, and so on.
        raise BadUrl(said) from error
    finally:
        engine.dispose()
        lock.dispose()


@dataclass(frozen=True, slots=True)
class _Stop:
    """A revision after which rows are changed in batches."""

    revision: str
    steps: Sequence[Step]


class _OtherRevision(Exception):
    """The database is no longer at the revision whose steps are run."""


def _upgrade_at_once(connection: sa.Connection, revision: str) -> None:
    """Upgrade to `revision` with all steps, in one transaction."""
    while (at := _upgrade_to_next_stop(connection, revision)) is not None:
        run_steps(connection, at.steps)


def _upgrade_to_next_stop(connection: sa.Connection, revision: str) -> _Stop | None:
    """Upgrade to the next revision with steps, and return it. Without one, upgrade to `revision` and return None.

    If the database is at a revision with steps, and all are finished, this continues behind it.
    """
    script = _all_scripts()
    found = current_revision(connection)
    if found is not None:
        refuse_unknown_revision(found)
    if found is not None and revision != found and (at := _stop_of(script, found)) is not None:
        if not has_begun(connection):
            prepare_steps(connection, at.steps)
        if not are_all_finished(connection, at.steps):
            return at
        forget_progress(connection)
    pending = list(script.iterate_revisions(revision, found or "base"))
    for each in reversed(pending):
        if each.revision != pending[0].revision and (stop := _stop_of(script, each.revision)) is not None:
            _upgrade(connection, stop.revision)
            prepare_steps(connection, stop.steps)
            return stop
    _upgrade(connection, revision)
    _check_foreign_keys(connection)
    return None


def _count_pending_rows(connection: sa.Connection, revision: str) -> tuple[int, int]:
    """Return how many rows the migrations to `revision` have changed before a stop, and how many they change in all."""
    script = _all_scripts()
    found = current_revision(connection)
    if found is not None:
        refuse_unknown_revision(found)
    tables = set(sa.inspect(connection).get_table_names())
    at = _stop_of(script, found) if found is not None and PROGRESS in tables else None
    done = sum(done_rows(connection, step) for step in (() if at is None else at.steps))
    pending = [_stop_of(script, each.revision) for each in script.iterate_revisions(revision, found or "base")]
    steps = [step for stop in (at, *pending) if stop is not None for step in stop.steps]
    return done, sum(count_rows(connection, step.table) for step in steps if step.table in tables)


def _begins_migration(connection: sa.Connection, revision: str) -> bool:
    """Return whether a database with data is about to leave its schema, in which no earlier migration has stopped."""
    found = current_revision(connection)
    target = _all_scripts().get_revision(revision).revision
    return found not in (None, target) and not has_begun(connection)


def has_begun(connection: sa.Connection) -> bool:
    """Return whether a migration of this database was stopped between two batches."""
    return sa.inspect(connection).has_table(PROGRESS)


def _upgrade(connection: sa.Connection, revision: str) -> None:
    from alembic import command

    config = _alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _stop_of(script: "ScriptDirectory", revision: str) -> _Stop | None:
    steps: Sequence[Step] | None = getattr(script.get_revision(revision).module, "STEPS", None)
    return None if steps is None else _Stop(revision, steps)


def _run_at_revision(engine: sa.Engine, revision: str, work: Callable[[sa.Connection], T]) -> T:
    """Run `work` in a transaction. Raises `_OtherRevision` if the database has another revision."""

    def checked(connection: sa.Connection) -> T:
        if current_revision(connection) != revision:
            raise _OtherRevision
        return work(connection)

    return run_in_transaction(engine, checked)


@contextmanager
def _hold_migration_lock(engine: sa.Engine) -> Iterator[None]:
    """Hold PostgreSQL's lock for migrations. SQLite's transactions are the lock: they begin with BEGIN IMMEDIATE."""
    if engine.name == "sqlite":
        yield
        return
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(sa.select(sa.func.pg_advisory_lock(_LOCK)))
        yield


def _check_foreign_keys(connection: sa.Connection) -> None:
    """Raise `BadUrl` if a row refers to a missing row after a migration, during which SQLite does not check this."""
    if connection.dialect.name != "sqlite":
        return
    lost = connection.execute(sa.text("PRAGMA foreign_key_check")).first()
    if lost is not None:
        raise BadUrl(f"a row of {lost[0]} refers to none of {lost[2]}")


async def migrate_database_async(url: str) -> None:
    """Run `migrate_database` in a thread, outside the event loop."""
    await asyncio.to_thread(migrate_database, url)


def newest_revision() -> str:
    """Return the revision of the database schema that this program needs."""
    before = _known_revisions()
    (newest,) = before.keys() - before.values()
    return newest


def _known_revisions() -> Mapping[str, str | None]:
    """Return the revisions of all migrations, each with the one before it. Reads their files, without Alembic."""
    files = (path.read_text(encoding="utf-8") for path in (resources.migrations_folder() / "versions").glob("*.py"))
    declared = [dict(_DECLARED.findall(text)) for text in files]
    return {each["revision"]: each["down_revision"] or None for each in declared}


def current_revision(connection: sa.Connection) -> str | None:
    """Return the revision of a database's schema; None for an empty database."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return revision


def needs_migration(connection: sa.Connection) -> bool:
    """Return whether a database's schema is older than this program needs, or the database is empty.

    Raises `BadUrl` if it can't be migrated (`refuse_unknown_revision`).
    """
    found = current_revision(connection)
    if found is not None:
        refuse_unknown_revision(found)
    return found != newest_revision()


def require_newest_revision(connection: sa.Connection) -> None:
    """Raise `BadUrl` unless the database's schema has the revision that this program needs."""
    if not needs_migration(connection):
        return
    found = current_revision(connection)
    if found is None:
        raise BadUrl("nothing is kept in it yet")
    raise BadUrl(f"it is at {found}, not at {newest_revision()}: migrate it first")


def refuse_unknown_revision(revision: str) -> None:
    """Raise `BadUrl` if a schema of this revision is older than 0.3.0, or newer than this program."""
    if revision in _BEFORE_0_3_0:
        raise BadUrl(
            f"it is at {revision}, older than version 0.3.0: upgrade to 0.3.0 first (commit {_COMMIT_OF_0_3_0})"
        )
    if revision not in _known_revisions():
        raise BadUrl(
            f"a newer version of the program has used this database (it is at {revision}). Use that version, or "
            "restore a backup of before the upgrade into an empty database"
        )


def _all_scripts() -> "ScriptDirectory":
    return _read_scripts(frozenset((resources.migrations_folder() / "versions").glob("*.py")))


@lru_cache(maxsize=1)
def _read_scripts(files: frozenset[Path]) -> "ScriptDirectory":
    """Read the migrations, once for the same files, because Alembic runs each file for this."""
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory.from_config(_alembic_config())
    scripts.get_heads()  # reads the files now, and not in several threads later
    return scripts


def _alembic_config() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(resources.migrations_folder()).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
