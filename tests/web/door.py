"""A WebSocket server without rooms, which accepts all connections and records messages, and raw frames for it."""

import asyncio
import itertools
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from typing import Any

from websockets.asyncio.client import connect
from websockets.frames import Frame, Opcode

from app.settings import Settings
from app.web.http.guards import Receive, Send
from app.web.transport import uvicorn_server
from app.web.transport.websocket import WebSocketConnection, websocket_of
from tests.web.visitors import PATIENCE


class Ear:
    """A listener that asks for the next message only when a test says so."""

    def __init__(self) -> None:
        self.heard_so_far: list[str | None] = []
        self.most_waiting = 0
        self.losses = 0
        self.wire: WebSocketConnection | None = None
        self.is_awaited = False
        self.at_once = False
        """Whether to ask for the next message right after each one."""

    def on_message(self, text: str | None) -> None:
        assert self.wire is not None
        self.most_waiting = max(self.most_waiting, len(self.wire._message_queue))
        self.heard_so_far.append(text)
        if self.at_once:
            self.wire.request_next_message()

    def on_writable(self) -> None: ...

    def on_close(self) -> None:
        self.losses += 1

    async def until(self, holds: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await asyncio.sleep(0.002)


class Door:
    """An application that accepts all connections and gives each its own listener."""

    def __init__(self) -> None:
        self.ears: list[Ear] = []
        self.open = asyncio.Event()
        self.accepts = asyncio.Event()
        self.open.set()
        self.accepts.set()
        self.greeting: bytes | None = None
        """A message to send after each handshake."""

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        ear = Ear()
        self.ears.append(ear)
        await receive()
        await self.accepts.wait()
        await send({"type": "websocket.accept"})
        await self.open.wait()
        ear.wire = websocket_of(scope)
        ear.wire.set_listener(ear)
        if self.greeting is not None:
            ear.wire.send_texts(self.greeting)
        ear.wire.request_next_message()


@asynccontextmanager
async def opened_door() -> AsyncIterator[tuple[Door, int]]:
    """Run the application on a real server, and return it with its port."""
    application, listener = Door(), socket.create_server(("127.0.0.1", 0))
    running = uvicorn_server.Server(
        uvicorn_server.build_server_config(application, Settings(host="127.0.0.1")), _no_life, _nothing
    )
    running.capture_signals = nullcontext  # type: ignore[method-assign,assignment]
    task = asyncio.create_task(running.serve(sockets=[listener]))
    while not running.started:
        await asyncio.sleep(0.005)
    try:
        yield application, running.port
    finally:
        running.start_draining()
        await task


@asynccontextmanager
async def _no_life() -> AsyncIterator[None]:
    yield


async def _nothing() -> None:
    return


def client(port: int) -> Any:
    return connect(f"ws://127.0.0.1:{port}/", proxy=None, max_queue=None)


def text(number: int, length: int = 0) -> bytes:
    return Frame(Opcode.TEXT, str(number).encode().ljust(length)).serialize(mask=True)


def pieces(*parts: bytes) -> bytes:
    """Return a text split over several frames."""
    codes = itertools.chain([Opcode.TEXT], itertools.repeat(Opcode.CONT))
    last = len(parts) - 1
    return b"".join(
        Frame(code, part, fin=number == last).serialize(mask=True)
        for number, (code, part) in enumerate(zip(codes, parts, strict=False))
    )


def frame(opcode: int, data: bytes = b"", *, fin: bool = True, reserved: int = 0) -> bytes:
    """Return a client's frame, which may be invalid."""
    length = len(data)
    head = bytes((fin << 7 | reserved << 4 | opcode,))
    head += bytes((0x80 | length,)) if length < 126 else b"\xfe" + length.to_bytes(2) if length < 1 << 16 else b""
    head += b"" if length < 1 << 16 else b"\xff" + length.to_bytes(8)
    return head + bytes(4) + data


_GOODBYE = 8


class Bare:
    """A client that sends and receives bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def come(cls, port: int, path: str = "/", **headers: str) -> "Bare":
        """Connect with a WebSocket handshake."""
        bare = cls(*await asyncio.open_connection("127.0.0.1", port))
        asked = {
            "Host": f"127.0.0.1:{port}", "Upgrade": "websocket", "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": f"{'A' * 22}==",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }  # fmt: skip
        lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in asked.items())]
        bare.writer.write("\r\n".join([*lines, "", ""]).encode())
        bare.head = await bare.reader.readuntil(b"\r\n\r\n")
        return bare

    head = b""
    """The head of the server's answer to the handshake."""

    async def frames(self) -> list[tuple[int, bytes]]:
        """Return the opcodes and contents of all frames until the close frame or the end of the connection."""
        heard = list[tuple[int, bytes]]()
        try:
            async with asyncio.timeout(6 * PATIENCE):
                while True:
                    first, length = await self.reader.readexactly(2)
                    if length > 125:
                        length = int.from_bytes(await self.reader.readexactly(2 if length == 126 else 8))
                    heard.append((first & 15, await self.reader.readexactly(length)))
                    if heard[-1][0] == _GOODBYE:
                        return heard
        except (asyncio.IncompleteReadError, ConnectionError):
            return heard

    async def close(self) -> None:
        """Close the connection without a close handshake."""
        self.writer.transport.abort()
