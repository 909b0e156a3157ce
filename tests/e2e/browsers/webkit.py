"""Drive WebKit, the engine of iPhones: its MiniBrowser over WebDriver."""

import base64
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from tests.e2e.browsers.processes import patiently, program
from tests.e2e.browsers.webdriver import PATIENCE, PHONE, Driven
from tools.local_server.free_port import free_port

DRIVER = "WebKitWebDriver"

NEEDS = (DRIVER, "Xvfb")
"""The programs to install. The browser comes with the driver."""

BROWSER = next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), None)


DROPPED = {"error": "unknown error", "message": "", "stacktrace": ""}
"""The driver's answer when it drops a navigation."""


class NavigationDropped(Exception):
    """The driver dropped a navigation without a reason."""


class WebKit(Driven):
    """A page in WebKit."""

    name = "WebKit"

    def __init__(self, http: httpx2.Client, size: tuple[int, int] = PHONE) -> None:
        self._http = http
        options = {"binary": str(BROWSER), "args": ["--automation", "--full-screen"]}
        asked = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self._session = self._post("/session", asked)["sessionId"]
        self.resize(*size)

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        answer = self._http.post(path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()["value"]

    def _ask(self, what: str, **body: Any) -> Any:
        return self._post(f"/session/{self._session}/{what}", body)

    def resize(self, width: int, height: int) -> None:
        self._ask("window/rect", width=width, height=height)

    def go(self, url: str) -> None:
        # On a busy machine the driver sometimes drops a navigation, with an unknown error and no message.
        patiently(lambda: self._navigate(url), NavigationDropped)

    def _navigate(self, url: str) -> None:
        answer = self._http.post(f"/session/{self._session}/url", json={"url": url})
        if answer.status_code == 500 and answer.json()["value"] == DROPPED:
            raise NavigationDropped
        assert answer.status_code == 200, answer.text

    def reload(self) -> None:
        self._ask("refresh")

    def run(self, function: str, *given: Any) -> Any:
        script = f"""
          const done = arguments[1];
          Promise.resolve(({function})(...JSON.parse(arguments[0])))
            .then((said) => done(JSON.stringify([said ?? null])), (error) => done(String(error)));
        """
        said = self._ask("execute/async", script=script, args=[json.dumps(given)])
        assert said.startswith("["), said
        return json.loads(said)[0]

    def perform(self, source: dict[str, Any]) -> None:
        self._ask("actions", actions=[source])

    def picture(self) -> bytes:
        answer = self._http.get(f"/session/{self._session}/screenshot")
        return base64.b64decode(answer.json()["value"])

    def close(self) -> None:
        """Make the driver close its browser."""
        self._http.delete(f"/session/{self._session}")


@contextmanager
def webkit(folder: Path, size: tuple[int, int] = PHONE) -> Iterator[WebKit]:
    """Start WebKit on a virtual screen of this size."""
    folder.mkdir(parents=True)
    port = free_port()
    with (
        screen(folder, size) as display,
        program([DRIVER, f"--port={port}"], folder, "webkit.log", DISPLAY=display),
        httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as http,
    ):
        patiently(lambda: http.get("/status"), httpx2.TransportError)
        page = WebKit(http, size)
        try:
            yield page
        finally:
            page.close()


@contextmanager
def screen(folder: Path, size: tuple[int, int]) -> Iterator[str]:
    """Start a virtual screen of this size and return its name."""
    width, height = size
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp"]
    with (folder / "xvfb.log").open("ab") as log:
        shown = subprocess.Popen(command, pass_fds=(writing,), stdout=log, stderr=log)
    try:
        os.close(writing)
        with os.fdopen(reading) as told:
            yield f":{told.readline().strip()}"
    finally:
        shown.terminate()
        shown.wait(PATIENCE)
