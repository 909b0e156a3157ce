"""Test that a lost connection to PostgreSQL leaves the sockets of visitors alone.

libpq closes the socket of a lost connection, and the system gives its number to the next visitor. The test runs on
asyncio's event loop and on uvloop, which the server uses.
"""

import asyncio
from collections.abc import Awaitable, Callable

import psycopg
import pytest
import uvloop

from app.store.cluster import pg_bus
from app.store.cluster.pg_bus import PostgresBus
from app.store.db import pg_pipeline
from app.store.db.database import Database
from app.store.db.engines import parse_url, postgres_connect_arguments
from tests.store.db.test_pg_pipeline import KEEP, answered, keys

VISITORS = 20
WAIT = "SELECT pg_sleep(60)"
OTHERS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


@pytest.fixture
def dialect() -> str:
    return "postgresql"


async def cut_connections(url: str, statement: str = "") -> None:
    """End all other connections to the database, once one of them runs this statement."""
    arguments = postgres_connect_arguments(parse_url(url))
    async with await psycopg.AsyncConnection.connect(**arguments, autocommit=True) as connection:
        while statement and not (
            await (
                await connection.execute(f"SELECT pid {OTHERS} AND query = %s AND state = 'active'", (statement,))
            ).fetchall()
        ):
            await asyncio.sleep(0.005)
        await connection.execute(f"SELECT pg_terminate_backend(pid) {OTHERS}".encode())


async def serve_visitors() -> None:
    """Start a server, and let visitors connect who each expect an answer."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readline())
        await writer.drain()
        await reader.read()  # until the visitor leaves
        writer.close()

    async def visit(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"hello\n")
        assert await reader.readline() == b"hello\n"
        await everybody.wait()
        writer.close()
        await writer.wait_closed()

    everybody = asyncio.Barrier(VISITORS)
    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server, asyncio.timeout(10):
        port = server.sockets[0].getsockname()[1]
        await asyncio.gather(*(visit(port) for _ in range(VISITORS)))


async def cut_the_bus(url: str) -> None:
    """Cut the connections of three buses, and let visitors come before the buses connect again."""
    database = Database(url)
    buses = [PostgresBus(database) for _ in range(3)]
    for bus in buses:
        await bus.listening.wait()
    heard: list[tuple[str, int]] = []
    buses[0].subscribe(lambda room, seq: heard.append((room, seq)))
    await cut_connections(url)
    while any(bus.listening.is_set() for bus in buses):
        await asyncio.sleep(0)
    await serve_visitors()
    for bus in buses:
        await bus.listening.wait()
    while not heard:
        buses[1].publish("@all", 1)
        await asyncio.sleep(0.01)
    for bus in buses:
        await bus.close()
    await database.close()


async def cut_the_pipeline(url: str) -> None:
    """Cut the connection in the middle of a batch that waits for space in the socket, and let visitors come."""
    database = Database(url)
    line = database.open_pipeline({"keep": KEEP, "wait": WAIT}, "people writer")
    assert line is not None
    assert not isinstance(await answered(line, keys("a")), Exception)
    cut = asyncio.create_task(cut_connections(url, WAIT))
    assert isinstance(await answered(line, [("wait", ()), *keys(*"b" * 300, secret="s" * 100_000)]), psycopg.Error)
    await serve_visitors()
    await cut
    assert not isinstance(await answered(line, keys("c")), Exception)
    await line.close()
    await database.close()


@pytest.mark.parametrize("new_loop", [asyncio.new_event_loop, uvloop.new_event_loop])
@pytest.mark.parametrize("cut", [cut_the_bus, cut_the_pipeline])
def test_visitors_are_answered_after_a_cut(
    cut: Callable[[str], Awaitable[None]],
    new_loop: Callable[[], asyncio.AbstractEventLoop],
    url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pg_bus, "RECONNECT_DELAYS", (1.0,))  # the visitors come first
    monkeypatch.setattr(pg_pipeline, "PAUSES", (1.0,))

    async def run() -> None:
        async with asyncio.timeout(40):
            await cut(url)

    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(run())
