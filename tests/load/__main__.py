"""Measure servers under load. See tests/load/README.md."""

import argparse
import asyncio
import json
import os
import resource
from collections import defaultdict
from collections.abc import AsyncIterator
from statistics import median
from typing import Any

import uvloop

from .load import Load
from .servers import DRIVER_CORE, ROOT, SYSTEMS, Running, running

WARM_UP = 1.5


def rooms_of(text: str) -> int:
    """Parse a number of rooms, or raise an error for argparse."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text}: a number of rooms is 1 or more (without any, mem tells empty_kb)")
    return int(text)


async def verify(load: Load, server: Running, asked: argparse.Namespace) -> AsyncIterator[dict[str, Any]]:
    """Check the protocol before measuring."""
    yield await load.verify()


async def sat(load: Load, server: Running, asked: argparse.Namespace) -> AsyncIterator[dict[str, Any]]:
    """Measure at full speed, with a growing number of rooms."""
    for rooms in sorted(asked.rooms or (50, 250)):
        await load.connect(rooms)
        if asked.stagger:
            await load.stagger(rooms)
        yield {"rooms": rooms, **await load.saturate(rooms, asked.seconds, WARM_UP)}


async def rate(load: Load, server: Running, asked: argparse.Namespace) -> AsyncIterator[dict[str, Any]]:
    """Measure at the given rates."""
    rooms = max(asked.rooms or (250,))
    await load.connect(rooms)
    for each in asked.rates:
        yield {"rooms": rooms, "rate": each, **await load.at_rate(rooms, each, asked.seconds, WARM_UP)}


async def mem(load: Load, server: Running, asked: argparse.Namespace) -> AsyncIterator[dict[str, Any]]:
    """Measure the memory of each room after four moves in each, and the cost of opening rooms and joining."""
    await asyncio.sleep(0.5)
    empty = server.memory_kb()
    for rooms in sorted(asked.rooms or (250, 1000)):
        people, before = 4 * (rooms - len(load.tables)), server.sample()
        took = await load.connect(rooms)
        joining = server.sample().server - before.server
        await load.at_rate(rooms, 1000, 4 * rooms / 1000, 0.0)
        await asyncio.sleep(1.0)
        yield {
            "rooms": rooms,
            "empty_kb": empty,
            "kb_per_room": (server.memory_kb() - empty) / rooms,
            "cpu_ms_per_person": joining / people * 1000,
            "people_per_s": people / took,
        }


KINDS = {"verify": verify, "sat": sat, "rate": rate, "mem": mem}


async def measured(name: str, server: Running, asked: argparse.Namespace) -> list[dict[str, Any]]:
    """Measure one server, and print each result at once."""
    system = SYSTEMS[name]
    load = Load(system.adapter(server.address, system.game), server.sample)
    results = []
    async for figures in KINDS[asked.kind](load, server, asked):
        result = {"kind": asked.kind, "system": name, **figures}
        results.append(result)
        print(json.dumps({key: round(v, 3) if isinstance(v, float) else v for key, v in result.items()}), flush=True)
    await load.close()
    return results


def in_short(results: list[dict[str, Any]]) -> None:
    """Print medians over the rounds."""
    groups = defaultdict[tuple[Any, ...], list[dict[str, Any]]](list)
    for result in results:
        groups[result["kind"], result["system"], result.get("rooms"), result.get("rate")].append(result)
    for group in groups.values():
        middle = {key: round(median(one[key] for one in group), 3) for key, v in group[0].items() if type(v) is float}
        named = {key: v for key, v in group[0].items() if type(v) is not float}
        print("median:", json.dumps({**named, **middle}))


def main() -> None:
    """Measure every chosen system, round by round."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("kind", choices=list(KINDS))
    parser.add_argument("systems", nargs="+", choices=list(SYSTEMS))
    parser.add_argument("--rooms", type=rooms_of, nargs="+")
    parser.add_argument("--rates", type=float, nargs="+", default=[1000])
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument(
        "--stagger",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="sat: rooms stand at different moves of their hands; without it all begin, and end hands, together",
    )
    parser.add_argument("--rounds", type=int, default=1, help="of all systems in turn; medians at the end")
    parser.add_argument("--python", default=str(ROOT / ".venv/bin/python"), help="one that has the project's needs")
    parser.add_argument("--database", help="URL of an empty PostgreSQL, for ours:postgres")
    asked = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.sched_setaffinity(0, {DRIVER_CORE})
    results = []
    for _ in range(asked.rounds):
        for name in asked.systems:
            with running(SYSTEMS[name], asked.python, asked.database) as server:
                results += uvloop.run(measured(name, server, asked))
    if asked.rounds > 1:
        in_short(results)


if __name__ == "__main__":
    main()
