"""What bots decided while a server was measured, as its /metrics tell, and workers that are kept from thinking."""

import asyncio
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tools.local_server.server_process import OwnServer
from tools.local_server.system_info import cpu_seconds

_PREFIX = "pecking_order_bot_"


async def counted(server: OwnServer) -> dict[str, float]:
    """Read the counters of bots, by name with labels."""
    _, told = await asyncio.to_thread(server.request, "GET", "/metrics")
    lines = (line for line in told.decode().splitlines() if line.startswith(_PREFIX))
    return {name.removeprefix(_PREFIX): float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def between(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, Any]:
    """Tell what was decided between two readings: decisions by level, worlds for each that was thought about, and
    decisions without, by reason."""
    more = {name: value - before.get(name, 0.0) for name, value in after.items()}
    thought = more.get("worlds_count", 0.0)
    return {
        "decisions": _labelled(more, "decisions_total"),
        "worlds_a_decision": more.get("worlds_sum", 0.0) / thought if thought else 0.0,
        "fallbacks": _labelled(more, "fallbacks_total"),
    }


def _labelled(counters: Mapping[str, float], name: str) -> dict[str, int]:
    found = {key: value for key, value in counters.items() if key.startswith(name + "{") and value}
    return {key.split('"')[1]: round(value) for key, value in found.items()}


def thinkers_cpu(pid: int) -> float | None:
    """Tell what those have used of the processors that a server has started, in seconds; None where nobody tells."""
    try:
        return sum(cpu_seconds(child) or 0.0 for child in _children(pid))
    except OSError:
        return None


def thinking(before: float | None, after: float | None, *, stuck: bool) -> float | None:
    """Tell what thinking has used between two readings of `thinkers_cpu`, in seconds; None where nobody tells, where it
    was kept from going on, or where some of those who think ended meanwhile and took their count with them."""
    if stuck or before is None or after is None or after < before:
        return None
    return after - before


def rooms_a_core(decided: Mapping[str, Any], rooms: int, seconds: float, thinkers: float) -> float | None:
    """How many rooms such as these one core can think for, going by what their decisions took of it in so many seconds.
    Those that were done without would have taken as much; None where all were."""
    asked = sum(decided["decisions"].values())
    thought = asked - sum(decided["fallbacks"].values())
    return rooms * seconds / thinkers * thought / asked if thinkers and thought else None


async def hold(pid: int) -> None:
    """Stop every process that this one has started, and starts from now on; until cancelled. They are not ended."""
    stopped = set[int]()
    while True:
        for child in _children(pid) - stopped:
            stopped.add(child)
            os.kill(child, signal.SIGSTOP)
        await asyncio.sleep(0.05)


def _children(pid: int) -> set[int]:
    return set(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()))
