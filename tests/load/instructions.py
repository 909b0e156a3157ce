"""Count the server's instructions for each action of a fixed session: python -m tests.load.instructions.

Starts a server under Valgrind's callgrind and plays President in it over real sockets. The deals and the choices come
from fixed seeds, so each run sends the same commands. `checksum` in the result tells whether it did. Other programs on
the machine hardly change the result: two runs of one version differ by 0.5 % (measured on 2026-11-27).

All rooms act together. The server is stopped (SIGSTOP) while one command for each room is sent, so it reads all of them
at once, as a busy server does. With `--rooms 1` each action has its own commit. Only user-space instructions are
counted, of all threads. Start-up, opening rooms and joining are excluded.
"""

import argparse
import contextlib
import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from app.rooms.views.delta import VERSION
from tests.postgres import Postgres
from tools.bench.rooms import NAMES, next_host_message
from tools.local_server.server_process import WITHOUT_LIMITS

ROOT: Final = Path(__file__).parents[2]
SEATS: Final = 4
PATIENCE: Final = 300
"""Seconds to wait for the server, which is about 50 times slower under Valgrind."""
IDLE_LOOKS: Final = 4
"""The server counts as idle after this number of checks that find all its threads asleep."""


class Seat:
    """A player's socket."""

    def __init__(self, port: int, code: str, name: str, token: str) -> None:
        self.name = name
        self.seq = 0
        self.you: dict[str, Any] = {}
        self.room: dict[str, Any] = {}
        self.answers: list[dict[str, Any]] = []
        self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self._buffer = bytearray()
        self._is_open = False
        key = b64encode(bytes(16)).decode()
        self._socket.sendall(
            f"GET /ws/{code}?protocol={VERSION} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        while b"\r\n\r\n" not in self._buffer:
            self.receive()
        assert self._buffer.startswith(b"HTTP/1.1 101"), bytes(self._buffer)
        del self._buffer[: self._buffer.index(b"\r\n\r\n") + 4]
        self._is_open = True

    def say(self, message: dict[str, Any]) -> None:
        """Send a message."""
        payload = json.dumps(message).encode()
        length = len(payload)
        size = bytes((128 | length,)) if length < 126 else bytes((254,)) + length.to_bytes(2)
        self._socket.sendall(b"\x81" + size + bytes(4) + payload)  # masked with zeros, which leaves the bytes unchanged

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()

    def fileno(self) -> int:
        """Return the file descriptor of the socket, for `select`."""
        return self._socket.fileno()

    def receive(self) -> None:
        """Read from the socket, and process all complete frames."""
        data = self._socket.recv(1 << 16)
        if not data:
            raise ConnectionError(f"{self.name}: the server closed the connection")
        self._buffer += data
        while self._is_open and (end := self._end_of_frame()):
            frame = bytes(self._buffer[:end])
            del self._buffer[:end]
            self._frame(frame)

    def _end_of_frame(self) -> int:
        """Return the end of the first frame, or 0 if it is incomplete.

        The server never masks or splits a text.
        """
        start, size = 2, self._buffer[1] if len(self._buffer) > 1 else 0
        if size > 125:
            start = 4 if size == 126 else 10
            size = int.from_bytes(self._buffer[2:start])
        return start + size if start + size <= len(self._buffer) else 0

    def _frame(self, frame: bytes) -> None:
        length = frame[1]
        payload = frame[2 if length < 126 else 4 if length == 126 else 10 :]
        if frame[0] & 15 == 9:
            self._socket.sendall(b"\x8a" + bytes((128 | length,)) + bytes(4) + payload)
        elif frame[0] & 15 == 1:
            self._heard(json.loads(payload))

    def _heard(self, message: dict[str, Any]) -> None:
        if message["t"] == "answer":
            self.answers.append(message)
        elif message["t"] == "update":
            changed = message.get("changed", {})
            self.seq = message["seq"]
            self.you = message["you"] if "you" in message else {**self.you, **changed.get("you", {})}
            self.room = {**self.room, **message.get("room", {}), **changed.get("room", {})}


class Table:
    """A room with its four players and their choices."""

    def __init__(self, port: int, number: int, game: str) -> None:
        tokens = [post(port, "/api/people", {})["token"] for _ in range(SEATS)]
        room = post(port, "/api/rooms", {"name": NAMES[0], "game": game, "options": {}}, tokens[0])
        self.seats: list[Seat] = []
        self.sent = sha256()
        """A hash of all commands."""
        self._random = random.Random(number)
        self._count = 0
        self.asked: Seat
        """The seat of the last command."""
        self._done_at: int | None = None
        """The log entry of the last command, once it is answered."""
        for name, token in zip(NAMES, tokens, strict=False):
            seat = Seat(port, room["code"], name, token)
            self.seats.append(seat)
            self._say(seat, {"t": "join", "name": name, "id": "join"})
            while not self.is_done:
                read([self])

    def act(self) -> None:
        """Send the next command: a random legal action, or the host's command between hands."""
        self._count += 1
        host = self.seats[0]
        seat = next((seat for seat in self.seats if seat.you.get("legal")), host)
        if seat.you.get("legal"):
            action = self._random.choice(seat.you["legal"])
            message = {"t": "act", "action": action, "request": seat.you["request"]}
        else:
            message = next_host_message(host.room["phase"], host.room["fair"]["commitment"])
        said = {**message, "id": f"b{self._count}"}
        self.sent.update(json.dumps(said, sort_keys=True).encode())
        self._say(seat, said)

    def _say(self, seat: Seat, message: dict[str, Any]) -> None:
        self.asked, self._done_at = seat, None
        seat.say(message)

    @property
    def is_done(self) -> bool:
        """Whether the last command is answered and everybody has seen its result."""
        if self._done_at is None and self.asked.answers:
            answer = self.asked.answers.pop()
            assert answer["ok"], answer
            self._done_at = answer["seq"]
        return self._done_at is not None and all(seat.seq >= self._done_at for seat in self.seats)


def read(tables: Sequence[Table], seconds: float = PATIENCE) -> None:
    """Read from all sockets that have data within this time."""
    seats = [seat for table in tables for seat in table.seats]
    ready = select.select(seats, (), (), seconds)[0]
    if not ready and seconds:
        raise TimeoutError(f"the server says nothing for {seconds} seconds")
    for seat in ready:
        seat.receive()


def post(port: int, path: str, body: Any, token: str | None = None) -> Any:
    """Send a POST request and return the parsed answer."""
    from http.client import HTTPConnection

    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        connection.request("POST", path, json.dumps(body), headers)
        answer = connection.getresponse()
        content = answer.read()
        assert answer.status == 201, content
        return json.loads(content)
    finally:
        connection.close()


def measure(folder: Path, rooms: int, rounds: int, game: str, database: str) -> dict[str, Any]:
    """Play `rounds` commands in each room and return the figures. Callgrind's file stays in `folder`."""
    out = folder / f"callgrind.{rooms}"
    environment = {
        **os.environ,
        **WITHOUT_LIMITS,
        "DATABASE_URL": database,
        "PECKING_ORDER_LOG_LEVEL": "warning",
        "PECKING_ORDER_HARD_WORKERS": "0",
        "PYTHONHASHSEED": "0",
    }
    tool = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={out}", "--quiet"]
    server = subprocess.Popen(
        [*tool, sys.executable, "-m", "tests.load.same_deals"], cwd=ROOT, env=environment, stdout=subprocess.PIPE
    )
    try:
        assert server.stdout is not None
        port = next(int(line.split()[1]) for line in server.stdout if line.startswith(b"port "))
        tables = [Table(port, number, game) for number in range(rooms)]
        control(server.pid, "-i", "on")
        for _ in range(rounds):
            read(tables, 0)  # pings
            wait_until_idle(server.pid)
            os.kill(server.pid, signal.SIGSTOP)
            for table in tables:
                table.act()
            os.kill(server.pid, signal.SIGCONT)
            while not all(table.is_done for table in tables):
                read(tables)
        control(server.pid, "-i", "off")
        for table in tables:
            for seat in table.seats:
                seat.close()
    finally:
        server.terminate()
        server.wait(PATIENCE)
    total = sum(int(line.split()[1]) for line in out.read_text().splitlines() if line.startswith("totals:"))
    checksum = sha256(b"".join(table.sent.digest() for table in tables)).hexdigest()[:16]
    commands = rooms * rounds
    return {"rooms": rooms, "commands": commands, "instructions": total // commands, "checksum": checksum}


def wait_until_idle(pid: int) -> None:
    """Wait until no thread of a process has had work for some milliseconds.

    A server stopped in the middle of its work could read the rooms in another order later. Rooms share the random
    numbers, so the cards would differ.
    """
    idle = 0
    while idle < IDLE_LOOKS:
        time.sleep(0.003)
        states = [path.read_text().rpartition(")")[2].split()[0] for path in Path(f"/proc/{pid}/task").glob("*/stat")]
        idle = idle + 1 if all(state == "S" for state in states) else 0


def control(pid: int, *what: str) -> None:
    """Turn counting on or off."""
    subprocess.run(["callgrind_control", *what, str(pid)], check=True, capture_output=True)


def main() -> None:
    """Measure each number of rooms in turn, and print one JSON object for each."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.instructions", description=__doc__)
    parser.add_argument("--rooms", type=int, nargs="+", default=[1, 20])
    parser.add_argument("--rounds", type=int, help="commands for each room; 250 for one room, 130 for more")
    parser.add_argument("--game", default="president")
    parser.add_argument("--postgres", action="store_true", help="on a new PostgreSQL in place of SQLite")
    parser.add_argument("--keep", type=Path, help="folder in which callgrind's files are kept")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="instructions-") as folder, contextlib.ExitStack() as stack:
        postgres = stack.enter_context(Postgres()) if asked.postgres else None
        where = asked.keep or Path(folder)
        where.mkdir(parents=True, exist_ok=True)
        for rooms in asked.rooms:
            rounds = asked.rounds or (250 if rooms == 1 else 130)
            database = f"sqlite:///{where}/rooms-{rooms}.sqlite3" if postgres is None else postgres.create_database()
            print(json.dumps(measure(where, rooms, rounds, asked.game, database)), flush=True)


if __name__ == "__main__":
    main()
