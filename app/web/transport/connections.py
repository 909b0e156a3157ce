"""Shared by the HTTP connections and WebSockets of one server: counts by address, the application, plain responses."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from email.utils import formatdate
from http import HTTPStatus
from typing import Any, Final

from app.settings import Network
from app.web.client_address import client_key, is_client_in
from app.web.http.guards import ASGIApp
from app.web.transport.fair_queue import FairQueue
from app.web.transport.frame_batch import WriteBatch
from app.web.transport.open_files import DescriptorLimit

_FORBIDDEN: Final = re.compile(rb"[\0\r\n]")


class ConnectionCounts:
    """Counts a server's open connections by client address, and refuses those above a limit.

    Trusted proxies have no limit, as many clients share them.
    """

    def __init__(self, most: int, proxies: Iterable[Network]) -> None:
        self._most = most
        self._proxies = tuple(proxies)
        self._open: Counter[str] = Counter()

    def acquire(self, transport: asyncio.Transport) -> str | None:
        """Count a new connection for its client address, and return the key to pass to `release` when it ends.

        None, without counting, if the address has too many open connections; the caller then refuses it. Trusted
        proxies are never refused.
        """
        scope = {"client": transport.get_extra_info("peername") or None}
        key = client_key(scope)
        if self._open[key] >= self._most and not is_client_in(scope, self._proxies):
            return None
        self._open[key] += 1
        return key

    def release(self, key: str) -> None:
        """Stop counting a connection that has ended. `key` is what `acquire` returned."""
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]


class ServerContext:
    """What all connections of one server share: the application, limits, counts, and the queue for fair turns."""

    def __init__(
        self,
        app: ASGIApp,
        outbox: WriteBatch,
        counts: ConnectionCounts,
        open_files: DescriptorLimit,
        message_bytes: int,
    ) -> None:
        """Store the shared objects. `message_bytes` limits the size of one WebSocket message."""
        self.app = app
        self.outbox = outbox
        self.counts = counts
        self.open_files = open_files
        self.message_bytes = message_bytes
        self.turns = FairQueue()
        self.shutdowns: set[Callable[[], None]] = set()
        """Functions that close each open WebSocket when the server stops."""
        self._tasks: set[asyncio.Task[None]] = set()

    def start_task(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine as a task of this server, and keep a reference, so that it is not garbage-collected early."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def response_head(status: int, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return the status line and headers of an HTTP response as bytes.

    `ValueError` if a name or value contains a line end or NUL, which could smuggle in other headers.
    """
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
    """Return the HTTP header `date` with the current time, as name and value."""
    return b"date", formatdate(usegmt=True).encode()


def plain_response(status: int, text: str) -> bytes:
    """Return a complete HTTP response with a plain text, after which the connection is to be closed."""
    body = text.encode()
    length = str(len(body)).encode()
    headers = [date_header(), (b"content-type", b"text/plain"), (b"content-length", length), (b"connection", b"close")]
    return response_head(status, headers) + body
