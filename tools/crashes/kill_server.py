"""`python -m tools soak --kills`: kill a server during play, and compare its logs with what it told the players.

Players on real connections play as fast as the server answers. At random moments the server gets SIGKILL and is started
again. The logs are compared with all answers and views that the players got (`log_check.py`). Then the players
reconnect, send unanswered commands again, and play on. At the end, history and statistics must match the logs.

Only the process dies here. Power cuts, with data lost from the disk, are tested in `power_loss.py`.
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
from app.store.db.file_lock import lock_database_file
from app.store.maintenance.rebuild import Difference, rebuild
from app.store.store import open_beside_server
from tools.crashes.log_check import UNDECIDED, LogChecker, LogMismatch, PlayerTranscript
from tools.local_server.client_view import add_reference_fields, merge_update
from tools.local_server.server_process import LocalServer, running_server

NAMES: Final = ("Ana", "Bob", "Cat", "Dan")
PATIENCE: Final = 60.0
"""Seconds after which the server is killed even if it has given too few answers."""
_MOMENT: Final = 0.03
_SHOWN: Final = 20
"""Largest number of mismatches that are printed one by one."""


def run_server_crash_test(
    kills: int, count: int, most: int, games: Sequence[str], seed: int, database: str | None
) -> None:
    """Run a crash test: kill the server `kills` times while `count` rooms play; exit with status 1 on any mismatch.

    Before each kill, the server gives a random number of answers, up to `most`. Rooms play the games in turn. A
    `database` of None means a new SQLite file.
    """
    with running_server(database) as server:
        soak = CrashSoak(server, Random(seed))
        soak.open_rooms(count, games)
        asyncio.run(soak.kill_repeatedly(kills, most))
        server.stop()
        differences = find_rebuild_differences(server.database)
    for mistake in soak.mismatches[:_SHOWN]:
        click.echo(f"{mistake.kind}: {mistake.description}", err=True)
    for difference in differences[:_SHOWN]:
        click.echo(str(difference), err=True)
    click.echo(soak.summary(kills))
    click.echo(f"History and books: {len(differences)} rows are not as the logs say.")
    if soak.mismatches or differences:
        sys.exit(1)
    if not soak.counters["actions"]:
        sys.exit("Nothing was played: the server needs to live longer (--answers).")


def find_rebuild_differences(database: str) -> list[Difference]:
    """Return the rows of history and statistics that differ from a rebuild from the logs; nothing is changed.

    After a crash there should be none. `database` is the database's URL.
    """
    found: list[Difference] = []
    with lock_database_file(database):
        rebuild(database, check=True, on_difference=found.append)
    return found


class CrashPlayer:
    """A player of a crash test: it sends random legal actions and records what it sends and gets.

    After a crash it reconnects and sends unanswered commands again.
    """

    def __init__(
        self, told: PlayerTranscript, token: str, *, host: bool, rng: Random, answered: Callable[[], None]
    ) -> None:
        self.told = told
        self._answered = answered
        self._token = token
        self._host = host
        self._rng = rng
        self._current_view: dict[str, Any] | None = None
        self._last_acted_seq = -1
        """Views up to this seq don't show the result of the last command."""
        self._pending_command: dict[str, Any] | None = None
        """The command without a final answer, or None."""
        self.seqs = defaultdict[int, list[int]](list)
        """By local port, for each received message, the seq of the log entry it acknowledges, or 0."""
        if not host:  # the host already has a name in the room
            self._prepare_command("join", name=told.name)

    async def play(self, address: str, tls: SSLContext | None = None) -> None:
        """Connect to the server and play until the connection ends, by a crash or otherwise.

        `tls`: trusted certificates for a wss address.
        """
        headers = {"Authorization": f"Bearer {self._token}"}
        with suppress(OSError, WebSocketException):
            async with connect(address, additional_headers=headers, compression=None, proxy=None, ssl=tls) as socket:
                await self._send_pending(socket)
                seqs = self.seqs[socket.local_address[1]]
                async for frame in socket:
                    message = json.loads(frame)
                    seqs.append(message.get("seq", 0) if message.get("ok", True) else 0)
                    if self._handle_message(message):
                        await self._send_pending(socket)

    async def _send_pending(self, socket: ClientConnection) -> None:
        if self._pending_command is not None:
            await socket.send(json.dumps(self._pending_command))

    def _handle_message(self, message: dict[str, Any]) -> bool:
        """Record a message from the server, and return whether a command is to be sent now.

        That is a new command, or one that was answered as undecided.
        """
        if message["t"] == "update":
            self._current_view = merge_update(self._current_view, message)
            self.told.shown_views.append(self._current_view)
        elif message["t"] == "answer":
            self.told.answers.append(message)
            if message.get("code") in UNDECIDED:
                return True
            self._answered()
            self._pending_command = None
            # Older views don't show the action yet. After a refusal, any view may be used again.
            self._last_acted_seq = max(self._last_acted_seq, message["seq"] - 1) if message["ok"] else -1
        if self._pending_command is None:
            self._choose_command()
            return self._pending_command is not None
        return False

    def _choose_command(self) -> None:
        picture = self._current_view
        if picture is None or picture["seq"] <= self._last_acted_seq:
            return
        legal, phase = picture["you"].get("legal", ()), picture["room"]["phase"]
        if self._host and phase == "between_hands" and (not legal or self._rng.random() < 0.5):
            self._prepare_command("deal_next")
        elif legal:
            self._prepare_command("act", action=self._rng.choice(legal))
        elif self._host and phase == "finished":
            self._prepare_command("rematch")
        elif self._host and phase == "lobby" and len(picture["room"]["people"]) == len(NAMES):
            self._prepare_command("start")
        if self._pending_command is not None:
            self._last_acted_seq = picture["seq"]

    def _prepare_command(self, t: str, **fields: Any) -> None:
        number = f"{self.told.name}-{len(self.told.commands)}"
        asked = {"t": t, "id": number, **fields}
        self._pending_command = self.told.commands[number] = (
            asked if self._current_view is None else add_reference_fields(self._current_view, asked)
        )


class CrashRoom:
    """One room of a crash test, with its four players and the check of its log."""

    def __init__(self, server: LocalServer, game: str, rng: Random, answered: Callable[[], None]) -> None:
        tokens = [server.post("/api/people", {})["token"] for _ in NAMES]
        self.code = server.post("/api/rooms", {"name": NAMES[0], "game": game}, tokens[0])["code"]
        self.address = f"ws://127.0.0.1:{server.port}/ws/{self.code}?protocol={VERSION}"
        self.players = [
            CrashPlayer(PlayerTranscript(name), token, host=name == NAMES[0], rng=rng, answered=answered)
            for name, token in zip(NAMES, tokens, strict=True)
        ]
        self.log = LogChecker([player.told for player in self.players])


class CrashSoak:
    """A crash test of one server: it plays in rooms, kills the server, and counts mismatches with the logs."""

    def __init__(self, server: LocalServer, rng: Random) -> None:
        self.mismatches: list[LogMismatch] = []
        self.counters = Counter[str]()
        self._server = server
        self._rng = rng
        self._tables: list[CrashRoom] = []
        self._answers_left = 0
        self._enough_answers = asyncio.Event()

    def open_rooms(self, count: int, games: Sequence[str]) -> None:
        """Open `count` rooms of the crash test, with the games in turn."""
        for n in range(count):
            self._tables.append(CrashRoom(self._server, games[n % len(games)], self._rng, self._count_answer))

    def _count_answer(self) -> None:
        self._answers_left -= 1
        if self._answers_left <= 0:
            self._enough_answers.set()

    async def kill_repeatedly(self, kills: int, most: int) -> None:
        """Play, kill the server, restart it and compare with the logs, `kills` times.

        Before each kill, the server gives a random number of answers to players' actions, up to `most`.
        """
        for number in range(1, kills + 1):
            self._answers_left = self._rng.randint(1, most)
            self._enough_answers.clear()
            playing = [player.play(table.address) for table in self._tables for player in table.players]
            await asyncio.gather(*playing, self._kill_after_answers())
            await asyncio.to_thread(self._server.start)
            before = self.counters["answers"], self.counters["pictures"]
            await self._compare_with_logs()
            click.echo(
                f"kill {number:3}: {self.counters['answers'] - before[0]:6} answers, "
                f"{self.counters['pictures'] - before[1]:6} pictures, {len(self.mismatches)} mistakes"
            )

    async def _kill_after_answers(self) -> None:
        """Kill the server up to `_MOMENT` seconds after enough answers, so that it may be busy with anything.

        Players' actions are answered meanwhile. Without enough answers within `PATIENCE` seconds, it is killed all the
        same.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self._enough_answers.wait()
        await asyncio.sleep(self._rng.uniform(0, _MOMENT))
        self._server.kill()

    async def _compare_with_logs(self) -> None:
        async with open_beside_server(self._server.database) as store:
            for table in self._tables:
                lead = await store.log.by_code(table.code)
                if lead is None:
                    self.mismatches.append(LogMismatch("lost", f"room {table.code}, which was opened"))
                    continue
                for player in table.players:
                    self.counters["answers"] += len(player.told.answers)
                    self.counters["pictures"] += len(player.told.shown_views)
                entries = await store.log.read(lead.room, table.log.room.seq)
                self.counters["entries"] += len(entries)
                self.counters["actions"] += sum(entry.kind == "acted" for entry in entries)
                self.mismatches += table.log.find_mismatches(entries)

    def summary(self, kills: int) -> str:
        """Return one line with the crash test's numbers of compared items and mismatches.

        `kills` is the number of kills so far.
        """
        found = Counter(mistake.kind for mistake in self.mismatches)
        return (
            f"{kills} kills: {self.counters['answers']} answers and {self.counters['pictures']} pictures beside "
            f"{self.counters['entries']} entries ({self.counters['actions']} actions): "
            f"{found['lost']} lost, {found['doubled']} doubled, {found['phantom']} phantom"
        )
