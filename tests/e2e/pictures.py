"""Pictures of all pages and great moments, to be looked at: `python -m tests.e2e.pictures FOLDER [NAME …]`.

A server runs, with a room in which three evenings were played (played_rooms.py): its pages are as anybody would see
them. At the table the browser's WebSocket is answered here instead, with the made-up updates of tests/js/fixtures.js,
so that there is a picture of everything that a table may come to. A name that is given may be part of a picture's.
`docs/pictures/table.png` is turn_4-desktop-light.png.
"""

import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser, Page, WebSocketRoute, sync_playwright

from app.engine.events import motions, tones
from tests.e2e.conftest import NAMES
from tests.e2e.played_rooms import TOKEN, three_evenings, write
from tests.e2e.server import ROOT, Server

SIZES: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True},
    "small": {"viewport": {"width": 360, "height": 640}, "device_scale_factor": 2, "has_touch": True},
    "across": {"viewport": {"width": 844, "height": 390}, "device_scale_factor": 2, "has_touch": True},
    "desktop": {"viewport": {"width": 1440, "height": 900}},
}
TELEVISION: dict[str, dict[str, Any]] = {"television": {"viewport": {"width": 1920, "height": 1080}}}

TAPS = {"turn_4": "Tc", "turn_8_of_18": "Tc", "choices": "5s", "exchange_low": "Ad", "trade": "9s"}
"""Cards chosen before the picture is taken."""
SHEETS = {"menu": "m", "keys": "?"}
"""Sheets over the table, each by the key that opens it."""
ON_SCREEN = ("turn_8_of_18", "revolution", "result_8", "finished", "lobby_20")
"""What is seen on a television."""

PAGES = {
    "home": "/",
    "new": "/new",
    "history": "/history",
    "me": "/me",
    "rules": "/rules",
    "rules_of_a_game": "/rules/ceausescu",
    "learn": "/learn/president",
    "book": "/r/{code}/book",
    "moments": "/r/{code}/moments",
    "match": "{match}",
    "replay": "{match}/replay?hand=0&move=9",
    "nothing": "/there-is-no-such-page",
    "offline": "/offline",
}
"""Where each is; `{match}` is the newest match in the history."""

HALF_WAY = """
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    const moving = animate.call(this, frames, timing);
    moving.pause();
    moving.currentTime = (timing.delay ?? 0) + timing.duration * 0.45;
    return moving;
  };
"""
"""What scripts let move stands still half-way."""

HAS_COME = """(url) => Promise.all(
  ["travel", "celebrations", "moving"].map((each) => import(url.replace("celebrations", each))),
).then(() => null)"""


class Photographer:
    """Takes each picture at every size, light and dark; what the browser complains about is printed."""

    def __init__(self, browser: Browser, site: str, code: str, folder: Path) -> None:
        self.browser = browser
        self.site = site
        self.code = code
        self.folder = folder

    def each(self, name: str, sizes: dict[str, dict[str, Any]] = SIZES) -> Iterator[Page]:
        """A page at each size, whose picture is taken when it is given back."""
        for size, how in sizes.items():
            for scheme in ("light", "dark"):
                with self._page(f"{name}-{size}-{scheme}", {**how, "color_scheme": scheme}) as page:
                    yield page
                    self._take(page, f"{name}-{size}-{scheme}")

    @contextmanager
    def _page(self, name: str, how: dict[str, Any]) -> Iterator[Page]:
        context = self.browser.new_context(**how, locale="en-GB", service_workers="block")
        context.add_cookies([{"name": "pecking_order", "value": TOKEN, "url": self.site}])
        page = context.new_page()
        page.on("console", lambda said: print(name, said.type, said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: print(name, error))
        yield page
        context.close()

    def _take(self, page: Page, name: str) -> None:
        wide, room = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        if wide > room:
            print(name, f"scrolls sideways: {wide}")
        whole = page.locator("#room, #screen, #learn, #replay").count() == 0
        page.screenshot(path=self.folder / f"{name}.png", full_page=whole, animations="allow")

    def table(self, page: Page, update: dict[str, Any], path: str = "/r/{code}") -> None:
        """Open the room as it is after this update."""
        self._open(page, update, path).send(json.dumps(update))
        page.wait_for_selector("[data-seq='57']")

    def moment(self, page: Page, update: dict[str, Any]) -> None:
        """See the update come, half-way through what is celebrated."""
        page.add_init_script(HALF_WAY)
        # What moves things comes after the first look.
        with page.expect_response("**/*celebrations.js") as found:
            socket = self._open(page, update, "/r/{code}")
        page.wait_for_load_state("networkidle")
        page.evaluate(HAS_COME, found.value.url)
        socket.send(json.dumps(update))
        page.wait_for_selector(".stage .celebrates", state="attached")

    def _open(self, page: Page, update: dict[str, Any], path: str) -> WebSocketRoute:
        """Open the room as it was before this update; where that is to be sent."""
        sockets: list[WebSocketRoute] = []

        def answer(socket: WebSocketRoute) -> None:
            sockets.append(socket)
            socket.send(json.dumps({**update, "seq": 1, "events": []}))

        page.clock.set_fixed_time(update["now"])
        page.route_web_socket("**/ws/**", answer)
        page.goto(self.site + path.format(code=self.code))
        page.wait_for_selector("[data-seq='1']")
        return sockets[0]

    def at_rest(self, page: Page) -> None:
        """Let what moves come to its end."""
        page.wait_for_function("() => document.getAnimations().every(each => each.playState !== 'running')")


def great_moments(update: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """An update for each way in which something is celebrated, by its name."""
    declared: dict[str, Any] = msgspec.to_builtins(motions())
    firsts: dict[str, str] = {}
    for event, motion in declared.items():
        if motion.get("celebrated"):
            firsts.setdefault(motion["celebrated"], event)
    words = {"by": "Cat", "to": "Dan", "title": "President", "cards": "Qc Qd Qh", "rank": "Q", "ranks": "Q"}
    told = {"motions": declared, "tones": msgspec.to_builtins(tones())}
    return {
        f"moment_{celebrated}": {**update, **told, "events": [{**words, "e": event}]}
        for celebrated, event in firsts.items()
    }


def pictures(photographer: Photographer, wanted: list[str]) -> None:
    """Take the pictures asked for, or all."""

    def is_wanted(name: str) -> bool:
        return not wanted or any(each in name for each in wanted)

    made = subprocess.run(["node", str(ROOT / "tests/js/fixtures.js")], check=True, capture_output=True)
    fixtures: dict[str, dict[str, Any]] = json.loads(made.stdout)
    for name, update in fixtures.items():
        for page in photographer.each(name) if is_wanted(name) else ():
            photographer.table(page, update)
            photographer.at_rest(page)
            if name in TAPS:
                page.locator(f".hand [data-card='{TAPS[name]}']").click(position={"x": 12, "y": 16})
    for name, update in great_moments(fixtures["turn_4"]).items():
        for page in photographer.each(name) if is_wanted(name) else ():
            photographer.moment(page, update)
    for name, key in SHEETS.items():
        for page in photographer.each(name) if is_wanted(name) else ():
            photographer.table(page, fixtures["turn_8_of_18"])
            page.keyboard.press(key)
            page.wait_for_selector("dialog[open]")
            photographer.at_rest(page)
    for name in ON_SCREEN:
        for page in photographer.each(f"screen_{name}", TELEVISION) if is_wanted(f"screen_{name}") else ():
            nobody = {"person": False, "name": None, "role": None, "host": False, "cards": "", "legal": []}
            photographer.table(page, {**fixtures[name], "you": {**fixtures[name]["you"], **nobody}}, "/r/{code}/screen")
            photographer.at_rest(page)
    match = ""
    for name, path in PAGES.items():
        for page in photographer.each(name) if is_wanted(name) else ():
            if "{match}" in path and not match:
                page.goto(f"{photographer.site}/history")
                found = page.locator("a[href^='/matches/']").first.get_attribute("href") or ""
                match = found.partition("?")[0].partition("#")[0]
            page.goto(photographer.site + path.format(code=photographer.code, match=match))
            page.wait_for_load_state("networkidle")


def main() -> None:
    """Let three evenings be played, and take the pictures."""
    folder, *wanted = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        server = Server(Path(place))
        code = asyncio.run(write(server.folder / "rooms.sqlite3", three_evenings()))
        server.start()
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=next(filter(None, map(shutil.which, NAMES))))
                pictures(Photographer(browser, server.url, code, Path(folder)), wanted)
                browser.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
