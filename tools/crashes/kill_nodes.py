"""`python -m tools soak --kills --nodes`: several servers on one PostgreSQL, one after the other killed or told to stop
while people play, and perhaps the database restarted: whoever comes back goes on, at another node if need be.

People go to the node that a hash of their room says, as a proxy would lead them, and to the next one if nobody is
there; or all of them by a proxy. What they were answered and shown is held against the logs, as with one server.
"""

import asyncio
import hashlib
import ssl
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import Any, Final, TypeAlias

import click
import httpx2

from app.rooms.views.delta import VERSION
from app.store.store import visiting
from tools.crashes.kill_server import NAMES, CrashPlayer, books
from tools.crashes.log_check import LogBesideTold, Mistake, Told
from tools.local_server.server_process import OwnServer

Accident: TypeAlias = Callable[[], None]
"""Something bad; it returns when it is over, whatever was broken is whole again, and people play on meanwhile."""
PATIENCE: Final = 120.0
"""Seconds after which a room that does not go on never will."""
RETRY: Final = 0.1
"""Seconds until somebody whose line ended tries again."""
PAGE_EVERY: Final = 0.1
_SHOWN: Final = 20


class NodePlayer(CrashPlayer):
    """Plays on, by whatever node takes them, and knows how long each way back was."""

    gone_since: float | None = None

    def __init__(self, told: Told, token: str, *, host: bool, rng: Random, answered: Callable[[], None]) -> None:
        super().__init__(told, token, host=host, rng=rng, answered=answered)
        self.ways_back: list[float] = []

    def _heard(self, message: dict[str, Any]) -> bool:
        if self.gone_since is not None and message["t"] == "update":
            self.ways_back.append(time.monotonic() - self.gone_since)
            self.gone_since = None
        return super()._heard(message)


class NodeTable:
    """One room, its players, and when they were answered."""

    def __init__(self, server: OwnServer, game: str, rng: Random) -> None:
        tokens = [server.post("/api/people", {})["token"] for _ in NAMES]
        opened = server.post("/api/rooms", {"name": NAMES[0], "game": game}, tokens[0])
        self.code, self.room = opened["code"], opened["room"]
        self.path = f"/ws/{self.code}?room={self.room}&protocol={VERSION}"
        self.players = [
            NodePlayer(Told(name), token, host=name == NAMES[0], rng=rng, answered=self._answered)
            for name, token in zip(NAMES, tokens, strict=True)
        ]
        self.log = LogBesideTold([player.told for player in self.players])
        self.answers = 0
        self._news = asyncio.Event()
        self.longest = 0.0
        """Seconds that the room stood still at most."""
        self._last: float | None = None

    def _answered(self) -> None:
        now = time.monotonic()
        if self._last is not None:
            self.longest = max(self.longest, now - self._last)
        self._last, self.answers = now, self.answers + 1
        self._news.set()

    async def more(self, answers: int) -> None:
        """Return when there were so many more answers."""
        enough = self.answers + answers
        while self.answers < enough:
            self._news.clear()
            await self._news.wait()


class NodeSoak:
    """Nodes, tables spread over them, and what was found."""

    def __init__(
        self, nodes: Sequence[OwnServer], rng: Random, proxy: tuple[str, ssl.SSLContext] | None = None
    ) -> None:
        """`proxy`: its address, by which all come, and whom it may be; None: to the nodes."""
        self.mistakes: list[Mistake] = []
        self.counted = Counter[str]()
        self.tables: list[NodeTable] = []
        self.ways_back: list[float] = []
        self._nodes = nodes
        self._rng = rng
        self._proxy = proxy
        self._over = False

    def open(self, count: int, games: Sequence[str]) -> None:
        """Open the rooms, each by another node."""
        for n in range(count):
            server = self._nodes[n % len(self._nodes)]
            self.tables.append(NodeTable(server, games[n % len(games)], self._rng))

    async def play(self, accidents: Sequence[Accident], answers: int) -> None:
        """Let people play through these accidents, with so many answers in each room before each and after the last."""
        staying = [asyncio.create_task(self._stay(player, table)) for table in self.tables for player in table.players]
        looking = asyncio.create_task(self._look_at_pages())
        try:
            for number, accident in enumerate((*accidents, None), 1):
                async with asyncio.timeout(PATIENCE):
                    await self._all_go_on(answers)
                if accident is not None:
                    await asyncio.to_thread(accident)
                    click.echo(f"accident {number:3}: {sum(table.answers for table in self.tables):7} answers so far")
        finally:
            self._over = True
            for task in staying:
                task.cancel()
            looking.cancel()
            await asyncio.gather(*staying, looking, return_exceptions=True)
        self.ways_back = [way for table in self.tables for player in table.players for way in player.ways_back]

    async def compare(self, database: str) -> None:
        """Hold all that was told against the logs."""
        async with visiting(database) as store:
            for table in self.tables:
                for player in table.players:
                    self.counted["answers"] += len(player.told.answers)
                    self.counted["pictures"] += len(player.told.shown)
                entries = await store.log.read(table.room, 0)
                self.counted["entries"] += len(entries)
                self.mistakes += table.log.compare(entries)

    async def _all_go_on(self, answers: int) -> None:
        """Wait until each room has had so many more answers."""
        await asyncio.gather(*(table.more(answers) for table in self.tables))

    async def _stay(self, player: NodePlayer, table: NodeTable) -> None:
        """Play; when the line ends, come back, to the next node if this one shows nothing."""
        ways, tls = self._ways(table.room), None if self._proxy is None else self._proxy[1]
        way = next(ways)
        while not self._over:
            shown = len(player.told.shown)
            await player.play(f"{way}{table.path}", tls)
            if player.gone_since is None:
                player.gone_since = time.monotonic()
            if len(player.told.shown) == shown:
                way = next(ways)
            await asyncio.sleep(RETRY)

    def _ways(self, room: str) -> Iterator[str]:
        """Addresses to try for a room, for ever: the same node first for all its people."""
        if self._proxy is not None:
            ways = [f"ws{self._proxy[0].removeprefix('http')}"]
        else:
            ways = sorted(
                (f"ws://127.0.0.1:{node.port}" for node in self._nodes),
                key=lambda way: hashlib.sha256(f"{way} {room}".encode()).digest(),
            )
        while True:
            yield from ways

    async def _look_at_pages(self) -> None:
        """Behind a proxy nobody may see an error page."""
        if self._proxy is None:
            return
        base, tls = self._proxy
        async with httpx2.AsyncClient(base_url=base, verify=tls, timeout=30) as browser:
            while not self._over:
                path = self._rng.choice(["/", "/rules", *(f"/r/{table.code}" for table in self.tables)])
                status = 0
                with suppress(httpx2.HTTPError):
                    status = (await browser.get(path, headers={"Accept": "text/html"})).status_code
                self.counted["pages"] += 1
                if status != 200:
                    self.counted["error pages"] += 1
                    click.echo(f"{path} was answered with {status}", err=True)
                await asyncio.sleep(PAGE_EVERY)

    def summary(self) -> str:
        """What was looked at, what was wrong, and how long it took."""
        found, ways = Counter(mistake.wrong for mistake in self.mistakes), self.ways_back or [0.0]
        longest = max(table.longest for table in self.tables)
        return (
            f"{self.counted['answers']} answers and {self.counted['pictures']} pictures beside "
            f"{self.counted['entries']} entries of {len(self.tables)} rooms: "
            f"{found['lost']} lost, {found['doubled']} doubled, {found['phantom']} phantom\n"
            f"{len(self.ways_back)} ways back: half within {statistics.median(ways):.1f} s, all within "
            f"{max(ways):.1f} s; no room stood still for more than {longest:.1f} s\n"
            f"{self.counted['pages']} pages, {self.counted['error pages']} of them errors"
        )


def survive(
    nodes: int, kills: int, rooms: int, answers: int, games: Sequence[str], seed: int, **given: str | None
) -> None:
    """Let so many accidents happen to so many nodes; status 1 if anything was lost, doubled or phantom.

    `given`: `database`, an empty PostgreSQL, and `restart`, the command that restarts it, or None.
    """
    database, restart = given["database"], given["restart"]
    if database is None or not database.startswith("postgres"):
        raise click.UsageError("Several nodes share a PostgreSQL: give the address of an empty one with --database.")
    rng, servers = Random(seed), [OwnServer(database, RETRY_MS="100") for _ in range(nodes)]
    soak = NodeSoak(servers, rng)
    try:
        for server in servers:
            server.start()
        soak.open(rooms, games)
        kinds = [kill, stop, *([] if restart is None else [lambda _: restart_database(restart)])]
        accidents = [_of(kinds[n % len(kinds)], rng.choice(servers)) for n in range(kills)]
        asyncio.run(soak.play(accidents, answers))
    finally:
        for server in servers:
            server.stop()
    asyncio.run(soak.compare(database))
    differences = books(database)
    for mistake in soak.mistakes[:_SHOWN]:
        click.echo(f"{mistake.wrong}: {mistake.what}", err=True)
    click.echo(f"{kills} accidents to {nodes} nodes. {soak.summary()}")
    click.echo(f"History and books: {len(differences)} rows are not as the logs say.")
    if soak.mistakes or differences:
        sys.exit(1)


def _of(kind: Callable[[OwnServer], None], server: OwnServer) -> Accident:
    return lambda: kind(server)


def kill(server: OwnServer) -> None:
    """One node dies this very moment, and is started again."""
    server.kill()
    server.start()


def stop(server: OwnServer) -> None:
    """One node is told to stop, as for an upgrade, and is started again."""
    server.stop()
    server.start()


def restart_database(command: str) -> None:
    """Have the database stopped and started."""
    subprocess.run(command, shell=True, check=True)  # noqa: S602  whoever runs this gave it
