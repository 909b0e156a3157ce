"""Test that input from strangers causes no traceback, no log line at level `error`, and few warnings."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any, Final

import pytest

from app.rooms.views.delta import VERSION
from tests.web.door import Bare, frame
from tests.web.transport.test_conformance import CASES, CONT, GOODBYE, PING, TEXT
from tests.web.transport.test_raw_requests import RAW_REQUESTS
from tools.local_server.server_process import LocalServer, running_server

PING_US: Final = frame(TEXT, b'{"t": "ping", "id": "a"}')
ENDS_IT: Final = {
    "bad UTF-8": frame(TEXT, b'{"t": "\xff"}'),
    "bad UTF-8 in pieces": frame(TEXT, b"\xff", fin=False) + frame(CONT),
    "binary": frame(2, b"{}"),
    "too long": frame(TEXT, b"x" * 9000),
    "too long in pieces": frame(TEXT, b"x" * 5000, fin=False) + frame(CONT, b"x" * 5000),
    "pieces without end": frame(TEXT, b"x", fin=False) + frame(CONT, fin=False) * 100,
    "pings": frame(PING) * 200,
    "no messages": frame(TEXT, b"nonsense") * 40,
    "too fast": PING_US * 100,
    "not masked": b"\x81\x01x",
    "a goodbye": GOODBYE,
    "two goodbyes and more": GOODBYE + GOODBYE + PING_US * 3,
}
"""Messages that lead to the end of a socket, by either side."""
ODD_MESSAGES: Final = (
    "[]", "{", '"', "1e999", '{"t": 1}', '{"t": "act"}', '{"t": "act", "id": "x", "action": {"do": "\\ud800"}}',
    '{"t": "act", "id": "x", "action": ' + "[" * 50 + "]" * 50 + "}", '{"t": "join", "id": "j", "name": "\\u202e"}',
    '{"t": "configure", "id": "c", "options": {"": null}}', '{"t": "preview_cards", "id": "l", "cards": "no cards"}',
    '{"t": "seed", "id": "s", "seed": "' + "9" * 5000 + '"}', "[" * 8000,
)  # fmt: skip
REQUESTS: Final = (
    b"\r\n\r\n", b"GARBAGE\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\0\x01",
    b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", b"GET / HTTP/1.1\r\nHost: [\r\n\r\n",
    b"POST /api/rooms HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", b"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
    b"POST /api/rooms HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST /api/rooms HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n\xff\xfe{",
    b"POST /api/rooms HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf",
    b"GET /r/%00 HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /matches/999999999999999999999 HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /static/../../etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nCookie: \xff=\x00\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n" * 500,
)  # fmt: skip
HANDSHAKE: Final = {"Host": "localhost", "Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Version": "13"}
HANDSHAKES: Final[tuple[dict[str, str], ...]] = (
    {"Origin": "https://evil.example"}, {"Origin": "http://["}, {"Cookie": "pecking_order=x"},
    {"Authorization": "Bearer x"},
    {"Authorization": "nonsense"}, {"Sec_WebSocket_Version": "12"}, {"Sec_WebSocket_Key": "short"}, {"Upgrade": "h2c"},
    {"Sec_WebSocket_Protocol": "a, b"}, {"Sec_WebSocket_Extensions": "permessage-deflate; server_max_window_bits=99"},
    {"Host": "["}, {"X_Odd": "\xff"},
)  # fmt: skip


async def send_request(port: int, sent: bytes) -> None:
    """Send bytes on a new connection, and wait until the server has ended it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    with contextlib.suppress(OSError):  # the server may have closed it
        writer.write_eof()
        await reader.read()
    writer.close()


class Stranger:
    """A client with a room that sends malformed input."""

    def __init__(self, server: LocalServer) -> None:
        self.port = server.port
        self.token = server.post("/api/people", {})["token"]
        self.code = server.post("/api/rooms", {"name": "Ana", "game": "president"}, self.token)["code"]
        self.path = f"/ws/{self.code}?protocol={VERSION}"

    async def come(self, path: str = "", **headers: str) -> Bare:
        return await Bare.come(self.port, path or self.path, **{"Authorization": f"Bearer {self.token}", **headers})

    async def sockets_that_end(self) -> None:
        """Close sockets while the room changes, so that updates are under way."""
        for sent in ENDS_IT.values():
            host, bare = await self.come(), await self.come()
            for n in range(10):
                host.writer.write(
                    frame(TEXT, json.dumps({"t": "configure", "id": f"c{n}", "bots_delay": n % 5 + 1}).encode())
                )
            bare.writer.write(PING_US + sent)
            await bare.frames()
            await bare.close()
            await host.close()

    async def frames_of_all_kinds(self) -> None:
        for _, sent, *_ in CASES[::8]:
            bare = await self.come()
            bare.writer.write(b"".join(sent))
            await bare.frames()
            await bare.close()

    async def odd_messages(self) -> None:
        bare = await self.come()
        for text in ODD_MESSAGES:
            bare.writer.write(frame(TEXT, text.encode()))
        bare.writer.write(GOODBYE)
        await bare.frames()
        await bare.close()

    async def lines_that_break(self) -> None:
        """Break connections in the handshake, within a message, and with answers under way."""
        for cut in (10, 100, 200):
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.write(
                f"GET {self.path} HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n".encode()[:cut]
            )
            await writer.drain()
            writer.transport.abort()
        for sent in (b"", PING_US[:5], PING_US * 30, frame(TEXT, b"x", fin=False)):
            bare = await self.come()
            bare.writer.write(sent)
            await bare.writer.drain()
            await bare.close()
            bare = await self.come()
            bare.writer.write(sent)
            bare.writer.write_eof()
            await bare.frames()
            await bare.close()

    async def handshakes_that_are_none(self) -> None:
        for headers in HANDSHAKES:
            with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
                await (await self.come(**headers)).close()
        for path in ("/ws/", "/ws/NOWHERE", "/nowhere", f"/ws/{self.code}", f"/ws/{self.code}?protocol=x", "/ws/%00"):
            with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
                bare = await self.come(path)
                await bare.close()

    async def requests_that_are_none(self) -> None:
        for sent in REQUESTS:
            await send_request(self.port, sent)


def test_malformed_requests_cause_no_tracebacks_or_error_logs(capfd: pytest.CaptureFixture[str]) -> None:
    with running_server(None, limited=True) as server:
        stranger = Stranger(server)
        for does in ORDERS:
            asyncio.run(does(stranger))
            assert server.request("GET", "/healthz")[0] == 200
    said = capfd.readouterr().err
    assert "Traceback" not in said, said[:3000]
    assert [line for line in said.splitlines() if '"level": "error"' in line] == []


ORDERS: Final[tuple[Callable[[Stranger], Awaitable[Any]], ...]] = (
    Stranger.sockets_that_end, Stranger.frames_of_all_kinds, Stranger.odd_messages, Stranger.lines_that_break,
    Stranger.handshakes_that_are_none, Stranger.requests_that_are_none,
)  # fmt: skip


def test_a_stranger_writes_at_most_one_warning_of_each_kind_a_minute(capfd: pytest.CaptureFixture[str]) -> None:
    async def send_often(port: int) -> None:
        handshakes = [
            "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in (HANDSHAKE | headers).items())
            for headers in HANDSHAKES
        ]
        asked = [f"GET /ws/ABCDEF HTTP/1.1\r\n{each}\r\n".encode("latin-1") for each in handshakes]
        for sent in (*REQUESTS, *RAW_REQUESTS, *asked):
            await asyncio.gather(*(send_request(port, sent) for _ in range(60)))

    with running_server(None) as server:
        asyncio.run(send_often(server.port))
    said = [line for line in capfd.readouterr().err.splitlines() if '"level": "' in line]
    last = dict[str, datetime]()
    for line in map(json.loads, said):
        if line["level"] in ("warning", "error", "critical"):
            at = datetime.fromisoformat(line["timestamp"])
            assert line["event"] not in last or at - last[line["event"]] > timedelta(seconds=59), line
            last[line["event"]] = at
    assert any("forwarded headers ignored" in each for each in last), "the server's warnings are read here"
