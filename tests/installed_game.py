"""Play a hand of each game with an installed program, on both databases: `python -m tests.installed_game PROGRAM`.

The program runs outside a checkout. Four players connect over sockets and make random legal plays.
"""

import asyncio
import sys
import tempfile
from pathlib import Path
from random import Random

from app.engine.games import GAMES
from tests.postgres import Postgres
from tools.crashes.kill_server import CrashRoom
from tools.local_server.server_process import LocalServer

MOST_SECONDS = 120


def play_on_both_databases(program: Path) -> None:
    """Play with the program `pecking-order` of an installation. Raises `TimeoutError` if a hand does not end."""
    with tempfile.TemporaryDirectory(prefix="pecking-order-") as folder, Postgres() as postgres:
        for database in (f"sqlite:///{folder}/rooms.sqlite3", postgres.create_database()):
            server = LocalServer(database, program=program)
            try:
                server.start()
                for game in GAMES:
                    plays = asyncio.run(_play_hand(server, game))
                    print(f"{server.request('GET', '/healthz')[1].decode()}: {game}, {plays} plays")
            finally:
                server.stop()


async def _play_hand(server: LocalServer, game: str) -> int:
    """Play until every player sees the end of a hand, and return the number of commands that were answered."""
    answers = 0

    def answered() -> None:
        nonlocal answers
        answers += 1

    room = CrashRoom(server, game, Random(game), answered)
    playing = [asyncio.create_task(player.play(room.address)) for player in room.players]
    async with asyncio.timeout(MOST_SECONDS):
        while not all(any(_ended(view) for view in player.told.shown_views) for player in room.players):
            await asyncio.sleep(0.05)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return answers


def _ended(view: dict[str, object]) -> bool:
    room = view["room"]
    return isinstance(room, dict) and room["phase"] in ("between_hands", "finished")


if __name__ == "__main__":
    play_on_both_databases(Path(sys.argv[1]).resolve())
