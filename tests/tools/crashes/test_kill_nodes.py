"""Test three nodes behind HAProxy: one is killed, one stopped, the database restarted, and nothing is lost."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from tests import postgres
from tests.web.test_deploy import Front, haproxy_before, program, running
from tools.__main__ import main
from tools.crashes.kill_nodes import NodeSoak, kill_and_restart, stop_and_restart
from tools.crashes.kill_server import find_rebuild_differences
from tools.local_server.free_port import free_port
from tools.local_server.server_process import LocalServer

GAMES = ("president", "chase_the_ace")


@asynccontextmanager
async def three_nodes(database: str, front: Front) -> AsyncIterator[list[LocalServer]]:
    given = {"PUBLIC_URL": front.base, "TRUSTED_PROXIES": "127.0.0.1", "HEARTBEAT_SECONDS": "1", "RETRY_MS": "100"}
    nodes = [LocalServer(database, **given) for _ in range(3)]
    try:
        await asyncio.gather(*(asyncio.to_thread(node.start) for node in nodes))
        yield nodes
    finally:
        await asyncio.gather(*(asyncio.to_thread(node.stop) for node in nodes))


@pytest.mark.long("It starts PostgreSQL, HAProxy and three servers, and some of them twice.")
@pytest.mark.postgres
async def test_play_continues_without_loss_when_nodes_or_the_database_stop(tmp_path: Path) -> None:
    program("haproxy")
    front = Front(tmp_path, free_port(), free_port())
    with postgres.Postgres() as server:
        database = server.create_database()

        def restart() -> None:
            server.stop()
            server.start()

        async with three_nodes(database, front) as nodes:
            command, own = haproxy_before(front, *(f"127.0.0.1:{node.port}" for node in nodes))
            async with running(front, *command):
                soak = NodeSoak(nodes, Random(1), (front.base, ssl.create_default_context(cafile=str(own))))
                await asyncio.to_thread(soak.open_rooms, 2, GAMES)
                await soak.play_through_accidents(
                    [lambda: kill_and_restart(nodes[0]), lambda: stop_and_restart(nodes[1]), restart], answers=3
                )
        await soak.compare_with_logs(database)
        assert (soak.mismatches, soak.counters["error pages"]) == ([], 0), soak.summary()
        assert soak.counters["pages"] > 0
        assert find_rebuild_differences(database) == []


def test_a_soak_with_nodes_requires_postgresql() -> None:
    arguments = ("soak", "--kills", "1", "--nodes", "2", "--database", "sqlite:///rooms.sqlite3")
    result = CliRunner().invoke(main, arguments)
    assert (result.exit_code, "Several nodes share a PostgreSQL" in result.output) == (2, True)
