"""WebKit, which is what iPhones have: its MiniBrowser over WebDriver."""

import base64
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from tests.e2e.driven import PATIENCE, PHONE, Driven
from tests.e2e.ports import free_port
from tests.e2e.programs import patiently, program

DRIVER = "WebKitWebDriver"

NEEDS = (DRIVER, "Xvfb")
"""The programs; the browser comes with the driver."""

BROWSER = next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), None)


class WebKit(Driven):
    """A page in WebKit."""

    name = "WebKit"

    def __init__(self, http: httpx2.Client) -> None:
        self._http = http
        options = {"binary": str(BROWSER), "args": ["--automation", "--full-screen"]}
        asked = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self._session = self._post("/session", asked)["sessionId"]
        width, height = PHONE
        self._ask("window/rect", width=width, height=height)

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        answer = self._http.post(path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()["value"]

    def _ask(self, what: str, **body: Any) -> Any:
        return self._post(f"/session/{self._session}/{what}", body)

    def go(self, url: str) -> None:
        self._ask("url", url=url)

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
        """Let the driver end its browser."""
        self._http.delete(f"/session/{self._session}")


@contextmanager
def webkit(folder: Path) -> Iterator[WebKit]:
    """A WebKit of one's own, on a screen that nobody sees."""
    folder.mkdir(parents=True)
    port = free_port()
    with (
        screen(folder) as display,
        program([DRIVER, f"--port={port}"], folder, "webkit.log", DISPLAY=display),
        httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as http,
    ):
        patiently(lambda: http.get("/status"), httpx2.TransportError)
        page = WebKit(http)
        try:
            yield page
        finally:
            page.close()


@contextmanager
def screen(folder: Path) -> Iterator[str]:
    """A screen as large as the page, and its name."""
    width, height = PHONE
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
