"""Make a database with rooms of players whose names are twenty wide letters.

Run `python -m tests.e2e.databases.wide_names FILE`.
"""

import asyncio
import sys
from pathlib import Path
from typing import Final

from app.rooms.model import commands as ask
from tests.e2e.databases.played_rooms import write
from tests.rooms.world import World
from tests.store.played import play

OTHERS: Final = ("W" * 20, "W" * 19 + "M", "W" * 19 + "Q")
LOBBY: Final = "CODE42"
PLAYED: Final = ("CODE43", "CODE44")


def wide() -> tuple[World, World, World]:
    """Make three rooms of Ana and three players with wide names: before a match, during a hand, and after a hand."""
    waiting = World().join(*OTHERS)
    running, over = (World(room=code, seed=seed).join(*OTHERS) for seed, code in enumerate(PLAYED, 5))
    play(running, 1, stop=False)
    running.ok("Ana", ask.DealNext)
    running.play(until=5)
    play(over, 2, stop=False)
    return waiting, running, over


if __name__ == "__main__":
    print(asyncio.run(write(Path(sys.argv[1]), *wide())))
