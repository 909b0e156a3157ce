"""`python -m tools soak --kills --nodes`: kill or stop nodes on one PostgreSQL during play, and check the logs.

The database may be restarted as well. Players who lose their connection must be able to play on, if necessary at
another node. Each player connects to a node chosen by a hash of the room, as a proxy would choose, and to the next node
if that fails. Alternatively, all players connect through a proxy. Answers and views are compared with the logs as in
kill_server.py.
"""

import asyncio
import hashlib
import ssl
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any, Final, TypeAlias

import click
import httpx2
from websockets.asyncio.client import ClientConnection

from app.rooms.views.delta import VERSION
from app.store.store import open_beside_server
from tools.crashes.kill_server import NAMES, CrashPlayer, find_rebuild_differences
from tools.crashes.log_check import LogChecker, LogMismatch, PlayerTranscript
from tools.local_server.server_process import LocalServer

Accident: TypeAlias = Callable[[], None]
"""A function that breaks a node or the database during play, and returns when it is running again."""
PATIENCE: Final = 120.0
"""Seconds without enough answers in a room after which the test fails."""
RETRY: Final = 0.1
"""Seconds before a player reconnects after losing the connection without a goodbye."""
PAGE_EVERY: Final = 0.1
_SHOWN: Final = 20


class NodePlayer(CrashPlayer):
    """A player of a crash test that reconnects to any node, and records the duration of each reconnection.

    `disconnected_at` is the time at which the connection was lost; None while connected.
    """

    disconnected_at: float | None = None

    def __init__(
        self, told: PlayerTranscript, token: str, *, host: bool, rng: Random, answered: Callable[[], None]
    ) -> None:
        super().__init__(told, token, host=host, rng=rng, answered=answered)
        self.reconnect_times: list[float] = []
        self.retry_seconds = RETRY
        """Seconds before the next connection: as the server's goodbye says, if it said one."""
        self.accepted = 0
        """Number of commands that the server has accepted, and so has stored."""
        self.think_seconds = 0.0
        """Seconds before each command."""
        self.may_send = asyncio.Event()
        """Cleared while the player sends nothing."""
        self.may_send.set()

    async def _send_pending(self, socket: ClientConnection) -> None:
        await self.may_send.wait()
        if self.think_seconds and self._pending_command is not None:
            await asyncio.sleep(self.think_seconds)
        await super()._send_pending(socket)

    def _handle_message(self, message: dict[str, Any]) -> bool:
        if self.disconnected_at is not None and message["t"] == "update":
            self.reconnect_times.append(time.monotonic() - self.disconnected_at)
            self.disconnected_at = None
        if message["t"] == "goodbye":
            self.retry_seconds = message.get("retry_ms", 1000 * RETRY) / 1000
        self.accepted += message["t"] == "answer" and message["ok"]
        return super()._handle_message(message)


class NodeRoom:
    """One room of a crash test with several nodes: its players, the check of its log, and the times of answers."""

    def __init__(self, server: LocalServer, game: str, rng: Random) -> None:
        tokens = [server.post("/api/people", {})["token"] for _ in NAMES]
        opened = server.post("/api/rooms", {"name": NAMES[0], "game": game}, tokens[0])
        self.code, self.room = opened["code"], opened["room"]
        self.path = f"/ws/{self.code}?room={self.room}&protocol={VERSION}"
        self.players = [
            NodePlayer(PlayerTranscript(name), token, host=name == NAMES[0], rng=rng, answered=self._record_answer)
            for name, token in zip(NAMES, tokens, strict=True)
        ]
        self.log = LogChecker([player.told for player in self.players])
        self.answers = 0
        self._news = asyncio.Event()
        self.longest_pause = 0.0
        """Longest time between two answers in the room, in seconds."""
        self._last: float | None = None

    def _record_answer(self) -> None:
        now = time.monotonic()
        if self._last is not None:
            self.longest_pause = max(self.longest_pause, now - self._last)
        self._last, self.answers = now, self.answers + 1
        self._news.set()

    async def wait_for_answers(self, answers: int) -> None:
        """Wait until the room has had `answers` more answers from the server."""
        enough = self.answers + answers
        while self.answers < enough:
            self._news.clear()
            await self._news.wait()

    async def wait_for_accepted(self, commands: int) -> None:
        """Wait until the server has accepted this number of further commands in the room."""
        enough = sum(player.accepted for player in self.players) + commands
        while sum(player.accepted for player in self.players) < enough:
            self._news.clear()
            await self._news.wait()


class NodeSoak:
    """A crash test of several nodes: it plays in rooms spread over them, and counts mismatches with the logs."""

    def __init__(
        self, nodes: Sequence[LocalServer], rng: Random, proxy: tuple[str, ssl.SSLContext] | None = None
    ) -> None:
        """`proxy`: address and TLS context of a proxy for all players; None to connect to the nodes directly."""
        self.mismatches: list[LogMismatch] = []
        self.counters = Counter[str]()
        self.tables: list[NodeRoom] = []
        self.reconnect_times: list[float] = []
        self._nodes = nodes
        self._rng = rng
        self._proxy = proxy
        self._over = False

    def open_rooms(self, count: int, games: Sequence[str]) -> None:
        """Open `count` rooms of the crash test, with nodes and games in turn."""
        for n in range(count):
            server = self._nodes[n % len(self._nodes)]
            self.tables.append(NodeRoom(server, games[n % len(games)], self._rng))

    async def play_through_accidents(self, accidents: Sequence[Accident], answers: int) -> None:
        """Play in all rooms while accidents happen, such as the kill of a node.

        Each room gets `answers` answers before each accident and after the last. Raises `TimeoutError` if a room does
        not get them within `PATIENCE` seconds.
        """
        async with self.playing():
            for number, accident in enumerate((*accidents, None), 1):
                async with asyncio.timeout(PATIENCE):
                    await self._wait_for_answers_in_all_rooms(answers)
                if accident is not None:
                    await asyncio.to_thread(accident)
                    click.echo(f"accident {number:3}: {sum(table.answers for table in self.tables):7} answers so far")

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Let people play in all rooms, and visitors request pages, during an `async with` block."""
        tasks = [
            *(self._keep_player_connected(player, table) for table in self.tables for player in table.players),
            self._poll_pages(),
        ]
        running = [asyncio.create_task(task) for task in tasks]
        try:
            yield
        finally:
            self._over = True
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
        self.reconnect_times = [
            way for table in self.tables for player in table.players for way in player.reconnect_times
        ]

    async def compare_with_logs(self, database: str) -> None:
        """Compare all answers and views that players got with the logs of the rooms; store mismatches and counts.

        `database` is the database's URL.
        """
        async with open_beside_server(database) as store:
            for table in self.tables:
                for player in table.players:
                    self.counters["answers"] += len(player.told.answers)
                    self.counters["pictures"] += len(player.told.shown_views)
                entries = await store.log.read(table.room, 0)
                self.counters["entries"] += len(entries)
                self.mismatches += table.log.find_mismatches(entries)

    async def _wait_for_answers_in_all_rooms(self, answers: int) -> None:
        """Wait until each room of the crash test has had `answers` more answers."""
        await asyncio.gather(*(table.wait_for_answers(answers) for table in self.tables))

    async def _keep_player_connected(self, player: NodePlayer, table: NodeRoom) -> None:
        """Let a player play, and reconnect after each lost connection, until the test is over.

        Changes to the next node if the last one sent no view.
        """
        ways, tls = self._server_addresses(table.room), None if self._proxy is None else self._proxy[1]
        way = next(ways)
        while not self._over:
            shown = len(player.told.shown_views)
            await player.play(f"{way}{table.path}", tls)
            if player.disconnected_at is None:
                player.disconnected_at = time.monotonic()
            if len(player.told.shown_views) == shown:
                way = next(ways)
            await asyncio.sleep(player.retry_seconds)
            player.retry_seconds = RETRY

    def _server_addresses(self, room: str) -> Iterator[str]:
        """Yield addresses of nodes to try for a room, endlessly, in an order that is the same for all its players.

        With a proxy, its address is yielded each time.
        """
        if self._proxy is not None:
            ways = [f"ws{self._proxy[0].removeprefix('http')}"]
        else:
            ways = sorted(
                (f"ws://127.0.0.1:{node.port}" for node in self._nodes),
                key=lambda way: hashlib.sha256(f"{way} {room}".encode()).digest(),
            )
        while True:
            yield from ways

    async def _poll_pages(self) -> None:
        """Request pages through the proxy until the test is over, and count error pages, which must not occur.

        Does nothing without a proxy.
        """
        if self._proxy is None:
            return
        base, tls = self._proxy
        async with httpx2.AsyncClient(base_url=base, verify=tls, timeout=30) as browser:
            while not self._over:
                path = self._rng.choice(["/", "/rules", *(f"/r/{table.code}" for table in self.tables)])
                status = 0
                with suppress(httpx2.HTTPError):
                    status = (await browser.get(path, headers={"Accept": "text/html"})).status_code
                self.counters["pages"] += 1
                if status != 200:
                    self.counters["error pages"] += 1
                    click.echo(f"{path} was answered with {status}", err=True)
                await asyncio.sleep(PAGE_EVERY)

    def summary(self) -> str:
        """Return text with the crash test's numbers of compared items, mismatches, reconnections and pages."""
        found, ways = Counter(mistake.kind for mistake in self.mismatches), self.reconnect_times or [0.0]
        longest = max(table.longest_pause for table in self.tables)
        return (
            f"{self.counters['answers']} answers and {self.counters['pictures']} pictures beside "
            f"{self.counters['entries']} entries of {len(self.tables)} rooms: "
            f"{found['lost']} lost, {found['doubled']} doubled, {found['phantom']} phantom\n"
            f"{len(self.reconnect_times)} ways back: half within {statistics.median(ways):.1f} s, all within "
            f"{max(ways):.1f} s; no room stood still for more than {longest:.1f} s\n"
            f"{self.counters['pages']} pages, {self.counters['error pages']} of them errors"
        )


def run_node_crash_test(
    nodes: int, kills: int, rooms: int, answers: int, games: Sequence[str], seed: int, **given: str | None
) -> None:
    """Run a crash test with `kills` accidents on `nodes` nodes; exit with status 1 on any mismatch.

    `answers`: answers in each room between accidents. `given`: `database`, the URL of an empty PostgreSQL database, and
    `restart`, the command that restarts it, or None.
    """
    database, restart = given["database"], given["restart"]
    if database is None or not database.startswith("postgres"):
        raise click.UsageError("Several nodes share a PostgreSQL: give the address of an empty one with --database.")
    rng, servers = Random(seed), [LocalServer(database, RETRY_MS="100") for _ in range(nodes)]
    soak = NodeSoak(servers, rng)
    try:
        for server in servers:
            server.start()
        soak.open_rooms(rooms, games)
        kinds = [
            kill_and_restart,
            stop_and_restart,
            *([] if restart is None else [lambda _: restart_database(restart)]),
        ]
        accidents = [_accident_on(kinds[n % len(kinds)], rng.choice(servers)) for n in range(kills)]
        asyncio.run(soak.play_through_accidents(accidents, answers))
    finally:
        for server in servers:
            server.stop()
    asyncio.run(soak.compare_with_logs(database))
    differences = find_rebuild_differences(database)
    for mistake in soak.mismatches[:_SHOWN]:
        click.echo(f"{mistake.kind}: {mistake.description}", err=True)
    click.echo(f"{kills} accidents to {nodes} nodes. {soak.summary()}")
    click.echo(f"History and books: {len(differences)} rows are not as the logs say.")
    if soak.mismatches or differences:
        sys.exit(1)


def _accident_on(kind: Callable[[LocalServer], None], server: LocalServer) -> Accident:
    return lambda: kind(server)


def kill_and_restart(server: LocalServer) -> None:
    """Kill one server of several at once (SIGKILL), and start it again, as an accident in a crash test."""
    server.kill()
    server.start()


def stop_and_restart(server: LocalServer) -> None:
    """Stop one server of several cleanly, as for an upgrade, and start it again, as an accident in a crash test."""
    server.stop()
    server.start()


def restart_database(command: str) -> None:
    """Run the shell command that restarts the database, as an accident in a crash test.

    Raises `CalledProcessError` if it fails.
    """
    subprocess.run(command, shell=True, check=True)  # noqa: S602  the command comes from the operator
