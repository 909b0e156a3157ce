"""Visitors for tests: browsers with cookies and sockets, but without a screen."""

import asyncio
import itertools
import json
import ssl
from collections.abc import Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import httpx2
from pydantic import TypeAdapter
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from app.rooms.views.delta import VERSION
from app.web.protocol import server_messages
from tools.local_server.client_view import add_reference_fields, merge_update

FRAMES: TypeAdapter[Any] = TypeAdapter(server_messages.ServerMessage)
PATIENCE = 20
"""Seconds to wait. A slow machine must not fail a test."""


def _is(wanted: Callable[[dict[str, Any]], Any], update: dict[str, Any]) -> bool:
    """Whether an update is as wanted. A missing person or key counts as not yet."""
    try:
        return bool(wanted(update))
    except (StopIteration, LookupError):
        return False


class Desk:
    """An open socket and its messages. Every frame is checked against the schema of the protocol."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.update: dict[str, Any] = {}
        """The newest view, with the events since the one before."""
        self.updates: list[dict[str, Any]] = []
        self.told: list[dict[str, Any]] = []
        """The updates as they came."""
        self.frames: list[str] = []
        self.goodbye: dict[str, Any] | None = None
        self.notice: str | None = None
        """The current notice to everybody."""
        self.shown: list[dict[str, Any]] = []
        """The reactions received."""
        self.chat: list[dict[str, Any]] = []
        """The chat messages received."""
        self._ids = itertools.count(1)
        self._answers: dict[str | None, dict[str, Any]] = {}
        self._news = asyncio.Condition()
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for frame in self.socket:
                assert isinstance(frame, str)
                self.frames.append(frame)
                message = FRAMES.validate_json(frame).model_dump(by_alias=True, exclude_unset=True)
                async with self._news:
                    match message["t"]:
                        case "update":
                            self.told.append(message)
                            self.update = merge_update(self.update or None, message)
                            self.updates.append(self.update)
                        case "answer":
                            self._answers[message["id"]] = message
                        case "notice":
                            self.notice = message.get("message")
                        case "reaction":
                            self.shown.append(message)
                        case "chat":
                            self.chat = message["lines"] if message["replaces_all"] else [*self.chat, *message["lines"]]
                        case "goodbye":
                            self.goodbye = message
                    self._news.notify_all()
        except ConnectionClosed:
            pass
        finally:
            async with self._news:
                self._news.notify_all()

    def go_on_from(self, before: "Desk") -> None:
        """Continue the message ids of another socket, because the server answers each id once."""
        self._ids = before._ids

    async def until(self, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """Wait until the newest update is as wanted, and return it."""
        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(lambda: self._reader.done() or (self.update and _is(wanted, self.update)))
        if self._reader.done():
            self._reader.result()
        assert self.update
        assert wanted(self.update), f"the socket ended first: {self.goodbye}"
        return self.update

    async def until_told(self, wanted: Callable[[str | None], Any]) -> None:
        """Wait until the notice is as wanted."""
        async with asyncio.timeout(3 * PATIENCE), self._news:
            await self._news.wait_for(lambda: self._reader.done() or wanted(self.notice))
        assert wanted(self.notice), f"the socket ended first: {self.goodbye}"

    async def until_shown(self, count: int) -> list[dict[str, Any]]:
        """Wait for this number of reactions, and return them."""
        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(lambda: self._reader.done() or len(self.shown) >= count)
        assert len(self.shown) >= count, f"the socket ended first: {self.goodbye}"
        return self.shown

    async def until_said(self, wanted: Callable[[list[dict[str, Any]]], Any]) -> list[dict[str, Any]]:
        """Wait until the chat is as wanted, and return it."""
        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(lambda: self._reader.done() or wanted(self.chat))
        assert wanted(self.chat), f"the socket ended first: {self.goodbye}"
        return self.chat

    async def say(self, text: str | bytes) -> None:
        """Send any frame."""
        await self.socket.send(text)

    async def answer(self, message_id: str | None) -> dict[str, Any]:
        """Wait for the answer to a message."""
        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(lambda: self._reader.done() or message_id in self._answers)
        if message_id not in self._answers:
            self._reader.result()
        return self._answers.pop(message_id)

    async def ask(self, t: str, *, message_id: str | None = None, **fields: Any) -> dict[str, Any]:
        """Send a message and return its answer. It answers the newest view, except for the given `fields`."""
        message_id = message_id or f"m{next(self._ids)}"
        message = {"t": t, "id": message_id, **fields}
        await self.say(json.dumps(add_reference_fields(self.update, message) if self.update else message))
        return await self.answer(message_id)

    async def do(self, t: str, **fields: Any) -> dict[str, Any]:
        """Send a message that must be accepted, and wait if the server says it was too fast."""
        while (answer := await self.ask(t, **fields)).get("code") == "too_fast":
            await asyncio.sleep(0.2)
        assert answer["ok"], answer
        return answer

    async def ended(self) -> int:
        """Return the code with which the socket was closed."""
        async with asyncio.timeout(PATIENCE):
            await self.socket.wait_closed()
            await asyncio.wait({self._reader})
        self._reader.result()
        assert self.socket.close_code is not None
        return self.socket.close_code

    async def close(self) -> None:
        """Close the socket."""
        await self.socket.close()
        await asyncio.wait({self._reader})
        self._reader.result()


class Visitor:
    """A browser."""

    def __init__(self, base: str, tls: ssl.SSLContext | None = None) -> None:
        """`tls` decides which certificates are trusted."""
        self.base = base
        self.http = httpx2.AsyncClient(
            base_url=base, headers={"Origin": base}, timeout=PATIENCE, verify=True if tls is None else tls
        )
        self._tls = tls
        self._desks: list[Desk] = []

    async def enter(self, code: str) -> None:
        """Open the room's page, as a browser does before its script opens the socket."""
        page = await self.http.get(f"/r/{code}", headers={"Accept": "text/html"})
        assert page.status_code == 200, page.text

    async def open(self, name: str = "Ana", **asked: Any) -> dict[str, Any]:
        """Open a room, and return its code, invitation and addresses. Without options, its game is the basic one."""
        answer = await self.http.post("/api/rooms", json={"name": name, "options": {}, **asked})
        assert answer.status_code == 201, answer.text
        opened: dict[str, Any] = answer.json()
        return opened

    @property
    def cookies(self) -> str:
        """The cookies as a Cookie header."""
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.http.cookies.jar)

    async def sit(self, code: str, name: str | None = None, **more: Any) -> Desk:
        """Open a socket (without the page, if there is a cookie already), and join under a name."""
        if not self.cookies:
            await self.enter(code)
        desk = await self.socket(code, **more)
        await desk.until(lambda update: update["room"]["code"] == code)
        if name is not None:
            await desk.do("join", name=name)
            await desk.until(lambda update: update["you"]["name"] == name)
        return desk

    async def socket(
        self,
        code: str,
        *,
        origin: str | None = "",
        cookies: str | None = None,
        asks: str = f"?protocol={VERSION}",
        **more: str,
    ) -> Desk:
        """Open a socket. `more` are headers, with _ for -."""
        headers = {"Cookie": self.cookies if cookies is None else cookies}
        headers |= {name.replace("_", "-"): value for name, value in more.items()}
        desk = Desk(
            await connect(
                f"ws{self.base.removeprefix('http')}/ws/{code}{asks}",
                origin=self.base if origin == "" else origin,  # type: ignore[arg-type]
                additional_headers={name: value for name, value in headers.items() if value},
                compression=None,
                proxy=None,
                ssl=self._tls,
            )
        )
        self._desks.append(desk)
        return desk

    async def close(self) -> None:
        """Close all connections."""
        for desk in self._desks:
            await desk.close()
        await self.http.aclose()


Come: TypeAlias = Callable[[], Visitor]
"""Makes a new visitor."""


@asynccontextmanager
async def visiting(base: str, tls: ssl.SSLContext | None = None) -> Any:
    """Yield a function that makes visitors, and close them at the end."""
    visitors: list[Visitor] = []

    def come() -> Visitor:
        visitors.append(Visitor(base, tls))
        return visitors[-1]

    try:
        yield come
    finally:
        for visitor in visitors:
            await visitor.close()
