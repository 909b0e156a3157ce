"""Test that a database reports when it can't be written, and when it can again, even without other writes."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable

import pytest

from app.rooms.ports.storage import StorageUnavailable
from app.store.db import write_health
from app.store.db.database import Database
from app.store.event_log.event_log import EventLog
from tests.store.samples import address, entry

PATIENCE = 30


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.005)


@pytest.fixture
async def hasty(url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Database]:
    """Return a database with short waiting times and immediate retries."""
    monkeypatch.setattr("app.store.db.engines.BUSY_SECONDS", 0.01)
    monkeypatch.setattr(write_health, "AGAIN_SECONDS", 0.01)
    database = Database(url)
    yield database
    await database.close()


@pytest.mark.parametrize("dialect", ["sqlite"], indirect=True)
async def test_a_locked_file_is_reported_as_an_outage_until_it_is_released(hasty: Database, url: str) -> None:
    told: list[str | None] = []
    log = EventLog(hasty)
    await log.create("KQ7F3M", address("KQ7F3M"), [entry()])
    hasty.health.subscribe(told.append)
    with sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        appending = asyncio.create_task(log.append("KQ7F3M", 1, [entry()]))
        await until(lambda: hasty.health.write_error)
        assert hasty.health.write_error == told[0] == "database is locked"
        await until(lambda: len(told) > 2)  # repeated while the outage lasts
        assert set(told) == {told[0]}
        other.execute("ROLLBACK")
    other.close()
    assert await appending == 2
    await until(lambda: hasty.health.write_error is None)
    assert told[-1] is None
    await log.close()


@pytest.mark.parametrize("dialect", ["sqlite"], indirect=True)
async def test_an_outage_is_logged_when_it_begins_and_when_it_ends(
    hasty: Database, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    with sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageUnavailable):
            await hasty.write(lambda connection: None)
        other.execute("ROLLBACK")
    other.close()
    await until(lambda: hasty.health.write_error is None)
    began, ended = [record.getMessage() for record in caplog.records if record.name == write_health.__name__]
    assert began == "database outage: database is locked"
    assert ended.startswith("database outage is over after ")


@pytest.mark.parametrize("dialect", ["sqlite"], indirect=True)
async def test_an_outage_ends_without_another_write(hasty: Database, url: str) -> None:
    with sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageUnavailable):
            await hasty.write(lambda connection: None)
        assert hasty.health.write_error
        other.execute("ROLLBACK")
    other.close()
    await until(lambda: hasty.health.write_error is None)


async def test_a_slow_write_is_reported_as_an_outage_until_it_finishes(
    hasty: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_health, "SLOW_SECONDS", 0.05)
    told: list[str | None] = []
    hasty.health.subscribe(told.append)
    go = threading.Event()
    writing = asyncio.create_task(hasty.write(lambda connection: go.wait(PATIENCE)))
    await until(lambda: told)
    assert told[0] is not None
    go.set()
    assert await writing
    await until(lambda: hasty.health.write_error is None)
    assert told[-1] is None


async def test_an_outage_is_reported_once_for_many_failed_requests(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_health, "AGAIN_SECONDS", PATIENCE)
    database, told = Database(url), list[str | None]()
    database.health.subscribe(told.append)

    def away(connection: object) -> None:
        raise StorageUnavailable("away")

    asked = [work(away) for work in (database.write, database.read) * 5]
    assert [type(each) for each in await asyncio.gather(*asked, return_exceptions=True)] == [StorageUnavailable] * 10
    assert told == ["away"]
    await database.write(lambda connection: None)
    assert told == ["away"], "it comes and goes: who is told of it should not have to read that"
    await database.close()


async def test_an_error_in_a_transaction_is_not_an_outage(database: Database) -> None:
    with pytest.raises(ZeroDivisionError):
        await database.write(lambda connection: 1 // 0)
    assert database.health.write_error is None
