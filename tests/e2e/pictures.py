"""Pictures of the pages from made-up updates, to be looked at: `python -m tests.e2e.pictures FOLDER [NAME …]`.

No server runs: a little HTTP server hands out templates and static files, and the browser's WebSocket is answered
here from tests/js/fixtures.js. Pictures are taken as on a phone held upright and as on a desktop, light and dark.
`docs/pictures/table.png` is turn_4-desktop-light.png.
"""

import json
import subprocess
import sys
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, Page, WebSocketRoute, sync_playwright

from app.web.assets import Assets
from app.web.forms import catalogue
from app.web.lessons import listed
from app.web.qr import as_svg
from app.web.templating import Templates
from app.web.texts import Catalogues

ROOT = Path(__file__).parents[2]
CSP = "default-src 'self'; img-src 'self' data:; connect-src 'self' ws:"
TYPES = {".css": "text/css", ".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml"}

LOOKS: dict[str, dict[str, Any]] = {
    "phone-light": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "device_scale_factor": 2},
    "phone-dark": {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "color_scheme": "dark"},
    "desktop-light": {"viewport": {"width": 1440, "height": 900}},
}

TAPS = {"turn_4": "Tc", "turn_8_of_18": "Tc", "choices": "5s", "exchange_low": "Ad", "trade": "9s"}
"""Cards chosen before the picture is taken."""

PLAIN = {"home": "/", "new": "/new", "history": "/history", "match": "/matches/m1", "error": "/404"}


def pages(templates: Templates) -> dict[str, str]:
    """The plain pages with made-up contents."""
    totals = {"Ana": 8, "Bob": 3, "Cat": 11, "Dan": 4}
    players = [
        {"name": n, "now": None, "bot": False, "you": n == "Ana", "total": t, "won": n == "Cat"}
        for n, t in totals.items()
    ]
    then = 1760000000000
    match: dict[str, Any] = {"id": "m1", "room": "KQ7F3M", "game": "president", "game_name": "President"}
    match |= {"options": {}, "started": then, "ended": None, "hands": 3, "players": players, "winners": ["Cat"]}
    reason = {"key": "ledger.place", "unit": "points"}
    titles = ("President", "Vice-President", "Vice-Scum", "Scum")
    places = [
        {
            "name": name,
            "place": place,
            "title": title,
            "dealt": name == "Bob",
            "points": 3 - place if place < 3 else 0,
            "total": totals[name],
            "why": [{**reason, "name": name, "values": {"place": place, "of": 4}, "amount": 3 - place}] * (place < 3),
        }
        for place, (name, title) in enumerate(zip(("Cat", "Ana", "Bob", "Dan"), titles, strict=True), 1)
    ]
    hand: dict[str, Any] = {"ended_at": then, "cut_off": False, "places": places, "entered": [], "after": []}
    hand["replay"] = "/matches/m1/replay?hand=0"
    told = (
        "Bob plays 5♣ 5♦ 5♥ 5♠. Revolution! Low cards beat high ones now.",
        "Cat makes President.",
        "Dan ends as Scum.",
    )
    hand["played"] = [{"text": text, "href": "/matches/m1/replay?hand=0&move=9", "turn": False} for text in told]
    decrees = ("Cat decrees to Dan: “Sing, and mean it”", "Dan defies: “Sing, and mean it”")
    hand["before"] = [{"text": text, "href": None, "turn": False} for text in decrees]
    at = {"names": ["Cat"], "hand": 2, "href": "/matches/m1/replay?hand=1"}
    tale = (
        ("won", "The winner", "Cat wins the match."),
        ("rose", "The highest climb", "Cat rises from Scum to President within 2 hands."),
        ("play", "The play of the match", told[0]),
    )
    scenes = [{"kind": kind, "heading": heading, "text": text, **at} for kind, heading, text in tale]
    people = [{"name": name, "role": "seated", "bot": None} for name in ("Ana", "Bob")]
    room = {"code": "KQ7F3M", "game": "president", "phase": "playing", "people": people, "url": "/r/KQ7F3M"}
    hands = [{"number": number, **hand} for number in range(3)]
    english = templates.catalogues.english
    return {
        "/": templates.render(
            "home.html",
            english,
            games=catalogue(english),
            last="president",
            lessons=listed(english),
            rooms=[room],
            matches=[match],
            person={"name": "Ana"},
        ),
        "/new": templates.render("room_new.html", english, game=None, preset=None, changes={}, problems=[]),
        "/r/KQ7F3M": templates.render(
            "table.html",
            english,
            code="KQ7F3M",
            link="http://192.168.1.20:8000/r/KQ7F3M",
            here_only=False,
        ),
        "/history": templates.render(
            "history.html",
            english,
            person={"name": "Ana"},
            matches=[match, match],
            more="/history",
            asked={"game": "president", "person": "Bob"},
            wrong={},
            chips=[{"filter": "person", "what": "Bob", "without": "/history"}],
            rooms=[{"code": "KQ7F3M", "game": "president"}],
            games=["president"],
            offset=0,
        ),
        "/matches/m1": templates.render(
            "match.html",
            english,
            match=match,
            hands=hands,
            differing=[],
            preset="pagat",
            ranks=["Cat", "Ana"],
            continues="m0",
            continued_by=None,
            spoken=[{**line, "number": 52} for line in hands[0]["played"]],
            more_spoken=True,
            scenes=scenes,
            played_from=[],
            pager={"first": 50, "previous": 0, "next": 100, "all": [(0, 49), (50, 99), (100, 120)]},
        ),
        "/404": templates.render("error.html", english, status=404, message=None),
    }


class Handler(BaseHTTPRequestHandler):
    """Pages, static files, and the few answers that scripts ask for."""

    def __init__(self, templates: Templates, *args: Any) -> None:
        self.templates = templates
        super().__init__(*args)

    def do_GET(self) -> None:
        """A page, a file, or an answer."""
        path = self.path.partition("?")[0]
        if path.startswith("/static/"):
            file = ROOT / "static" / path.split("/", 3)[3] if "/v-" in path else ROOT / path[1:]
            made = self.templates.catalogues.files().get(str(file.relative_to(ROOT / "static")))
            whole = made or (file.read_bytes() if file.is_file() else b"")
            self.give(whole, TYPES.get(file.suffix, "text/plain"))
        elif path.endswith("qr.svg"):
            self.give(as_svg("http://192.168.1.20:8000" + path.removesuffix("/qr.svg")), "image/svg+xml")
        elif path == "/api/games":
            self.give(
                json.dumps(
                    {"games": catalogue(self.templates.catalogues.english), "bots": ["greedy", "random"]}
                ).encode(),
                TYPES[".json"],
            )
        else:
            self.give(pages(self.templates).get(path, "").encode(), "text/html; charset=utf-8")

    def give(self, body: bytes, kind: str) -> None:
        """Answer with this."""
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", CSP)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Quietly."""


class Photographer:
    """Takes each picture in every look; what the browser complains about is printed."""

    def __init__(self, browser: Browser, base: str, folder: Path) -> None:
        self.browser = browser
        self.base = base
        self.folder = folder

    def room(self, name: str, update: dict[str, Any], press: str | None = None) -> None:
        """The room's page with this update, after something was pressed."""
        for look in LOOKS:
            page = self._page(name, look)
            page.clock.set_fixed_time(update["now"])
            page.route_web_socket("**/ws/**", partial(_answer, update))
            page.goto(f"{self.base}/r/KQ7F3M")
            page.wait_for_selector("[data-seq]")
            if press is not None:
                page.locator(press).click(position={"x": 12, "y": 16})
            self._take(page, name, look)

    def plain(self, name: str, path: str) -> None:
        """A page without a table, whole."""
        for look in LOOKS:
            page = self._page(name, look)
            page.goto(self.base + path)
            page.wait_for_load_state("networkidle")
            self._take(page, name, look, full_page=True)

    def _page(self, name: str, look: str) -> Page:
        page = self.browser.new_context(**LOOKS[look]).new_page()
        page.on("console", lambda said: print(name, look, said.type, said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: print(name, look, error))
        return page

    def _take(self, page: Page, name: str, look: str, *, full_page: bool = False) -> None:
        page.wait_for_function("() => document.getAnimations().every(each => each.playState !== 'running')")
        wide, room = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        if wide > room:
            print(name, look, f"scrolls sideways: {wide}")
        page.screenshot(path=self.folder / f"{name}-{look}.png", full_page=full_page)
        page.context.close()


def _answer(update: dict[str, Any], socket: WebSocketRoute) -> None:
    socket.send(json.dumps({**update, "seq": 1, "events": []}))
    socket.send(json.dumps(update))


def main() -> None:
    """Take the pictures asked for, or all."""
    folder, wanted = Path(sys.argv[1]), set(sys.argv[2:])
    folder.mkdir(parents=True, exist_ok=True)
    made = subprocess.run(["node", str(ROOT / "tests/js/fixtures.js")], check=True, capture_output=True)
    fixtures: dict[str, dict[str, Any]] = json.loads(made.stdout)
    templates = Templates(ROOT / "templates", Catalogues(ROOT / "static/messages"), Assets(ROOT / "static", watch=True))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, templates))
    Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        photographer = Photographer(browser, f"http://127.0.0.1:{server.server_port}", folder)
        for name, update in fixtures.items():
            if not wanted or name in wanted:
                card = TAPS.get(name)
                photographer.room(name, update, f"[data-card='{card}']" if card else None)
        if not wanted or "menu" in wanted:
            photographer.room("menu", fixtures["turn_8_of_18"], ".tools .tool:last-child")
        for name, path in PLAIN.items():
            if not wanted or name in wanted:
                photographer.plain(name, path)
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()
