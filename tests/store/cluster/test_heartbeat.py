"""Which nodes live: by arithmetic, and by hearts that beat in a PostgreSQL."""

import asyncio
from collections.abc import Callable

import pytest
import sqlalchemy as sa

from app.store.cluster.heartbeat import Heart
from app.store.cluster.liveness import Pulse
from app.store.db.database import Database

BEAT = 0.1


@pytest.fixture
def dialect() -> str:
    return "postgresql"


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not true():
            await asyncio.sleep(0.005)


def test_who_is_silent_for_too_long_is_dead_and_lives_again_when_it_speaks() -> None:
    pulse = Pulse("a", 10)
    assert pulse.look(100, {"a": 0, "b": 3, "old": 4000}) == {"a", "b"}
    assert pulse.look(105, {"a": 0, "b": 8}) == {"a", "b"}
    assert pulse.pause(105, 5) == pytest.approx(2.1)  # then b will have been silent for ten seconds
    assert pulse.look(107.1, {"a": 0, "b": 10.1}) == {"a"}
    assert pulse.pause(107.1, 5) == 5
    assert pulse.look(112, {"a": 0, "b": 1}) == {"a", "b"}


def test_who_leaves_is_gone_at_once() -> None:
    pulse = Pulse("a", 10)
    assert pulse.look(0, {"a": 0, "b": 1}) == {"a", "b"}
    assert pulse.look(1, {"a": 0, "b": None}) == {"a"}


def test_who_was_away_itself_judges_nobody_by_that() -> None:
    """The database was gone for all, or this node slept: whoever speaks first would find everybody else dead."""
    pulse = Pulse("a", 10)
    assert pulse.look(0, {"a": 0, "b": 1}) == {"a", "b"}
    assert pulse.look(60, {"a": 0, "b": 61}) == {"a", "b"}
    assert pulse.look(65, {"a": 0, "b": 66}) == {"a", "b"}
    assert pulse.look(70.1, {"a": 0, "b": 71}) == {"a"}


def test_a_table_that_was_emptied_kills_nobody() -> None:
    """After a crash PostgreSQL empties what it does not log."""
    pulse = Pulse("a", 10)
    assert pulse.look(0, {"a": 0, "b": 1}) == {"a", "b"}
    assert pulse.look(5, {"a": 0}) == {"a", "b"}
    assert pulse.look(10, {"a": 0}) == {"a"}


@pytest.mark.postgres
async def test_nodes_hear_of_each_other_and_of_who_leaves(database: Database) -> None:
    one, two = await Heart(database, None, BEAT).began(), await Heart(database, None, BEAT).began()
    await until(lambda: two.living == {one.node, two.node})
    told: list[frozenset[str]] = []
    one.told = told.append
    await until(lambda: one.living == {one.node, two.node})
    await two.close()
    await until(lambda: told[-1:] == [frozenset({one.node})])
    await one.close()


@pytest.mark.postgres
async def test_a_node_that_stops_without_a_word_is_missed(database: Database) -> None:
    one, two = await Heart(database, None, BEAT).began(), await Heart(database, None, BEAT).began()
    await until(lambda: two.node in one.living)
    two._task.cancel()
    await until(lambda: one.living == {one.node})
    await one.close()


@pytest.mark.postgres
async def test_who_starts_in_the_place_of_another_knows_it_dead(database: Database) -> None:
    before = await Heart(database, "here:8000", 60).began()
    before._task.cancel()
    after = await Heart(database, "here:8000", 60).began()
    assert after.living == {after.node}
    await after.close()


@pytest.mark.postgres
async def test_a_heart_goes_on_after_its_connection_broke(database: Database) -> None:
    one, two = await Heart(database, None, BEAT).began(), await Heart(database, None, BEAT).began()
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    await database.read(lambda c: c.execute(sa.text(f"{cut} AND datname = current_database()")).all())
    told: list[frozenset[str]] = []
    two.told = told.append
    await until(lambda: len(told) > 2)
    await until(lambda: one.living == two.living == {one.node, two.node})
    await one.close()
    await two.close()
