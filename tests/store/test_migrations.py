"""Migrations make exactly the tables that the code knows, on both databases, however many servers start at once."""

import subprocess
import sys
from pathlib import Path

import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from app.store.database import make_engine, parse_url, transact
from app.store.migrate import migrate, newest, revision, upgrade
from app.store.tables import metadata

ROOT = Path(__file__).parent.parent.parent


def look(url: str, work):
    engine = make_engine(parse_url(url))
    try:
        return transact(engine, work)
    finally:
        engine.dispose()


def differences(connection: sa.Connection):
    context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
    return compare_metadata(context, metadata)


def names(connection: sa.Connection) -> set[str | None]:
    """Of all constraints and indexes: the convention, as the database has it."""
    inspector = sa.inspect(connection)
    return {
        found["name"]
        for table in inspector.get_table_names()
        for found in (
            inspector.get_pk_constraint(table),
            *inspector.get_foreign_keys(table),
            *inspector.get_unique_constraints(table),
            *inspector.get_indexes(table),
        )
        if not table.startswith("alembic")
    }


def test_from_nothing_to_the_tables_of_the_code(empty_url: str) -> None:
    upgrade(empty_url)
    assert look(empty_url, differences) == []
    assert look(empty_url, revision) == newest()
    expected = {str(thing.name) for table in metadata.tables.values() for thing in (*table.constraints, *table.indexes)}
    assert look(empty_url, names) >= expected


async def test_a_second_time_changes_nothing(empty_url: str) -> None:
    await migrate(empty_url)
    await migrate(empty_url)
    assert look(empty_url, differences) == []


def test_servers_that_start_together(empty_url: str) -> None:
    program = "import sys; from app.store.migrate import upgrade; sys.stdin.read(1); upgrade(sys.argv[1])"
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
