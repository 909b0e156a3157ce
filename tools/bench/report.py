"""Format the results of `python -m tools bench rooms` as lines of text."""

from typing import Any

SLOW = 0.020
"""Seconds within which all seats should see an action, even while bots compute."""


def report_lines(result: dict[str, Any]) -> list[str]:
    """Return a benchmark's report as lines of text, for people.

    `result` are the figures of `Bench.result`, with a description of the machine under `environment`. Figures that are
    None are left out.
    """
    said = [
        f"{result['actions_per_second']:.0f} accepted actions per second ({result['updates_per_second']:.0f} updates)",
        f"p50 {result['p50_ms']:.1f} ms, p99 {result['p99_ms']:.1f} ms from command to the last seat’s update",
        f"{_slow_actions_text(result)}, the slowest {result['slowest_ms']:.1f} ms",
        f"{result['bytes_per_message']:.0f} bytes a message, answers included",
    ]
    if result["server_cpu_s_per_10k"] is not None:
        said.append(
            f"{result['server_cpu_s_per_10k']:.2f} s of a core in the server for 10,000 actions; "
            f"it used {result['server_cpu']:.0%} of one, the bots {result['bots_cpu']:.0%}"
        )
    if result["kb_per_room"] is not None:
        said.append(
            f"{result['kb_per_room']:.0f} kB of memory (PSS) for each room with its sockets, "
            f"beside {result['base_kb'] / 1000:.0f} MB without any"
        )
    chose = result["bots"]
    said += [f"{number} decisions of {level} bots" for level, number in chose["decisions"].items()]
    if chose["worlds_a_decision"]:
        said.append(f"{chose['worlds_a_decision']:.0f} worlds for each decision that was thought about")
    said += [f"without thinking: {number} × {reason}" for reason, number in chose["fallbacks"].items()]
    if result["bot_turns"]:
        said.append(f"bots acted {result['bot_turns']} times, after {result['longest_turn_s']:.2f} s at the latest")
    if result["rooms_a_core"] is not None:
        said.append(
            f"their thinking used {result['thinkers_cpu']:.0%} of a core: one can think for "
            f"{result['rooms_a_core']:.0f} such rooms"
        )
    said += [f"refused: {number} × {code}" for code, number in result["refused"].items()]
    known = {key: value for key, value in result["environment"].items() if value is not None}
    return [*said, ", ".join(f"{key} {value}" for key, value in known.items())]


def _slow_actions_text(result: dict[str, Any]) -> str:
    return f"{result['slow']} of {result['measured']} took longer than {1000 * SLOW:.0f} ms"
