"""A wire without rooms behind it: an application that lets everybody in and listens; and frames to send to it."""

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
    """Listens, and is ready for the next message only when told so."""

    def __init__(self) -> None:
        self.heard_so_far: list[str | None] = []
        self.most_waiting = 0
        self.losses = 0
        self.wire: WebSocketConnection | None = None
        self.is_awaited = False
        self.at_once = False
        """Whether to be ready for the next message as soon as there was one."""

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
    """An application that lets everybody in, and hands each the next ear, once it is opened."""

    def __init__(self) -> None:
        self.ears: list[Ear] = []
        self.open = asyncio.Event()
        self.accepts = asyncio.Event()
        self.open.set()
        self.accepts.set()
        self.greeting: bytes | None = None
        """What everybody is told as they are let in."""

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
    """The application behind a real server, and its port."""
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
    """A text in several frames."""
    codes = itertools.chain([Opcode.TEXT], itertools.repeat(Opcode.CONT))
    last = len(parts) - 1
    return b"".join(
        Frame(code, part, fin=number == last).serialize(mask=True)
        for number, (code, part) in enumerate(zip(codes, parts, strict=False))
    )


def frame(opcode: int, data: bytes = b"", *, fin: bool = True, reserved: int = 0) -> bytes:
    """Any frame as a client sends it, and such as none may send."""
    length = len(data)
    head = bytes((fin << 7 | reserved << 4 | opcode,))
    head += bytes((0x80 | length,)) if length < 126 else b"\xfe" + length.to_bytes(2) if length < 1 << 16 else b""
    head += b"" if length < 1 << 16 else b"\xff" + length.to_bytes(8)
    return head + bytes(4) + data


_GOODBYE = 8


class Bare:
    """A client that says and hears bytes, and no more."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def come(cls, port: int, path: str = "/", **headers: str) -> "Bare":
        """Shake hands."""
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
    """What the handshake was answered."""

    async def frames(self) -> list[tuple[int, bytes]]:
        """All that comes until the other side says goodbye, or is gone: opcodes and what they carry."""
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
        """Go, whatever is said there."""
        self.writer.transport.abort()
