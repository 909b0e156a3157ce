"""Test hints between processes that share a PostgreSQL."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable

import pytest
import sqlalchemy as sa

from app.rooms.ports.bus import CHECK_LOG_SEQ, Bus
from app.store.cluster.pg_bus import PostgresBus
from app.store.db.database import Database

pytestmark = pytest.mark.postgres


@pytest.fixture
def dialect() -> str:
    return "postgresql"


@pytest.fixture
async def buses(database: Database) -> AsyncIterator[list[PostgresBus]]:
    """Return the buses of three processes."""
    buses = [PostgresBus(database) for _ in range(3)]
    for bus in buses:  # before any of them listens
        bus.follow("KQ7F3M")
        bus.follow("OTHER1")
    for bus in buses:
        async with asyncio.timeout(10):
            await bus.listening.wait()
    yield buses
    for bus in buses:
        await bus.close()


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not true():
            await asyncio.sleep(0.005)


async def test_a_hint_reaches_all_other_subscribed_nodes(buses: list[PostgresBus]) -> None:
    heard: list[list[tuple[str, int]]] = [[], [], []]
    ends = []
    for bus, hints in zip(buses, heard, strict=True):
        port: Bus = bus
        ends.append(port.subscribe(lambda code, seq, hints=hints: hints.append((code, seq))))
    for seq in range(500):
        buses[0].publish("KQ7F3M", seq)
    buses[0].publish("OTHER1", 1)
    for hints in heard[1:]:
        await until(lambda hints=hints: {("KQ7F3M", 499), ("OTHER1", 1)} <= set(hints))
        assert len(hints) < 50  # merged
    assert heard[0] == []

    ends[1]()
    ends[1]()
    buses[0].publish("OTHER1", 2)
    await until(lambda: ("OTHER1", 2) in heard[2])
    assert ("OTHER1", 2) not in heard[1]


async def test_hints_after_the_first_are_merged_into_one_batch(
    buses: list[PostgresBus], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.store.cluster.pg_bus.SEND_INTERVAL", 1.0)
    heard: list[int] = []
    buses[1].subscribe(lambda room, seq: heard.append(seq))
    buses[0].publish("KQ7F3M", 1)
    await until(lambda: heard == [1])  # the first one is sent at once
    for seq in range(2, 10):
        buses[0].publish("KQ7F3M", seq)
        await asyncio.sleep(0.01)
    await until(lambda: len(heard) > 1)
    assert heard == [1, 9]


async def test_three_thousand_hints_at_once_all_arrive(buses: list[PostgresBus]) -> None:
    heard: dict[str, int] = {}
    buses[1].subscribe(heard.__setitem__)
    codes = {f"R{number:05}": number for number in range(1, 3001)}
    for code in codes:
        buses[1].follow(code)
    await until(lambda: heard)  # now all rooms are subscribed
    heard.clear()
    for code, seq in codes.items():
        buses[0].publish(code, seq)
    await until(lambda: heard == codes)


async def test_a_node_receives_hints_only_for_rooms_it_follows_and_global_hints(buses: list[PostgresBus]) -> None:
    heard: list[tuple[str, int]] = []
    buses[1].subscribe(lambda room, seq: heard.append((room, seq)))
    buses[0].publish("ANOTHER", 7)
    buses[0].publish("KQ7F3M", 1)
    await until(lambda: heard)
    assert heard == [("KQ7F3M", 1)]  # hints of one statement arrive together

    buses[1].follow("ANOTHER")
    await until(lambda: ("ANOTHER", CHECK_LOG_SEQ) in heard)  # earlier hints were missed
    buses[0].publish("ANOTHER", 8)
    await until(lambda: ("ANOTHER", 8) in heard)

    buses[1].unfollow("ANOTHER")
    buses[1].follow("LATER")
    await until(lambda: ("LATER", CHECK_LOG_SEQ) in heard)  # by now the other channel is closed
    heard.clear()
    buses[0].publish("ANOTHER", 9)
    buses[0].publish("@somebody", 0)
    await until(lambda: heard)
    assert heard == [("@somebody", 0)]


async def test_a_bus_closes_while_an_answer_of_the_database_arrives(database: Database) -> None:
    for turns in range(4):
        for later_turns in range(4):
            database.health.has_lock = False
            bus = PostgresBus(database)
            while not database.health.has_lock:
                await asyncio.sleep(0)
            await turn_loop(turns)
            time.sleep(0.003)  # the answer to LISTEN arrives meanwhile
            await turn_loop(later_turns)
            async with asyncio.timeout(10):
                await bus.close()


async def turn_loop(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_a_failing_subscriber_does_not_stop_the_others(buses: list[PostgresBus]) -> None:
    heard: list[int] = []
    buses[1].subscribe(lambda code, seq: 1 // 0)  # type: ignore[func-returns-value]
    buses[1].subscribe(lambda code, seq: heard.append(seq))
    buses[0].publish("KQ7F3M", 1)
    await until(lambda: heard == [1])
    buses[0].publish("KQ7F3M", 2)
    await until(lambda: heard == [1, 2])


async def test_after_a_broken_connection_all_followed_rooms_are_checked_again(
    buses: list[PostgresBus], database: Database
) -> None:
    heard: list[int] = []
    buses[1].subscribe(lambda code, seq: heard.append(seq))
    cut = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await database.read(lambda c: c.execute(sa.text(cut)).all())
    await until(lambda: not buses[1].listening.is_set())
    await until(lambda: all(bus.listening.is_set() for bus in buses))
    assert heard == [CHECK_LOG_SEQ, CHECK_LOG_SEQ]  # hints for both rooms may be lost
    buses[0].publish("KQ7F3M", 9)
    await until(lambda: heard[-1:] == [9])
