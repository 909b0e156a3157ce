"""Bot counters of a measured server, read from /metrics, the CPU time of its workers, and stopping the workers."""

import asyncio
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tools.local_server.server_process import LocalServer
from tools.local_server.system_info import cpu_seconds

_PREFIX = "pecking_order_bot_"


async def read_bot_counters(server: LocalServer) -> dict[str, float]:
    """Read the bot counters of a benchmarked server from /metrics, by name with labels, without the prefix."""
    _, told = await asyncio.to_thread(server.request, "GET", "/metrics")
    lines = (line for line in told.decode().splitlines() if line.startswith(_PREFIX))
    return {name.removeprefix(_PREFIX): float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def bot_counter_deltas(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, Any]:
    """Return what a server's bots did between two readings of the bot counters, for the report of a benchmark.

    The result has decisions by level, average worlds (sampled deals) per searched decision, and decisions without
    search by reason.
    """
    more = {name: value - before.get(name, 0.0) for name, value in after.items()}
    thought = more.get("worlds_count", 0.0)
    return {
        "decisions": _values_by_label(more, "decisions_total"),
        "worlds_a_decision": more.get("worlds_sum", 0.0) / thought if thought else 0.0,
        "fallbacks": _values_by_label(more, "fallbacks_total"),
    }


def _values_by_label(counters: Mapping[str, float], name: str) -> dict[str, int]:
    found = {key: value for key, value in counters.items() if key.startswith(name + "{") and value}
    return {key.split('"')[1]: round(value) for key, value in found.items()}


def child_cpu_seconds(pid: int) -> float | None:
    """Return the CPU seconds used so far by the child processes of a server; None if /proc is missing."""
    try:
        return sum(cpu_seconds(child) or 0.0 for child in _child_pids(pid))
    except OSError:
        return None


def cpu_seconds_used(before: float | None, after: float | None, *, stuck: bool) -> float | None:
    """Return the CPU seconds that a server's workers used between two readings of `child_cpu_seconds`.

    None if a reading is missing, if the workers were stopped (`stuck`), or if the sum fell because a worker ended.
    """
    if stuck or before is None or after is None or after < before:
        return None
    return after - before


def rooms_per_core(decided: Mapping[str, Any], rooms: int, seconds: float, thinkers: float) -> float | None:
    """Return the number of rooms like the measured ones for which a core can compute the bots' decisions.

    `thinkers` is the CPU time of the workers during the measured `seconds`. Decisions without search are assumed to
    cost the same as searched ones. None if no decision was searched.
    """
    asked = sum(decided["decisions"].values())
    thought = asked - sum(decided["fallbacks"].values())
    return rooms * seconds / thinkers * thought / asked if thinkers and thought else None


async def suspend_children(pid: int) -> None:
    """Suspend (SIGSTOP) all present and new child processes of a server, until this task is cancelled.

    They stay suspended afterwards. A benchmark thus measures a server whose workers hang.
    """
    stopped = set[int]()
    while True:
        for child in _child_pids(pid) - stopped:
            stopped.add(child)
            os.kill(child, signal.SIGSTOP)
        await asyncio.sleep(0.05)


def _child_pids(pid: int) -> set[int]:
    return set(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()))
