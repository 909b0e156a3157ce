"""Run every test of the store on both databases: SQLite in a file, and a real PostgreSQL."""

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from app.store.db.database import Database
from app.store.maintenance.migrations import migrate_database
from tests import postgres


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def dialect(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def empty_url(dialect: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty database without tables."""
    if dialect == "sqlite":
        return f"sqlite:///{tmp_path}/store.sqlite3"
    return request.getfixturevalue("postgres_url")


@pytest.fixture
def url(dialect: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the URL of a migrated, empty database."""
    if dialect == "sqlite":
        shutil.copy(request.getfixturevalue("migrated"), tmp_path / "store.sqlite3")
        yield f"sqlite:///{tmp_path}/store.sqlite3"
    else:
        server: postgres.Postgres = request.getfixturevalue("postgres_server")
        with postgres.fresh_database(server, server.template("migrated", migrate_database)) as url:
            yield url


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    database = Database(url)
    yield database
    await database.close()
