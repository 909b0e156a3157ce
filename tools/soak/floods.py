"""`python -m tools soak --floods`: somebody floods a server in every way we know of, and others must hardly notice.

The server has the limits that hold when nothing is set. Who floods are strangers at an address of their own, in a
process of its own, who come back as soon as they are cut. Meanwhile others in a room of their own ask for an answer
eight times a second each, and how long that takes is told beside how long it takes while nobody floods.
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
from tools.local_server.server_process import OwnServer, serving
from tools.local_server.system_info import cpu_seconds

OTHERS: Final = 8
"""People in another room who ask for an answer again and again."""
PAUSE: Final = 0.125
"""Seconds between two questions of one of them: less than anybody may ask."""
SOCKETS: Final = 8
"""Sockets that one person may have in one room."""
_STRANGER: Final = "127.0.0.2"
"""Where the flood comes from: limits by address are not the others'."""
_KNOCK: Final = 0.02
"""Seconds between two attempts of one connection to come back."""


@dataclass(frozen=True)
class Flood:
    """What is sent without pause, over how many connections."""

    name: str
    connections: int
    sent: bytes
    head: bytes | None = None
    """What each connection begins with; None: the handshake of a socket in a room."""


def floods(many: int) -> Iterator[Flood]:
    """List every flood that we know of; those of sockets come over up to `many` connections."""
    ping = json.dumps({"t": "ping", "id": "abcdef"}).encode()
    forms = {
        "pongs": _frame(Opcode.PONG, b"x" * 125) * 2000,
        "empty pongs": _frame(Opcode.PONG, b"") * 40_000,
        "pings": _frame(Opcode.PING, b"x" * 125) * 2000,
        "messages": _frame(Opcode.TEXT, ping) * 8000,
        "empty messages": _frame(Opcode.TEXT, b"") * 40_000,
        "pieces": (_frame(Opcode.TEXT, b"", fin=False) + _frame(Opcode.CONT, b"", fin=False) * 60) * 600
        + _frame(Opcode.CONT, b""),
        "whole pieces": (
            _frame(Opcode.TEXT, ping[:9], fin=False)
            + _frame(Opcode.CONT, b"", fin=False) * 60
            + _frame(Opcode.CONT, ping[9:])
        )
        * 500,
        "long messages": _frame(Opcode.TEXT, b"[" * 8000) * 30,
    }
    for name, sent in forms.items():
        for connections in sorted({1, min(8, many), many}):
            yield Flood(name, connections, sent)
    for name, request in _requests().items():
        for connections in sorted({1, min(8, many)}):
            yield Flood(name, connections, request, head=request)


def _requests() -> dict[str, bytes]:
    """Requests that are costly for a server that looks at their text before it checks the length."""
    marks = "\u0301" * 16_000 + "\u0316" * 16_000
    files = {
        "key stands twice": f'{{"{marks * 8}":1,"{marks * 8}":2}}',
        "many small parts": f"[{'1.5,' * 2_000_000}1]",
        "many lists": f"[{'[],' * 2_700_000}1]",
    }
    return {
        **{f"file: {name}": _post("/api/imports", file) for name, file in files.items()},
        "unit of a stake": _post(
            "/api/rooms", json.dumps({"name": "Ana", "stake": {"amount": 1, "unit": marks[15_000:17_000]}})
        ),
        "name of a person": _post("/api/people", json.dumps({"name": marks[:5_000]}, ensure_ascii=False)),
    }


def _post(path: str, body: str) -> bytes:
    sent = body.encode()
    return (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(sent)}\r\n\r\n"
    ).encode() + sent


def _frame(opcode: Opcode, data: bytes, *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin=fin).serialize(mask=True)


def endure(seconds: float, many: int, database: str | None) -> None:
    """Let others play beside each flood for so many seconds, and tell how long they waited."""
    with serving(database, limited=True) as server:
        asyncio.run(_endure(server, seconds, many))


async def _endure(server: OwnServer, seconds: float, many: int) -> None:
    heads = _heads(server, ceil(many / SOCKETS))
    async with AsyncExitStack() as stack:
        others = await _come(server, stack)
        pool = stack.enter_context(multiprocessing.get_context("spawn").Pool(1))
        pool.apply(time.time)  # the process is there
        click.echo("flood              connections   others wait p50     p99     max ms  server busy   connections cut")
        for flood in (Flood("nobody floods", 0, b""), *floods(many)):
            end, busy = time.monotonic() + seconds, cpu_seconds(server.pid) or 0
            flooding = pool.apply_async(pour, (server.port, heads, flood, seconds))
            waits = await asyncio.gather(*(_ask(other, end) for other in others))
            busy = ((cpu_seconds(server.pid) or 0) - busy) / seconds
            click.echo(_line(flood, sorted(itertools.chain(*waits)), busy, flooding.get()))


def _line(flood: Flood, waits: list[float], busy: float, cut: int) -> str:
    p50, p99, most = (1000 * waits[int((len(waits) - 1) * part)] for part in (0.5, 0.99, 1))
    return f"{flood.name:18} {flood.connections:11} {p50:18.1f} {p99:7.1f} {most:10.1f} {busy:12.0%} {cut:17}"


def _room(server: OwnServer, people: int) -> tuple[str, list[str]]:
    """Open a room: its code, and the tokens of so many who may come."""
    tokens = [server.post("/api/people", {})["token"] for _ in range(people)]
    return server.post("/api/rooms", {"name": "Ana", "game": "president"}, tokens[0])["code"], tokens


async def _come(server: OwnServer, stack: AsyncExitStack) -> list[ClientConnection]:
    code, tokens = _room(server, OTHERS)
    address = f"ws://127.0.0.1:{server.port}/ws/{code}?protocol={VERSION}"
    return [
        await stack.enter_async_context(
            connect(address, additional_headers={"Authorization": f"Bearer {token}"}, compression=None, proxy=None)
        )
        for token in tokens
    ]


async def _ask(other: ClientConnection, end: float) -> list[float]:
    """Ask for an answer at least once, and again until the end. Return how many seconds each took."""
    waits = list[float]()
    while not waits or time.monotonic() < end:
        asked, name = time.perf_counter(), f"p{len(waits)}"
        await other.send(json.dumps({"t": "ping", "id": name}))
        while json.loads(await other.recv()).get("id") != name:
            pass
        waits.append(time.perf_counter() - asked)
        await asyncio.sleep(PAUSE)
    return waits


# Who floods ---------------------------------------------------------------------------------------------------


class _Connection:
    """One connection of who floods, over the same socket file again and again."""

    def __init__(self, port: int, head: bytes, sent: bytes) -> None:
        self._port, self._head, self._sent = port, head, sent
        self._heard = b""
        self._rest = memoryview(head)
        self.socket: socket.socket | None = None
        self.again_at = 0.0

    def come(self, selector: selectors.BaseSelector) -> None:
        self._heard, self._rest = b"", memoryview(self._head)
        self.socket = socket.socket()
        self.socket.bind((_STRANGER, 0))
        self.socket.setblocking(False)
        self.socket.connect_ex(("127.0.0.1", self._port))
        selector.register(self.socket, selectors.EVENT_READ | selectors.EVENT_WRITE, self)

    def go(self, selector: selectors.BaseSelector) -> None:
        assert self.socket is not None
        selector.unregister(self.socket)
        self.socket.close()
        self.socket, self.again_at = None, time.monotonic() + _KNOCK

    def work(self, may: int) -> None:
        """Read and write what can be; `OSError` if the other side has closed."""
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


def _heads(server: OwnServer, people: int) -> list[bytes]:
    """What so many strangers, all in one room, begin a socket with."""
    code, tokens = _room(server, people)
    return [
        f"GET /ws/{code}?protocol={VERSION} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Authorization: Bearer {token}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode()
        for token in tokens
    ]


def pour(port: int, heads: list[bytes], flood: Flood, seconds: float) -> int:
    """Flood for so many seconds; return how often a connection was cut."""
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))  # `chrt` is for the server and for who measures
    cut, end = 0, time.monotonic() + seconds
    heads = [heads[n // SOCKETS] if flood.head is None else flood.head for n in range(flood.connections)]
    connections = [_Connection(port, head, flood.sent) for head in heads]
    with selectors.DefaultSelector() as selector:
        while time.monotonic() < end:
            for one in connections:
                if one.socket is None and one.again_at < time.monotonic():
                    one.come(selector)
            for key, may in selector.select(_KNOCK):
                try:
                    key.data.work(may)
                except BlockingIOError:
                    pass
                except OSError:
                    cut += 1
                    key.data.go(selector)
        for one in connections:
            if one.socket is not None:
                one.go(selector)
    return cut
