"""Test that migrations make exactly the tables in the code, on both databases and with several servers at once."""

import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from app.store.db.engines import make_engine, parse_url
from app.store.db.errors import BadUrl
from app.store.db.schema import metadata
from app.store.db.transactions import run_in_transaction
from app.store.maintenance.migrations import (
    _BEFORE_0_3_0,
    current_revision,
    migrate_database,
    migrate_database_async,
    newest_revision,
    require_newest_revision,
)

ROOT = Path(__file__).parents[3]


def look(url: str, work):
    engine = make_engine(parse_url(url))
    try:
        return run_in_transaction(engine, work)
    finally:
        engine.dispose()


def differences(connection: sa.Connection):
    context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
    return compare_metadata(context, metadata)


def names(connection: sa.Connection) -> set[str | None]:
    """Return the names of all constraints and indexes, as the database has them."""
    inspector = sa.inspect(connection)
    return {
        found["name"]
        for table in inspector.get_table_names()
        for found in (
            inspector.get_pk_constraint(table),
            *inspector.get_foreign_keys(table),
            *inspector.get_unique_constraints(table),
            *inspector.get_indexes(table),
            *inspector.get_check_constraints(table),
        )
        if not table.startswith("alembic")
    }


def test_migrating_an_empty_database_makes_the_tables_of_the_code(empty_url: str) -> None:
    migrate_database(empty_url)
    assert look(empty_url, differences) == []
    assert look(empty_url, current_revision) == newest_revision()
    expected = {str(thing.name) for table in metadata.tables.values() for thing in (*table.constraints, *table.indexes)}
    assert look(empty_url, names) >= expected


def test_sqlite_tables_use_row_ids_only_where_declared(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.sqlite3"
    migrate_database(url)
    made = look(url, lambda connection: connection.execute(sa.text(SHAPES)).all())
    declared = {name: table.dialect_options["sqlite"]["with_rowid"] for name, table in metadata.tables.items()}
    assert {name: "WITHOUT ROWID" not in sql for name, sql in made} == declared


SHAPES = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name <> 'alembic_version'"


async def test_migrating_twice_changes_nothing(empty_url: str) -> None:
    await migrate_database_async(empty_url)
    await migrate_database_async(empty_url)
    assert look(empty_url, differences) == []


def test_servers_starting_together_can_all_migrate(empty_url: str) -> None:
    program = (
        "import sys; from app.store.maintenance.migrations import migrate_database; "
        "sys.stdin.read(1); migrate_database(sys.argv[1])"
    )
    servers = [
        subprocess.Popen([sys.executable, "-c", program, empty_url], cwd=ROOT, stdin=subprocess.PIPE, stderr=-1)
        for _ in range(3)
    ]
    for server in servers:
        assert server.stdin is not None
        server.stdin.write(b"!")
        server.stdin.flush()
    for server in servers:
        _, said = server.communicate(timeout=60)
        assert server.returncode == 0, said.decode()
    assert look(empty_url, differences) == []


def test_a_database_older_than_0_3_0_is_refused_with_the_version_to_use_first(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.sqlite3"
    migrate_database(url)
    set_revision = sa.text("UPDATE alembic_version SET version_num = :older")
    assert len(_BEFORE_0_3_0) == 20
    for older in _BEFORE_0_3_0:
        look(url, lambda connection, older=older: connection.execute(set_revision, {"older": older}))
        for refused in (lambda: migrate_database(url), lambda: look(url, require_newest_revision)):
            with pytest.raises(BadUrl, match=r"upgrade to 0\.3\.0 first \(commit 7e393dd"):
                refused()
        assert look(url, current_revision) == older
