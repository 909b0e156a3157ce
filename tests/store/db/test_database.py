"""Test how the database is opened, and the errors when it can't be."""

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.rooms.ports.addresses import AddressLookup
from app.rooms.ports.storage import StorageUnavailable
from app.store.db.database import Database
from app.store.db.engines import make_engine, parse_url
from app.store.db.errors import BadUrl
from app.store.maintenance.migrations import migrate_database
from app.store.store import open_store
from tests.store.samples import address, entry, invite

SQLITE = pytest.mark.parametrize("dialect", ["sqlite"], indirect=True)


@pytest.mark.parametrize(
    "url",
    ["postgres://a:b@h/d", "postgresql://a:b@h/d", "postgresql+asyncpg://a:b@h/d", "postgresql+psycopg://a:b@h/d"],
)
def test_all_postgresql_url_forms_are_accepted(url: str) -> None:
    assert parse_url(url).render_as_string(hide_password=False) == "postgresql+psycopg://a:b@h/d"


def test_all_sqlite_url_forms_are_accepted() -> None:
    for url in ("sqlite:///a.db", "sqlite+aiosqlite:///a.db", "sqlite+pysqlite:///a.db"):
        assert parse_url(url).render_as_string() == "sqlite+pysqlite:///a.db"


@pytest.mark.parametrize(
    "url", ["", "a.db", "sqlite://", "sqlite:///:memory:", "mysql://a:topsecret@h/d", "://topsecret"]
)
def test_invalid_database_urls_are_refused_without_showing_the_password(url: str) -> None:
    with pytest.raises(BadUrl) as refused:
        parse_url(url)
    assert "topsecret" not in str(refused.value)


@SQLITE
async def test_sqlite_is_opened_durable_and_readers_are_read_only(database: Database) -> None:
    def pragmas(connection: sa.Connection) -> dict[str, object]:
        names = ("journal_mode", "synchronous", "foreign_keys", "query_only", "wal_autocheckpoint")
        return {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in names}

    common = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    assert await database.write(pragmas) == {**common, "query_only": 0, "wal_autocheckpoint": 1000}
    assert await database.read(pragmas) == {**common, "query_only": 1, "wal_autocheckpoint": 0}
    with pytest.raises(StorageUnavailable, match="readonly"):
        await database.read(lambda c: c.exec_driver_sql("DELETE FROM people"))


@SQLITE
async def test_sqlite_leaves_a_single_file_after_closing(database: Database, tmp_path: Path) -> None:
    await asyncio.gather(*(database.read(lambda c: c.exec_driver_sql("SELECT * FROM people").all()) for _ in range(9)))
    await database.write(lambda c: c.exec_driver_sql("DELETE FROM people"))
    await database.close()
    assert [path.name for path in tmp_path.iterdir()] == ["store.sqlite3"]


async def test_a_failed_transaction_is_rolled_back(database: Database) -> None:
    def fail(connection: sa.Connection) -> None:
        connection.exec_driver_sql("INSERT INTO rooms VALUES ('A', '2026-01-01', '2026-01-01')")
        raise LookupError

    with pytest.raises(LookupError):
        await database.write(fail)
    assert await database.read(lambda c: c.exec_driver_sql("SELECT count(*) FROM rooms").scalar_one()) == 0
    await database.ping()


def test_a_file_that_is_not_a_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear diary, today we played President until midnight.\n" * 50)
    with pytest.raises(BadUrl, match="not an SQLite"):
        migrate_database(f"sqlite:///{tmp_path}/letter.txt")
    with pytest.raises(StorageUnavailable):
        migrate_database(f"sqlite:///{tmp_path}")


def test_an_unreachable_server_raises_unavailable_without_showing_the_password(tmp_path: Path) -> None:
    with pytest.raises(StorageUnavailable) as refused:
        migrate_database(f"postgresql://ann:topsecret@/cards?host={tmp_path}")
    assert "topsecret" not in str(refused.value)


def test_a_database_from_a_newer_version_is_refused(url: str) -> None:
    engine = make_engine(parse_url(url))
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = 'next_year'")
    engine.dispose()
    with pytest.raises(BadUrl, match="newer"):
        migrate_database(url)


async def test_a_store_keeps_rooms_when_reopened_and_completes_appends_on_close(empty_url: str) -> None:
    async with open_store(empty_url) as store:
        await store.log.create("KQ7F3M", address("KQ7F3M"), [entry()])
    async with open_store(empty_url) as store:
        assert await store.log.by_invite(invite("KQ7F3M")) == AddressLookup("KQ7F3M", "KQ7F3M", is_current=True)
        store.bus.publish("KQ7F3M", 1)
        appending = asyncio.create_task(store.log.append("KQ7F3M", 1, [entry()]))
        await asyncio.sleep(0)
    assert await appending == 2
