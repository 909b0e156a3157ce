"""Test the connection on the event loop, which runs the frequent writes."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import psycopg
import pytest
import sqlalchemy as sa

from app.store.db.database import Database
from app.store.db.engines import postgres_connect_arguments
from app.store.db.pg_pipeline import PgPipeline, PreparedCall, Rows

pytestmark = pytest.mark.postgres

KEEP = "INSERT INTO server_keys VALUES ($1, $2, $3)"


@pytest.fixture
def dialect() -> str:
    return "postgresql"


@pytest.fixture(params=[True, False], ids=["prepared", "not prepared"])
async def line(database: Database, request: pytest.FixtureRequest) -> AsyncIterator[PgPipeline]:
    arguments = postgres_connect_arguments(database.url, short_timeouts=True)
    line = PgPipeline(arguments, {"keep": KEEP}, "people writer", database.health, prepares=request.param)
    yield line
    await line.close()


def keys(*names: str, secret: str = "s") -> list[PreparedCall]:
    return [("keep", (name, secret, "2026-01-02 03:04:05+00")) for name in names]


async def sent(line: PgPipeline, steps: Sequence[PreparedCall]) -> Exception | None:
    """Send the statements once there is a connection, and return their error."""
    came = await answered(line, steps)
    return came if isinstance(came, Exception) else None


async def answered(line: PgPipeline, steps: Sequence[PreparedCall]) -> list[Rows] | Exception:
    """Send the statements once there is a connection, and return the rows or the error."""
    done: asyncio.Future[list[Rows] | Exception] = asyncio.get_running_loop().create_future()
    async with asyncio.timeout(10):
        while not line.submit(steps, done.set_result):
            await asyncio.sleep(0.005)
        return await done


async def kept(database: Database) -> list[str]:
    query = sa.text("SELECT name FROM server_keys ORDER BY created_at, name")
    return await database.read(lambda connection: [name for (name,) in connection.execute(query)])


async def test_statements_sent_together_form_one_transaction(database: Database, line: PgPipeline) -> None:
    assert await sent(line, keys("a", "b")) is None
    assert await kept(database) == ["a", "b"]
    refused = await sent(line, keys("c", "b", "d"))
    assert "duplicate key" in str(refused)
    assert await kept(database) == ["a", "b"]
    assert await sent(line, keys("c")) is None  # later statements succeed


async def test_returned_values_arrive_as_text(database: Database) -> None:
    line = database.open_pipeline(
        {"keep": KEEP, "tell": "DELETE FROM server_keys RETURNING name, null"}, "nothing is kept"
    )
    assert line is not None
    assert await answered(line, [*keys("a"), ("tell", ()), ("tell", ())]) == [[], [("a", None)], []]
    assert await answered(line, keys("a")) == [[]]


async def test_statements_are_prepared_by_the_protocol_so_that_a_pooler_sees_them(database: Database) -> None:
    """Poolers support prepared statements of the protocol, and not those of SQL's PREPARE."""
    look = "SELECT count(*), bool_or(from_sql) FROM pg_prepared_statements"
    line = database.open_pipeline({"look": look, "keep": KEEP}, "nothing is kept")
    assert line is not None
    assert await answered(line, [("look", ())]) == [[("2", "f")]]
    await line.close()


async def test_a_statement_that_cannot_be_prepared_closes_the_connection(database: Database) -> None:
    line = database.open_pipeline({"wrong": "SELECT nothing FROM nowhere"}, "nothing is kept")
    assert line is not None
    assert isinstance(await answered(line, [("wrong", ())]), psycopg.Error)
    async with asyncio.timeout(10):
        while line.submit([("wrong", ())], lambda _: None):  # False once the connection is closed
            await asyncio.sleep(0.005)
    await line.close()


async def test_the_next_statements_are_sent_without_waiting_for_answers(database: Database, line: PgPipeline) -> None:
    assert await sent(line, keys("a")) is None
    told: list[list[Rows] | Exception] = []
    for name in "babc":
        assert line.submit(keys(name), told.append)
    assert told == []
    assert await sent(line, keys("d")) is None
    assert [not isinstance(came, Exception) for came in told] == [True, False, False, True]
    assert await kept(database) == ["a", "b", "c", "d"]


async def test_more_data_than_fits_the_socket_buffer_is_sent_completely(database: Database, line: PgPipeline) -> None:
    assert await sent(line, keys(*map(str, range(300)), secret="s" * 100_000)) is None
    assert len(await kept(database)) == 300


async def test_a_lost_connection_is_replaced(database: Database, line: PgPipeline) -> None:
    loop = asyncio.get_running_loop()
    cut = sa.text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    for name in "abc":
        held = asyncio.Event()

        def hold(connection: sa.Connection, name: str = name, held: asyncio.Event = held) -> None:
            insert = sa.text("INSERT INTO server_keys VALUES (:name, 's', now())")
            connection.execute(insert, {"name": name + name})
            loop.call_soon_threadsafe(held.set)
            connection.execute(sa.text("SELECT pg_sleep(0.1)"))
            connection.execute(cut).all()

        assert await sent(line, keys(name)) is None
        holding = asyncio.create_task(database.write(hold))
        await held.wait()
        refused = await sent(line, keys(name + name))  # it waits for the other transaction, and is cut off
        assert isinstance(refused, psycopg.OperationalError)
        await holding
    assert sorted(await kept(database)) == ["a", "aa", "b", "bb", "c", "cc"]


async def test_a_connection_can_be_closed_while_connecting(database: Database) -> None:
    line = database.open_pipeline({"keep": KEEP}, "people writer")
    assert line is not None
    assert not line.submit(keys("a"), lambda trouble: None)
    await line.close()
    assert await kept(database) == []
