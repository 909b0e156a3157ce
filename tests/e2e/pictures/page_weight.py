"""Measure the cost of a first visit and the load of the main thread.

Run `python -m tests.e2e.pictures.page_weight [WHAT …] [--rounds N]`. These are the choices for WHAT, by default all:

- bytes: all that pages fetch into an empty cache, with headers
- cards: milliseconds until cards are visible, at 400 kbit/s with 300 ms latency and a processor slowed down four times
- tasks: CPU time of the longest main-thread tasks at that processor, for a first load and each kind of moment
- growth: what a page still holds after thirty hands
- now: milliseconds from pressing Play now until cards are visible, without slowing down, at four sizes
"""

import argparse
import json
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from tests.e2e.conftest import QUIET, installed
from tests.e2e.people.crowd import Crowd, Update, crowd
from tests.e2e.server import Server

PHONE = {"width": 390, "height": 844}
SIZES = ((390, 844), (360, 640), (844, 390), (1440, 900))
SLOWER = 4
BYTES_A_SECOND = 400_000 / 8
MS_AWAY = 300
LONG_MS = 50
HANDS = 30
MOMENTS = ("play", "trick won", "revolution", "result", "deal", "exchange")
MOST_TRACED = 150

SEEN = """
  const look = () => {
    const box = document.querySelector("[data-zone=hand] [data-card]")?.getBoundingClientRect();
    if (box?.width) requestAnimationFrame(() => (window.seenAt = performance.now()));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
"""
"""Records when the player's cards have been drawn."""


def pages(people: Crowd) -> dict[str, str]:
    """Return the pages to measure, by name and path."""
    room = f"/r/{people.code}"
    return {
        "home": "/",
        "form": "/new",
        "room": room,
        "lesson": "/learn/president",
        "replay": f"/matches/{match_of(people)}/replay?hand=0",
        "match": f"/matches/{match_of(people)}",
        "television": f"{room}/screen",
    }


def match_of(people: Crowd) -> str:
    """Return the id of the current match."""
    return str(people.sees("Ana")["room"]["match_id"])


@contextmanager
def opened(browser: Browser, server: Server, people: Crowd) -> Iterator[tuple[Page, CDPSession]]:
    """Open a page of Ana's with an empty cache, and a devtools session for it."""
    context: BrowserContext = browser.new_context(viewport=PHONE, has_touch=True, service_workers="block")
    context.add_cookies(people.cookies("Ana", server.url))  # type: ignore[arg-type]
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    try:
        yield page, line
    finally:
        context.close()


def weigh(browser: Browser, server: Server, people: Crowd) -> None:
    """Print the bytes by kind that a page loads before any input."""
    for name, path in pages(people).items():
        with opened(browser, server, people) as (page, line):
            kinds: dict[str, str] = {}
            bytes_of: dict[str, int] = defaultdict(int)
            count: dict[str, int] = defaultdict(int)

            def answered(event: Any, kinds: dict[str, str] = kinds) -> None:
                kinds[event["requestId"]] = event["type"]

            def loaded(event: Any, kinds: Any = kinds, bytes_of: Any = bytes_of, count: Any = count) -> None:
                kind = kinds.get(event["requestId"], "Other")
                bytes_of[kind] += int(event["encodedDataLength"])
                count[kind] += 1

            def framed(event: Any, bytes_of: Any = bytes_of) -> None:
                bytes_of["WebSocket"] += len(event["response"]["payloadData"].encode())

            line.on("Network.responseReceived", answered)
            line.on("Network.loadingFinished", loaded)
            line.on("Network.webSocketFrameReceived", framed)
            page.goto(server.url + path)
            page.wait_for_load_state("networkidle")
            told = ", ".join(f"{kind} {size / 1000:.1f} ({count[kind]})" for kind, size in sorted(bytes_of.items()))
            print(f"{name:12}{sum(bytes_of.values()) / 1000:8.1f} kB  {told}")


def slow(line: CDPSession) -> None:
    """Slow down the connection and the processor."""
    line.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": MS_AWAY,
            "downloadThroughput": BYTES_A_SECOND,
            "uploadThroughput": BYTES_A_SECOND,
        },
    )
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def time_cards(browser: Browser, server: Server, people: Crowd, rounds: int) -> None:
    """Print the time until the player's cards are visible."""
    for name, path in pages(people).items():
        if name not in ("room", "lesson"):
            continue
        took = []
        for _ in range(rounds):
            with opened(browser, server, people) as (page, line):
                page.add_init_script(SEEN)
                slow(line)
                page.goto(server.url + path, wait_until="commit")
                took.append(page.wait_for_function("() => window.seenAt", timeout=60_000).json_value())
        print(f"{name:12}{statistics.median(took):8.0f} ms  {[round(each) for each in took]}")


class Traced:
    """Traces the main thread of a page between two moments."""

    def __init__(self, browser: Browser, page: Page, caught_up: Callable[[], None]) -> None:
        """Prepare to trace; `caught_up` waits until the page shows the newest state."""
        self.browser = browser
        self.page = page
        self.caught_up = caught_up

    def during(self, doing: Callable[[], str]) -> None:
        """Print the longest tasks during a function and one second after it. The function returns the name to print."""
        self.browser.start_tracing(page=self.page, categories=["toplevel", "devtools.timeline", "__metadata"])
        name = doing()
        # Don't query the page meanwhile: waiting for a condition would run code in every frame.
        self.page.wait_for_timeout(1200)
        self.caught_up()
        self.page.evaluate("console.timeStamp('ours')")
        events = json.loads(self.browser.stop_tracing())["traceEvents"]
        longest = sorted(_tasks(events), reverse=True)[:5]
        over = sum(1 for each in longest if each[0] > LONG_MS)
        told = " ".join(f"{took:.0f} ({what})" for took, what in longest[:3])
        print(f"{name:12}{over:3} over {LONG_MS} ms; the longest: {told}")
        sys.stdout.flush()


def _tasks(events: list[dict[str, Any]]) -> Iterator[tuple[float, str]]:
    """Yield CPU milliseconds and main parts of each main-thread task of the page that left a mark.

    The browser has internal pages with main threads, too, which are ignored.
    """
    ours = {event["pid"] for event in events if event["name"] == "TimeStamp"}
    mains = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain" and event["pid"] in ours
    }
    assert mains, "the page has left its mark"
    mine = [event for event in events if (event["pid"], event["tid"]) in mains and event["ph"] == "X"]
    parts = [event for event in mine if event["name"] in PARTS]
    for task in mine:
        if not task["name"].endswith("RunTask"):
            continue
        took: dict[str, float] = defaultdict(float)
        end = task["ts"] + task["dur"]
        for part in parts:
            if part["pid"] == task["pid"] and task["ts"] <= part["ts"] and part["ts"] < end:
                took[part["name"]] += part.get("tdur", 0) / 1000
        what = ", ".join(f"{each} {ms:.0f}" for each, ms in sorted(took.items(), key=lambda each: -each[1])[:3])
        yield task.get("tdur", 0) / 1000, what


PARTS = {
    "FunctionCall",
    "EvaluateScript",
    "v8.evaluateModule",
    "v8.compileModule",
    "UpdateLayoutTree",
    "Layout",
    "PrePaint",
}
PARTS |= {"Paint", "Layerize", "Commit", "ParseHTML", "MinorGC", "MajorGC", "RunMicrotasks", "ParseAuthorStyleSheet"}
PARTS |= {"HitTest", "FireAnimationFrame", "ResizeObserver", "IntersectionObserver"}


def _plays(update: Update) -> list[dict[str, Any]]:
    return [action for action in update["you"]["legal"] if action["do"] == "play"]


def moment(before: Update, after: Update) -> str:
    """Return the kind of change between two updates, which decides the amount of drawing."""
    was, now = before["table"], after["table"]
    if after["room"]["phase"] != "playing":
        return "result"
    if was["number"] != now["number"]:
        return "deal"
    if was["phase"] == "exchange":
        return "exchange"
    if was["inverted"] != now["inverted"]:
        return "revolution"
    return "play" if now["trick"] and now["trick"]["plays"] else "trick won"


def trace_tasks(browser: Browser, server: Server, people: Crowd, rounds: int) -> None:
    """Trace the main thread on first loads and at each kind of moment.

    It stops after `rounds` of each kind, or after too many updates.
    """
    with opened(browser, server, people) as (page, line):
        line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})

        def caught_up() -> None:
            page.wait_for_function(
                "(seq) => Number(document.querySelector('#room')?.dataset.seq) >= seq", arg=people.sees("Ana")["seq"]
            )

        def load() -> str:
            page.goto(f"{server.url}/r/{people.code}")
            return "first load"

        def go_on() -> str:
            before = people.sees("Ana")
            people.play_until(lambda update: update["seq"] > before["seq"])
            found.append(moment(before, people.sees("Ana")))
            return found[-1]

        trace = Traced(browser, page, caught_up)
        found: list[str] = []
        for _ in range(rounds):
            trace.during(load)
        while len(found) < MOST_TRACED and any(found.count(kind) < rounds for kind in MOMENTS):
            trace.during(go_on)


def grow(browser: Browser, server: Server, people: Crowd) -> None:
    """Print what a page holds after one hand and after thirty more."""
    with opened(browser, server, people) as (page, line):
        page.goto(f"{server.url}/r/{people.code}")
        page.wait_for_selector("#room[data-seq]")
        line.send("Performance.enable")
        for hand in range(HANDS + 1):
            people.play_until(lambda update: update["room"]["phase"] == "playing")
            people.play_until(lambda update: update["room"]["phase"] != "playing")
            page.wait_for_function(
                "(seq) => Number(document.querySelector('#room')?.dataset.seq) >= seq", arg=people.sees("Ana")["seq"]
            )
            if hand % 10 == 0:
                page.wait_for_timeout(3000)
                line.send("HeapProfiler.collectGarbage")
                told = {each["name"]: each["value"] for each in line.send("Performance.getMetrics")["metrics"]}
                heap = told["JSHeapUsedSize"] / 1e6
                listeners = told["JSEventListeners"]
                print(f"hand {hand:3}: heap {heap:.2f} MB, nodes {told['Nodes']:.0f}, listeners {listeners:.0f}")


def play_now(browser: Browser, server: Server, rounds: int) -> None:
    """Print the time for a new visitor from the press on the home page until cards are visible."""
    for width, height in SIZES:
        took = []
        for _ in range(rounds):
            context = browser.new_context(viewport={"width": width, "height": height}, service_workers="block")
            page = context.new_page()
            page.goto(server.url)
            page.add_init_script(SEEN)
            # The two pages have different time origins, so add them.
            pressed = page.evaluate("() => performance.timeOrigin + performance.now()")
            page.locator("form[action='/play'] button").first.click(no_wait_after=True)
            page.wait_for_url("**/r/*", wait_until="commit")
            page.wait_for_function("() => window.seenAt", timeout=60_000)
            took.append(page.evaluate("() => performance.timeOrigin + window.seenAt") - pressed)
            context.close()
        print(f"{f'{width}x{height}':12}{statistics.median(took):8.0f} ms  {[round(each) for each in took]}")


def main() -> None:
    """Run the chosen measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", help="bytes, cards, tasks, growth, now")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    what = set(asked.what) or {"bytes", "cards", "tasks", "growth", "now"}
    server = Server(Path(tempfile.mkdtemp()))
    server.start()
    try:
        rules = {"four_of_a_kind": "inverts"}
        with crowd(server.url, "Ana Bob Cat", options=rules) as people, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=installed(), args=QUIET)
            people.play_until(
                lambda update: update["table"]["number"] > 0 and update["you"]["name"] == "Ana" and _plays(update)
            )
            if "bytes" in what:
                weigh(browser, server, people)
            if "cards" in what:
                time_cards(browser, server, people, asked.rounds)
            if "tasks" in what:
                trace_tasks(browser, server, people, asked.rounds)
            if "growth" in what:
                grow(browser, server, people)
            if "now" in what:
                play_now(browser, server, asked.rounds)
            browser.close()
    finally:
        server.stop()


if __name__ == "__main__":
    main()
