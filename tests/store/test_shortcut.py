"""Short writes on the event loop's thread: as durable as others, never in anybody's way, and no wait is lost."""

import sqlite3
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.rooms.ports import Kept, LogConflict
from app.rooms.steps import Steps
from app.store.database import Database
from app.store.meanwhile import Meanwhile
from app.store.migrate import upgrade
from app.store.room_log import FEW, RoomLog
from app.store.shortcut import ASLEEP, AWAY, SLOW_SECONDS, WRITES_AT_MOST, Shortcut
from tests.store.samples import address, entry

ROOM = "KQ7F3M"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite3"


@pytest.fixture
async def database(file: Path) -> AsyncIterator[Database]:
    upgrade(f"sqlite:///{file}")
    database = Database(f"sqlite:///{file}")
    yield database
    await database.close()


@pytest.fixture
async def log(database: Database, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RoomLog]:
    monkeypatch.setattr("app.store.shortcut.SLOW_SECONDS", 60.0)  # whatever the disk of this machine takes
    log = RoomLog(database)
    await log.create(ROOM, address(ROOM), [entry("opened")])
    yield log
    await log.close()


@pytest.fixture
def elsewhere(file: Path) -> Iterator[sqlite3.Connection]:
    """Another process with the same file, as far as SQLite can tell."""
    connection = sqlite3.connect(file, isolation_level=None)
    yield connection
    connection.close()


class Handed:
    """Counts what is left to the thread that writes."""

    def __init__(self, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        self.jobs = 0
        real = database.hand_over

        def hand_over(*asked: Any) -> None:
            self.jobs += 1
            real(*asked)

        monkeypatch.setattr(database, "hand_over", hand_over)


@pytest.fixture
def handed(database: Database, log: RoomLog, monkeypatch: pytest.MonkeyPatch) -> Handed:
    return Handed(database, monkeypatch)


def entries(connection: sqlite3.Connection) -> int:
    return connection.execute("SELECT count(*) FROM room_entry").fetchone()[0]


async def test_few_entries_need_no_other_thread(log: RoomLog, handed: Handed, elsewhere: sqlite3.Connection) -> None:
    for seq in range(1, 4):
        assert await log.append(ROOM, seq, [entry()]) == seq + 1
        assert entries(elsewhere) == seq + 1
    assert handed.jobs == 0
    assert await log.append(ROOM, 4, [entry()] * (FEW + 1)) == 5 + FEW
    assert handed.jobs == 1


async def test_what_is_prepared_meanwhile_is_prepared_before_anybody_is_told(log: RoomLog) -> None:
    told: list[object] = []

    def meanwhile() -> Steps:
        for _ in range(3):
            told.append(threading.current_thread() is threading.main_thread())
            yield

    def done(kept: Kept) -> Steps:
        told.append(kept)
        return ()

    log.submit(ROOM, 1, [entry()], done, meanwhile=meanwhile)
    assert await log.append(ROOM, 2, [entry()]) == 3
    assert told == [False] * 3 + [2]


async def test_nobody_waits_on_the_loop_for_another_process(
    log: RoomLog, handed: Handed, elsewhere: sqlite3.Connection
) -> None:
    elsewhere.execute("BEGIN IMMEDIATE")
    heard: list[Kept] = []

    def done(kept: Kept) -> Steps:
        heard.append(kept)
        return ()

    log.submit(ROOM, 1, [entry()], done)
    log._write_what_waits()  # it comes back although the file is somebody else's
    assert handed.jobs == 1
    assert heard == []
    elsewhere.execute("ROLLBACK")
    assert await log.append(ROOM, 2, [entry()]) == 3
    assert heard == [2]


async def test_what_is_refused_is_refused_as_ever(log: RoomLog, elsewhere: sqlite3.Connection) -> None:
    elsewhere.execute("INSERT INTO room_entry SELECT room, 2, at, kind, data, checksum FROM room_entry")
    with pytest.raises(LogConflict):
        await log.append(ROOM, 1, [entry()])
    assert await log.append(ROOM, 2, [entry()]) == 3


async def test_the_log_of_sqlite_does_not_grow_for_ever(log: RoomLog, handed: Handed, file: Path) -> None:
    for seq in range(1, 2 * WRITES_AT_MOST + 2):
        assert await log.append(ROOM, seq, [entry()]) == seq + 1
    assert handed.jobs >= 2
    assert file.with_name(f"{file.name}-wal").stat().st_size < 1000 * (4096 + 24)


async def test_who_visits_takes_no_shortcut(log: RoomLog, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would end in moving SQLite's log into the file, which is the server's to do."""
    visitor = Database(f"sqlite:///{file}", visiting=True)
    handed, visiting = Handed(visitor, monkeypatch), RoomLog(visitor)
    for seq in range(1, 4):
        assert await visiting.append(ROOM, seq, [entry()]) == seq + 1
    assert handed.jobs == 3
    await visiting.close()
    await visitor.close()


class Meter:
    """A clock that goes on by what a write takes."""

    def __init__(self) -> None:
        self.now, self.takes = 0.0, 0.0

    def monotonic(self) -> float:
        return self.now


class Taking:
    """A connection whose writes take as long as the meter says."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter

    def execute(self, *statement: object) -> None:
        self._meter.now += self._meter.takes


def test_where_the_disk_is_slow_it_is_left_to_the_other_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    meter = Meter()
    monkeypatch.setattr("app.store.shortcut.time", meter)
    shortcut, driver = Shortcut(2.0), Taking(meter)

    def write(takes: float) -> None:
        meter.takes = takes
        shortcut.write(driver, ("", ()), lambda: ())  # type: ignore[arg-type]

    shortcut.wrote()
    for _ in range(100):
        write(SLOW_SECONDS / 2)
        assert shortcut.is_open
    for takes in (2 * SLOW_SECONDS, 1.0):
        write(takes)
        assert not shortcut.is_open
        meter.now += 0.9 * AWAY * takes
        assert not shortcut.is_open
        meter.now += 0.2 * AWAY * takes
        shortcut.wrote()
        assert shortcut.is_open
    shortcut.close()


def test_a_disk_that_may_be_asleep_is_woken_by_the_other_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    meter = Meter()
    monkeypatch.setattr("app.store.shortcut.time", meter)
    shortcut = Shortcut(2.0)
    assert not shortcut.is_open
    for _ in range(3):
        shortcut.wrote()
        meter.now += 0.9 * ASLEEP
        assert shortcut.is_open
        shortcut.write(Taking(meter), ("", ()), lambda: ())  # type: ignore[arg-type]
        meter.now += 0.9 * ASLEEP
        assert shortcut.is_open
        meter.now += 0.2 * ASLEEP
        assert not shortcut.is_open
    shortcut.close()


def test_what_fails_meanwhile_keeps_nobody_waiting(caplog: pytest.LogCaptureFixture) -> None:
    meanwhile, done = Meanwhile("test"), list[int]()

    def fails() -> Steps:
        yield
        raise ValueError

    def works() -> Steps:
        done.append(1)
        yield

    for each in (fails, works, fails, works):
        with meanwhile.doing(each):
            pass
    meanwhile.close()
    assert done == [1, 1]
    assert caplog.text.count("could not be done meanwhile") == 2
