"""Restart two nodes behind HAProxy in turn, while players play: `python -m tests.tools.crashes.rolling_restart`.

Both nodes have the same version, and one PostgreSQL. Nothing may be lost or doubled. The command prints how long a room
stood still, and ends with status 1 if that was longer than `--most` seconds.
"""

import asyncio
import ssl
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import click

from tests import postgres
from tests.web.test_deploy import Front, haproxy_before, running
from tools.crashes.kill_nodes import NodeSoak
from tools.crashes.kill_server import find_rebuild_differences
from tools.local_server.free_port import free_port
from tools.local_server.server_process import LocalServer

GAMES = ("president", "big_two", "ceausescu", "chase_the_ace")


@asynccontextmanager
async def nodes_behind_haproxy(
    database: str, front: Front, count: int, **settings: str
) -> AsyncIterator[tuple[list[LocalServer], NodeSoak]]:
    """Run this number of nodes behind HAProxy; yield them, and a crash test whose players come through HAProxy."""
    given = {"PUBLIC_URL": front.base, "TRUSTED_PROXIES": "127.0.0.1", **settings}
    nodes = [LocalServer(database, **given) for _ in range(count)]
    try:
        await asyncio.gather(*(asyncio.to_thread(node.start) for node in nodes))
        command, own = haproxy_before(front, *(f"127.0.0.1:{node.port}" for node in nodes))
        async with running(front, *command):
            yield nodes, NodeSoak(nodes, Random(1), (front.base, ssl.create_default_context(cafile=str(own))))
    finally:
        await asyncio.gather(*(asyncio.to_thread(node.stop) for node in nodes))


async def restart_in_turn(
    database: str,
    folder: Path,
    rooms: int,
    rounds: int,
    answers: int,
    think: float = 0.0,
    games: Sequence[str] = GAMES,
) -> NodeSoak:
    """Play in rooms while two nodes are restarted in turn, and compare all answers and views with the logs.

    Each room gets `answers` answers before each restart and after the last. Players wait `think` seconds before each
    action.
    """

    def restart(node: LocalServer) -> None:
        began = time.monotonic()
        node.stop()
        stopped = time.monotonic()
        node.start()
        click.echo(f"stopped in {stopped - began:.1f} s, ready after another {time.monotonic() - stopped:.1f} s")

    def begin() -> None:
        longest = max(table.longest_pause for table in soak.tables)
        click.echo(f"before the restarts, no room stood still for more than {longest:.1f} s")
        for table in soak.tables:
            table.longest_pause = 0.0

    front = Front(folder, free_port(), free_port())
    async with nodes_behind_haproxy(database, front, 2) as (nodes, soak):
        await asyncio.to_thread(soak.open_rooms, rooms, games)
        for player in (player for table in soak.tables for player in table.players):
            player.think_seconds = think
        restarts = [lambda node=node: restart(node) for _ in range(rounds) for node in nodes]
        await soak.play_through_accidents([begin, *restarts], answers)
    await soak.compare_with_logs(database)
    return soak


@click.command()
@click.option("--rooms", default=20, show_default=True, help="Rooms that play at the same time, of four players.")
@click.option("--rounds", default=2, show_default=True, help="Restarts of each node.")
@click.option("--answers", default=20, show_default=True, help="Answers in each room between two restarts.")
@click.option("--think", default=0.3, show_default=True, help="Seconds that a player waits before each action.")
@click.option("--most", default=3.0, show_default=True, help="Longest allowed standstill of a room, in seconds.")
def main(rooms: int, rounds: int, answers: int, think: float, most: float) -> None:
    """Restart two nodes behind HAProxy in turn, while players play, and check that nothing is lost or doubled."""
    with postgres.Postgres() as server, tempfile.TemporaryDirectory() as folder:
        database = server.create_database()
        soak = asyncio.run(restart_in_turn(database, Path(folder), rooms, rounds, answers, think))
        differences = find_rebuild_differences(database)
    for mismatch in soak.mismatches:
        click.echo(f"{mismatch.kind}: {mismatch.description}", err=True)
    click.echo(f"{soak.summary()}\n{len(differences)} rows of the history and the statistics are wrong")
    longest = max(table.longest_pause for table in soak.tables)
    if soak.mismatches or differences or longest > most or soak.counters["error pages"]:
        sys.exit(1)


if __name__ == "__main__":
    main()
