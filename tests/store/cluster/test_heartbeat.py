"""Test which nodes count as alive, by arithmetic and with heartbeats in a PostgreSQL."""

import asyncio
from collections.abc import Callable

import pytest
import sqlalchemy as sa

from app.store.cluster.heartbeat import Heartbeat
from app.store.cluster.liveness import NodeLiveness
from app.store.db.database import Database

BEAT = 0.1


@pytest.fixture
def dialect() -> str:
    return "postgresql"


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not true():
            await asyncio.sleep(0.005)


def test_a_silent_node_is_dead_after_the_limit_and_alive_once_it_beats() -> None:
    pulse = NodeLiveness("a", 10)
    assert pulse.update_alive_nodes(100, {"a": 0, "b": 3, "old": 4000}) == {"a", "b"}
    assert pulse.update_alive_nodes(105, {"a": 0, "b": 8}) == {"a", "b"}
    assert pulse.seconds_until_check(105, 5) == pytest.approx(2.1)  # then b will have been silent for ten seconds
    assert pulse.update_alive_nodes(107.1, {"a": 0, "b": 10.1}) == {"a"}
    assert pulse.seconds_until_check(107.1, 5) == 5
    assert pulse.update_alive_nodes(112, {"a": 0, "b": 1}) == {"a", "b"}


def test_a_node_that_leaves_is_dead_at_once() -> None:
    pulse = NodeLiveness("a", 10)
    assert pulse.update_alive_nodes(0, {"a": 0, "b": 1}) == {"a", "b"}
    assert pulse.update_alive_nodes(1, {"a": 0, "b": None}) == {"a"}


def test_a_node_that_was_away_itself_does_not_declare_the_others_dead() -> None:
    """After an outage for all, or a pause of this node, the first node to write would find all others dead."""
    pulse = NodeLiveness("a", 10)
    assert pulse.update_alive_nodes(0, {"a": 0, "b": 1}) == {"a", "b"}
    assert pulse.update_alive_nodes(60, {"a": 0, "b": 61}) == {"a", "b"}
    assert pulse.update_alive_nodes(65, {"a": 0, "b": 66}) == {"a", "b"}
    assert pulse.update_alive_nodes(70.1, {"a": 0, "b": 71}) == {"a"}


def test_an_emptied_heartbeat_table_does_not_make_nodes_dead_at_once() -> None:
    """After a crash PostgreSQL empties unlogged tables."""
    pulse = NodeLiveness("a", 10)
    assert pulse.update_alive_nodes(0, {"a": 0, "b": 1}) == {"a", "b"}
    assert pulse.update_alive_nodes(5, {"a": 0}) == {"a", "b"}
    assert pulse.update_alive_nodes(10, {"a": 0}) == {"a"}


@pytest.mark.postgres
async def test_nodes_learn_about_each_other_and_about_a_node_that_leaves(database: Database) -> None:
    one, two = (
        await Heartbeat(database, None, BEAT).wait_for_first_beat(),
        await Heartbeat(database, None, BEAT).wait_for_first_beat(),
    )
    await until(lambda: two.alive_nodes == {one.node, two.node})
    told: list[frozenset[str]] = []
    one.on_alive_nodes = told.append
    await until(lambda: one.alive_nodes == {one.node, two.node})
    await two.close()
    await until(lambda: told[-1:] == [frozenset({one.node})])
    await one.close()


@pytest.mark.postgres
async def test_a_node_that_stops_without_notice_is_found_dead(database: Database) -> None:
    one, two = (
        await Heartbeat(database, None, BEAT).wait_for_first_beat(),
        await Heartbeat(database, None, BEAT).wait_for_first_beat(),
    )
    await until(lambda: two.node in one.alive_nodes)
    two._task.cancel()
    await until(lambda: one.alive_nodes == {one.node})
    await one.close()


@pytest.mark.postgres
async def test_a_node_that_restarts_at_the_same_address_replaces_its_dead_predecessor(database: Database) -> None:
    before = await Heartbeat(database, "here:8000", 60).wait_for_first_beat()
    before._task.cancel()
    after = await Heartbeat(database, "here:8000", 60).wait_for_first_beat()
    assert after.alive_nodes == {after.node}
    await after.close()


@pytest.mark.postgres
async def test_the_heartbeat_continues_after_a_broken_connection(database: Database) -> None:
    one, two = (
        await Heartbeat(database, None, BEAT).wait_for_first_beat(),
        await Heartbeat(database, None, BEAT).wait_for_first_beat(),
    )
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    await database.read(lambda c: c.execute(sa.text(f"{cut} AND datname = current_database()")).all())
    told: list[frozenset[str]] = []
    two.on_alive_nodes = told.append
    await until(lambda: len(told) > 2)
    await until(lambda: one.alive_nodes == two.alive_nodes == {one.node, two.node})
    await one.close()
    await two.close()
