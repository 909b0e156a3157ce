"""How the database is opened, and what it refuses."""

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.rooms.ports.addresses import Lead
from app.rooms.ports.storage import Unavailable
from app.store.db.database import Database
from app.store.db.engines import make_engine, parse_url
from app.store.db.errors import BadUrl
from app.store.maintenance.migrations import upgrade
from app.store.store import open_store
from tests.store.samples import address, entry, invite

SQLITE = pytest.mark.parametrize("dialect", ["sqlite"], indirect=True)


@pytest.mark.parametrize(
    "url",
    ["postgres://a:b@h/d", "postgresql://a:b@h/d", "postgresql+asyncpg://a:b@h/d", "postgresql+psycopg://a:b@h/d"],
)
def test_every_way_to_write_a_postgresql(url: str) -> None:
    assert parse_url(url).render_as_string(hide_password=False) == "postgresql+psycopg://a:b@h/d"


def test_every_way_to_write_an_sqlite() -> None:
    for url in ("sqlite:///a.db", "sqlite+aiosqlite:///a.db", "sqlite+pysqlite:///a.db"):
        assert parse_url(url).render_as_string() == "sqlite+pysqlite:///a.db"


@pytest.mark.parametrize(
    "url", ["", "a.db", "sqlite://", "sqlite:///:memory:", "mysql://a:topsecret@h/d", "://topsecret"]
)
def test_addresses_that_lead_nowhere(url: str) -> None:
    with pytest.raises(BadUrl) as refused:
        parse_url(url)
    assert "topsecret" not in str(refused.value)


@SQLITE
async def test_sqlite_is_durable_and_strict(database: Database) -> None:
    def pragmas(connection: sa.Connection) -> dict[str, object]:
        names = ("journal_mode", "synchronous", "foreign_keys", "query_only", "wal_autocheckpoint")
        return {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in names}

    common = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    assert await database.write(pragmas) == {**common, "query_only": 0, "wal_autocheckpoint": 1000}
    assert await database.read(pragmas) == {**common, "query_only": 1, "wal_autocheckpoint": 0}
    with pytest.raises(Unavailable, match="readonly"):
        await database.read(lambda c: c.exec_driver_sql("DELETE FROM people"))


@SQLITE
async def test_sqlite_leaves_one_file(database: Database, tmp_path: Path) -> None:
    await asyncio.gather(*(database.read(lambda c: c.exec_driver_sql("SELECT * FROM people").all()) for _ in range(9)))
    await database.write(lambda c: c.exec_driver_sql("DELETE FROM people"))
    await database.close()
    assert [path.name for path in tmp_path.iterdir()] == ["store.sqlite3"]


async def test_a_transaction_is_all_or_nothing(database: Database) -> None:
    def fail(connection: sa.Connection) -> None:
        connection.exec_driver_sql("INSERT INTO rooms VALUES ('A', '2026-01-01', '2026-01-01')")
        raise LookupError

    with pytest.raises(LookupError):
        await database.write(fail)
    assert await database.read(lambda c: c.exec_driver_sql("SELECT count(*) FROM rooms").scalar_one()) == 0
    await database.ping()


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear diary, today we played President until midnight.\n" * 50)
    with pytest.raises(BadUrl, match="not an SQLite"):
        upgrade(f"sqlite:///{tmp_path}/letter.txt")
    with pytest.raises(Unavailable):
        upgrade(f"sqlite:///{tmp_path}")


def test_nobody_answers(tmp_path: Path) -> None:
    with pytest.raises(Unavailable) as refused:
        upgrade(f"postgresql://ann:topsecret@/cards?host={tmp_path}")
    assert "topsecret" not in str(refused.value)


def test_a_database_of_the_future(url: str) -> None:
    engine = make_engine(parse_url(url))
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = 'next_year'")
    engine.dispose()
    with pytest.raises(BadUrl, match="newer"):
        upgrade(url)


async def test_the_whole_store(empty_url: str) -> None:
    async with open_store(empty_url) as store:
        await store.log.create("KQ7F3M", address("KQ7F3M"), [entry()])
    async with open_store(empty_url) as store:
        assert await store.log.by_invite(invite("KQ7F3M")) == Lead("KQ7F3M", "KQ7F3M", current=True)
        store.bus.publish("KQ7F3M", 1)
        appending = asyncio.create_task(store.log.append("KQ7F3M", 1, [entry()]))
        await asyncio.sleep(0)
    assert await appending == 2
