"""Nothing lies on anything else, nothing is cut, everything can be read and pressed: every state at every size.

The states of a room are those of `tests/js/fixtures.js`, sent to one page of a real room over a socket of our own.
"""

import json
import shutil
import subprocess
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute

from tests.e2e.guests import Guest
from tests.e2e.layout import SETTLED, at_every_size, mistakes, resize
from tests.e2e.server import ROOT, Server

NewContext = Callable[..., BrowserContext]
Update = dict[str, Any]

PLANTED = """
<!doctype html><html lang="en"><style>
  body { margin: 0; background: #fff; color: #000; font: 16px sans-serif }
  div { position: absolute; left: 0; width: 100px; height: 44px; margin: 0 }
  button { width: 100px; height: 44px; padding: 0 }
</style>
<div style="top: 0; overflow: hidden; white-space: nowrap">cut at the side of its box</div>
<div style="top: 60px; left: 350px; white-space: nowrap">out of the page</div>
<div style="top: 120px"><button style="white-space: nowrap">more than it holds</button></div>
<div style="top: 180px">one thing</div><div style="top: 185px">another</div>
<div style="top: 240px; color: #aaa">faint</div>
<div style="top: 300px"><button style="width: 30px">x</button></div>
<div style="top: 360px; overflow: auto">fine: there is more to be had by scrolling down here</div>
<div class="hand" style="top: 420px">fine<span style="margin-left: -20px">fine</span></div>
<div style="top: 480px; color: #767676">fine</div>
"""


@pytest.fixture(scope="module")
def states() -> dict[str, Update]:
    """Updates as a server would send them, by name."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node is installed, which makes the states to be shown")
    made = subprocess.run([node, str(ROOT / "tests/js/fixtures.js")], check=True, capture_output=True)
    return dict(json.loads(made.stdout))


class Stage:
    """A page of a room that shows what it is told."""

    def __init__(self, context: BrowserContext, server: Server) -> None:
        self.page = context.new_page()
        self._socket: WebSocketRoute | None = None
        self._seq = 0
        host = Guest(self.page, "Ana")
        host.open_room(server.url)
        self.page.route_web_socket("**/ws/**", self._opened)
        self.page.clock.set_fixed_time(1760000000000)

    def _opened(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        self._send(self._first)

    def _send(self, update: Update) -> None:
        assert self._socket is not None
        self._seq += 1
        self._socket.send(json.dumps({**update, "seq": self._seq}))

    def open(self, update: Update) -> None:
        """A page just opened, at this state."""
        self._first = {**update, "events": []}
        self.page.reload()
        self.page.wait_for_selector("#room[data-seq]")
        self.show(update)

    def show(self, update: Update) -> None:
        """This state, after what was shown before."""
        self._send(update)
        self.page.wait_for_selector(f"#room[data-seq='{self._seq}']")
        self.page.evaluate(SETTLED)


@pytest.fixture
def stage(new_context: NewContext, server: Server) -> Stage:
    return Stage(new_context(has_touch=True), server)


def test_planted_mistakes_are_found(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.set_content(PLANTED)
    found = mistakes(page, targets=True, contrast=True)
    assert [each.partition(":")[0] for each in found if "fine" not in each] == [
        "cut",
        "cut",
        "spills",
        "on each other",
        "faint",
        "small",
    ]
    assert not [each for each in found if "fine" in each]


def test_nothing_lies_on_anything_else_in_any_state_at_any_size(stage: Stage, states: dict[str, Update]) -> None:
    found = []
    for name, state in states.items():
        stage.open(state)
        found += [f"{name}, {size}: {each}" for size, wrong in at_every_size(stage.page) for each in wrong]
    assert not found, "\n".join(found)


def test_everything_can_be_read_in_the_dark(new_context: NewContext, server: Server, states: dict[str, Update]) -> None:
    stage = Stage(new_context(color_scheme="dark"), server)
    resize(stage.page, "390x844")
    found = []
    for name, state in states.items():
        stage.open(state)
        found += [f"{name}: {each}" for each in mistakes(stage.page, contrast=True)]
    assert not found, "\n".join(found)
