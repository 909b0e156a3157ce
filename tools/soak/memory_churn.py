"""`python -m tools soak --rooms`: people come and go, rooms open, play and sleep, and the server's memory must
stay what it was.

So many rooms are open at a time. Each is opened by somebody new, with guests of whom half have been here before; they
play for some minutes, load their page again now and then, look at other pages, and go. Some come back to a room that
sleeps by then. What a process needs grows at first, with all that it remembers up to a number; so what counts is how
much more it has at the end than after a sixth of the time.
"""

import asyncio
import json
import re
import sys
import time
from collections import Counter, deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Any, Final

import click
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from app.arena.random_rules import random_options
from app.engine.base.errors import RuleError
from app.engine.games import GAMES
from app.rooms.views.delta import VERSION
from tools.local_server.client_view import answering, merged
from tools.local_server.server_process import OwnServer, serving
from tools.local_server.system_info import resident_kb

NAMES: Final = ("Ana", "Bob", "Cat", "Dan")
HOST_ASKS: Final = {"pause": "next", "finished": "rematch", "lobby": "start"}
ACTIONS: Final = 100
"""Of a room before its people go, more or less."""
RELOADS: Final = 0.02
LOOKS: Final = 0.05
"""How often an action is followed by a page that is loaded again, and by a look at another page."""
RETURNS: Final = 0.25
"""How often people come back to an old room instead of opening one."""
HOUSE_RULES: Final = 0.25
"""How often a room plays by rules of its own."""
FORMER: Final = 50
"""Rooms to which somebody may come back, and people who may be guests again."""
SHARE: Final = 6
"""After which part of the time memory is what it ought to stay."""
MEASURED_EVERY: Final = 100
"""Rooms opened between two lines about memory."""
PATIENCE: Final = 30.0
PAGES: Final = ("/", "/history", "/me", "/r/{code}", "/r/{code}/book", "/api/rooms/{code}", "/api/history", "/rules")


@dataclass(frozen=True, slots=True)
class Size:
    """How many people come and go."""

    rooms: int
    """Open at a time."""
    minutes: float
    """At most."""
    rate: float
    """Actions a second, in all rooms together."""
    asleep: float
    """Seconds at the end in which the rooms may fall asleep."""
    opened: int | None = None
    """The number of rooms after which the run ends; None: it ends after `minutes`."""
    actions: int = ACTIONS
    """The mean number of actions in a room before its people go."""


def come_and_go(size: Size, games: Sequence[str], seed: int, database: str | None, growth: float) -> None:
    """Let people come and go, and tell what memory the server has; status 1 if it grew by more than `growth` percent
    after the first sixth, or if anything failed."""
    with serving(database) as server:
        churn = Churn(server, size, games, Random(seed))
        asyncio.run(churn.run())
    grown = churn.grown()
    click.echo("memory is not told here" if grown is None else f"{grown:+.1%} since {_minutes(churn.took / SHARE)}")
    if (late := churn.grown_in_second_half()) is not None:
        click.echo(f"{late:+.1%} in the second half of the rooms opened")
    for what, times in churn.failed.items():
        click.echo(f"{times} × {what}", err=True)
    if churn.failed:
        sys.exit(1)
    if grown is not None and grown * 100 > growth:
        sys.exit(f"That is more than {growth:g} %.")


@dataclass(slots=True)
class ChurnGuest:
    """Somebody with a token."""

    token: str
    name: str


class Churn:
    """All that come and go, and what was seen of the server meanwhile."""

    def __init__(self, server: OwnServer, size: Size, games: Sequence[str], rng: Random) -> None:
        self.server = server
        self.size = size
        self.games = games
        self.rng = rng
        self.counted = Counter[str]()
        self.failed = Counter[str]()
        self.numbers = count(1)
        """Of commands: each is answered once."""
        self._former = deque[ChurnGuest](maxlen=FORMER)
        self._rooms = deque[tuple[str, list[ChurnGuest]]](maxlen=FORMER)
        self._tables = set[ChurnTable]()
        self._is_over = False
        self._memory: list[tuple[float, int]] = []
        """(seconds, kB)."""
        self._by_rooms: list[int] = []
        """Memory in kB, after each `MEASURED_EVERY` rooms opened."""
        self.took = 0.0
        """Seconds until the people went."""

    def grown(self) -> float | None:
        """The part by which memory is more at the end than after a sixth of the time; None where nobody tells it."""
        first = next((kb for seconds, kb in self._memory if seconds >= self.took / SHARE), None)
        return None if first is None else self._memory[-1][1] / first - 1

    def grown_in_second_half(self) -> float | None:
        """Return by which part memory grew between the middle of the rooms opened and the last; None if unknown."""
        measured = self._by_rooms
        return None if len(measured) < 4 else measured[-1] / measured[len(measured) // 2] - 1

    async def run(self) -> None:
        """Let people come and go for the time, then let all rooms fall asleep."""
        began = time.monotonic()
        slots = [asyncio.create_task(self._one_room_after_another()) for _ in range(self.size.rooms)]
        whole, told = self.size.minutes * 60, began
        while (gone := time.monotonic() - began) < whole and not self._has_opened_all():
            await asyncio.sleep(min(1, whole - gone))
            if time.monotonic() - told >= whole / (10 * SHARE):
                told = time.monotonic()
                await self._tell(told - began)
        self.took = time.monotonic() - began
        self._is_over = True
        for table in self._tables:
            table.over.set()
        await asyncio.gather(*slots)
        with suppress(TimeoutError):
            async with asyncio.timeout(self.size.asleep):
                while await self._awake():  # noqa: ASYNC110 - it is the server's to know
                    await asyncio.sleep(1)
        await self._tell(time.monotonic() - began)

    async def _tell(self, seconds: float) -> None:
        kb, awake = resident_kb(self.server.pid), await self._awake()
        if kb is not None:
            self._memory.append((seconds, kb))
        click.echo(
            f"{_minutes(seconds)}: {'?' if kb is None else f'{kb / 1000:.1f}'} MB, {awake} rooms awake, "
            + ", ".join(f"{times} {what}" for what, times in sorted(self.counted.items()))
        )

    def _has_opened_all(self) -> bool:
        return self.size.opened is not None and self.counted["rooms"] >= self.size.opened

    async def _measure(self) -> None:
        """Print the memory after each `MEASURED_EVERY` rooms opened, and the rooms that are loaded then.

        A process keeps the memory of the most rooms that it had at a time: growth with that number is no leak.
        """
        opened = self.counted["rooms"]
        if opened % MEASURED_EVERY == 0 and (kb := resident_kb(self.server.pid)) is not None:
            self._by_rooms.append(kb)
            click.echo(f"{opened} rooms opened: {kb / 1000:.1f} MB, {await self._awake()} rooms awake")

    async def _awake(self) -> int:
        told = await self.get("/metrics", None)
        found = re.search(rb"^pecking_order_rooms (\d+)", told, re.MULTILINE)
        return 0 if found is None else int(found[1])

    async def _one_room_after_another(self) -> None:
        while not self._is_over:
            try:
                await self._room()
            except (OSError, WebSocketException, TimeoutError, click.ClickException) as error:
                self.failed[f"{type(error).__name__}: {error}"[:200]] += 1
                await asyncio.sleep(1)

    async def _room(self) -> None:
        """One room, from coming in to going away."""
        if self._rooms and self.rng.random() < RETURNS:
            code, guests = self._rooms.popleft()
            self.counted["returns"] += 1
        else:
            code, guests = await self._open()
        table = ChurnTable(self, code, 1 + int(self.rng.expovariate(1 / self.size.actions)))
        self._tables.add(table)
        try:
            async with asyncio.TaskGroup() as group:
                for guest in guests:
                    group.create_task(table.play(guest, host=guest is guests[0]))
        except ExceptionGroup as several:
            raise several.exceptions[0] from None
        finally:
            self._tables.discard(table)
        self._rooms.append((code, guests))

    async def _open(self) -> tuple[str, list[ChurnGuest]]:
        guests = [await self._guest(name) for name in NAMES]
        asked = {"name": NAMES[0], **self._rules()}
        opened = json.loads(await self.post("/api/rooms", asked, guests[0].token))
        self.counted["rooms"] += 1
        await self._measure()
        return opened["code"], guests

    def _rules(self) -> dict[str, Any]:
        """Some game by one of its presets, or by rules that nobody has played yet, that so many can play."""
        game = GAMES[self.rng.choice(self.games)]
        while True:
            if self.rng.random() < HOUSE_RULES:
                options = random_options(game, self.rng)
            else:
                options = game.declared.resolve({"preset": self.rng.choice(game.declared.presets).key})
            with suppress(RuleError):
                game.check_players(options, len(NAMES))
                return {"game": game.key, "options": options.to_json()}

    async def _guest(self, name: str) -> ChurnGuest:
        if name != NAMES[0] and len(self._former) > FORMER // 2 and self.rng.random() < 0.5:
            return ChurnGuest(self._former.popleft().token, name)
        guest = ChurnGuest(json.loads(await self.post("/api/people", {}, None))["token"], name)
        self._former.append(guest)
        self.counted["people"] += 1
        return guest

    async def look(self, code: str, guest: ChurnGuest) -> None:
        """Look at some page."""
        await self.get(self.rng.choice(PAGES).format(code=code), guest.token)
        self.counted["pages"] += 1

    async def get(self, path: str, token: str | None) -> bytes:
        """What the server answers."""
        return await self._ask("GET", path, None, token)

    async def post(self, path: str, body: Any, token: str | None) -> bytes:
        """What the server made."""
        return await self._ask("POST", path, body, token)

    async def _ask(self, method: str, path: str, body: Any, token: str | None) -> bytes:
        status, answer = await asyncio.to_thread(self.server.request, method, path, body, token)
        if status >= 500 or status == 429:
            self.failed[f"{status} for {method} {path}"] += 1
        return answer

    async def pause(self) -> None:
        """Think as long as people at a table do."""
        await asyncio.sleep(self.rng.expovariate(self.size.rate / self.size.rooms))


class ChurnTable:
    """The people of a room, until they have done enough."""

    def __init__(self, churn: Churn, code: str, actions: int) -> None:
        self._churn = churn
        self._code = code
        self._address = f"ws://127.0.0.1:{churn.server.port}/ws/{code}?protocol={VERSION}"
        self._left = actions
        self.over = asyncio.Event()
        """Whether its people go."""

    async def play(self, guest: ChurnGuest, *, host: bool) -> None:
        """Sit here until the room has had enough, on one connection after the other."""
        headers = {"Authorization": f"Bearer {guest.token}"}
        while not self.over.is_set():
            async with connect(self._address, additional_headers=headers, compression=None, proxy=None) as socket:
                self._churn.counted["sockets"] += 1
                await self._sit(socket, guest, host=host)

    async def _sit(self, socket: ClientConnection, guest: ChurnGuest, *, host: bool) -> None:
        """Play until the room has had enough, or the page is loaded again."""
        churn, picture, done = self._churn, None, -1
        await socket.send(json.dumps({"t": "join", "id": "join", "name": guest.name}))
        over = asyncio.create_task(self.over.wait())
        try:
            while True:
                heard = asyncio.create_task(socket.recv())
                await asyncio.wait((heard, over), return_when=asyncio.FIRST_COMPLETED, timeout=PATIENCE)
                if self.over.is_set():
                    heard.cancel()
                    return
                if not heard.done():
                    heard.cancel()
                    churn.failed["a room stood still"] += 1
                    self.over.set()
                    return
                message = json.loads(heard.result())
                if message["t"] == "answer":
                    self._answered(message)
                    if message["ok"]:
                        continue
                    done = -1  # something else may be done, though nothing has changed
                else:
                    picture = merged(picture, message)
                asked = _chosen(picture, churn.rng, host=host) if picture and picture["seq"] > done else None
                if asked is None or picture is None:
                    continue
                done = picture["seq"]
                await churn.pause()
                if self.over.is_set():
                    return
                await socket.send(json.dumps({**answering(picture, asked), "id": f"k{next(churn.numbers)}"}))
                self._left -= 1
                if self._left <= 0:
                    self.over.set()
                if churn.rng.random() < LOOKS:
                    await churn.look(self._code, guest)
                if churn.rng.random() < RELOADS:
                    return
        finally:
            over.cancel()

    def _answered(self, answer: dict[str, Any]) -> None:
        if answer["ok"]:
            self._churn.counted["commands"] += 1
        elif answer["code"] in ("unavailable", "bad_message"):
            self._churn.failed[f"answered {answer['code']}"] += 1


def _chosen(picture: dict[str, Any], rng: Random, *, host: bool) -> dict[str, Any] | None:
    """What somebody does who sees this; None if they wait."""
    phase, legal = picture["room"]["phase"], picture["you"].get("legal")
    if legal:
        return {"t": "act", "action": rng.choice(legal)}
    if host and phase in HOST_ASKS and len(picture["room"]["people"]) == len(NAMES):
        return {"t": HOST_ASKS[phase]}
    return None


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
