"""`python -m tools soak --rooms`: check that the server's memory stays stable while players come and go.

A fixed number of rooms is open at a time. Each room is opened by a new person; about half of the guests have been in
other rooms before. The players play, sometimes reload or view other pages, and leave. Some return to an earlier room,
which may be unloaded by then. Memory grows at first while caches fill. So the test compares memory at the end with
memory after a sixth of the time.
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
from tools.local_server.client_view import add_reference_fields, merge_update
from tools.local_server.server_process import LocalServer, running_server
from tools.local_server.system_info import resident_kb

NAMES: Final = ("Ana", "Bob", "Cat", "Dan")
HOST_ASKS: Final = {"between_hands": "deal_next", "finished": "rematch", "lobby": "start"}
ACTIONS: Final = 100
"""Default mean number of actions in a room before its players leave."""
RELOADS: Final = 0.02
LOOKS: Final = 0.05
"""Probabilities that an action is followed by a reload, and by a view of another page."""
RETURNS: Final = 0.25
"""Probability that players return to an earlier room instead of opening a new one."""
HOUSE_RULES: Final = 0.25
"""Probability that a room has random options instead of a preset."""
FORMER: Final = 50
"""Number of earlier rooms to which players may return, and of persons who may be guests again."""
SHARE: Final = 6
"""Memory is compared with its size after this fraction (1/6) of the time."""
MEASURED_EVERY: Final = 100
"""Number of opened rooms between two lines about memory."""
PATIENCE: Final = 30.0
PAGES: Final = ("/", "/history", "/me", "/r/{code}", "/r/{code}/book", "/api/rooms/{code}", "/api/history", "/rules")


@dataclass(frozen=True, slots=True)
class ChurnSettings:
    """The size of a memory test.

    `rooms`: rooms that are open at a time. `minutes`: longest duration of play. `rate`: actions per second, in all
    rooms together. `asleep`: longest wait in seconds at the end until rooms are unloaded. `opened`: number of opened
    rooms after which the run ends, or None. `actions`: mean number of actions in a room before its players leave.
    """

    rooms: int
    """Number of rooms that are open at a time."""
    minutes: float
    """Longest duration of play."""
    rate: float
    """Actions per second, in all rooms together."""
    asleep: float
    """Longest wait in seconds for the server to unload all rooms at the end."""
    opened: int | None = None
    """Number of opened rooms after which the run ends early; None for no such limit."""
    actions: int = ACTIONS
    """Mean number of actions in a room before its players leave."""


def run_memory_test(size: ChurnSettings, games: Sequence[str], seed: int, database: str | None, growth: float) -> None:
    """Run the memory test, in which players come and go, and print the server's memory.

    `database` is the server's database; None for a temporary file. Exits with status 1 if a request failed, or if
    memory grew by more than `growth` percent after a sixth of the time.
    """
    with running_server(database) as server:
        churn = Churn(server, size, games, Random(seed))
        asyncio.run(churn.run())
    grown = churn.memory_growth()
    click.echo(
        "memory is not told here"
        if grown is None
        else f"{grown:+.1%} since {_format_minutes(churn.seconds_until_end / SHARE)}"
    )
    if (late := churn.memory_growth_in_second_half()) is not None:
        click.echo(f"{late:+.1%} in the second half of the rooms opened")
    for what, times in churn.failed.items():
        click.echo(f"{times} × {what}", err=True)
    if churn.failed:
        sys.exit(1)
    if grown is not None and grown * 100 > growth:
        sys.exit(f"That is more than {growth:g} %.")


@dataclass(slots=True)
class ChurnGuest:
    """A person in the memory test, with a name and a token, by which the server knows the person."""

    token: str
    name: str


class Churn:
    """A run of the memory test: its rooms and persons, counters, failures, and memory measurements."""

    def __init__(self, server: LocalServer, size: ChurnSettings, games: Sequence[str], rng: Random) -> None:
        self.server = server
        self.size = size
        self.games = games
        self.rng = rng
        self.counted = Counter[str]()
        self.failed = Counter[str]()
        self.numbers = count(1)
        """Numbers for the ids of commands, each used once."""
        self._former = deque[ChurnGuest](maxlen=FORMER)
        self._rooms = deque[tuple[str, list[ChurnGuest]]](maxlen=FORMER)
        self._tables = set[ChurnRoom]()
        self._is_over = False
        self._memory: list[tuple[float, int]] = []
        """Measurements: seconds since the start, and resident memory in kB."""
        self._by_rooms: list[int] = []
        """Memory in kB, after each `MEASURED_EVERY` rooms opened."""
        self.seconds_until_end = 0.0
        """Seconds from the start until the players left."""

    def memory_growth(self) -> float | None:
        """Return the growth of the server's memory since a sixth of the test's time (0.05 is 5 %); None if unknown."""
        first = next((kb for seconds, kb in self._memory if seconds >= self.seconds_until_end / SHARE), None)
        return None if first is None else self._memory[-1][1] / first - 1

    def memory_growth_in_second_half(self) -> float | None:
        """Return the growth of the server's memory over the second half of the opened rooms (0.05 is 5 %).

        None if there are too few measurements.
        """
        measured = self._by_rooms
        return None if len(measured) < 4 else measured[-1] / measured[len(measured) // 2] - 1

    async def run(self) -> None:
        """Let players come and go until the time or the number of rooms is reached, then wait for rooms to unload.

        Memory is measured and printed meanwhile.
        """
        began = time.monotonic()
        slots = [asyncio.create_task(self._run_room_slot()) for _ in range(self.size.rooms)]
        whole, told = self.size.minutes * 60, began
        while (gone := time.monotonic() - began) < whole and not self._has_opened_all():
            await asyncio.sleep(min(1, whole - gone))
            if time.monotonic() - told >= whole / (10 * SHARE):
                told = time.monotonic()
                await self._report_memory(told - began)
        self.seconds_until_end = time.monotonic() - began
        self._is_over = True
        for table in self._tables:
            table.over.set()
        await asyncio.gather(*slots)
        with suppress(TimeoutError):
            async with asyncio.timeout(self.size.asleep):
                while await self._loaded_room_count():  # noqa: ASYNC110 - only the server knows
                    await asyncio.sleep(1)
        await self._report_memory(time.monotonic() - began)

    async def _report_memory(self, seconds: float) -> None:
        kb, awake = resident_kb(self.server.pid), await self._loaded_room_count()
        if kb is not None:
            self._memory.append((seconds, kb))
        click.echo(
            f"{_format_minutes(seconds)}: {'?' if kb is None else f'{kb / 1000:.1f}'} MB, {awake} rooms awake, "
            + ", ".join(f"{times} {what}" for what, times in sorted(self.counted.items()))
        )

    def _has_opened_all(self) -> bool:
        return self.size.opened is not None and self.counted["rooms"] >= self.size.opened

    async def _measure_after_opening(self) -> None:
        """Measure and print the server's memory after each `MEASURED_EVERY` opened rooms.

        A process keeps the memory for its largest number of loaded rooms, so that number is printed, too. Growth with
        it is not a leak.
        """
        opened = self.counted["rooms"]
        if opened % MEASURED_EVERY == 0 and (kb := resident_kb(self.server.pid)) is not None:
            self._by_rooms.append(kb)
            click.echo(f"{opened} rooms opened: {kb / 1000:.1f} MB, {await self._loaded_room_count()} rooms awake")

    async def _loaded_room_count(self) -> int:
        told = await self.get("/metrics", None)
        found = re.search(rb"^pecking_order_rooms (\d+)", told, re.MULTILINE)
        return 0 if found is None else int(found[1])

    async def _run_room_slot(self) -> None:
        while not self._is_over:
            try:
                await self._run_room()
            except (OSError, WebSocketException, TimeoutError, click.ClickException) as error:
                self.failed[f"{type(error).__name__}: {error}"[:200]] += 1
                await asyncio.sleep(1)

    async def _run_room(self) -> None:
        """Open a room or return to an earlier one, and let its players play there until they leave."""
        if self._rooms and self.rng.random() < RETURNS:
            code, guests = self._rooms.popleft()
            self.counted["returns"] += 1
        else:
            code, guests = await self._open_room()
        table = ChurnRoom(self, code, 1 + int(self.rng.expovariate(1 / self.size.actions)))
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

    async def _open_room(self) -> tuple[str, list[ChurnGuest]]:
        guests = [await self._new_or_former_guest(name) for name in NAMES]
        asked = {"name": NAMES[0], **self._random_room_rules()}
        opened = json.loads(await self.post("/api/rooms", asked, guests[0].token))
        self.counted["rooms"] += 1
        await self._measure_after_opening()
        return opened["code"], guests

    def _random_room_rules(self) -> dict[str, Any]:
        """Return a random game and options for a new room, as the API takes them.

        They are a preset or random options, and allow the number of players (`NAMES`).
        """
        game = GAMES[self.rng.choice(self.games)]
        while True:
            if self.rng.random() < HOUSE_RULES:
                options = random_options(game, self.rng)
            else:
                options = game.option_schema.resolve_options(
                    {"preset": self.rng.choice(game.option_schema.presets).key}
                )
            with suppress(RuleError):
                game.check_players(options, len(NAMES))
                return {"game": game.key, "options": options.to_json()}

    async def _new_or_former_guest(self, name: str) -> ChurnGuest:
        if name != NAMES[0] and len(self._former) > FORMER // 2 and self.rng.random() < 0.5:
            return ChurnGuest(self._former.popleft().token, name)
        guest = ChurnGuest(json.loads(await self.post("/api/people", {}, None))["token"], name)
        self._former.append(guest)
        self.counted["people"] += 1
        return guest

    async def view_random_page(self, code: str, guest: ChurnGuest) -> None:
        """Request a random page of the server as this guest, and count it."""
        await self.get(self.rng.choice(PAGES).format(code=code), guest.token)
        self.counted["pages"] += 1

    async def get(self, path: str, token: str | None) -> bytes:
        """Send a GET request and return the body of the response, also that of an error.

        `token` names the person who asks; None for a request without a person. A server error, or a refusal by a limit,
        is counted as a failure of the test.
        """
        return await self._send_request("GET", path, None, token)

    async def post(self, path: str, body: Any, token: str | None) -> bytes:
        """Send a POST request and return the body of the response, also that of an error.

        `body` is sent as JSON. `token` names the person who asks; None for a request without a person. A server error,
        or a refusal by a limit, is counted as a failure of the test.
        """
        return await self._send_request("POST", path, body, token)

    async def _send_request(self, method: str, path: str, body: Any, token: str | None) -> bytes:
        status, answer = await asyncio.to_thread(self.server.request, method, path, body, token)
        if status >= 500 or status == 429:
            self.failed[f"{status} for {method} {path}"] += 1
        return answer

    async def wait_for_next_action(self) -> None:
        """Wait a random time, so that all rooms of the memory test together make about `rate` actions per second."""
        await asyncio.sleep(self.rng.expovariate(self.size.rate / self.size.rooms))


class ChurnRoom:
    """The players of one room in the memory test, who leave after a number of actions."""

    def __init__(self, churn: Churn, code: str, actions: int) -> None:
        self._churn = churn
        self._code = code
        self._address = f"ws://127.0.0.1:{churn.server.port}/ws/{code}?protocol={VERSION}"
        self._left = actions
        self.over = asyncio.Event()
        """Set when the players leave."""

    async def play(self, guest: ChurnGuest, *, host: bool) -> None:
        """Play as this guest until the room's players leave; open a new connection after each reload of the page.

        `host`: this guest also starts hands and matches.
        """
        headers = {"Authorization": f"Bearer {guest.token}"}
        while not self.over.is_set():
            async with connect(self._address, additional_headers=headers, compression=None, proxy=None) as socket:
                self._churn.counted["sockets"] += 1
                await self._play_on_connection(socket, guest, host=host)

    async def _play_on_connection(self, socket: ClientConnection, guest: ChurnGuest, *, host: bool) -> None:
        """Play on one connection until the room's players leave or the guest reloads the page.

        `host`: this guest also starts hands and matches. If nothing arrives within `PATIENCE` seconds, that is counted
        as a failure and the players leave.
        """
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
                    self._count_answer(message)
                    if message["ok"]:
                        continue
                    done = -1  # a refused command: try another one for the same view
                else:
                    picture = merge_update(picture, message)
                asked = _choose_command(picture, churn.rng, host=host) if picture and picture["seq"] > done else None
                if asked is None or picture is None:
                    continue
                done = picture["seq"]
                await churn.wait_for_next_action()
                if self.over.is_set():
                    return
                await socket.send(json.dumps({**add_reference_fields(picture, asked), "id": f"k{next(churn.numbers)}"}))
                self._left -= 1
                if self._left <= 0:
                    self.over.set()
                if churn.rng.random() < LOOKS:
                    await churn.view_random_page(self._code, guest)
                if churn.rng.random() < RELOADS:
                    return
        finally:
            over.cancel()

    def _count_answer(self, answer: dict[str, Any]) -> None:
        if answer["ok"]:
            self._churn.counted["commands"] += 1
        elif answer["code"] in ("unavailable", "bad_message"):
            self._churn.failed[f"answered {answer['code']}"] += 1


def _choose_command(picture: dict[str, Any], rng: Random, *, host: bool) -> dict[str, Any] | None:
    """Choose a command for a player with this view of the room: a random legal action, or what the host does next.

    `picture` is the view, and `host` tells whether the player is the room's host. None if the player has to wait.
    """
    phase, legal = picture["room"]["phase"], picture["you"].get("legal")
    if legal:
        return {"t": "act", "action": rng.choice(legal)}
    if host and phase in HOST_ASKS and len(picture["room"]["people"]) == len(NAMES):
        return {"t": HOST_ASKS[phase]}
    return None


def _format_minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
