"""`python -m tools bench rooms`: what a server carries, measured from outside over real sockets.

Every seat is a socket that plays a random legal action when it is its turn. Measured is the time from sending a command
until the last seat of that room has the update that shows it; by then it is on the disk.
"""

import asyncio
import json
import random
import time
from base64 import b64encode
from collections import Counter, deque
from collections.abc import Sequence
from typing import Any, cast

import click

from app.rooms.views.delta import VERSION
from tools.bench.bots import between, counted, hold, rooms_a_core, thinkers_cpu, thinking
from tools.bench.report import SLOW, told
from tools.local_server.server_process import OwnServer, serving
from tools.local_server.system_info import cpu_seconds, environment, memory_kb

WARM_UP = 2.0
"""Seconds that do not count."""
NAMES = ("Ana", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")
HOST_ASKS = {"pause": "next", "finished": "rematch", "lobby": "start"}
"""What the host asks for, by the phase of the room."""
_MASK = b"\0\0\0\0"


@click.command()
@click.option("--rooms", "count", default=50, show_default=True, help="Rooms that play at the same time.")
@click.option("--seconds", default=10.0, show_default=True, help="How long, after warming up.")
@click.option("--rate", default=0.0, show_default=True, help="Actions per second in all; 0: as fast as it goes.")
@click.option("--seats", default=4, show_default=True, help="People in each room.")
@click.option("--bots", default="", help="Kind of bots that sit in each room, too, so that there are four.")
@click.option("--stuck", is_flag=True, help="Keep the processes from thinking that think for hard bots (Linux).")
@click.option("--game", default="president", show_default=True)
@click.option("--database", help="DATABASE_URL; a new SQLite file if left out.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def rooms(
    count: int,
    seconds: float,
    rate: float,
    seats: int,
    bots: str,
    stuck: bool,
    game: str,
    database: str | None,
    as_json: bool,
) -> None:
    """Start a server and let bots play over real sockets."""
    try:
        from uvloop import new_event_loop as new_loop
    except ImportError:
        new_loop = asyncio.new_event_loop  # type: ignore[assignment]
    with serving(database) as server:
        bench = Bench(server, count, seats, game, rate, [bots] * max(0, 4 - seats) if bots else [], stuck=stuck)
        with asyncio.Runner(loop_factory=new_loop) as runner:
            runner.run(bench.run(seconds))
        result = {**bench.result(), "environment": environment(server.database)}
    if as_json:
        click.echo(json.dumps(result))
        return
    pace = "as fast as it goes" if not rate else f"{rate:g} actions/s asked for"
    click.echo(f"{count} rooms of {seats}, {game}, {pace}, {result['seconds']:.0f} seconds")
    for line in told(result):
        click.echo(f"  {line}")


def host_asks(phase: str, commitment: str) -> dict[str, Any]:
    """Give what a host asks for in this phase, for the deal that this commitment names."""
    t = HOST_ASKS[phase]
    return {"t": t} if t == "rematch" else {"t": t, "commitment": commitment}


class BenchSeat(asyncio.Protocol):
    """One socket: as little work as possible, for it shares the machine with what it measures."""

    def __init__(self, table: "BenchTable", name: str, head: bytes) -> None:
        self.table = table
        self.name = name
        self.seen: deque[tuple[int, float]] = deque([(0, 0.0)], maxlen=16)
        """(seq, when) of the last updates."""
        self.legal: list[dict[str, Any]] = []
        """As told last: an update tells what has changed."""
        self.request: int | None = None
        """The number of what these actions answer."""
        self.commitment = ""
        """Names the next deal."""
        self.phase = ""
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
        """Note that the connection is gone."""
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
                self.table.bench.messages += 1
                self.table.bench.bytes += length
                self.table.heard(self, payload)
            elif opcode == 9:
                self._frame(10, payload)

    def see(self, frame: bytes) -> None:
        """Take in what an update tells. Few tell what is asked of this seat, so few are read to the end."""
        if not any(key in frame for key in (b'"legal":', b'"request":', b'"phase":', b'"commitment":')):
            return
        update = json.loads(frame)
        changed = update.get("changed", {})
        if "you" in update:
            self.legal, self.request = update["you"].get("legal", []), update["you"].get("request")
        you, room = changed.get("you", {}), {**update.get("room", {}), **changed.get("room", {})}
        self.legal, self.request = you.get("legal", self.legal), you.get("request", self.request)
        self.phase = room.get("phase", self.phase)
        self.commitment = room.get("fair", {}).get("commitment", self.commitment)

    def say(self, message: dict[str, Any]) -> None:
        """Send a message."""
        self._frame(1, json.dumps(message).encode())

    def _frame(self, opcode: int, payload: bytes) -> None:
        length = len(payload)
        head = bytes((128 | opcode, 128 | length)) if length < 126 else bytes((128 | opcode, 254)) + length.to_bytes(2)
        if self.transport is not None:
            self.transport.write(head + _MASK + payload)  # masked with zeros: the same bytes


class BenchTable:
    """One room and its seats."""

    def __init__(self, bench: "Bench", code: str) -> None:
        self.bench = bench
        self.code = code
        self.seats: list[BenchSeat] = []
        self._bots_since: float | None = None
        """When it became a bot's turn; None: it is somebody else's."""
        self._sent: dict[str, float] = {}
        self._accepted: list[tuple[int, float]] = []
        """(seq, when it was sent) of actions that not every seat has seen."""
        self._acted: dict[str, int] = {}
        self._next_at = 0.0
        self._count = 0

    def heard(self, seat: BenchSeat, frame: bytes) -> None:
        """Take in a frame that came."""
        now = time.perf_counter()
        if frame.startswith(b'{"t":"update"'):
            self.bench.updates += 1
            seq = int(frame[20 : frame.index(b",", 20)])
            seat.seen.append((seq, now))
            self._seen()
            self._play(seat, seq, frame, now)
        else:
            self._answered(seat, json.loads(frame), now)

    def _play(self, seat: BenchSeat, seq: int, frame: bytes, now: float) -> None:
        seat.see(frame)
        if seat is self.seats[0]:
            self._clock_bots(now)
        if self._acted.get(seat.name, -1) >= seq:
            return
        if seat.legal:
            message = {"t": "act", "action": self.bench.rng.choice(seat.legal), "request": seat.request}
        elif seat is self.seats[0] and seat.phase in HOST_ASKS and (self._acted or seat.phase != "lobby"):
            message = host_asks(seat.phase, seat.commitment)  # the very first start is not asked for here
        else:
            return
        self._acted[seat.name] = seq
        self._later(seat, message, now)

    def _clock_bots(self, now: float) -> None:
        """Note how long a bot took. Only where one person sits among bots it is known whose turn it was."""
        if self._bots_since is not None:
            self.bench.bot_turns.append(now - self._bots_since)
        alone, seat = len(self.seats) == 1, self.seats[0]
        self._bots_since = now if alone and seat.phase == "playing" and not seat.legal else None

    def _later(self, seat: BenchSeat, message: dict[str, Any], now: float) -> None:
        pause = self.bench.pause
        if not pause:
            self._say(seat, message)
            return
        self._next_at = max(now, self._next_at + pause)
        asyncio.get_running_loop().call_later(self._next_at - now, self._say, seat, message)

    def _say(self, seat: BenchSeat, message: dict[str, Any]) -> None:
        self._count += 1
        message_id = f"b{self._count}"
        if message["t"] == "act":
            self._sent[message_id] = time.perf_counter()
        seat.say({**message, "id": message_id})

    def _answered(self, seat: BenchSeat, answer: dict[str, Any], now: float) -> None:
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

    def __init__(
        self,
        server: OwnServer,
        count: int,
        seats: int,
        game: str,
        rate: float,
        bots: Sequence[str] = (),
        *,
        stuck: bool = False,
    ) -> None:
        """`bots`: kinds of bots that sit in each room besides; `stuck`: whoever thinks for them does not."""
        self.rng = random.Random(7)
        self.pause = count / rate if rate else 0.0
        self.actions = 0
        self.updates = 0
        self.messages = 0
        self.bytes = 0
        self.latencies: list[float] = []
        self.bot_turns: list[float] = []
        """Seconds that bots took for their turns."""
        self.refused: Counter[str] = Counter()
        self._server = server
        self._count = count
        self._names = NAMES[:seats]
        self._game = game
        self._bots = list(bots)
        self._stuck = stuck
        self._decided: dict[str, Any] = {}
        self._seconds = 0.0
        self._server_cpu: float | None = None
        self._bots_cpu = 0.0
        self._thinkers_cpu: float | None = None
        self._base_kb: int | None = None
        self._full_kb: int | None = None

    async def run(self, seconds: float, together: asyncio.Barrier | None = None) -> None:
        """Open the rooms, play, count; `together` with others, who wait there until all have warmed up."""
        pid = self._server.pid
        self._base_kb = memory_kb(pid)
        tables = [await self._open(n) for n in range(self._count)]
        for table in tables:  # all are there: the next thing that happens starts the match
            table.seats[0].say({"id": "start", **host_asks("lobby", table.seats[0].commitment)})
        await asyncio.sleep(WARM_UP)
        if together is not None:
            await together.wait()
        self.actions = self.updates = self.messages = self.bytes = 0
        self.latencies.clear()
        self.bot_turns.clear()
        self.refused.clear()
        before, holding = await counted(self._server), asyncio.create_task(hold(pid)) if self._stuck else None
        began, cpu, own = time.perf_counter(), cpu_seconds(pid), time.process_time()
        thought = thinkers_cpu(pid)
        await asyncio.sleep(seconds)
        self._seconds = time.perf_counter() - began
        self._bots_cpu = (time.process_time() - own) / self._seconds
        used = cpu_seconds(pid)
        if cpu is not None and used is not None:
            self._server_cpu = (used - cpu) / self._seconds
        self._thinkers_cpu = thinking(thought, thinkers_cpu(pid), stuck=self._stuck)
        self._full_kb = memory_kb(pid)
        self._decided = between(before, await counted(self._server))
        if holding is not None:
            holding.cancel()
        self._result = self._counted()
        for table in tables:
            for seat in table.seats:
                if seat.transport is not None:
                    seat.transport.abort()

    async def _open(self, number: int) -> BenchTable:
        loop = asyncio.get_running_loop()
        tokens = [(await self._post("/api/people", {}))["token"] for _ in self._names]
        asked = {"name": self._names[0], "game": self._game, "bots": self._bots}
        table = BenchTable(self, (await self._post("/api/rooms", asked, tokens[0]))["code"])
        for name, token in zip(self._names, tokens, strict=True):
            head = (
                f"GET /ws/{table.code}?protocol={VERSION} HTTP/1.1\r\nHost: 127.0.0.1:{self._server.port}\r\n"
                f"Authorization: Bearer {token}\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                f"Sec-WebSocket-Key: {b64encode(self.rng.randbytes(16)).decode()}\r\n\r\n"
            )
            seat = BenchSeat(table, name, head.encode())
            await loop.create_connection(lambda seat=seat: seat, "127.0.0.1", self._server.port)  # type: ignore[misc]
            table.seats.append(seat)
            async with asyncio.timeout(30):
                await seat.joined.wait()
        return table

    async def _post(self, path: str, body: Any, token: str | None = None) -> Any:
        return await asyncio.to_thread(self._server.post, path, body, token)

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
            "measured": len(self.latencies),
            "slow": sum(each > SLOW for each in self.latencies),
            "slowest_ms": times[-1] * 1000,
            "bot_turns": len(self.bot_turns),
            "longest_turn_s": max(self.bot_turns, default=0.0),
            "thinkers_cpu": None if self._thinkers_cpu is None else self._thinkers_cpu / self._seconds,
            "rooms_a_core": None
            if self._thinkers_cpu is None
            else rooms_a_core(self._decided, self._count, self._seconds, self._thinkers_cpu),
            "server_cpu": self._server_cpu,
            "server_cpu_s_per_10k": None
            if self._server_cpu is None or not self.actions
            else self._server_cpu * self._seconds / self.actions * 10_000,
            "bots_cpu": self._bots_cpu,
            "bytes_per_message": self.bytes / max(1, self.messages),
            "base_kb": self._base_kb,
            "kb_per_room": None
            if self._base_kb is None or self._full_kb is None
            else (self._full_kb - self._base_kb) / self._count,
            "bots": self._decided,
            "refused": dict(self.refused),
        }

    def result(self) -> dict[str, Any]:
        """What was measured."""
        return self._result
