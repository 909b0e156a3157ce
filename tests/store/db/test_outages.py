"""Test outages of PostgreSQL and unexpected errors of background tasks: work continues, and the log stays short."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

from app.rooms.ports.bus import SIDE_MESSAGE_MARK
from app.rooms.ports.storage import LogConflict, StorageUnavailable
from app.store.cluster.heartbeat import Heartbeat
from app.store.cluster.pg_bus import MAX_PENDING_ASIDES, PostgresBus
from app.store.db import pg_pipeline, write_health
from app.store.db.database import Database
from app.store.db.engines import parse_url, postgres_connect_arguments
from app.store.db.schema import room_events
from app.store.event_log import event_log
from app.store.event_log.event_log import EventLog
from app.store.event_log.write_check import try_saving
from app.store.repositories.people import People
from tests.store.samples import T0, address, entry

pytestmark = pytest.mark.postgres
PIDS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


@pytest.fixture
def dialect() -> str:
    return "postgresql"


@pytest.fixture
def counted() -> list[str]:
    return []


@pytest.fixture
async def database(url: str, counted: list[str], monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Database]:
    monkeypatch.setattr(write_health, "AGAIN_SECONDS", 0.01)
    database = Database(url, failed=counted.append, probe=try_saving)
    yield database
    await database.close()


@pytest.fixture
async def other(url: str) -> AsyncIterator[Database]:
    """Open another connection to the same database for the test itself."""
    other = Database(url)
    yield other
    await other.close()


@asynccontextmanager
async def read_only(url: str) -> AsyncIterator[None]:
    """Make the server refuse all writes, also on open connections."""
    arguments = postgres_connect_arguments(parse_url(url))
    async with await psycopg.AsyncConnection.connect(**arguments, autocommit=True) as connection:

        async def set_to(value: str) -> None:
            await connection.execute(f"ALTER SYSTEM SET default_transaction_read_only = {value}".encode())
            await connection.execute("SELECT pg_reload_conf()")

        await set_to("on")
        try:
            yield
        finally:
            await set_to("off")


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not holds():
            await asyncio.sleep(0.005)


def once(fails: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with an unexpected error in its first call."""
    calls: list[object] = []

    def broken(*given: Any, **named: Any) -> Any:
        calls.append(given)
        if len(calls) == 1:
            raise ZeroDivisionError
        return fails(*given, **named)

    return broken


async def test_the_heartbeat_continues_after_an_unexpected_error(
    database: Database, counted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = once(lambda self, now, silent: frozenset(silent))
    monkeypatch.setattr("app.store.cluster.liveness.NodeLiveness.update_alive_nodes", broken)
    heart = await Heartbeat(database, None, 0.05).wait_for_first_beat()
    assert counted == ["heartbeat"]
    assert heart.node in heart.alive_nodes
    await heart.close()


@pytest.mark.parametrize(
    ("method", "task"), [("_update_channels", "bus listener"), ("_send_notifications", "bus sender")]
)
async def test_hints_continue_after_an_unexpected_error(
    database: Database, counted: list[str], monkeypatch: pytest.MonkeyPatch, method: str, task: str
) -> None:
    monkeypatch.setattr(PostgresBus, method, once(getattr(PostgresBus, method)))
    one, two = PostgresBus(database), PostgresBus(database)
    heard: list[tuple[str, int]] = []
    for bus in (one, two):
        bus.subscribe(lambda room, seq: heard.append((room, seq)))
        bus.follow("KQ7F3M")
    await until(lambda: one.listening.is_set() and two.listening.is_set())
    one.publish("KQ7F3M", 5)
    two.publish("KQ7F3M", 6)
    await until(lambda: {("KQ7F3M", 5), ("KQ7F3M", 6)} <= {*heard})
    assert counted == [task]
    await one.close()
    await two.close()


async def test_the_log_writer_continues_after_an_unexpected_error(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = EventLog(database)
    await log.create("KQ7F3M", address("KQ7F3M"), [entry()])
    monkeypatch.setattr("app.store.event_log.event_log._write_appends", once(event_log._write_appends))
    with pytest.raises(ZeroDivisionError):
        await log.append("KQ7F3M", 1, [entry()])
    assert await log.append("KQ7F3M", 1, [entry()]) == 2
    await log.close()


async def test_people_are_saved_after_an_unexpected_error(
    database: Database, counted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    people = People(database)
    gathering = "app.store.db.people_batch.WriteBatcher._try_pipeline"
    monkeypatch.setattr(gathering, once(lambda *_: False))
    with pytest.raises(ZeroDivisionError):
        await people.create(T0, "Ana", None)
    assert (await people.create(T0, "Ana", None))[0].person.name == "Ana"
    assert counted == ["people writer"]


async def test_chat_hints_queued_during_an_outage_are_limited(database: Database) -> None:
    bus = PostgresBus(database)
    for n in range(3 * MAX_PENDING_ASIDES):
        bus.publish(f"KQ7F3M{SIDE_MESSAGE_MARK}ana.says-{n}", 1)
        bus.publish(f"room{n}", 1)
    asides = [hint for hint in bus._pending_seqs if SIDE_MESSAGE_MARK in hint]
    assert asides == [
        f"KQ7F3M{SIDE_MESSAGE_MARK}ana.says-{n}" for n in range(2 * MAX_PENDING_ASIDES, 3 * MAX_PENDING_ASIDES)
    ]
    assert len(bus._pending_seqs) == 4 * MAX_PENDING_ASIDES, "rooms are all told of"
    await bus.close()


async def test_a_connection_that_became_read_only_is_replaced_and_logged_once(
    database: Database, other: Database, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """This simulates a proxy whose server became a standby: connections stay open, and writes are refused."""
    log, people = EventLog(database), People(database)
    await log.create("KQ7F3M", address("KQ7F3M"), [entry()])
    person = (await people.create(T0, "Ana", None))[0].person
    head = 1
    async with asyncio.timeout(30):
        while not (log._pipeline is not None and log._pipeline._pgconn):
            head = await log.append("KQ7F3M", head, [entry()])
            await asyncio.sleep(0.01)
    await database.write(lambda connection: None)
    before = {pid for (pid,) in await other.read(lambda connection: connection.exec_driver_sql(PIDS).all())}
    caplog.set_level(logging.WARNING)

    refused = False

    async def append_until_refused() -> int:
        appended = head
        while not refused:
            appended = await log.append("KQ7F3M", appended, [entry()])
        return appended

    # Each server process notices the change at another time. Until then it accepts writes.
    async with read_only(url), asyncio.timeout(30):
        appending = asyncio.create_task(append_until_refused())
        with suppress(StorageUnavailable):
            while database.health.write_error is None:
                await people.rename(person, "Bob")
        refused = True
    async with asyncio.timeout(30):
        assert await appending > head
    assert await people.rename(person, "Cat")
    await until(lambda: database.health.write_error is None)
    after = {pid for (pid,) in await other.read(lambda connection: connection.exec_driver_sql(PIDS).all())}
    assert before - after
    await log.close()
    begun = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert [record.getMessage().partition(":")[0] for record in begun] == ["database outage"]
    assert not any(record.exc_info for record in caplog.records)


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"], indirect=True)
@pytest.mark.parametrize(("table", "column"), [("room_events", "event_type"), ("people", "last_seen_at")])
async def test_a_probe_detects_refused_writes_when_no_room_is_active(
    database: Database, other: Database, table: str, column: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This simulates a newer version that has changed a table under an older server."""
    monkeypatch.setattr(write_health, "QUIET_SECONDS", 0)

    def count(connection: sa.Connection) -> int:
        found: int = connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()
        return found

    def rename(before: str, after: str) -> Callable[[sa.Connection], object]:
        return lambda connection: connection.exec_driver_sql(f"ALTER TABLE {table} RENAME COLUMN {before} TO {after}")

    before = await other.read(count)
    assert await database.health.can_save()
    await other.write(rename(column, "newer"))
    assert not await database.health.can_save()
    await other.write(rename("newer", column))
    await until(lambda: database.health.write_error is None)
    assert await database.health.can_save()
    assert await other.read(count) == before


def set_odd_defaults(connection: sa.Connection) -> None:
    name = connection.exec_driver_sql("SELECT current_database()").scalar_one()
    for setting in (
        "datestyle = 'SQL, DMY'",
        "timezone = 'Asia/Kathmandu'",
        "client_encoding = 'LATIN1'",
        "default_transaction_isolation = 'serializable'",
        "extra_float_digits = -15",
    ):
        connection.exec_driver_sql(f"ALTER DATABASE {name} SET {setting}")


async def test_other_defaults_of_the_database_change_nothing(url: str, other: Database) -> None:
    await other.write(set_odd_defaults)
    database = Database(url, probe=try_saving)
    log, people = EventLog(database), People(database)
    assert await database.health.can_save()
    await log.create("KQ7F3M", address("KQ7F3M"), [entry()])
    async with asyncio.timeout(30):
        while not (log._pipeline is not None and log._pipeline._pgconn):
            await log.append("KQ7F3M", (await log.read_last_seqs(["KQ7F3M"]))["KQ7F3M"], [entry()])
            await asyncio.sleep(0.01)
    assert {stored.at for stored in await log.read("KQ7F3M", 0)} == {entry().at}
    person = (await people.create(T0, "Ana ♠ Ω", None))[0].person
    assert await people.rename(person, "Bob ♠ Ω")
    for threads in (database.read, database.write):
        shown = await threads(lambda connection: connection.exec_driver_sql("SHOW transaction_isolation").scalar_one())
        assert shown == "read committed"
    await log.close()
    await database.close()


async def test_a_database_whose_times_cannot_be_read_is_not_ready(
    url: str, other: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await other.write(set_odd_defaults)
    monkeypatch.setattr("app.store.db.engines.SESSION_SETTINGS", {})
    database = Database(url, probe=try_saving)
    assert not await database.health.can_save()
    await database.close()


async def test_repeated_refusals_count_as_an_outage_until_a_write_succeeds(database: Database, other: Database) -> None:
    log = EventLog(database)
    await log.create("KQ7F3M", address("KQ7F3M"), [entry()])
    rename = "ALTER TABLE room_events RENAME COLUMN {} TO {}"
    await other.write(lambda connection: connection.exec_driver_sql(rename.format("event_type", "newer")))
    for n in range(write_health.MOST_REFUSALS):
        assert database.health.write_error is None, n
        with pytest.raises(Exception, match="event_type"):
            await log.append("KQ7F3M", 1, [entry()])
    assert database.health.write_error is not None
    assert database.health.write_error.startswith("entries can’t be saved")
    assert await People(database).create(T0, "Ana", None), "people can be saved meanwhile"
    assert database.health.write_error is not None
    await other.write(lambda connection: connection.exec_driver_sql(rename.format("newer", "event_type")))
    await until(lambda: database.health.write_error is None)
    assert await log.append("KQ7F3M", 1, [entry()]) == 2
    await log.close()


async def test_a_failover_that_lost_entries_causes_conflicts_and_no_gap_in_the_log(
    database: Database, other: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a failover the writer thread may reach the new server before the connection on the event loop does."""
    monkeypatch.setattr(pg_pipeline, "PAUSES", (3600.0,))  # the thread is first
    log = EventLog(database)
    rooms = ("ROOM1", "ROOM2")
    for room in rooms:
        await log.create(room, address(room), [entry()])
    async with asyncio.timeout(30):
        while not (log._pipeline is not None and log._pipeline._pgconn):
            await log.append("ROOM1", (await log.read_last_seqs(rooms))["ROOM1"], [entry()])
            await asyncio.sleep(0.01)
    for _ in range(3):
        await log.append("ROOM2", (await log.read_last_seqs(rooms))["ROOM2"], [entry()])
    before, generation = await log.read_last_seqs(rooms), log.generation

    # The new server closes the old connections and lacks the last entry of each room.
    def replace(connection: sa.Connection) -> None:
        for room, head in before.items():
            connection.execute(room_events.delete().where(room_events.c.room_id == room, room_events.c.seq == head))
        connection.exec_driver_sql(f"SELECT pg_terminate_backend(pid) FROM ({PIDS}) others")

    await other.write(replace)
    await until(lambda: log._pipeline is not None and log._pipeline._pgconn is None)

    for room in (*rooms, *rooms):
        with pytest.raises(LogConflict):
            await log.append(room, before[room], [entry()])
    for room in rooms:
        assert [each.seq for each in await log.read(room, 0)] == [*range(1, before[room])]
        assert await log.append(room, before[room] - 1, [entry()]) == before[room]
    assert log.generation > generation
    await log.close()
