"""Drive Firefox over WebDriver BiDi, which it supports without a driver."""

import base64
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.e2e.browsers.processes import patiently, program
from tests.e2e.browsers.webdriver import PATIENCE, PHONE, Driven
from tools.local_server.free_port import free_port

NEEDS = ("firefox-esr",)
"""The programs to install."""

CALM = {
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
    "ui.prefersReducedMotion": 1,
}
"""Settings that stop Firefox from loading other pages."""

ABORTED = re.compile(r"AbortError|status=2152398850|A ServiceWorker intercepted the request")
"""What Firefox reports about files that a page still loads when it is left. 2152398850 is NS_BINDING_ABORTED."""


class Firefox(Driven):
    """A page in Firefox."""

    name = "Firefox"

    def __init__(self, socket: ClientConnection, size: tuple[int, int] = PHONE) -> None:
        self._socket = socket
        self._asked = 0
        self.complaints: list[str] = []
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._context = self._ask("browsingContext.getTree")["contexts"][0]["context"]
        self.resize(*size)

    def _ask(self, method: str, **params: Any) -> Any:
        self._asked += 1
        self._socket.send(json.dumps({"id": self._asked, "method": method, "params": params}))
        while True:
            said = json.loads(self._socket.recv(PATIENCE))
            if said.get("id") == self._asked:
                assert said["type"] == "success", said
                return said["result"]
            if said.get("method") == "log.entryAdded" and said["params"]["type"] == "javascript":
                complaint = _complaint(said["params"])
                self.complaints += [] if ABORTED.search(complaint) else [complaint]

    def resize(self, width: int, height: int) -> None:
        viewport = {"width": width, "height": height}
        self._ask("browsingContext.setViewport", context=self._context, viewport=viewport, devicePixelRatio=2)

    def go(self, url: str) -> None:
        self._ask("browsingContext.navigate", context=self._context, url=url, wait="complete")

    def reload(self) -> None:
        self._ask("browsingContext.reload", context=self._context, wait="complete")

    def run(self, function: str, *given: Any) -> Any:
        said = self._ask(
            "script.callFunction",
            functionDeclaration=f"async (given) => JSON.stringify((await ({function})(...JSON.parse(given))) ?? null)",
            arguments=[{"type": "string", "value": json.dumps(given)}],
            awaitPromise=True,
            target={"context": self._context},
        )
        assert said["type"] == "success", said
        return json.loads(said["result"]["value"])

    def perform(self, source: dict[str, Any]) -> None:
        self._ask("input.performActions", context=self._context, actions=[source])

    def picture(self) -> bytes:
        return base64.b64decode(self._ask("browsingContext.captureScreenshot", context=self._context)["data"])


def _complaint(entry: dict[str, Any]) -> str:
    """Return the text of an error or warning together with its source."""
    frames = (entry.get("stackTrace") or {}).get("callFrames", [])
    lines = [f"{entry['level']}: {entry['text']}"]
    lines += [f"  at {at['functionName']} ({at['url']}:{at['lineNumber']}:{at['columnNumber']})" for at in frames]
    return "\n".join(lines)


@contextmanager
def firefox(folder: Path, size: tuple[int, int] = PHONE) -> Iterator[Firefox]:
    """Start Firefox without a window, with a page of this size."""
    profile = folder / "profile"
    profile.mkdir(parents=True)
    lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});\n" for key, value in CALM.items()]
    (profile / "user.js").write_text("".join(lines))
    port = free_port()
    command = ["firefox-esr", "--headless", "--no-remote", "--profile", str(profile)]
    with (
        program([*command, f"--remote-debugging-port={port}"], folder, "firefox.log"),
        patiently(lambda: connect(f"ws://127.0.0.1:{port}/session", max_size=None), OSError) as socket,
    ):
        yield Firefox(socket, size)
