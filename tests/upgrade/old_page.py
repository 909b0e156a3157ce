"""The page of a room as an earlier version served it: its real files, and what its socket received first.

`python -m tests.upgrade.old_page NAME FOLDER` records it: it starts the program in FOLDER, the checkout of that
version, on the version's database in databases/, opens a room in the middle of a hand in Chromium, and writes
pages/NAME.tar.gz. That is done once for each version, with the commit that gets its tag.
"""

import gzip
import io
import json
import sys
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Response as BrowserResponse, sync_playwright
from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

from app.web.context.sessions import cookie_name
from tests.e2e.server import Server

HERE = Path(__file__).parent
PAGES = HERE / "pages"
KEPT_HEADERS = ("content-type", "cache-control", "content-security-policy")
MANIFEST = "page.json"
NAMES = sorted(path.name.removesuffix(".tar.gz") for path in PAGES.glob("*.tar.gz"))
"""The versions with a recorded page."""


def unpack_database(name: str, file: Path) -> list[dict[str, Any]]:
    """Write the SQLite database of this version to a file, and return the rooms in it as people saw them.

    Databases in pages/ are older than 0.3.0 and were migrated by that version, because later ones refuse them.
    """
    folder = PAGES if (PAGES / f"{name}.sqlite3.gz").exists() else HERE / "databases"
    file.write_bytes(gzip.decompress((folder / f"{name}.sqlite3.gz").read_bytes()))
    rooms: list[dict[str, Any]] = json.loads((folder / f"{name}.sqlite3.json").read_text())
    return rooms


class OldPage:
    """A recorded page of a room, with the person who opened it."""

    def __init__(self, name: str) -> None:
        """Read pages/NAME.tar.gz."""
        with tarfile.open(PAGES / f"{name}.tar.gz") as archive:
            parts = {each.name: _content(archive, each) for each in archive.getmembers()}
        manifest = json.loads(parts.pop(MANIFEST))
        self.code: str = manifest["code"]
        self.person: str = manifest["person"]
        self.frames: list[str] = manifest["frames"]
        self._headers: dict[str, dict[str, str]] = manifest["headers"]
        self._bodies = {f"/{path}": body for path, body in parts.items()}

    @property
    def scripts(self) -> list[str]:
        """The paths of its scripts."""
        return [path for path in self._bodies if path.endswith(".js")]

    @contextmanager
    def served(self, port: int) -> Iterator[None]:
        """Serve it on this port of 127.0.0.1, as the server of its version did. The socket sends its first frames."""
        done = threading.Event()

        def talk(connection: ServerConnection) -> None:
            for frame in self.frames:
                connection.send(frame)
            done.wait()

        with serve(talk, "127.0.0.1", port, process_request=self._answer, compression=None) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                yield
            finally:
                done.set()
                server.shutdown()
                thread.join()

    def _answer(self, _: ServerConnection, request: Request) -> Response | None:
        if request.headers.get("Upgrade"):
            return None
        path = urlsplit(request.path).path
        body = self._bodies.get(path)
        if body is None:
            return Response(HTTPStatus.NOT_FOUND, "Not Found", Headers({"Content-Length": "0", "Connection": "close"}))
        headers = {**self._headers[path], "Content-Length": str(len(body)), "Connection": "close"}
        return Response(HTTPStatus.OK, "OK", Headers(headers), body)


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = archive.extractfile(member)
    assert file is not None
    return file.read()


def record(name: str, root: Path) -> None:
    """Record the page of a room with the program in `root`, and write pages/NAME.tar.gz."""
    found: dict[str, tuple[dict[str, str], bytes]] = {}
    frames: list[str] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        server = Server(Path(folder), root)
        rooms = unpack_database(name, Path(folder) / "rooms.sqlite3")
        room = next(each for each in rooms if each["phase"] == "playing")
        person = room["host"]

        def keep(answer: BrowserResponse) -> None:
            path = urlsplit(answer.url).path
            if answer.status == HTTPStatus.OK and answer.request.method == "GET" and answer.url.startswith(server.url):
                headers = {key: value for key, value in answer.headers.items() if key in KEPT_HEADERS}
                found[path] = headers, answer.body()

        server.start()
        try:
            browser = play.chromium.launch(executable_path=_chromium())
            context = browser.new_context(service_workers="block")
            context.add_cookies(
                [{"name": cookie_name(secure=False), "value": room["tokens"][person], "url": server.url}]
            )
            page = context.new_page()
            page.on("response", keep)
            page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
            page.goto(f"{server.url}/r/{room['code']}")
            page.wait_for_selector("[data-zone=hand] [data-card]")
            page.wait_for_load_state("networkidle")
            browser.close()
        finally:
            server.stop()
    manifest = {
        "code": room["code"],
        "person": person,
        "frames": [frame for frame in frames if json.loads(frame)["t"] in ("update", "chat")],
        "headers": {path: headers for path, (headers, _) in found.items()},
    }
    PAGES.mkdir(exist_ok=True)
    with tarfile.open(PAGES / f"{name}.tar.gz", "w:gz") as archive:
        for path, body in {
            MANIFEST: json.dumps(manifest).encode(),
            **{key: body for key, (_, body) in found.items()},
        }.items():
            member = tarfile.TarInfo(path.lstrip("/"))
            member.size = len(body)
            archive.addfile(member, io.BytesIO(body))


def _chromium() -> str:
    from tests.e2e.conftest import installed

    path = installed()
    assert path is not None, "recording takes a Chromium"
    return path


if __name__ == "__main__":
    record(sys.argv[1], Path(sys.argv[2]).resolve())
