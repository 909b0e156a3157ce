"""`python -m tools soak --floods`: flood a server in all known ways, and measure how long other clients wait.

The server has its default limits. The flood comes from a separate process and address, and reconnects as soon as a
connection is cut. Meanwhile clients in another room each ask for an answer eight times a second. Their waiting times
are printed, with those without a flood for comparison.
"""

import asyncio
import itertools
import json
import multiprocessing
import os
import selectors
import socket
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from math import ceil
from typing import Final

import click
from websockets.asyncio.client import ClientConnection, connect
from websockets.frames import Frame, Opcode

from app.rooms.views.delta import VERSION
from tools.local_server.server_process import LocalServer, running_server
from tools.local_server.system_info import cpu_seconds

OTHERS: Final = 8
"""Number of clients in another room that measure waiting times."""
PAUSE: Final = 0.125
"""Seconds that such a client pauses after an answer; its rate stays below the limits."""
SOCKETS: Final = 8
"""Number of connections that one person may have in one room."""
_STRANGER: Final = "127.0.0.2"
"""Source address of the flood, so that limits by address don't affect the other clients."""
_KNOCK: Final = 0.02
"""Seconds before a cut connection reconnects."""


@dataclass(frozen=True)
class Flood:
    """A kind of flood against a server: bytes that are sent without pause over a number of connections.

    `head` is sent first on each connection, then `sent` again and again. A `head` of None stands for a WebSocket
    handshake.
    """

    name: str
    connections: int
    sent: bytes
    head: bytes | None = None
    """The first bytes of each connection; None for the WebSocket handshake of a room."""


def known_floods(many: int) -> Iterator[Flood]:
    """Yield every known kind of flood, each with several numbers of connections.

    WebSocket floods use up to `many` connections, requests up to 8.
    """
    ping = json.dumps({"t": "ping", "id": "abcdef"}).encode()
    forms = {
        "pongs": _frame_bytes(Opcode.PONG, b"x" * 125) * 2000,
        "empty pongs": _frame_bytes(Opcode.PONG, b"") * 40_000,
        "pings": _frame_bytes(Opcode.PING, b"x" * 125) * 2000,
        "messages": _frame_bytes(Opcode.TEXT, ping) * 8000,
        "empty messages": _frame_bytes(Opcode.TEXT, b"") * 40_000,
        "pieces": (_frame_bytes(Opcode.TEXT, b"", fin=False) + _frame_bytes(Opcode.CONT, b"", fin=False) * 60) * 600
        + _frame_bytes(Opcode.CONT, b""),
        "whole pieces": (
            _frame_bytes(Opcode.TEXT, ping[:9], fin=False)
            + _frame_bytes(Opcode.CONT, b"", fin=False) * 60
            + _frame_bytes(Opcode.CONT, ping[9:])
        )
        * 500,
        "long messages": _frame_bytes(Opcode.TEXT, b"[" * 8000) * 30,
    }
    for name, sent in forms.items():
        for connections in sorted({1, min(8, many), many}):
            yield Flood(name, connections, sent)
    for name, request in _expensive_requests().items():
        for connections in sorted({1, min(8, many)}):
            yield Flood(name, connections, request, head=request)


def _expensive_requests() -> dict[str, bytes]:
    """Return requests, by name, that are costly for a server that processes their text before checking its length.

    Floods send them.
    """
    marks = "\u0301" * 16_000 + "\u0316" * 16_000
    files = {
        "key stands twice": f'{{"{marks * 8}":1,"{marks * 8}":2}}',
        "many small parts": f"[{'1.5,' * 2_000_000}1]",
        "many lists": f"[{'[],' * 2_700_000}1]",
    }
    return {
        **{f"file: {name}": _post_request_bytes("/api/imports", file) for name, file in files.items()},
        "unit of a stake": _post_request_bytes(
            "/api/rooms", json.dumps({"name": "Ana", "stake": {"amount": 1, "unit": marks[15_000:17_000]}})
        ),
        "name of a person": _post_request_bytes("/api/people", json.dumps({"name": marks[:5_000]}, ensure_ascii=False)),
    }


def _post_request_bytes(path: str, body: str) -> bytes:
    sent = body.encode()
    return (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(sent)}\r\n\r\n"
    ).encode() + sent


def _frame_bytes(opcode: Opcode, data: bytes, *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin=fin).serialize(mask=True)


def run_flood_test(seconds: float, many: int, database: str | None) -> None:
    """Run each kind of flood against a server for `seconds`, and print the times that other clients waited meanwhile.

    `many`: the most connections of a flood. `database` is the server's database; None for a temporary file.
    """
    with running_server(database, limited=True) as server:
        asyncio.run(_run_floods(server, seconds, many))


async def _run_floods(server: LocalServer, seconds: float, many: int) -> None:
    heads = _handshake_requests(server, ceil(many / SOCKETS))
    async with AsyncExitStack() as stack:
        others = await _connect_others(server, stack)
        pool = stack.enter_context(multiprocessing.get_context("spawn").Pool(1))
        pool.apply(time.time)  # wait until the process has started
        click.echo("flood              connections   others wait p50     p99     max ms  server busy   connections cut")
        for flood in (Flood("nobody floods", 0, b""), *known_floods(many)):
            end, busy = time.monotonic() + seconds, cpu_seconds(server.pid) or 0
            flooding = pool.apply_async(run_flood, (server.port, heads, flood, seconds))
            waits = await asyncio.gather(*(_measure_response_times(other, end) for other in others))
            busy = ((cpu_seconds(server.pid) or 0) - busy) / seconds
            click.echo(_format_result(flood, sorted(itertools.chain(*waits)), busy, flooding.get()))


def _format_result(flood: Flood, waits: list[float], busy: float, cut: int) -> str:
    p50, p99, most = (1000 * waits[int((len(waits) - 1) * part)] for part in (0.5, 0.99, 1))
    return f"{flood.name:18} {flood.connections:11} {p50:18.1f} {p99:7.1f} {most:10.1f} {busy:12.0%} {cut:17}"


def _open_room(server: LocalServer, people: int) -> tuple[str, list[str]]:
    """Open a room on the server and create `people` persons; return the room's code and the persons' tokens."""
    tokens = [server.post("/api/people", {})["token"] for _ in range(people)]
    return server.post("/api/rooms", {"name": "Ana", "game": "president"}, tokens[0])["code"], tokens


async def _connect_others(server: LocalServer, stack: AsyncExitStack) -> list[ClientConnection]:
    code, tokens = _open_room(server, OTHERS)
    address = f"ws://127.0.0.1:{server.port}/ws/{code}?protocol={VERSION}"
    return [
        await stack.enter_async_context(
            connect(address, additional_headers={"Authorization": f"Bearer {token}"}, compression=None, proxy=None)
        )
        for token in tokens
    ]


async def _measure_response_times(other: ClientConnection, end: float) -> list[float]:
    """Send pings as a client that is not flooding, until `end`; return the seconds until each answer.

    At least one ping is sent.
    """
    waits = list[float]()
    while not waits or time.monotonic() < end:
        asked, name = time.perf_counter(), f"p{len(waits)}"
        await other.send(json.dumps({"t": "ping", "id": name}))
        while json.loads(await other.recv()).get("id") != name:
            pass
        waits.append(time.perf_counter() - asked)
        await asyncio.sleep(PAUSE)
    return waits


# The flood ----------------------------------------------------------------------------------------------------


class _FloodConnection:
    """One connection of a flood, which is opened again after the server has cut it."""

    def __init__(self, port: int, head: bytes, sent: bytes) -> None:
        self._port, self._head, self._sent = port, head, sent
        self._heard = b""
        self._rest = memoryview(head)
        self.socket: socket.socket | None = None
        self.again_at = 0.0

    def connect(self, selector: selectors.BaseSelector) -> None:
        self._heard, self._rest = b"", memoryview(self._head)
        self.socket = socket.socket()
        self.socket.bind((_STRANGER, 0))
        self.socket.setblocking(False)
        self.socket.connect_ex(("127.0.0.1", self._port))
        selector.register(self.socket, selectors.EVENT_READ | selectors.EVENT_WRITE, self)

    def disconnect(self, selector: selectors.BaseSelector) -> None:
        assert self.socket is not None
        selector.unregister(self.socket)
        self.socket.close()
        self.socket, self.again_at = None, time.monotonic() + _KNOCK

    def read_and_write(self, may: int) -> None:
        """Send and read what this flooding connection can without blocking, as `may` (selector events) allows.

        Raises `OSError` if the server has closed the connection.
        """
        assert self.socket is not None
        if may & selectors.EVENT_READ:
            heard = self.socket.recv(1 << 16)
            if not heard:
                raise ConnectionResetError
            self._heard = (self._heard + heard)[:4] if b"101" in self._heard else self._heard + heard
        if may & selectors.EVENT_WRITE:
            if not self._rest and self._heard:
                self._rest = memoryview(self._sent)
            self._rest = self._rest[self.socket.send(self._rest[: 1 << 18]) :]


def _handshake_requests(server: LocalServer, people: int) -> list[bytes]:
    """Return WebSocket handshake requests for `people` persons in one new room, for the flood's connections."""
    code, tokens = _open_room(server, people)
    return [
        f"GET /ws/{code}?protocol={VERSION} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Authorization: Bearer {token}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode()
        for token in tokens
    ]


def run_flood(port: int, heads: list[bytes], flood: Flood, seconds: float) -> int:
    """Flood the server for `seconds` over the flood's number of connections; return the number of times it cut one.

    This runs in a separate process. `heads` are the first bytes of the connections.
    """
    # Real-time priority set with `chrt` is only for the server and the measuring process.
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    cut, end = 0, time.monotonic() + seconds
    heads = [heads[n // SOCKETS] if flood.head is None else flood.head for n in range(flood.connections)]
    connections = [_FloodConnection(port, head, flood.sent) for head in heads]
    with selectors.DefaultSelector() as selector:
        while time.monotonic() < end:
            for one in connections:
                if one.socket is None and one.again_at < time.monotonic():
                    one.connect(selector)
            for key, may in selector.select(_KNOCK):
                try:
                    key.data.read_and_write(may)
                except BlockingIOError:
                    pass
                except OSError:
                    cut += 1
                    key.data.disconnect(selector)
        for one in connections:
            if one.socket is not None:
                one.disconnect(selector)
    return cut
