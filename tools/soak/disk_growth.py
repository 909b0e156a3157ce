"""`python -m tools soak --stranger`: measure how fast one address can fill the disk, with and without plays.

The server has its default limits. First, programs play in some rooms against bots as fast as they may, which tells the
bytes of a play. Then people of the same address change, join, leave and open all that they can. When the server refuses
more because of its limit of bytes, the growth above the limit is measured too. Both give the growth in an hour.
"""

import asyncio
import itertools
import json
import secrets
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, suppress
from typing import Any, Final

import click
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from app.engine.games import GAMES
from app.rooms.views.delta import VERSION
from tools.local_server.client_view import add_reference_fields, merge_update
from tools.local_server.server_process import LocalServer, running_server
from tools.soak.memory_churn import HOST_ASKS

MOST_IN_AN_HOUR: Final = 100_000_000
"""Bytes that one address may add in an hour without plays."""
PLAYED_ROOMS: Final = 4
PACE: Final = 0.1
"""Seconds between two messages of a person in a room; the limit allows no more."""
RECONNECTIONS: Final = 6
"""Number of sockets that are opened and closed all the time."""
RECONNECT_SECONDS: Final = 1.2
"""Seconds between two sockets of a person, so that the room records that the person was away."""
LONGEST_FILLING: Final = 1800.0
"""Seconds after which the measurement gives up if the server has not refused anything."""
FULL: Final = "refused.too_much_saved"
WIDE: Final = "ë" * 16


def run_disk_test(seconds: float, rooms: int) -> None:
    """Measure what plays and what a stranger in `rooms` rooms add to a new SQLite file, and print it for an hour.

    `seconds`: duration of the plays, and of the measurement above the limit of bytes. Exits with status 1 if the
    stranger adds more than `MOST_IN_AN_HOUR`.
    """
    with running_server(None, limited=True) as server:
        added = asyncio.run(Stranger(server, rooms).measure(seconds))
    if added > MOST_IN_AN_HOUR:
        sys.exit(f"That is more than {MOST_IN_AN_HOUR / 1e6:g} MB.")


class Stranger:
    """All people of one address, who fill the database of a server."""

    def __init__(self, server: LocalServer, rooms: int) -> None:
        self._server = server
        self._rooms = rooms
        self._host, self._guest = (server.post("/api/people", {})["token"] for _ in range(2))
        self._answers = Counter[str]()
        """Answers to messages, by their result."""
        self._full = asyncio.Event()
        """Set when the server has refused a message because the address has added too many bytes."""

    async def measure(self, seconds: float) -> float:
        """Measure plays and all else, print both, and return the bytes that all else adds in an hour."""
        click.echo("what                    seconds   accepted    refused         MB   MB an hour   bytes each")
        played = [self._open_room(bots=3) for _ in range(PLAYED_ROOMS)]
        empty = self._database_bytes()
        codes = [self._open_room() for _ in range(self._rooms)]
        began, before = time.monotonic(), self._database_bytes()
        opening = before - empty
        await self._run([self._play(code) for code in played], seconds)
        self._report("plays", began, before)
        began, before = time.monotonic(), self._database_bytes()
        work = [self._change_settings(code) for code in codes]
        work += [self._come_and_go(code) for code in codes]
        work += [self._reconnect(code) for code in codes[:RECONNECTIONS]]
        tasks = [asyncio.create_task(each) for each in work]
        try:
            async with asyncio.timeout(LONGEST_FILLING):
                await self._full.wait()
        except TimeoutError:
            raise click.ClickException("The server refuses nothing: is the limit of bytes switched off?") from None
        filling = self._report("until the limit", began, before)
        spent = time.monotonic() - began
        began, before = time.monotonic(), self._database_bytes()
        await asyncio.sleep(seconds)
        above = self._report("above the limit", began, before)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        hour = opening + filling + above / seconds * max(0, 3600 - spent)
        click.echo(f"The worst stranger adds {hour / 1e6:.1f} MB in the first hour, without plays.")
        return hour

    def _report(self, what: str, began: float, before: int) -> int:
        """Print one line about the time since `began`, and return the bytes added to the database since then."""
        seconds, added = time.monotonic() - began, self._database_bytes() - before
        accepted = self._answers.pop("ok", 0)
        click.echo(
            f"{what:20} {seconds:10.0f} {accepted:10} {self._answers.total():10} {added / 1e6:10.2f} "
            f"{added / seconds * 3600 / 1e6:12.1f} {added / max(1, accepted):12.0f}"
        )
        self._answers.clear()
        return added

    def _database_bytes(self) -> int:
        """Return the bytes of all used pages of the server's SQLite file, also those still in the journal."""
        with closing(sqlite3.connect(self._server.database.removeprefix("sqlite:///"))) as database:
            pages, free, size = (
                int(database.execute(f"PRAGMA {name}").fetchone()[0])
                for name in ("page_count", "freelist_count", "page_size")
            )
        return (pages - free) * size

    def _open_room(self, *, bots: int = 0) -> str:
        asked = {"name": "Ana", "game": "president", "bots": ["easy"] * bots}
        code: str = self._server.post("/api/rooms", asked, self._host)["code"]
        return code

    async def _run(self, work: list[Any], seconds: float) -> None:
        """Do this work for some seconds, then stop it."""
        tasks = [asyncio.create_task(each) for each in work]
        await asyncio.sleep(seconds)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _play(self, code: str) -> None:
        """Play against bots in a room as fast as the server accepts it, match after match."""
        async with self._talk(code, self._host) as talk:
            await talk.ask({"t": "join", "name": "Ana"})
            await talk.ask({"t": "configure", "pace": "at_once", "clock": {"pause": 0}})
            while True:
                asked = _next_play(talk.view)
                if asked is None:
                    await talk.next_update()
                else:
                    await talk.ask(asked)
                    await asyncio.sleep(PACE)

    async def _change_settings(self, code: str) -> None:
        """As the host of a room, change everything that a host can change, and deal."""
        async with self._talk(code, self._host) as talk:
            for n in itertools.count():
                for message in _host_messages(n):
                    await talk.ask(message)
                    await asyncio.sleep(PACE)

    async def _come_and_go(self, code: str) -> None:
        """As a guest of a room, join, change and leave, again and again."""
        async with self._talk(code, self._guest) as talk:
            for n in itertools.count():
                for message in (
                    {"t": "join", "name": f"{WIDE}{n % 100}"},
                    {"t": "ready"},
                    {"t": "ready", "ready": False},
                    {"t": "watch"},
                    {"t": "join", "name": f"{WIDE}{n % 100}"},
                    {"t": "leave"},
                ):
                    await talk.ask(message)
                    await asyncio.sleep(PACE)

    async def _reconnect(self, code: str) -> None:
        """As a member of a room, come and go without a message."""
        token = self._server.post("/api/people", {})["token"]
        async with self._talk(code, token) as talk:
            await talk.ask({"t": "join", "name": "Eve"})
        while True:
            await asyncio.sleep(RECONNECT_SECONDS)
            with suppress(OSError, WebSocketException):  # the limit of handshakes
                async with self._talk(code, token) as talk:
                    await talk.next_update()

    @asynccontextmanager
    async def _talk(self, code: str, token: str) -> AsyncIterator["_Talk"]:
        address = f"ws://127.0.0.1:{self._server.port}/ws/{code}?protocol={VERSION}"
        headers = {"Authorization": f"Bearer {token}"}
        async with connect(address, additional_headers=headers, compression=None, proxy=None) as socket:
            yield _Talk(socket, self._count_answer)

    def _count_answer(self, answer: dict[str, Any]) -> None:
        self._answers["ok" if answer["ok"] else answer["code"]] += 1
        if answer.get("key") == FULL:
            self._full.set()


class _Talk:
    """One socket in a room: sends messages, reads their answers, and keeps the view of the room."""

    def __init__(self, socket: ClientConnection, count_answer: Callable[[dict[str, Any]], None]) -> None:
        self._socket = socket
        self._count_answer = count_answer
        self._ids = itertools.count(1)
        self._name = secrets.token_hex(4)
        self.view: dict[str, Any] = {}
        """The newest view of the room; empty before the first update."""

    async def ask(self, message: dict[str, Any]) -> None:
        """Send a message and read until its answer, which is counted."""
        name = f"{self._name}{next(self._ids)}"
        asked = add_reference_fields(self.view, message) if self.view else message
        await self._socket.send(json.dumps({**asked, "id": name}))
        while (answer := await self._read()).get("id") != name:
            pass
        self._count_answer(answer)

    async def next_update(self) -> None:
        """Read one message from the server."""
        await self._read()

    async def _read(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self._socket.recv())
        if message["t"] == "update":
            self.view = merge_update(self.view or None, message)
        return message


def _next_play(view: dict[str, Any]) -> dict[str, Any] | None:
    """Return the next message of a host who plays alone against bots, or None if the bots are next."""
    if not view:
        return None
    legal, phase = view["you"].get("legal"), view["room"]["phase"]
    if legal:
        return {"t": "act", "action": legal[0]}
    return {"t": HOST_ASKS[phase]} if phase in HOST_ASKS else None


def _host_messages(n: int) -> Iterator[dict[str, Any]]:
    """Yield all that a host can change in a room, in round `n`, so that each message changes something."""
    yield {"t": "configure", "stake": {"amount": 1 + n % 2, "unit": WIDE}, "game": list(GAMES)[n % len(GAMES)]}
    for locked in (True, False):
        yield {"t": "lock", "locked": locked}
    for name in (f"{WIDE}{bot}" for bot in range(3)):
        yield {"t": "add_bot", "name": name}
        yield {"t": "set_bot", "name": name, "kind": "medium"}
    yield {"t": "rotate_code"}
    yield {"t": "start"}
    yield {"t": "stop"}
    yield {"t": "rematch"}
    for name in (f"{WIDE}{bot}" for bot in range(3)):
        yield {"t": "remove_bot", "name": name}
