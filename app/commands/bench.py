"""`pecking-order bench rooms`: what a server carries, measured from outside over real sockets.

The server is a process of its own, started like any other: uvloop, SQLite with `synchronous=FULL` in a new file (or the
database given). Every seat is a socket that plays a random legal action when it is its turn. Measured is the time from
sending a command until the last seat of that room has the update that shows it; by then it is on the disk.
"""

import asyncio
import http.client
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import click

WARM_UP = 2.0
"""Seconds that do not count."""
NAMES = ("Ana", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")
_MASK = b"\0\0\0\0"


@click.command()
@click.option("--rooms", "count", default=50, show_default=True, help="Rooms that play at the same time.")
@click.option("--seconds", default=10.0, show_default=True, help="How long, after warming up.")
@click.option("--rate", default=0.0, show_default=True, help="Actions per second in all; 0: as fast as it goes.")
@click.option("--seats", default=4, show_default=True, help="People in each room.")
@click.option("--game", default="president", show_default=True)
@click.option("--database", help="DATABASE_URL; a new SQLite file if left out.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def rooms(count: int, seconds: float, rate: float, seats: int, game: str, database: str | None, as_json: bool) -> None:
    """Start a server and let bots play over real sockets."""
    try:
        from uvloop import new_event_loop as new_loop
    except ImportError:
        new_loop = asyncio.new_event_loop  # type: ignore[assignment]
    with _server(database) as (port, process):
        bench = Bench(port, count, seats, game, rate)
        with asyncio.Runner(loop_factory=new_loop) as runner:
            runner.run(bench.run(seconds, lambda: _cpu_seconds(process.pid)))
    result = bench.result()
    if as_json:
        click.echo(json.dumps(result))
        return
    pace = "as fast as it goes" if not rate else f"{rate:g} actions/s asked for"
    click.echo(f"{count} rooms of {seats}, {game}, {pace}, {result['seconds']:.0f} seconds")
    click.echo(
        f"  {result['actions_per_second']:.0f} accepted actions per second ({result['updates_per_second']:.0f} updates)"
    )
    click.echo(f"  p50 {result['p50_ms']:.1f} ms, p99 {result['p99_ms']:.1f} ms from command to the last seat’s update")
    if result["server_ms_per_action"] is not None:
        click.echo(
            f"  {result['server_ms_per_action']:.2f} ms of a core in the server for each action; "
            f"it used {result['server_cpu']:.0%} of one, the bots {result['bots_cpu']:.0%}"
        )
    for code, number in result["refused"].items():
        click.echo(f"  refused: {number} × {code}")


@contextmanager
def _server(database: str | None) -> Iterator[tuple[int, "subprocess.Popen[bytes]"]]:
    """A server of our own that lets one address do as much as it likes."""
    with tempfile.TemporaryDirectory(prefix="pecking-order-bench-") as folder:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        many = str(10**7)
        limits = (
            "MESSAGES_PER_SECOND", "MESSAGES_AT_ONCE", "SOCKETS", "SOCKETS_PER_ADDRESS", "HANDSHAKES_PER_MINUTE",
            "REQUESTS_PER_MINUTE", "CHANGES_PER_MINUTE", "ROOMS_PER_HOUR", "PEOPLE_PER_HOUR",
        )  # fmt: skip
        environment = {
            **os.environ,
            **{f"PECKING_ORDER_LIMITS__{name}": many for name in limits},
            "DATABASE_URL": database or f"sqlite:///{Path(folder) / 'bench.sqlite3'}",
            "PECKING_ORDER_LOG_LEVEL": "warning",
        }
        command = [sys.executable, "-m", "app", "serve", "--quiet", "--host", "127.0.0.1", "--port", str(port)]
        with subprocess.Popen(command, env=environment, cwd=Path(__file__).parents[2]) as process:  # noqa: S603
            try:
                _wait_until_ready(port, process)
                yield port, process
            finally:
                process.terminate()


def _wait_until_ready(port: int, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        if process.poll() is not None:
            raise click.ClickException("The server did not start.")
        try:
            if _request(port, "GET", "/readyz")[0] == 200:
                return
        except OSError:
            pass
        time.sleep(0.05)
    raise click.ClickException("The server does not become ready.")


def _request(port: int, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, bytes]:
    """(status, body)."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        headers = {"Content-Type": "application/json"} if body is not None else {}
        headers |= {"Authorization": f"Bearer {token}"} if token is not None else {}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def _cpu_seconds(pid: int) -> float | None:
    """What a process has used of the processor so far, where the system tells."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Seat(asyncio.Protocol):
    """One socket: as little work as possible, for it shares the machine with what it measures."""

    def __init__(self, table: "Table", name: str, head: bytes) -> None:
        self.table = table
        self.name = name
        self.seen: deque[tuple[int, float]] = deque([(0, 0.0)], maxlen=16)
        """(seq, when) of the last updates."""
        self._head = head
        self._open = False
        self._buffer = bytearray()
        self.transport: asyncio.Transport | None = None
        self.joined = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Shake hands."""
        self.transport = cast("asyncio.Transport", transport)  # uvloop's is one, but no subclass
        self.transport.write(self._head)

    def connection_lost(self, exc: Exception | None) -> None:
        """The end."""
        self.transport = None

    def data_received(self, data: bytes) -> None:
        """Frames of the server: never masked, never in pieces."""
        buffer = self._buffer
        buffer += data
        if not self._open:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if not buffer.startswith(b"HTTP/1.1 101"):
                raise click.ClickException(f"No socket: {bytes(buffer[:end]).decode()}")
            del buffer[: end + 4]
            self._open = True
            self.say({"t": "join", "name": self.name, "id": "join"})
        while len(buffer) >= 2:
            length, start = buffer[1], 2
            if length == 126:
                length, start = int.from_bytes(buffer[2:4]), 4
            elif length == 127:
                length, start = int.from_bytes(buffer[2:10]), 10
            if len(buffer) < start + length:
                return
            opcode, payload = buffer[0] & 15, bytes(buffer[start : start + length])
            del buffer[: start + length]
            if opcode == 1:
                self.table.heard(self, payload)
            elif opcode == 9:
                self._frame(10, payload)

    def say(self, message: dict[str, Any]) -> None:
        """Send a message."""
        self._frame(1, json.dumps(message).encode())

    def _frame(self, opcode: int, payload: bytes) -> None:
        length = len(payload)
        head = bytes((128 | opcode, 128 | length)) if length < 126 else bytes((128 | opcode, 254)) + length.to_bytes(2)
        if self.transport is not None:
            self.transport.write(head + _MASK + payload)  # masked with zeros: the same bytes


class Table:
    """One room and its seats."""

    def __init__(self, bench: "Bench", code: str) -> None:
        self.bench = bench
        self.code = code
        self.seats: list[Seat] = []
        self._sent: dict[str, float] = {}
        self._accepted: list[tuple[int, float]] = []
        """(seq, when it was sent) of actions that not every seat has seen."""
        self._acted: dict[str, int] = {}
        self._next_at = 0.0
        self._count = 0

    def heard(self, seat: Seat, frame: bytes) -> None:
        """A frame came."""
        now = time.perf_counter()
        if frame.startswith(b'{"t":"update"'):
            self.bench.updates += 1
            seq = int(frame[20 : frame.index(b",", 20)])
            seat.seen.append((seq, now))
            self._seen()
            self._play(seat, seq, frame, now)
        else:
            self._answered(seat, json.loads(frame), now)

    def _play(self, seat: Seat, seq: int, frame: bytes, now: float) -> None:
        if self._acted.get(seat.name, -1) >= seq:
            return
        if b'"legal":[{' in frame:
            legal = json.loads(frame)["you"]["legal"]
            self._acted[seat.name] = seq
            self._later(seat, {"t": "act", "action": self.bench.rng.choice(legal)}, now)
        elif seat is self.seats[0] and b'"phase":"pause"' in frame:
            self._acted[seat.name] = seq
            self._later(seat, {"t": "next"}, now)
        elif seat is self.seats[0] and b'"phase":"finished"' in frame:
            self._acted[seat.name] = seq
            self._later(seat, {"t": "rematch"}, now)
        elif seat is self.seats[0] and b'"phase":"lobby"' in frame and seq > 10 * len(self.seats):
            self._acted[seat.name] = seq  # after a rematch
            self._later(seat, {"t": "start"}, now)

    def _later(self, seat: Seat, message: dict[str, Any], now: float) -> None:
        pause = self.bench.pause
        if not pause:
            self._say(seat, message)
            return
        self._next_at = max(now, self._next_at + pause)
        asyncio.get_running_loop().call_later(self._next_at - now, self._say, seat, message)

    def _say(self, seat: Seat, message: dict[str, Any]) -> None:
        self._count += 1
        message_id = f"b{self._count}"
        if message["t"] == "act":
            self._sent[message_id] = time.perf_counter()
        seat.say({**message, "id": message_id})

    def _answered(self, seat: Seat, answer: dict[str, Any], now: float) -> None:
        if answer["t"] != "answer" or answer["id"] == "join":
            seat.joined.set()
            return
        sent = self._sent.pop(answer["id"], None)
        if not answer["ok"]:
            self.bench.refused[answer["code"]] += 1
            self._acted.pop(seat.name, None)
        elif sent is not None:
            self.bench.actions += 1
            self._accepted.append((answer["seq"], sent))
            self._seen()

    def _seen(self) -> None:
        if not self._accepted:
            return
        low = min(seat.seen[-1][0] for seat in self.seats)
        waiting = []
        for seq, sent in self._accepted:
            if seq > low:
                waiting.append((seq, sent))
                continue
            last = max(next((when for at, when in seat.seen if at >= seq), sent) for seat in self.seats)
            self.bench.latencies.append(last - sent)
        self._accepted = waiting


class Bench:
    """All tables, and what was counted."""

    def __init__(self, port: int, count: int, seats: int, game: str, rate: float) -> None:
        self.rng = random.Random(7)
        self.pause = count / rate if rate else 0.0
        self.actions = 0
        self.updates = 0
        self.latencies: list[float] = []
        self.refused: Counter[str] = Counter()
        self._port = port
        self._count = count
        self._names = NAMES[:seats]
        self._game = game
        self._seconds = 0.0
        self._server_cpu: float | None = None
        self._bots_cpu = 0.0

    async def run(self, seconds: float, server_cpu: Any) -> None:
        """Open the rooms, play, count."""
        tables = [await self._open(n) for n in range(self._count)]
        for table in tables:  # all are there: the next thing that happens starts the match
            table.seats[0].say({"t": "start", "id": "start"})
        await asyncio.sleep(WARM_UP)
        self.actions = self.updates = 0
        self.latencies.clear()
        self.refused.clear()
        began, cpu, own = time.perf_counter(), server_cpu(), time.process_time()
        await asyncio.sleep(seconds)
        self._seconds = time.perf_counter() - began
        self._bots_cpu = (time.process_time() - own) / self._seconds
        if cpu is not None:
            self._server_cpu = (server_cpu() - cpu) / self._seconds
        self._result = self._counted()
        for table in tables:
            for seat in table.seats:
                if seat.transport is not None:
                    seat.transport.abort()

    async def _open(self, number: int) -> Table:
        loop = asyncio.get_running_loop()
        tokens = [(await self._post("/api/people", {}))["token"] for _ in self._names]
        asked = {"name": self._names[0], "game": self._game}
        table = Table(self, (await self._post("/api/rooms", asked, tokens[0]))["code"])
        for name, token in zip(self._names, tokens, strict=True):
            head = (
                f"GET /ws/{table.code} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nAuthorization: Bearer {token}\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                f"Sec-WebSocket-Key: {b64encode(self.rng.randbytes(16)).decode()}\r\n\r\n"
            )
            seat = Seat(table, name, head.encode())
            await loop.create_connection(lambda seat=seat: seat, "127.0.0.1", self._port)  # type: ignore[misc]
            table.seats.append(seat)
            async with asyncio.timeout(30):
                await seat.joined.wait()
        return table

    async def _post(self, path: str, body: Any, token: str | None = None) -> Any:
        status, answer = await asyncio.to_thread(_request, self._port, "POST", path, body, token)
        if status != 201:
            raise click.ClickException(f"{path}: {answer.decode()}")
        return json.loads(answer)

    def _counted(self) -> dict[str, Any]:
        times = sorted(self.latencies) or [float("nan")]
        return {
            "rooms": self._count,
            "seats": len(self._names),
            "seconds": round(self._seconds, 2),
            "actions_per_second": self.actions / self._seconds,
            "updates_per_second": self.updates / self._seconds,
            "p50_ms": times[len(times) // 2] * 1000,
            "p99_ms": times[min(len(times) - 1, len(times) * 99 // 100)] * 1000,
            "server_cpu": self._server_cpu,
            "server_ms_per_action": None
            if self._server_cpu is None or not self.actions
            else self._server_cpu * self._seconds / self.actions * 1000,
            "bots_cpu": self._bots_cpu,
            "refused": dict(self.refused),
        }

    def result(self) -> dict[str, Any]:
        """What was measured."""
        return self._result
