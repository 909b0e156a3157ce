"""`python -m tools bench rooms`: measure a server's throughput and latency from outside, over real WebSockets.

Every seat is a connection that plays a random legal action at its turn. Latency is the time from sending an action
until the last seat of the room has the update that shows the action. By then the action is stored on disk.
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
from tools.bench.bots import (
    bot_counter_deltas,
    child_cpu_seconds,
    cpu_seconds_used,
    read_bot_counters,
    rooms_per_core,
    suspend_children,
)
from tools.bench.report import SLOW, report_lines
from tools.local_server.server_process import LocalServer, running_server
from tools.local_server.system_info import cpu_seconds, describe_environment, memory_kb

WARM_UP = 2.0
"""Seconds of play before counting begins."""
NAMES = ("Ana", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")
HOST_ASKS = {"between_hands": "deal_next", "finished": "rematch", "lobby": "start"}
"""The message type that the host sends to go on, by phase of the room."""
_MASK = b"\0\0\0\0"


@click.command()
@click.option("--rooms", "count", default=50, show_default=True, help="Rooms that play at the same time.")
@click.option("--seconds", default=10.0, show_default=True, help="Seconds of the measurement, after warming up.")
@click.option(
    "--rate", default=0.0, show_default=True, help="Actions per second over all rooms. 0: as fast as possible."
)
@click.option("--seats", default=4, show_default=True, help="People in each room.")
@click.option("--bots", default="", help="Level of bots that fill each room to four players.")
@click.option("--stuck", is_flag=True, help="Stop the worker processes for hard bots (Linux).")
@click.option("--game", default="president", show_default=True)
@click.option("--database", help="DATABASE_URL. Default: a new SQLite file.")
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
    """Start a server, let bots play in `count` rooms over real sockets, and print throughput and latency."""
    try:
        from uvloop import new_event_loop as new_loop
    except ImportError:
        new_loop = asyncio.new_event_loop  # type: ignore[assignment]
    with running_server(database) as server:
        bench = Bench(server, count, seats, game, rate, [bots] * max(0, 4 - seats) if bots else [], stuck=stuck)
        with asyncio.Runner(loop_factory=new_loop) as runner:
            runner.run(bench.run(seconds))
        result = {**bench.result(), "environment": describe_environment(server.database)}
    if as_json:
        click.echo(json.dumps(result))
        return
    pace = "as fast as it goes" if not rate else f"{rate:g} actions/s asked for"
    click.echo(f"{count} rooms of {seats}, {game}, {pace}, {result['seconds']:.0f} seconds")
    for line in report_lines(result):
        click.echo(f"  {line}")


def next_host_message(phase: str, commitment: str) -> dict[str, Any]:
    """Return the host's message that moves a room on from a phase: start, next hand or rematch.

    `commitment` names the next deal.
    """
    t = HOST_ASKS[phase]
    return {"t": t} if t == "rematch" else {"t": t, "commitment": commitment}


class BenchSeat(asyncio.Protocol):
    """A benchmark's minimal WebSocket client for one seat.

    It does little work, because it shares the machine with the server.
    """

    def __init__(self, table: "BenchRoom", name: str, head: bytes) -> None:
        self.table = table
        self.name = name
        self.seen_updates: deque[tuple[int, float]] = deque([(0, 0.0)], maxlen=16)
        """Pairs (seq, time received) of the latest updates."""
        self.legal: list[dict[str, Any]] = []
        """The legal actions as of the last update that changed them."""
        self.request: int | None = None
        """The number of the request that these actions answer."""
        self.commitment = ""
        """The commitment that names the next deal."""
        self.phase = ""
        self._head = head
        self._open = False
        self._buffer = bytearray()
        self.transport: asyncio.Transport | None = None
        self.joined = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the request of the WebSocket handshake, once the TCP connection is open."""
        self.transport = cast("asyncio.Transport", transport)  # uvloop's class is not a subclass
        self.transport.write(self._head)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the connection of this seat is gone, so that nothing more is sent."""
        self.transport = None

    def data_received(self, data: bytes) -> None:
        """Parse the handshake response and the server's frames, which are never masked or fragmented.

        Sends the message to join after the handshake, counts text frames and hands them to the room, and answers pings.
        Raises ClickException if the handshake fails.
        """
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
            self.send_message({"t": "join", "name": self.name, "id": "join"})
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
                self.table.handle_frame(self, payload)
            elif opcode == 9:
                self._send_frame(10, payload)

    def read_update(self, frame: bytes) -> None:
        """Update the seat's legal actions, request, phase and commitment from an update frame.

        Most frames contain none of these keys, so they are not parsed.
        """
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

    def send_message(self, message: dict[str, Any]) -> None:
        """Send a message of this seat to the server, as a JSON text frame.

        Does nothing once the connection is gone.
        """
        self._send_frame(1, json.dumps(message).encode())

    def _send_frame(self, opcode: int, payload: bytes) -> None:
        length = len(payload)
        head = bytes((128 | opcode, 128 | length)) if length < 126 else bytes((128 | opcode, 254)) + length.to_bytes(2)
        if self.transport is not None:
            self.transport.write(head + _MASK + payload)  # a mask of zeros leaves the payload unchanged


class BenchRoom:
    """One room of a benchmark: its seats, the actions under way, and their latencies."""

    def __init__(self, bench: "Bench", code: str) -> None:
        self.bench = bench
        self.code = code
        self.seats: list[BenchSeat] = []
        self._bots_since: float | None = None
        """Time at which a bot's turn began; None at other turns."""
        self._sent: dict[str, float] = {}
        self._accepted: list[tuple[int, float]] = []
        """Pairs (seq, time sent) of accepted actions that some seat has not seen yet."""
        self._acted: dict[str, int] = {}
        self._next_at = 0.0
        self._count = 0

    def handle_frame(self, seat: BenchSeat, frame: bytes) -> None:
        """Handle a text frame from the server to a seat: an update, or an answer to a message.

        Updates complete measured actions and may lead to the seat's next one.
        """
        now = time.perf_counter()
        if frame.startswith(b'{"t":"update"'):
            self.bench.updates += 1
            seq = int(frame[20 : frame.index(b",", 20)])
            seat.seen_updates.append((seq, now))
            self._record_latencies()
            self._act_on_update(seat, seq, frame, now)
        else:
            self._handle_answer(seat, json.loads(frame), now)

    def _act_on_update(self, seat: BenchSeat, seq: int, frame: bytes, now: float) -> None:
        seat.read_update(frame)
        if seat is self.seats[0]:
            self._measure_bot_turn(now)
        if self._acted.get(seat.name, -1) >= seq:
            return
        if seat.legal:
            message = {"t": "act", "action": self.bench.rng.choice(seat.legal), "request": seat.request}
        elif seat is self.seats[0] and seat.phase in HOST_ASKS and (self._acted or seat.phase != "lobby"):
            message = next_host_message(seat.phase, seat.commitment)  # Bench.run sends the first start
        else:
            return
        self._acted[seat.name] = seq
        self._send_at_rate(seat, message, now)

    def _measure_bot_turn(self, now: float) -> None:
        """Record the time that a bot took between two turns of the only person in the room.

        With more persons nothing is recorded, as the bots' turns are not known.
        """
        if self._bots_since is not None:
            self.bench.bot_turns.append(now - self._bots_since)
        alone, seat = len(self.seats) == 1, self.seats[0]
        self._bots_since = now if alone and seat.phase == "playing" and not seat.legal else None

    def _send_at_rate(self, seat: BenchSeat, message: dict[str, Any], now: float) -> None:
        pause = self.bench.pause
        if not pause:
            self._send_with_id(seat, message)
            return
        self._next_at = max(now, self._next_at + pause)
        asyncio.get_running_loop().call_later(self._next_at - now, self._send_with_id, seat, message)

    def _send_with_id(self, seat: BenchSeat, message: dict[str, Any]) -> None:
        self._count += 1
        message_id = f"b{self._count}"
        if message["t"] == "act":
            self._sent[message_id] = time.perf_counter()
        seat.send_message({**message, "id": message_id})

    def _handle_answer(self, seat: BenchSeat, answer: dict[str, Any], now: float) -> None:
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
            self._record_latencies()

    def _record_latencies(self) -> None:
        if not self._accepted:
            return
        low = min(seat.seen_updates[-1][0] for seat in self.seats)
        waiting = []
        for seq, sent in self._accepted:
            if seq > low:
                waiting.append((seq, sent))
                continue
            last = max(next((when for at, when in seat.seen_updates if at >= seq), sent) for seat in self.seats)
            self.bench.latencies.append(last - sent)
        self._accepted = waiting


class Bench:
    """A benchmark of one server: it opens rooms, plays in all of them at random, and counts."""

    def __init__(
        self,
        server: LocalServer,
        count: int,
        seats: int,
        game: str,
        rate: float,
        bots: Sequence[str] = (),
        *,
        stuck: bool = False,
    ) -> None:
        """Prepare a benchmark with `count` rooms of `seats` persons.

        `rate`: actions per second in all rooms together, 0 for no limit. `bots`: kinds of bots added to each room.
        `stuck`: keep the workers suspended.
        """
        self.rng = random.Random(7)
        self.pause = count / rate if rate else 0.0
        self.actions = 0
        self.updates = 0
        self.messages = 0
        self.bytes = 0
        self.latencies: list[float] = []
        self.bot_turns: list[float] = []
        """Seconds that bots took, one entry per turn."""
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
        """Open the rooms, warm up, then measure for `seconds` of play, and close the connections.

        `together`: barrier to wait at after warm-up, if several servers are measured. `result` then has the figures.
        """
        pid = self._server.pid
        self._base_kb = memory_kb(pid)
        tables = [await self._open_room(n) for n in range(self._count)]
        for table in tables:  # all rooms are full; start their matches
            table.seats[0].send_message({"id": "start", **next_host_message("lobby", table.seats[0].commitment)})
        await asyncio.sleep(WARM_UP)
        if together is not None:
            await together.wait()
        self.actions = self.updates = self.messages = self.bytes = 0
        self.latencies.clear()
        self.bot_turns.clear()
        self.refused.clear()
        before, holding = (
            await read_bot_counters(self._server),
            asyncio.create_task(suspend_children(pid)) if self._stuck else None,
        )
        began, cpu, own = time.perf_counter(), cpu_seconds(pid), time.process_time()
        thought = child_cpu_seconds(pid)
        await asyncio.sleep(seconds)
        self._seconds = time.perf_counter() - began
        self._bots_cpu = (time.process_time() - own) / self._seconds
        used = cpu_seconds(pid)
        if cpu is not None and used is not None:
            self._server_cpu = (used - cpu) / self._seconds
        self._thinkers_cpu = cpu_seconds_used(thought, child_cpu_seconds(pid), stuck=self._stuck)
        self._full_kb = memory_kb(pid)
        self._decided = bot_counter_deltas(before, await read_bot_counters(self._server))
        if holding is not None:
            holding.cancel()
        self._result = self._build_result()
        for table in tables:
            for seat in table.seats:
                if seat.transport is not None:
                    seat.transport.abort()

    async def _open_room(self, number: int) -> BenchRoom:
        loop = asyncio.get_running_loop()
        tokens = [(await self._post("/api/people", {}))["token"] for _ in self._names]
        asked = {"name": self._names[0], "game": self._game, "options": {}, "bots": self._bots}
        table = BenchRoom(self, (await self._post("/api/rooms", asked, tokens[0]))["code"])
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

    def _build_result(self) -> dict[str, Any]:
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
            else rooms_per_core(self._decided, self._count, self._seconds, self._thinkers_cpu),
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
        """Return the figures that `run` has measured."""
        return self._result
