"""A page of a real room that shows whatever state it is sent, over a socket of our own.

The states are those of `tests/js/fixtures.js`.
"""

import json
import shutil
import subprocess
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, WebSocketRoute

from tests.e2e.people.guests import Guest
from tests.e2e.pictures.layout import SETTLED
from tests.e2e.server import ROOT, Server

Update = dict[str, Any]

REFUSAL = (
    "4♦ does not beat the pair of eights that Dan has played. Play two cards of the same rank that are higher than "
    "eight, or pass and wait for the next trick."
)


def all_states() -> dict[str, Update]:
    """Updates as a server would send them, by name."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node is installed, which makes the states to be shown")
    made = subprocess.run([node, str(ROOT / "tests/js/fixtures.js")], check=True, capture_output=True)
    return dict(json.loads(made.stdout))


def as_hand(state: Update, number: int) -> Update:
    """The state as one of another hand: nothing of what was shown before stays."""
    return state if state["table"] is None else {**state, "table": {**state["table"], "number": number}}


class Stage:
    """A page of a room that shows what it is told."""

    def __init__(self, context: BrowserContext, server: Server, *, clock_runs: bool = False) -> None:
        """Open a room on this server; `clock_runs`: time goes by on the page, so that its countdowns run."""
        self.page = context.new_page()
        self._server = server
        self._socket: WebSocketRoute | None = None
        self._seq = 0
        host = Guest(self.page, "Ana")
        host.open_room(server.url)
        self._code = self.page.url.rpartition("/")[2]
        self.page.route_web_socket("**/ws/**", self._opened)
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
        """Tell the page of this state, and go on."""
        assert self._socket is not None
        self._seq += 1
        # A room that has another code is found at another address; this one keeps its own.
        room = {**update["room"], "code": self._code}
        self._socket.send(json.dumps({**update, "room": room, "seq": self._seq}))

    def hang_up(self) -> None:
        """The line is down, and stays so."""
        assert self._socket is not None
        self.page.route_web_socket("**/ws/**", lambda socket: None)
        self._socket.close()

    def open(self, update: Update, view: str = "") -> None:
        """Open the room's page in this state, and wait until it is drawn; `view`: "/screen" for the television."""
        self._first = {**update, "events": []}
        self.page.goto(f"{self._server.url}/r/{self._code}{view}")
        self.page.wait_for_selector("[data-seq]")
        self.show(update)

    def show(self, update: Update) -> None:
        """This state, after what was shown before, and all of it still."""
        self.draw(update)
        self.page.evaluate(SETTLED)

    def draw(self, update: Update) -> None:
        """This state, after what was shown before, while things still move."""
        self.send(update)
        self.page.wait_for_selector(f"[data-seq='{self._seq}']")
