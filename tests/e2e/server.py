"""Start a server as a process that a test can kill and start again at the same address."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Literal

from tools.local_server.free_port import free_port

ROOT = Path(__file__).parents[2]
PATIENCE = 180
"""Seconds to wait. A slow machine must not fail a test."""


class Server:
    """`pecking-order serve` on a file database in this folder.

    Rate limits are high, because all visitors come from one address.
    """

    def __init__(self, folder: Path, root: Path = ROOT) -> None:
        """`root` is the folder of the project."""
        self.folder = folder
        self.root = root
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        self._changes = str(folder / "changes")

    def start(self) -> None:
        """Start the server, and wait until it is ready."""
        self._launch("tests.e2e.server_with_changes", self._changes, path="/readyz")

    def start_upgrade(self) -> None:
        """Start the server with an upgrade that waits (tests/web/staged_upgrade.py), until it shows that it starts."""
        self.set_upgraded_rows(0)
        self._launch("tests.web.staged_upgrade", str(self.folder / "upgrade"), path="/healthz")

    def set_upgraded_rows(self, rows: int | Literal["end"]) -> None:
        """Let the upgrade have done this number of its 100,000 rows, or end."""
        waiting = self.folder / "upgrade.new"
        waiting.write_text(str(rows))
        waiting.replace(self.folder / "upgrade")

    def _launch(self, module: str, file: str, *, path: str) -> None:
        """Start a module that takes a file and the command line, and wait until a path is answered with 200."""
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join((str(self.root), str(ROOT))),
            "PECKING_ORDER_RETRY_MS": "100",
            "PECKING_ORDER_LIMITS__ROOMS_PER_HOUR": "1000",
            "PECKING_ORDER_LIMITS__MESSAGES_PER_SECOND": "200",
            "PECKING_ORDER_LIMITS__REQUESTS_PER_MINUTE": "100000",
            "PECKING_ORDER_LIMITS__SETTINGS_CHANGES_PER_MINUTE": "1000",
        }
        asked = {"host": "127.0.0.1", "port": self.port, "database": f"sqlite:///{self.folder / 'rooms.sqlite3'}"}
        options = [f"--{name}={value}" for name, value in asked.items()]
        command = [sys.executable, "-m", module, file, "serve", "--quiet", *options]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=log, stderr=log)
        try:
            self._wait(self.process, path)
        except BaseException:
            self.stop()
            raise

    def _wait(self, process: "subprocess.Popen[bytes]", path: str) -> None:
        end = time.monotonic() + PATIENCE
        while not self._answers(path):
            assert process.poll() is None, (self.folder / "server.log").read_text()
            assert time.monotonic() < end, "the server does not get ready"
            time.sleep(0.2)  # each answer takes some of the time that the start needs

    def _answers(self, path: str) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}{path}", timeout=2) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False

    def move_clock(self, seconds: float) -> None:
        """Move the clock of the rooms this far ahead of the computer's. Deadlines still take the same time."""
        self._change({"seconds": seconds})

    def cheat(self, how: str | None) -> None:
        """Let the server cheat in this way (tests/web/fair_deals/cheating_servers.py) from now on; None: no more."""
        self._change({"cheat": how})

    def _change(self, change: dict[str, Any]) -> None:
        assert self.process is not None
        file = Path(self._changes)
        file.write_text(json.dumps(change))
        self.process.send_signal(signal.SIGUSR2)
        end = time.monotonic() + PATIENCE
        while file.exists():
            assert time.monotonic() < end, "the server does not read the change"
            time.sleep(0.02)

    def kill(self) -> None:
        """Kill the process, as in a power failure."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def stop(self) -> None:
        """Stop the server in an orderly way."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(PATIENCE)
