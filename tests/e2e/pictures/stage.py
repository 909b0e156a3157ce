"""A page of a real room that shows any state, sent over a mocked WebSocket.

The states come from `tests/js/fixtures.js`.
"""

import copy
import json
import shutil
import subprocess
from collections.abc import Collection
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Route, WebSocketRoute

from tests.e2e.pictures.layout import SETTLED
from tests.e2e.server import ROOT, Server
from tests.made_up import longer_catalogue

Update = dict[str, Any]

MIRRORED = "mirrored"
"""English, written from right to left."""
PSEUDO = "pseudo"
"""English with accents and brackets, 40 % longer."""

SPEAK = """async ([language, direction, styled]) => {
  const root = document.documentElement;
  const { setMessages, loadDeferredAssets } = globalThis.testing;
  await loadDeferredAssets();
  const base = document.querySelector("link[href*='/css/base.css']");
  const file = (path) => base.href.replace("css/base.css", path);
  globalThis.catalogues ??= {};
  globalThis.catalogues[language] ??= Object.assign({}, ...await Promise.all(["table", "rest"].map(
    async (part) => (await fetch(file(`messages/${part}.${language}.json`))).json())));
  setMessages(globalThis.catalogues[language]);
  [root.lang, root.dir] = [language, direction];
  if (styled && !document.querySelector(`link[data-language=${language}]`)) {
    const sheet = document.createElement("link");
    Object.assign(sheet, { rel: "stylesheet", href: file(`css/languages/${language}.css`) });
    sheet.dataset.language = language;
    base.after(sheet);
    await new Promise((done) => sheet.addEventListener("load", done));
  }
  for (const sheet of document.querySelectorAll("link[data-language]"))
    sheet.disabled = sheet.dataset.language !== language;
}"""
"""Gives a page the texts of a language, which it shows when it is drawn again, and the direction of its lines."""

REFUSAL = (
    "4♦ can’t beat the pair of eights that Dan has played. Play two cards of the same rank that are "
    "higher than eight, or pass and wait for the next trick."
)


def all_states() -> dict[str, Update]:
    """Return updates in the server's format, by name."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node is installed, which makes the states to be shown")
    made = subprocess.run([node, str(ROOT / "tests/js/fixtures.js")], check=True, capture_output=True)
    return dict(json.loads(made.stdout))


def as_hand(state: Update, number: int) -> Update:
    """Return the state with another number of the hand, so that the page keeps nothing of an earlier state."""
    return state if state["table"] is None else {**state, "table": {**state["table"], "number": number}}


def with_wide_names(state: Update) -> Update:
    """Return the state with names of twenty wide letters for every second player."""
    people = [each["name"] for each in state["room"]["people"]]
    names = {name: f"{'W' * 18}{n:02}" for n, name in enumerate(people) if n % 2 and name != "Ana"}

    def renamed(part: object) -> object:
        if isinstance(part, dict):
            return {names.get(key, key): renamed(value) for key, value in part.items()}
        if isinstance(part, list):
            return [renamed(each) for each in part]
        return names.get(part, part) if isinstance(part, str) else part

    changed = renamed(copy.deepcopy(state))
    assert isinstance(changed, dict)
    return changed


class Stage:
    """A page of a room that shows the states it is sent."""

    def __init__(self, context: BrowserContext, server: Server, *, clock_runs: bool = False) -> None:
        """Open a room on this server. With `clock_runs`, time passes on the page and its countdowns run."""
        self.page = context.new_page()
        self._server = server
        self._socket: WebSocketRoute | None = None
        self.seq = 0
        """The number of the newest update."""
        asked = {"name": "Ana", "game": "president", "options": {}}
        made = context.request.post(f"{server.url}/api/rooms", data=asked, headers={"Origin": server.url}).json()
        self._code = made["code"]
        self.page.route_web_socket("**/ws/**", self._opened)
        self.page.route("**/js/pages/room.js", _with_testing)
        self.page.route(f"**/messages/*.{PSEUDO}.json", _lengthen)
        if not clock_runs:
            self.page.clock.set_fixed_time(1760000000000)

    def _opened(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        socket.on_message(self._refuse)
        self.send(self._first)

    def _refuse(self, message: str | bytes) -> None:
        asked = json.loads(message)
        if asked["t"] == "act":
            assert self._socket is not None
            answer = {"t": "answer", "id": asked["id"], "ok": False, "code": "cannot_beat", "message": REFUSAL}
            self._socket.send(json.dumps({**answer, "rule": "PRES-15", "rule_name": "What beats what"}))

    def send(self, update: Update) -> None:
        """Send this state to the page without waiting."""
        assert self._socket is not None
        self.seq += 1
        # The page would move to the address of another code, so send the code that it has.
        # Without a commitment it promises no seed, so that it has nothing to say about deals that never were.
        room = {
            **update["room"],
            "code": self._code,
            "fair": {**update["room"]["fair"], "commitment": "", "hashes": {}},
        }
        self._socket.send(json.dumps({**update, "room": room, "seq": self.seq}))

    def hang_up(self) -> None:
        """Close the connection for good."""
        assert self._socket is not None
        self.page.route_web_socket("**/ws/**", lambda socket: None)
        self._socket.close()

    def open(self, update: Update, view: str = "") -> None:
        """Open the room's page in this state and wait until it is drawn. The television's `view` is "/screen"."""
        self._first = {**update, "events": []}
        self.page.goto(f"{self._server.url}/r/{self._code}{view}")
        self.page.wait_for_selector("[data-seq]")
        self.show(update)

    def speak(self, language: str) -> None:
        """Give the page the texts of this language, MIRRORED or PSEUDO, for the next state that is sent."""
        catalogue = "en" if language == MIRRORED else language
        styled = (ROOT / f"static/css/languages/{catalogue}.css").exists()
        self.page.evaluate(SPEAK, [catalogue, "rtl" if language == MIRRORED else "ltr", styled])

    def show(self, update: Update) -> None:
        """Show this state, and wait until all animations are over."""
        self.send(update)
        self.settle()

    def settle(self) -> None:
        """Wait until the newest state is drawn and all animations are over."""
        self.page.wait_for_selector(f"[data-seq='{self.seq}']")
        self.page.evaluate(SETTLED)

    def draw(self, update: Update) -> None:
        """Show this state, without waiting for animations."""
        self.send(update)
        self.page.wait_for_selector(f"[data-seq='{self.seq}']")


def _with_testing(route: Route) -> None:
    """Let tests use two functions of the page's script."""
    answer = route.fetch()
    route.fulfill(response=answer, body=f"{answer.text()}\nglobalThis.testing = {{ setMessages, loadDeferredAssets }};")


def _lengthen(route: Route) -> None:
    """Answer a request for a catalogue of the pseudo-language."""
    answer = route.fetch(url=route.request.url.replace(PSEUDO, "en"))
    route.fulfill(response=answer, json=longer_catalogue(answer.json()))


def show_all(stages: Collection[Stage], update: Update) -> None:
    """Show this state on several pages, which draw it at the same time."""
    for stage in stages:
        stage.send(update)
    for stage in stages:
        stage.settle()
