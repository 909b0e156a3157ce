"""The parsers that strangers reach, each with valid inputs to begin with, and a function that must not fail."""

import asyncio
import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qsl, urlencode

from msgspec import msgpack
from structlog.testing import capture_logs

from app.engine.base.errors import RuleError
from app.engine.games import GAMES
from app.rooms.errors import RoomError
from app.rooms.people import names
from app.settings import Limits, Settings
from app.web.matches.import_worker import ImportAnswer, ImportJob, run_import_job
from app.web.matches.saved_imports import file_limits
from app.web.protocol.client_messages import parse_message
from app.web.protocol.message_errors import BadMessage
from app.web.services import rules_link
from tests.web.conftest import serving

RECORDS = Path(__file__).parents[1] / "records"
ANSWER_SECONDS = 10.0
"""Seconds that a server may take to answer or close: more than any of its own limits for a request here."""


@dataclass(frozen=True)
class Parser:
    """A parser, with inputs that it accepts."""

    examples: tuple[bytes, ...]
    parse: Callable[[bytes], object]
    """Raises an error for an input that is neither accepted nor refused as it should be."""


def _texts(values: list[Any]) -> tuple[bytes, ...]:
    return tuple(json.dumps(value, ensure_ascii=False).encode() for value in values)


# Messages on a socket ----------------------------------------------------------------------------------------------

MESSAGES = [
    {"t": "act", "id": "k1", "request": 4, "action": {"do": "play", "cards": "7c 7d"}},
    {"t": "act", "id": "k2", "request": 4, "action": {"do": "choose", "basket": [["3c"], ["4d", "jo"]], "n": -1}},
    {"t": "join", "id": "k3", "name": "Ana", "bird": "hen", "program": True},
    {"t": "configure", "id": "k4", "options": {"preset": "classic", "titles": ["King", "Serf"]}, "turn_seconds": 30},
    {"t": "send_chat", "id": "k5", "text": "Hi \u2068Ana\u2069 👩‍👩‍👧"},
    {"t": "start", "id": "k6", "commitment": "c0ffee"},
    {"t": "preview_cards", "id": "k7", "cards": "7c 7d"},
]


def parse_socket_message(data: bytes) -> None:
    """Parse a message as the socket does, after its check of UTF-8."""
    with suppress(BadMessage):
        parse_message(data.decode("utf-8", "replace"), "p1")


# Files, links and names --------------------------------------------------------------------------------------------


def _records() -> tuple[bytes, ...]:
    """Return one record of each game."""
    first = [next(iter(sorted(folder.glob("*.json")))) for folder in sorted(RECORDS.iterdir()) if folder.is_dir()]
    return _texts([json.loads(path.read_text("utf-8"))["record"] for path in first])


def read_file(data: bytes) -> None:
    """Read a match file in each way that the page does."""
    for task in ("preview", "hand", "save"):
        answered = run_import_job(ImportJob(task, file_limits(Limits()), data).encode())  # type: ignore[arg-type]
        answer = msgpack.decode(answered, type=ImportAnswer)
        assert answer.status < 500, answer


def read_rules_link(data: bytes) -> None:
    """Read a link with rules, and then resolve what is left of it, as the form and `POST /api/rooms` do."""
    fields = dict(parse_qsl(data.decode("utf-8", "replace"), keep_blank_values=True))
    parsed = rules_link.parse_rules_link(fields)
    game = next(iter(GAMES.values()))
    with suppress(RuleError):
        game.option_schema.resolve_options(dict(parsed.changes))


def read_name(data: bytes) -> None:
    """Check a new name, and make another one from it."""
    text = data.decode("utf-8", "replace")
    with suppress(RoomError), names.suggest_name_on_error(text):
        assert names.clean_new_name(text)


# HTTP --------------------------------------------------------------------------------------------------------------

_POST = b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
_UPGRADE = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
REQUESTS = (
    b"GET /rules/president?preset=classic HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nCookie: a=b; c=d\r\n\r\n",
    _POST + b'Content-Length: 14\r\n\r\n{"name":"Ana"}',
    _POST + b'Transfer-Encoding: chunked\r\n\r\n7;x=y\r\n{"name"\r\n7\r\n:"Ana"}\r\n0\r\n\r\n',
    b"GET /ws/ABCDEF?protocol=5 HTTP/1.1\r\nHost: localhost\r\n"
    + _UPGRADE
    + b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\x81\x85abcd\x09\x07\x0f\x08\x0e",
    b"POST /language HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\nlanguage=en",
)

UNLIMITED = (
    *("requests_per_minute", "changes_per_minute", "handshakes_per_minute", "rooms_per_hour", "people_per_hour"),
    "guesses_per_minute",
)


@dataclass
class Site:
    """A real server, with what it says of errors of its own."""

    port: int
    faults: list[str]
    """Errors that nobody handled."""
    log: list[MutableMapping[str, Any]]

    def request(self, data: bytes) -> None:
        """Send bytes on a new connection; the server must answer or close, and have no error of its own."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=ANSWER_SECONDS) as line:
            try:
                line.sendall(data)
                line.shutdown(socket.SHUT_WR)
                head = line.recv(64)
                while line.recv(65536):
                    pass
            except (BrokenPipeError, ConnectionResetError):
                head = b""
        assert not head.startswith(b"HTTP/1.1 5"), head
        self.faults += [str(entry) for entry in self.log if entry["log_level"] in ("error", "critical")]
        self.log.clear()
        assert not self.faults, self.faults.pop()


@contextmanager
def running_site() -> Iterator[Site]:
    """Run a server in a thread, on an empty SQLite file and without limits on requests."""
    up, down = threading.Event(), asyncio.Event()
    found: list[Any] = []

    async def run(folder: str) -> None:
        database = f"sqlite:///{folder}/rooms.sqlite3"
        settings = Settings(database_url=database, limits=Limits(**dict.fromkeys(UNLIMITED, 10**6)))
        with capture_logs() as log:
            async with serving(settings) as live:
                site, loop = Site(live.server.port, [], log), asyncio.get_running_loop()
                loop.set_exception_handler(lambda _, context: site.faults.append(str(context)))
                found[:] = site, loop
                up.set()
                await down.wait()

    with TemporaryDirectory(prefix="pecking-order-fuzz-") as folder:
        thread = threading.Thread(target=lambda: asyncio.run(run(folder)))
        thread.start()
        try:
            assert up.wait(60), "the server does not start"
            yield found[0]
        finally:
            if found:
                found[1].call_soon_threadsafe(down.set)
            thread.join(30)


# All ---------------------------------------------------------------------------------------------------------------


@contextmanager
def running_parsers() -> Iterator[Mapping[str, Parser]]:
    """Yield all parsers by name, while a real server runs."""
    with running_site() as site:
        links = tuple(
            urlencode(
                {"game": key, "preset": game.option_schema.presets[-1].key, "jokers": "1", "titles": "A\nB"}
            ).encode()
            for key, game in GAMES.items()
        )
        yield {
            "socket_message": Parser(_texts(MESSAGES), parse_socket_message),
            "file": Parser(_records(), read_file),
            "rules_link": Parser(links, read_rules_link),
            "name": Parser((b"Ana", "Zoë-Łucja".encode(), "مريم".encode(), "👩‍👩‍👧 Mr. X. Y".encode()), read_name),
            "http": Parser(REQUESTS, site.request),
        }
