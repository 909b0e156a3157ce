"""Test two nodes behind HAProxy: one is killed, one stopped, the database restarted, and nothing is lost.

`python -m tests.tools.crashes.rolling_restart` and `python -m tools soak --nodes` play longer, with more nodes.
"""

import asyncio
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests import postgres
from tests.tools.crashes.rolling_restart import nodes_behind_haproxy
from tests.web.test_deploy import Front, program
from tools.__main__ import main
from tools.crashes.kill_nodes import kill_and_restart, stop_and_restart
from tools.crashes.kill_server import find_rebuild_differences
from tools.local_server.free_port import free_port

GAMES = ("president", "chase_the_ace")


@pytest.mark.long("It starts PostgreSQL, HAProxy and two servers, and each of them twice.")
@pytest.mark.postgres
async def test_play_continues_without_loss_when_nodes_or_the_database_stop(tmp_path: Path) -> None:
    program("haproxy")
    front = Front(tmp_path, free_port(), free_port())
    with postgres.Postgres() as server:
        database = server.create_database()

        def restart() -> None:
            server.stop()
            server.start()

        given = {"HEARTBEAT_SECONDS": "1", "RETRY_MS": "100"}
        async with nodes_behind_haproxy(database, front, 2, **given) as (nodes, soak):
            await asyncio.to_thread(soak.open_rooms, 2, GAMES)
            for player in (player for table in soak.tables for player in table.players):
                player.think_seconds = 0.1  # else they keep both cores busy while the nodes start
            await soak.play_through_accidents(
                [lambda: kill_and_restart(nodes[0]), lambda: stop_and_restart(nodes[1]), restart], answers=2
            )
        await soak.compare_with_logs(database)
        assert (soak.mismatches, soak.counters["error pages"]) == ([], 0), soak.summary()
        assert soak.counters["pages"] > 0
        assert find_rebuild_differences(database) == []


def test_a_soak_with_nodes_requires_postgresql() -> None:
    arguments = ("soak", "--kills", "1", "--nodes", "2", "--database", "sqlite:///rooms.sqlite3")
    result = CliRunner().invoke(main, arguments)
    assert (result.exit_code, "Several nodes share a PostgreSQL" in result.output) == (2, True)
