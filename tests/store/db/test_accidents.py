"""Test killed processes and broken connections: acknowledged data is there, and other work continues."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from app.rooms.log import snapshots
from app.rooms.ports.storage import LogConflict, StorageUnavailable
from app.store.db.compiled import StatementExecutor
from app.store.db.database import RETRY_DELAYS, Database
from app.store.db.engines import make_engine, parse_url
from app.store.db.errors import is_temporary_error
from app.store.db.schema import hands
from app.store.db.transactions import run_in_transaction, statement_executor
from app.store.event_log import event_log
from app.store.event_log.event_log import EventLog
from tests import postgres
from tests.store.samples import address, entry

ROOT = Path(__file__).parents[3]


async def test_acknowledged_appends_survive_a_kill_9(url: str) -> None:
    acknowledged: dict[str, int] = {}
    ended: set[tuple[str, int]] = set()
    for _ in range(2):  # the second process continues with the data of the first
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.store.appender", url], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(200)]
        process.send_signal(signal.SIGKILL)
        said += process.stdout.readlines()
        process.wait()
        process.stdout.close()
        for line in said:
            assert line.endswith("\n")
            code, seq, match_id, number = line.split()
            acknowledged[code] = int(seq)
            ended.add((match_id, int(number)))

    database = Database(url)
    log = EventLog(database)
    found = await database.read(
        lambda c: {(m, n) for m, n in c.execute(sa.select(hands.c.match_id, hands.c.hand_number))}
    )
    assert found >= ended
    assert acknowledged
    for code, seq in acknowledged.items():
        entries = await log.read(code, 0)
        assert [e.seq for e in entries] == list(range(1, len(entries) + 1))
        assert len(entries) >= seq
        loaded = await log.load(code)
        assert loaded is not None
        assert loaded.snapshot is not None
        assert loaded.snapshot == (len(entries) - 2, {"format": snapshots.FORMAT, "at": len(entries) - 2})
        assert await log.append(code, len(entries), [entry()]) == len(entries) + 1
    await log.close()
    await database.close()


@pytest.mark.parametrize("dialect", [pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True)
async def test_broken_connections_are_replaced_without_losing_entries(database: Database) -> None:
    log = EventLog(database)
    await log.create("KQ7F3M", address("KQ7F3M"), [entry()])

    def cut(connection: sa.Connection) -> None:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).all()

    head = 1
    for _ in range(3):
        await database.read(cut)
        head = await log.append("KQ7F3M", head, [entry()])
        await database.write(cut)
        assert (await log.read("KQ7F3M", 0))[-1].seq == head

    async def keep_cutting() -> None:
        for _ in range(20):
            await database.read(cut)
            await asyncio.sleep(0.01)

    cutting = asyncio.create_task(keep_cutting())
    acknowledged: list[int] = []
    found: list[int] = []
    while not cutting.done():
        try:
            head = await log.append("KQ7F3M", head, [entry()])
            acknowledged.append(head)
        except LogConflict as conflict:  # the commit succeeded, but its answer was lost
            head += 1
            found.append(conflict.found - head)
    assert not any(found)
    seqs = [e.seq for e in await log.read("KQ7F3M", 0)]
    assert seqs == list(range(1, head + 1))
    assert set(seqs) >= set(acknowledged)
    await log.close()


@pytest.mark.parametrize("dialect", [pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True)
async def test_temporary_driver_errors_are_raised_as_unavailable(database: Database) -> None:
    shut = sa.select(sa.func.pg_terminate_backend(sa.func.pg_backend_pid()).label("done"))
    for trouble in (sa.text("DO $$ BEGIN RAISE deadlock_detected; END $$"), shut):
        with pytest.raises(StorageUnavailable):
            await database.write(lambda connection, trouble=trouble: statement_executor(connection).execute(trouble))
        with pytest.raises(StorageUnavailable):
            await database.write(lambda connection, trouble=trouble: connection.execute(trouble))
    assert await database.write(lambda connection: connection.execute(sa.text("SELECT 1")).scalar_one()) == 1


@pytest.mark.parametrize("dialect", [pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True)
async def test_a_connection_lost_in_a_transaction_is_dropped_without_a_traceback(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    lose = sa.select(sa.func.pg_terminate_backend(sa.func.pg_backend_pid()).label("done"))

    def ask(scribe: StatementExecutor) -> list[Any]:
        return scribe.fetch_all(lose, {})

    jobs: list[Callable[[sa.Engine], Any]] = [
        lambda engine: run_in_transaction(engine, lambda connection: statement_executor(connection).attempt(ask)),
        lambda engine: run_in_transaction(engine, lambda connection: ask(statement_executor(connection))),
        lambda engine: run_in_transaction(engine, lambda connection: connection.execute(lose).all()),
    ]
    for job in jobs:
        came: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        database.submit_write(job, came.set_result)
        error = await came
        assert isinstance(error, Exception)
        assert is_temporary_error(error) or isinstance(error, StorageUnavailable)
        assert await database.write(lambda connection: connection.execute(sa.text("SELECT 1")).scalar_one()) == 1
    with pytest.raises(StorageUnavailable):
        await database.fetch_all(lose)
    assert [record.getMessage() for record in caplog.records if record.name.startswith("sqlalchemy")] == []


def test_retries_wait_at_most_half_a_second_between_attempts() -> None:
    assert max(*event_log.RETRY_DELAYS, *RETRY_DELAYS) <= 0.5
    assert sum(event_log.RETRY_DELAYS) >= event_log.GIVE_UP_SECONDS


@pytest.mark.parametrize("dialect", [pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True)
async def test_a_transaction_left_open_is_ended_and_blocks_only_its_own_room(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.store.db.engines.LOCK_TIMEOUT_MS", 50)
    monkeypatch.setattr("app.store.db.engines.IDLE_TRANSACTION_TIMEOUT_MS", 1500)
    database, theirs = Database(url), make_engine(parse_url(url), low_latency=True)
    log = EventLog(database)
    for code in ("KQ7F3M", "OTHER1"):
        await log.create(code, address(code), [entry()])
    with theirs.connect() as asleep:
        asleep.exec_driver_sql("INSERT INTO room_events VALUES ('KQ7F3M', 2, now(), 'acted', '{}')")
        stuck, fine = await asyncio.gather(
            log.append("KQ7F3M", 1, [entry()]), log.append("OTHER1", 1, [entry()]), return_exceptions=True
        )
        assert fine == 2  # other rooms are hardly affected
        assert isinstance(stuck, StorageUnavailable)
        while isinstance(stuck, StorageUnavailable):
            [stuck] = await asyncio.gather(log.append("KQ7F3M", 1, [entry()]), return_exceptions=True)
        assert stuck == 2
        with pytest.raises(sa.exc.DBAPIError):  # when it wakes up, its connection is closed
            asleep.exec_driver_sql("SELECT 1")
    theirs.dispose()
    await log.close()
    await database.close()


async def test_an_append_is_retried_while_the_database_is_away_then_raises_unavailable(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.store.event_log.event_log.RETRY_DELAYS", (0.0, 0.0, 0.0))
    monkeypatch.setattr("app.store.db.pg_pipeline.PgPipeline.submit", lambda *_: False)
    log = EventLog(database)
    await log.create("KQ7F3M", address("KQ7F3M"), [entry()])
    away = 3

    def sometimes(real: Callable[..., Any]) -> Callable[..., Any]:
        def work(*given: Any) -> Any:
            nonlocal away
            if away:
                away -= 1
                raise StorageUnavailable
            return real(*given)

        return work

    monkeypatch.setattr("app.store.event_log.event_log.run_in_transaction", sometimes(run_in_transaction))
    assert await log.append("KQ7F3M", 1, [entry()]) == 2  # after retries
    away = 4
    with pytest.raises(StorageUnavailable):
        await log.append("KQ7F3M", 2, [entry()])
    assert await log.append("KQ7F3M", 2, [entry()]) == 3
    monkeypatch.setattr("app.store.event_log.event_log.GIVE_UP_SECONDS", 0)
    away = 1
    with pytest.raises(StorageUnavailable):  # the limit of time counts, even after few retries
        await log.append("KQ7F3M", 3, [entry()])
    await log.close()


@pytest.mark.postgres
async def test_reads_and_writes_wait_for_a_database_that_restarts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.store.db.database.RETRY_DELAYS", (0.1,) * 600)
    with postgres.Postgres() as server:
        database = Database(server.create_database())
        asks: list[Callable[[], Awaitable[int]]] = [
            lambda: database.read(lambda connection: connection.execute(sa.text("SELECT 1")).scalar_one()),
            lambda: database.write(lambda connection: connection.execute(sa.text("SELECT 1")).scalar_one()),
        ]
        assert [await ask() for ask in asks] == [1, 1]
        await asyncio.to_thread(server.stop)
        with pytest.raises(StorageUnavailable):  # a ping does not wait
            await database.ping()
        waiting = asyncio.gather(*(ask() for ask in asks))
        await asyncio.to_thread(server.start)
        assert await waiting == [1, 1]
        await database.close()


@pytest.mark.parametrize("dialect", ["sqlite"], indirect=True)
async def test_an_append_waits_while_another_process_holds_the_sqlite_file(
    database: Database, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setattr("app.store.db.engines.BUSY_SECONDS", 0.05)
    mine, theirs = Database(url), database
    log = EventLog(mine)
    await log.create("KQ7F3M", address("KQ7F3M"), [entry()])
    held, go = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def hold(connection: sa.Connection) -> None:
        loop.call_soon_threadsafe(held.set)
        asyncio.run_coroutine_threadsafe(go.wait(), loop).result()

    holding = asyncio.create_task(theirs.write(hold))
    await held.wait()
    appending = asyncio.create_task(log.append("KQ7F3M", 1, [entry()]))
    await asyncio.sleep(0.15)  # a real pause, longer than BUSY_SECONDS
    assert not appending.done()
    assert len(await log.read("KQ7F3M", 0)) == 1  # reads still work
    go.set()
    await holding
    assert await appending == 2
    await log.close()
    await mine.close()
