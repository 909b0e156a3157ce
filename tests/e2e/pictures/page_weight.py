"""Measure the cost of a first visit and the load of the main thread.

Run `python -m tests.e2e.pictures.page_weight [WHAT …] [--rounds N] [--root FOLDER]`. `--root` measures another checkout
of the project, such as an earlier version. These are the choices for WHAT, by default all:

- bytes: all that pages fetch into an empty cache, with headers
- cards: milliseconds until cards are visible, at 400 kbit/s with 300 ms latency and a processor slowed down four times
- tasks: CPU time of the longest main-thread tasks at that processor, for a first load and each kind of moment
- growth: what a page still holds after thirty hands
- join: milliseconds and bytes from a friend's link to the name field, and from its button to a seat, at 400 kbit/s with
  400 ms latency; the processor is not slowed down
- now: milliseconds from pressing Play now until cards are visible, without slowing down, at four sizes
"""

import argparse
import json
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from tests.e2e.conftest import QUIET, installed
from tests.e2e.people.crowd import Crowd, Update, crowd
from tests.e2e.server import ROOT, Server

PHONE = {"width": 390, "height": 844}
SIZES = ((390, 844), (360, 640), (844, 390), (1440, 900))
SLOWER = 4
BYTES_A_SECOND = 400_000 / 8
MS_AWAY = 300
MS_AWAY_OF_FRIENDS = 400
TYPING_MS = 5000
"""The time that a friend takes for a name."""
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


FIELD = """
  const look = () => {
    const field = document.querySelector("#name")?.getBoundingClientRect();
    requestAnimationFrame(field?.width ? () => (window.fieldAt = performance.now()) : look);
  };
  requestAnimationFrame(look);
"""
"""Records when the name field has been drawn."""


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


def slow(line: CDPSession, ms_away: int = MS_AWAY, slower: int = SLOWER) -> None:
    """Slow down the connection and the processor: `ms_away` of latency, and a processor slowed down `slower` times."""
    line.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": ms_away,
            "downloadThroughput": BYTES_A_SECOND,
            "uploadThroughput": BYTES_A_SECOND,
        },
    )
    line.send("Emulation.setCPUThrottlingRate", {"rate": slower})


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


class Downloads:
    """What a page downloads: the time and the bytes of each part, with headers."""

    def __init__(self, line: CDPSession) -> None:
        """Listen to a devtools session."""
        self._began: float | None = None
        self._paths: dict[str, str] = {}
        self._parts: list[tuple[float, str, int]] = []
        line.on("Network.requestWillBeSent", self._on_request)
        line.on("Network.responseReceived", self._on_response)
        line.on("Network.dataReceived", lambda told: self._add(told, told["requestId"], told["encodedDataLength"]))
        line.on("Network.loadingFinished", self._on_end)
        line.on(
            "Network.webSocketFrameReceived",
            lambda told: self._add(told, "socket", len(told["response"]["payloadData"].encode())),
        )

    def _on_request(self, told: Any) -> None:
        self._began = self._began or told["timestamp"]
        if "redirectResponse" in told:
            self._add(told, told["requestId"], told["redirectResponse"]["encodedDataLength"])
        self._paths[told["requestId"]] = told["request"]["url"].rpartition("/")[2]

    def _on_response(self, told: Any) -> None:
        self._add(told, told["requestId"], told["response"]["encodedDataLength"])

    def _on_end(self, told: Any) -> None:
        known = sum(size for _, request, size in self._parts if request == told["requestId"])
        self._add(told, told["requestId"], told["encodedDataLength"] - known)

    def _add(self, told: Any, request: str, size: int) -> None:
        assert self._began is not None
        self._parts.append((1000 * (told["timestamp"] - self._began), request, size))

    def until(self, ms: float) -> dict[str, tuple[int, float]]:
        """Return the bytes of each part until this time after the first request, and when its last byte came."""
        found: dict[str, tuple[int, float]] = {}
        for at, request, size in self._parts:
            if at <= ms and size:
                name = self._paths.get(request, request)
                found[name] = (found.get(name, (0, 0.0))[0] + size, at)
        return found


def time_joining(browser: Browser, server: Server, rounds: int) -> None:
    """Print the time and the bytes from a friend's link to the name field, and the time from its button to the seat."""
    with closing(Crowd(server.url, ["Ana"])) as people:
        link = people.open(bots=["easy", "easy"])
        fields, seats, sizes = list[float](), list[float](), list[int]()
        parts: dict[str, tuple[int, float]] = {}
        for number in range(rounds):
            context = browser.new_context(viewport=PHONE, has_touch=True, service_workers="block")
            page = context.new_page()
            line = context.new_cdp_session(page)
            line.send("Network.enable")
            page.add_init_script(FIELD)
            downloads = Downloads(line)
            slow(line, MS_AWAY_OF_FRIENDS, 1)
            page.goto(link, wait_until="commit")
            fields.append(page.wait_for_function("() => window.fieldAt", timeout=60_000).json_value())
            parts = downloads.until(fields[-1])
            sizes.append(sum(size for size, _ in parts.values()))
            page.fill("#name", f"Friend {number}")
            page.wait_for_timeout(TYPING_MS)
            began = page.evaluate("() => performance.timeOrigin + performance.now()")
            page.locator("form:has(#name) [type=submit]").first.click(no_wait_after=True)
            page.locator(f"[data-zone=lobby-seats] :text('Friend {number}')").first.wait_for(timeout=60_000)
            seats.append(page.evaluate("() => performance.timeOrigin + performance.now()") - began)
            context.close()
            people.do("Ana", "remove", name=f"Friend {number}")
        told = f"{statistics.median(fields):8.0f} ms  {[round(each) for each in fields]}"
        print(f"{'name field':12}{told}  {statistics.median(sizes) / 1000:.1f} kB")
        for name, (size, at) in parts.items():
            print(f"  {at:6.0f} ms  {size / 1000:5.1f} kB  {name[:60]}")
        print(f"{'seat':12}{statistics.median(seats):8.0f} ms  {[round(each) for each in seats]}")


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
    parser.add_argument("what", nargs="*", help="bytes, cards, tasks, growth, join, now")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--root", type=Path, default=ROOT)
    asked = parser.parse_args()
    what = set(asked.what) or {"bytes", "cards", "tasks", "growth", "join", "now"}
    server = Server(Path(tempfile.mkdtemp()), asked.root)
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
            if "join" in what:
                time_joining(browser, server, asked.rounds)
            if "now" in what:
                play_now(browser, server, asked.rounds)
            browser.close()
    finally:
        server.stop()


if __name__ == "__main__":
    main()
