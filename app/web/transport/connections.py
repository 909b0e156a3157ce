"""What HTTP connections and WebSockets of one server share: counts by address, the application, plain responses."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from email.utils import formatdate
from http import HTTPStatus
from typing import Any, Final

from app.settings import Network
from app.web.client_address import client_key, comes_from
from app.web.http.guards import ASGIApp
from app.web.transport.fair_queue import Turns
from app.web.transport.frame_batch import Outbox
from app.web.transport.open_files import OpenFiles

_FORBIDDEN: Final = re.compile(rb"[\0\r\n]")


class ConnectionCounts:
    """Counts open connections by address, up to a limit. Trusted proxies have none."""

    def __init__(self, most: int, proxies: Iterable[Network]) -> None:
        self._most = most
        self._proxies = tuple(proxies)
        self._open: Counter[str] = Counter()

    def enter(self, transport: asyncio.Transport) -> str | None:
        """Count a new connection; return its key for `leave`, or None if its address has too many."""
        scope = {"client": transport.get_extra_info("peername") or None}
        key = client_key(scope)
        if self._open[key] >= self._most and not comes_from(scope, self._proxies):
            return None
        self._open[key] += 1
        return key

    def leave(self, key: str) -> None:
        """Count one connection less."""
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]


class Serving:
    """What all connections of a server share, but for what uvicorn knows of them."""

    def __init__(
        self, app: ASGIApp, outbox: Outbox, counts: ConnectionCounts, open_files: OpenFiles, message_bytes: int
    ) -> None:
        """`message_bytes` is the limit for one WebSocket message."""
        self.app = app
        self.outbox = outbox
        self.counts = counts
        self.open_files = open_files
        self.message_bytes = message_bytes
        self.turns = Turns()
        self.shutdowns: set[Callable[[], None]] = set()
        """What closes each open WebSocket when the server stops."""
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine as a task, and hold the task until it ends."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def response_head(status: int, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return the status line and headers of a response. `ValueError` if a header could end early."""
    lines = [_status_line(status)]
    for name, value in headers:
        if _FORBIDDEN.search(name) or _FORBIDDEN.search(value):
            raise ValueError("a header has a line end")
        lines += (name, b": ", value, b"\r\n")
    lines.append(b"\r\n")
    return b"".join(lines)


def _status_line(status: int) -> bytes:
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = ""
    return f"HTTP/1.1 {status} {phrase}\r\n".encode()


def date_header() -> tuple[bytes, bytes]:
    """Return the header that says when a response was made."""
    return b"date", formatdate(usegmt=True).encode()


def plain_response(status: int, text: str) -> bytes:
    """Return a whole response in plain text, after which the connection is closed."""
    body = text.encode()
    length = str(len(body)).encode()
    headers = [date_header(), (b"content-type", b"text/plain"), (b"content-length", length), (b"connection", b"close")]
    return response_head(status, headers) + body
