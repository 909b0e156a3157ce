"""Pictures of the pages from made-up updates, to be looked at: `python -m tests.e2e.pictures FOLDER [NAME …]`.

No server runs: a little HTTP server hands out templates and static files, and the browser's WebSocket is answered
here from tests/js/fixtures.js. Pictures are taken as on a phone held upright and as on a desktop, light and dark.
"""

import json
import subprocess
import sys
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, WebSocketRoute, sync_playwright

from app.web.assets import Assets
from app.web.templating import Templates

ROOT = Path(__file__).parents[2]
SIZES = {"phone": (390, 844), "desktop": (1440, 900)}
CSP = "default-src 'self'; img-src 'self' data:; connect-src 'self' ws:"
TYPES = {".css": "text/css", ".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml"}


def pages(templates: Templates) -> dict[str, str]:
    """The plain pages with made-up contents."""
    players = [
        {"name": n, "bot": False, "you": n == "Ana", "total": t, "won": n == "Cat"}
        for n, t in (("Ana", 8), ("Bob", 3), ("Cat", 11), ("Dan", 4))
    ]
    match = {
        "id": "m1",
        "room": "KQ7F3M",
        "game": "president",
        "game_name": "President",
        "options": {},
        "started": 1760000000000,
        "ended": None,
        "hands": 3,
        "players": players,
        "winners": ["Cat"],
    }
    hand = {
        "dealer": "Bob",
        "standing": ["Cat", "Ana", "Bob", "Dan"],
        "titles": {"Cat": "President", "Ana": "Vice-President", "Bob": "Vice-Scum", "Dan": "Scum"},
        "points": {"Cat": 2, "Ana": 1, "Bob": 0, "Dan": 0},
        "totals": {},
        "events": ["revolution", "skipped"],
        "ended_at": 1760000000000,
    }
    games = [{"key": k, "name": k, "players": [3, 8]} for k in ("president", "big_two", "ceausescu", "chase_the_ace")]
    rooms = [
        {
            "code": "KQ7F3M",
            "game": "president",
            "phase": "playing",
            "people": [{"name": "Ana", "role": "seated", "bot": None}, {"name": "Bob", "role": "seated", "bot": None}],
            "url": "/r/KQ7F3M",
        }
    ]
    return {
        "/": templates.render("home.html", games=games, rooms=rooms, matches=[match], person={"name": "Ana"}),
        "/new": templates.render("room_new.html", game=None),
        "/r/KQ7F3M": templates.render("table.html", code="KQ7F3M"),
        "/history": templates.render("history.html", matches=[match, match], next=None),
        "/matches/m1": templates.render(
            "match.html", match=match, hands=[{"number": n, **hand} for n in range(3)], differing=[], preset="pagat"
        ),
        "/404": templates.render("error.html", status=404, message=None),
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
            self.give(file.read_bytes() if file.is_file() else b"", TYPES.get(file.suffix, "text/plain"))
        elif path.endswith("qr.svg"):
            from app.web.qr import as_svg

            self.give(as_svg("http://192.168.1.20:8000" + path.removesuffix("/qr.svg")), "image/svg+xml")
        elif path == "/api/games":
            from app.web.forms import catalogue

            self.give(json.dumps({"games": catalogue(), "bots": ["greedy", "random"]}).encode(), TYPES[".json"])
        else:
            self.give(pages(self.templates).get(path, "").encode(), "text/html; charset=utf-8")

    def give(self, body: bytes, kind: str) -> None:
        """Answer with this."""
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", CSP)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Quietly."""


def take(
    browser: Browser, base: str, folder: Path, name: str, path: str, update: dict[str, Any] | None, taps: list[str]
) -> None:
    """One page in all sizes; complaints of the browser are printed."""
    for size, (width, height) in SIZES.items():
        for scheme in ("light", "dark") if size == "phone" else ("light",):
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=scheme,
                has_touch=size == "phone",
                device_scale_factor=2 if size == "phone" else 1,
            )  # type: ignore[arg-type]
            page = context.new_page()
            page.on(
                "console",
                lambda said: print(name, size, said.type, said.text) if said.type in ("error", "warning") else None,
            )
            page.on("pageerror", lambda error: print(name, size, "error", error))

            def answer(ws: WebSocketRoute) -> None:
                assert update is not None
                first = {**update, "seq": 1, "events": []}
                ws.send(json.dumps(first))
                ws.send(json.dumps(update))

            if update is not None:
                page.clock.set_fixed_time(update["now"])
                page.route_web_socket("**/ws/**", answer)
            page.goto(base + path)
            if update is not None:
                page.wait_for_selector("[data-seq]")
            for tap in taps:
                page.locator(tap).first.click(position={"x": 12, "y": 16})
            page.wait_for_timeout(350)
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                print(name, size, f"scrolls sideways: {wide}")
            page.screenshot(path=folder / f"{name}-{size}-{scheme}.png", full_page=update is None)
            context.close()


def main() -> None:
    """Take the pictures asked for, or all."""
    folder, wanted = Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    made = subprocess.run(["node", str(ROOT / "tests/js/fixtures.js")], check=True, capture_output=True)
    fixtures = json.loads(made.stdout)
    templates = Templates(ROOT / "templates", ROOT / "static/messages/en.json", Assets(ROOT / "static", watch=True))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, templates))
    Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    taps = {
        "turn_8_of_18": ["[data-card='Tc']"],
        "choices": ["[data-card='5s']"],
        "exchange_low": ["[data-card='Ad']"],
        "trade": ["[data-card='9s']"],
    }
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for name, update in fixtures.items():
            if not wanted or name in wanted:
                take(browser, base, folder, name, "/r/KQ7F3M", update, taps.get(name, []))
        for name, tap in (("menu", ".tools .tool:last-child"), ("log", ".log-button:visible")):
            if not wanted or name in wanted:
                take(
                    browser, base, folder, name, "/r/KQ7F3M", fixtures["turn_8_of_18"], [tap] if name == "menu" else []
                )
        for name, path in {
            "home": "/",
            "new": "/new",
            "history": "/history",
            "match": "/matches/m1",
            "error": "/404",
        }.items():
            if not wanted or name in wanted:
                take(browser, base, folder, name, path, None, [])
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()
