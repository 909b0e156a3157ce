"""`python -m tools pictures`: draw many different pictures of matches, and check that memory stops growing."""

import asyncio
import os
import sys
from random import Random
from typing import Final

import click

from app.rooms.people.avatars import BIRDS, COLOURS, PlayerFace
from app.rooms.people.names import MAX_NAME_LENGTH
from app.web.matches.picture import MOST_ROWS, Picture, Row
from app.web.matches.share_picture import picture_as_png
from tools.local_server.system_info import memory_kb

EARLY: Final = 200
"""Number of pictures after which memory is measured first: all caches are then in use."""
LETTERS: Final = "aeilmnorstw MWÄéłЖщ.'0λ♣נễ健"


@click.command()
@click.option("--count", default=5000, show_default=True, type=click.IntRange(2), help="Number of pictures.")
@click.option("--growth", default=20.0, show_default=True, help="Allowed growth in MB after the first 200 pictures.")
@click.option("--seed", default=1, show_default=True, help="Seed of the contents.")
def pictures(count: int, growth: float, seed: int) -> None:
    """Draw different pictures of matches as the server does, and print its memory.

    Exits with status 1 if it grows too much after the first 200, or after half of a smaller number.
    """
    first, last = asyncio.run(measure_memory(count, min(EARLY, count // 2), Random(seed)))
    click.echo(f"{count} pictures: {first:.1f} MB early, {last:.1f} MB at the end, {last - first:+.1f} MB")
    if last - first > growth:
        sys.exit(f"That is more than {growth:g} MB.")


async def measure_memory(count: int, early: int, rng: Random) -> tuple[float, float]:
    """Draw `count` pictures, and return this process's memory in MB after `early` pictures and after all."""
    cache, used = dict[object, bytes](), list[float]()
    for number in range(1, count + 1):
        await picture_as_png(cache, random_picture(rng), asyncio.to_thread)
        if number in (early, count):
            used.append((memory_kb(os.getpid()) or 0) / 1000)
    return used[0], used[-1]


def random_picture(rng: Random) -> Picture:
    """Return a picture with random names, points and places, whose texts have all lengths."""

    def text(most: int) -> str:
        return "".join(rng.choice(LETTERS) for _ in range(rng.randint(1, most))).strip() or "x"

    players, hands = rng.randint(2, MOST_ROWS), rng.randint(1, 30)
    rows = tuple(
        Row(
            text(MAX_NAME_LENGTH),
            PlayerFace(rng.choice(BIRDS), rng.choice(COLOURS)),
            place,
            rng.choice(("", text(20))),
            rng.choice(("", text(7))),
            tuple(rng.randint(1, players) for _ in range(hands)),
            place == 1,
        )
        for place in range(1, players + 1)
    )
    winners = tuple(text(MAX_NAME_LENGTH) for _ in range(rng.randint(1, 3)))
    return Picture(text(60), text(80), "Pecking Order", text(40), winners, rows)
