"""Measure the scenes on a slow computer: `python -m tests.e2e.pictures.scene_weight [SLOWED [NAME …]]`.

A phone of 360 × 640 shows a hand with all scenes, one update after another, on a CPU that the browser slows down, by
default four times. For each scene, the longest task of the page is printed, and how far the layout shifted. The time of
a task is that of the processor, so that other programs on this computer don't count. Status 1: a task takes longer than
`MOST_MS`, or the layout shifts by more than `MOST_SHIFT` in all scenes together.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from playwright.sync_api import Browser

from tests.e2e.pictures.layout_shifts import WATCH, take
from tests.e2e.pictures.scene_films import LASTS, Film, Update, as_sent, films, open_page, room_and_states

MOST_MS = 100
MOST_SHIFT = 0.1
SLOWED = 4
SIZE = {"width": 360, "height": 640}
CATEGORIES = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"]


class Weight(NamedTuple):
    """The measurement of one scene."""

    name: str
    longest: float
    """The longest task of the page, in milliseconds of the processor."""
    shift: float


def measure(browser: Browser, site: str, code: str, scene: Film, slowed: float) -> Weight:
    """Show a scene on a CPU slowed by this factor, and measure it."""
    context = browser.new_context(viewport=SIZE, has_touch=True, service_workers="block")  # type: ignore[arg-type]
    context.add_init_script(WATCH)
    page, socket = open_page(context, f"{site}/r/{code}", scene.before, code)
    take(page)
    line = context.new_cdp_session(page)
    line.send("Emulation.setCPUThrottlingRate", {"rate": slowed})
    browser.start_tracing(page=page, categories=CATEGORIES)
    socket.send(json.dumps(as_sent(scene.update, code, 2)))
    page.wait_for_selector(scene.appears, state="attached")
    page.wait_for_timeout(LASTS + 200)
    trace = json.loads(browser.stop_tracing())["traceEvents"]
    line.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    shift = take(page).total
    context.close()
    return Weight(scene.name, _longest_task(trace), shift)


def _longest_task(trace: Sequence[Update]) -> float:
    """Return the milliseconds of the longest task on a page's main thread."""
    main = {
        (event["pid"], event["tid"])
        for event in trace
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [event for event in trace if event["name"] == "RunTask" and (event["pid"], event["tid"]) in main]
    assert tasks
    return max(event.get("tdur", 0) for event in tasks) / 1000


def measure_all(wanted: Sequence[str], slowed: float) -> list[Weight]:
    """Measure the wanted scenes, or all."""

    def found(states: Mapping[str, Update]) -> list[Film]:
        return [scene for scene in films(states) if not wanted or any(each in scene.name for each in wanted)]

    with room_and_states() as (browser, site, code, states):
        return [measure(browser, site, code, scene, slowed) for scene in found(states)]


def main() -> None:
    """Print the measurements."""
    slowed = float(sys.argv[1]) if len(sys.argv) > 1 else SLOWED
    weights = measure_all(sys.argv[2:], slowed)
    for name, longest, shift in weights:
        print(f"{name:20} {longest:6.1f} ms  shift {shift:.3f}")
    shift = sum(weight.shift for weight in weights)
    print(f"all: shift {shift:.3f}")
    sys.exit(shift > MOST_SHIFT or any(weight.longest > MOST_MS for weight in weights))


if __name__ == "__main__":
    main()
