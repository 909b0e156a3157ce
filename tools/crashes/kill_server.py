"""`python -m tools soak --kills`: a server is killed again and again while people play, and must have told nothing but
the truth.

Players over real sockets play as fast as they are answered. At random moments the server gets SIGKILL. It is started
again, the logs are read and held against all that the players were answered and shown (`log_check.py`); then they come
back and go on, and ask again what was not answered. At the end history and books must be what the logs say.

This is the death of a process, not of a machine: what is on the disk when the power goes is seen in `power_loss.py`.
"""

import asyncio
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from ssl import SSLContext
from typing import Any, Final

import click
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from app.rooms.views.delta import VERSION
from app.store.db.file_lock import claimed
from app.store.maintenance.rebuild import Difference, rebuild
from app.store.store import visiting
from tools.crashes.log_check import UNDECIDED, LogBesideTold, Mistake, Told
from tools.local_server.client_view import answering, merged
from tools.local_server.server_process import OwnServer, serving

NAMES: Final = ("Ana", "Bob", "Cat", "Dan")
PATIENCE: Final = 60.0
"""Seconds after which a server is killed that gives no answers."""
_MOMENT: Final = 0.03
_SHOWN: Final = 20
"""Mistakes that are told one by one."""


def survive(kills: int, count: int, most: int, games: Sequence[str], seed: int, database: str | None) -> None:
    """Kill the server so often while `count` rooms play; status 1 if anything was lost, doubled or phantom.

    Each time it lives until it has given some number of answers, at `most` so many. Rooms play the games in turn.
    """
    with serving(database) as server:
        soak = CrashSoak(server, Random(seed))
        soak.open(count, games)
        asyncio.run(soak.kill_again_and_again(kills, most))
        server.stop()
        differences = books(server.database)
    for mistake in soak.mistakes[:_SHOWN]:
        click.echo(f"{mistake.wrong}: {mistake.what}", err=True)
    for difference in differences[:_SHOWN]:
        click.echo(str(difference), err=True)
    click.echo(soak.summary(kills))
    click.echo(f"History and books: {len(differences)} rows are not as the logs say.")
    if soak.mistakes or differences:
        sys.exit(1)
    if not soak.counted["actions"]:
        sys.exit("Nothing was played: the server needs to live longer (--answers).")


def books(database: str) -> list[Difference]:
    """Look whether history and books are what the logs say, and give what is not."""
    found: list[Difference] = []
    with claimed(database):
        rebuild(database, check=True, tell=found.append)
    return found


class CrashPlayer:
    """Plays anything legal, comes back after each crash, asks again what was not answered, and remembers everything."""

    def __init__(self, told: Told, token: str, *, host: bool, rng: Random, answered: Callable[[], None]) -> None:
        self.told = told
        self._answered = answered
        self._token = token
        self._host = host
        self._rng = rng
        self._picture: dict[str, Any] | None = None
        self._done = -1
        """A picture up to this seq does not show what was done last."""
        self._asked: dict[str, Any] | None = None
        """What was not answered yet."""
        self.seqs = defaultdict[int, list[int]](list)
        """Of each message that came, the entry that it said is there, if it did; by the port that it came to."""
        if not host:  # who opened the room has a name in it
            self._ask("join", name=told.name)

    async def play(self, address: str, tls: SSLContext | None = None) -> None:
        """Play until the connection ends; `tls` says whom a wss address may be."""
        headers = {"Authorization": f"Bearer {self._token}"}
        with suppress(OSError, WebSocketException):
            async with connect(address, additional_headers=headers, compression=None, proxy=None, ssl=tls) as socket:
                await self._say(socket)
                seqs = self.seqs[socket.local_address[1]]
                async for frame in socket:
                    message = json.loads(frame)
                    seqs.append(message.get("seq", 0) if message.get("ok", True) else 0)
                    if self._heard(message):
                        await self._say(socket)

    async def _say(self, socket: ClientConnection) -> None:
        if self._asked is not None:
            await socket.send(json.dumps(self._asked))

    def _heard(self, message: dict[str, Any]) -> bool:
        """Take a message in; whether there is something to be asked."""
        if message["t"] == "update":
            self._picture = merged(self._picture, message)
            self.told.shown.append(self._picture)
        elif message["t"] == "answer":
            self.told.answers.append(message)
            self._answered()
            if message.get("code") in UNDECIDED:
                return True
            self._asked = None
            # Older pictures don't show it yet; of what was refused, any may be tried.
            self._done = max(self._done, message["seq"] - 1) if message["ok"] else -1
        if self._asked is None:
            self._choose()
            return self._asked is not None
        return False

    def _choose(self) -> None:
        picture = self._picture
        if picture is None or picture["seq"] <= self._done:
            return
        legal, phase = picture["you"].get("legal", ()), picture["room"]["phase"]
        if self._host and phase == "pause" and (not legal or self._rng.random() < 0.5):
            self._ask("next")
        elif legal:
            self._ask("act", action=self._rng.choice(legal))
        elif self._host and phase == "finished":
            self._ask("rematch")
        elif self._host and phase == "lobby" and len(picture["room"]["people"]) == len(NAMES):
            self._ask("start")
        if self._asked is not None:
            self._done = picture["seq"]

    def _ask(self, t: str, **fields: Any) -> None:
        number = f"{self.told.name}-{len(self.told.asked)}"
        asked = {"t": t, "id": number, **fields}
        self._asked = self.told.asked[number] = asked if self._picture is None else answering(self._picture, asked)


class CrashTable:
    """One room, its players, and its log."""

    def __init__(self, server: OwnServer, game: str, rng: Random, answered: Callable[[], None]) -> None:
        tokens = [server.post("/api/people", {})["token"] for _ in NAMES]
        self.code = server.post("/api/rooms", {"name": NAMES[0], "game": game}, tokens[0])["code"]
        self.address = f"ws://127.0.0.1:{server.port}/ws/{self.code}?protocol={VERSION}"
        self.players = [
            CrashPlayer(Told(name), token, host=name == NAMES[0], rng=rng, answered=answered)
            for name, token in zip(NAMES, tokens, strict=True)
        ]
        self.log = LogBesideTold([player.told for player in self.players])


class CrashSoak:
    """All tables, and what was found."""

    def __init__(self, server: OwnServer, rng: Random) -> None:
        self.mistakes: list[Mistake] = []
        self.counted = Counter[str]()
        self._server = server
        self._rng = rng
        self._tables: list[CrashTable] = []
        self._answers_left = 0
        self._enough = asyncio.Event()

    def open(self, count: int, games: Sequence[str]) -> None:
        """Open the rooms."""
        for n in range(count):
            self._tables.append(CrashTable(self._server, games[n % len(games)], self._rng, self._one_answered))

    def _one_answered(self) -> None:
        self._answers_left -= 1
        if self._answers_left <= 0:
            self._enough.set()

    async def kill_again_and_again(self, kills: int, most: int) -> None:
        """Let people play, kill, start again, compare; so often."""
        for number in range(1, kills + 1):
            self._answers_left = self._rng.randint(1, most)
            self._enough.clear()
            playing = [player.play(table.address) for table in self._tables for player in table.players]
            await asyncio.gather(*playing, self._kill())
            await asyncio.to_thread(self._server.start)
            before = self.counted["answers"], self.counted["pictures"]
            await self._compare()
            click.echo(
                f"kill {number:3}: {self.counted['answers'] - before[0]:6} answers, "
                f"{self.counted['pictures'] - before[1]:6} pictures, {len(self.mistakes)} mistakes"
            )

    async def _kill(self) -> None:
        """Kill the server some milliseconds after there were answers enough: in the middle of anything."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._enough.wait(), PATIENCE)
        await asyncio.sleep(self._rng.uniform(0, _MOMENT))
        self._server.kill()

    async def _compare(self) -> None:
        async with visiting(self._server.database) as store:
            for table in self._tables:
                lead = await store.log.by_code(table.code)
                if lead is None:
                    self.mistakes.append(Mistake("lost", f"room {table.code}, which was opened"))
                    continue
                for player in table.players:
                    self.counted["answers"] += len(player.told.answers)
                    self.counted["pictures"] += len(player.told.shown)
                entries = await store.log.read(lead.room, table.log.room.seq)
                self.counted["entries"] += len(entries)
                self.counted["actions"] += sum(entry.kind == "acted" for entry in entries)
                self.mistakes += table.log.compare(entries)

    def summary(self, kills: int) -> str:
        """What was looked at, and what was wrong, in one line."""
        found = Counter(mistake.wrong for mistake in self.mistakes)
        return (
            f"{kills} kills: {self.counted['answers']} answers and {self.counted['pictures']} pictures beside "
            f"{self.counted['entries']} entries ({self.counted['actions']} actions): "
            f"{found['lost']} lost, {found['doubled']} doubled, {found['phantom']} phantom"
        )
