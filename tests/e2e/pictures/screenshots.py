"""Take screenshots of all pages and great moments: `python -m tests.e2e.pictures.screenshots FOLDER [NAME …]`.

A server runs, with a room of three sessions (played_rooms.py). Its pages are shown as they are.

At the table this script answers the WebSocket instead, with the updates of tests/js/fixtures.js, so that every state
gets a picture. NAME may be a part of a picture's name. `docs/pictures/table-phone.png` is turn_4-phone-light.png.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from playwright.sync_api import Page, WebSocketRoute, sync_playwright

from app.engine.display.events import animations_by_event, prominence_by_event
from app.engine.games.lessons import all_lessons
from tests.e2e import find
from tests.e2e.conftest import installed
from tests.e2e.databases.played_rooms import TOKEN, three_evenings, write
from tests.e2e.pictures.photographer import OTHERWISE, SIZES, TELEVISION, Look, Photographer, Pose
from tests.e2e.server import ROOT, Server

Update = dict[str, Any]

TAPS = {"turn_4": "Tc", "turn_8_of_18": "Tc", "choices": "5s", "exchange_low": "Ad", "trade": "9s"}
"""Cards to choose before the picture is taken."""
SHEETS = {
    "menu": ("m",),
    "menu_me": ("m", "#tab-me"),
    "menu_host": ("m", "#tab-host"),
    "menu_people": ("m", "#tab-host", "[data-page=people]"),
    "question": ("m", "#tab-host", "[data-confirm=stop]"),
    "keys": ("?",),
    "prospects": ("w",),
}
"""Sheets over the table: the shortcut key that opens each, then what to press."""
PRESSED = {
    "log": ("turn_8_of_18", "[data-zone=tools] button:has-text('Game log')", SIZES[:-1]),
    "decree": ("lead_5", "text=Decree", SIZES),
    "settle": ("finished", "[data-open=settle]", SIZES),
}
"""Other sheets, each with its state and the button that opens it. A wide page always shows the log."""
SAID = (("Bob", None, "good_luck"), ("Ana", "Who has cut the pack?", None), ("Cat", None, "wait_for_me"))
"""Chat lines with their authors: free text or a quick text."""
ON_SCREEN = ("turn_8_of_18", "revolution", "result_8", "finished", "lobby_20")
"""States to show on a television."""

PAGES = {
    "home": "/",
    "new": "/new",
    "history": "/history",
    "import": "/history/import",
    "me": "/me",
    "me_settings": "/me/settings",
    "rules": "/rules",
    "rules_of_a_game": "/rules/ceausescu",
    "card_of_rules": "/r/{code}/rules",
    "book": "/r/{code}/book",
    "decrees": "/r/{code}/book/decrees",
    "moments": "/r/{code}/book/moments",
    "match": "{match}",
    "match_moments": "{match}/moments",
    "replay": "{match}/replay?hand=0&move=9",
    "docs": "/docs",
    "nothing": "/there-is-no-such-page",
    "offline": "/offline",
    **{f"lesson_{key}": f"/learn/{key}" for key in all_lessons()},
}
"""The paths of the pages; `{match}` is the newest match in the history."""
STRANGERS = {"stranger_home": "/", "stranger_new": "/new", "stranger_history": "/history", "stranger_me": "/me"}
"""The pages as a new visitor sees them."""

ALSO_OTHERWISE = {
    *("turn_4", "exchange_low", "result_8", "great_end", "finished", "revolution", "lobby_host", "menu", "talk"),
    *("home", "new", "match", "replay", "hindsight", "me", "me_settings"),
}
"""Pictures to take also in other colours, with larger text and for the left hand."""

HALF_WAY = """
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    const moving = animate.call(this, frames, timing);
    moving.pause();
    moving.currentTime = (timing.delay ?? 0) + timing.duration * 0.45;
    return moving;
  };
"""
"""Stops animations of scripts half-way."""

STORY = [
    {
        "kind": "won",
        "heading": "Who has won",
        "text": "Ana wins with 11 points.",
        "names": ["Ana"],
        "cards": None,
        "hand": None,
        "href": None,
    },
    {
        "kind": "fell",
        "heading": "Who fell deepest",
        "text": "Dan went from President to Scum.",
        "names": ["Dan"],
        "cards": None,
        "hand": 5,
        "href": "/matches/m1/replay?hand=4",
    },
    {
        "kind": "play",
        "heading": "The best play",
        "text": "Ana turned the ranks round with four nines.",
        "names": ["Ana"],
        "cards": "9c 9d 9h 9s",
        "hand": 2,
        "href": "/matches/m1/replay?hand=1&move=12",
    },
]
"""The story of a finished match, as the server sends it."""


class Picture(NamedTuple):
    """A picture to take."""

    name: str
    pose: Pose
    looks: tuple[Look, ...]
    stranger: bool = False


class Poses:
    """Makes the functions that bring pages to their states."""

    def __init__(self, site: str, code: str, match: str) -> None:
        """`match` is the path of a match."""
        self.site = site
        self.code = code
        self.match = match

    def page(self, path: str) -> Pose:
        """Open a page of the server."""

        def pose(page: Page) -> None:
            page.goto(self.site + path.format(code=self.code, match=self.match))
            page.wait_for_load_state("networkidle")

        return pose

    def table(self, update: Update, *, tap: str = "", press: Sequence[str] = (), path: str = "/r/{code}") -> Pose:
        """Open the room in this state, then choose a card, or press keys and elements, given by their selectors."""

        def pose(page: Page) -> None:
            self._open(page, update, path).send(json.dumps(update))
            page.wait_for_selector("[data-seq='57']")
            page.wait_for_load_state("networkidle")
            if tap:
                find.card(page, tap).click(position={"x": 12, "y": 16})
            for one in press:
                if len(one) == 1:
                    page.keyboard.press(one)
                else:
                    page.locator(one).first.click()
                page.wait_for_selector("dialog[open]")

        return pose

    def talk(self, update: Update) -> Pose:
        """Open the chat with a few lines."""
        lines = [{"id": n, "by": by, "at": 0, "text": text, "quick": quick} for n, (by, text, quick) in enumerate(SAID)]

        def pose(page: Page) -> None:
            socket = self._open(page, update, "/r/{code}")
            page.wait_for_load_state("networkidle")
            socket.send(json.dumps({"t": "chat", "lines": lines, "replaces_all": True}))
            page.get_by_role("button", name="Chat and reactions").click()
            page.wait_for_selector("[data-zone=chat] b")

        return pose

    def hindsight(self, page: Page) -> None:
        """Open the analysis of a turn, when the hard bot has answered."""
        page.goto(f"{self.site}{self.match}/replay?hand=0&move=9")
        asks = page.locator("[data-do=hindsight]")
        while not asks.is_visible():
            page.keyboard.press("ArrowRight")
        asks.click()
        page.wait_for_selector("[data-zone=would-play]")
        page.locator("section:has(> [data-zone=would-play]) summary").click()

    def story(self, update: Update, at: int) -> Pose:
        """Open a scene of a finished match's story."""

        def pose(page: Page) -> None:
            self.table(update)(page)
            page.locator("[data-end=story]").click()
            for _ in range(at):
                page.locator("[data-tale=next]").click()

        return pose

    def moment(self, update: Update) -> Pose:
        """Show the update half-way through its celebration."""

        def pose(page: Page) -> None:
            page.add_init_script(HALF_WAY)
            socket = self._open(page, update, "/r/{code}")
            # The scripts for animations load after the first picture.
            page.wait_for_load_state("networkidle")
            socket.send(json.dumps(update))
            page.wait_for_selector("[data-zone=stage] [data-celebrates]", state="attached")

        return pose

    def _open(self, page: Page, update: Update, path: str) -> WebSocketRoute:
        """Open the room in the state before this update, and return the socket to send it."""
        sockets: list[WebSocketRoute] = []

        def answer(socket: WebSocketRoute) -> None:
            sockets.append(socket)
            socket.send(json.dumps({**update, "seq": 1, "events": []}))

        page.add_init_script(f"Date.now = () => {update['server_time']}")
        page.route_web_socket("**/ws/**", answer)
        page.route("**/api/matches/m1/story", lambda route: route.fulfill(json={"scenes": STORY}))
        page.goto(self.site + path.format(code=self.code))
        page.wait_for_selector("[data-seq='1']")
        return sockets[0]


def interruptions(update: Update) -> dict[str, Update]:
    """Return this update with a proposal to this player, and with a player who is away, by name."""
    room, now = update["room"], update["server_time"]
    vote = {"id": "v1", "subject": "undo", "by": "Bob", "agreed": ["Bob"], "undecided": ["Ana"], "until": now + 20_000}
    away = {"waiting_since": {"Bob": now - 30_000}, "bot_takes_over_at": {"Bob": now + 30_000}}
    away["let_bot_play_after"] = {"host": {}, "players": {"Bob": 0}}
    return {
        "vote": {**update, "room": {**room, "vote": vote}},
        "away": {**update, "room": {**room, **away}, "you": {**update["you"], "let_bot_play_as": "players"}},
    }


def great_moments(update: Update) -> dict[str, Update]:
    """Return an update for each kind of celebration, by name."""
    declared: dict[str, Any] = msgspec.to_builtins(animations_by_event())
    firsts: dict[str, str] = {}
    for event, motion in declared.items():
        if motion.get("celebration"):
            firsts.setdefault(motion["celebration"], event)
    words = {"by": "Cat", "to": "Dan", "title": "President", "cards": "Qc Qd Qh", "rank": "Q", "ranks": "Q"}
    told = {"event_animations": declared, "event_prominence": msgspec.to_builtins(prominence_by_event())}
    return {
        f"moment_{celebrated}": {**update, **told, "events": [{**words, "e": event}]}
        for celebrated, event in firsts.items()
    }


def pictures(poses: Poses, fixtures: dict[str, Update]) -> Iterator[Picture]:
    """Yield all pictures."""
    nobody: Update = {"person": False, "name": None, "role": None, "host": False, "cards": "", "legal": []}

    def seen(name: str) -> tuple[Look, ...]:
        return (*SIZES, *OTHERWISE) if name in ALSO_OTHERWISE else SIZES

    for name, update in fixtures.items():
        yield Picture(name, poses.table(update, tap=TAPS.get(name, "")), seen(name))
    for name, update in great_moments(fixtures["turn_4"]).items():
        yield Picture(name, poses.moment(update), SIZES)
    for name, update in interruptions(fixtures["wait_3"]).items():
        yield Picture(name, poses.table(update), SIZES)
    for name, (state, button, looks) in PRESSED.items():
        yield Picture(name, poses.table(fixtures[state], press=[button]), looks)
    for name, steps in SHEETS.items():
        yield Picture(name, poses.table(fixtures["turn_8_of_18"], press=steps), seen(name))
    yield Picture("talk", poses.talk(fixtures["turn_8_of_18"]), seen("talk"))
    yield Picture("hindsight", poses.hindsight, seen("hindsight"))
    for at, scene in enumerate(STORY):
        yield Picture(f"story_{scene['kind']}", poses.story(fixtures["finished"], at), SIZES)
    for name in ON_SCREEN:
        update = {**fixtures[name], "you": {**fixtures[name]["you"], **nobody}}
        yield Picture(f"screen_{name}", poses.table(update, path="/r/{code}/screen"), TELEVISION)
    for name, path in PAGES.items():
        yield Picture(name, poses.page(path), seen(name))
    for name, path in STRANGERS.items():
        yield Picture(name, poses.page(path), SIZES, stranger=True)


def take(site: str, code: str, folder: Path, wanted: list[str]) -> list[str]:
    """Take the wanted pictures, or all, and return the errors that browsers reported."""
    began = time.monotonic()
    made = subprocess.run(["node", str(ROOT / "tests/js/fixtures.js")], check=True, capture_output=True)
    cookie = {"name": "pecking_order", "value": TOKEN, "url": site}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed())
        context = browser.new_context()
        context.add_cookies([cookie])  # type: ignore[list-item]
        poses = Poses(site, code, find.newest_match(context.new_page(), site))
        context.close()
        photographer = Photographer(browser, folder, [cookie])
        for name, pose, looks, stranger in pictures(poses, json.loads(made.stdout)):
            if not wanted or any(each in name for each in wanted):
                photographer.take(name, pose, looks, stranger=stranger)
        browser.close()
    print(f"{photographer.taken} pictures in {time.monotonic() - began:.0f} s")
    return photographer.complaints


def main() -> None:
    """Make a room with three sessions, and take the pictures."""
    folder, *wanted = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        server = Server(Path(place))
        code = asyncio.run(write(server.folder / "rooms.sqlite3", three_evenings()))
        server.start()
        try:
            complaints = take(server.url, code, Path(folder), wanted)
        finally:
            server.stop()
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main()
