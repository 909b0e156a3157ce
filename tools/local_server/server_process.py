"""A server of our own, started like any other, for commands that measure it or kill it.

It is a process of its own, on SQLite with `synchronous=FULL` in a new file (or on the database given), with limits
that let one address do as much as it likes, if those are not what is looked at.
"""

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

_ROOT = Path(__file__).parents[2]
WITHOUT_LIMITS = (
    "MESSAGES_PER_SECOND", "MESSAGES_AT_ONCE", "SOCKETS", "SOCKETS_PER_ADDRESS", "HANDSHAKES_PER_MINUTE",
    "REQUESTS_PER_MINUTE", "CHANGES_PER_MINUTE", "ROOMS_PER_HOUR", "PEOPLE_PER_HOUR",
)  # fmt: skip
"""The limits, by their names in the settings, that are lifted for a measurement."""
_TRIES = 1200
"""Each a twentieth of a second: a server may have a database to bring up to date first."""


class OwnServer:
    """One port and one database, and the process that serves them while it runs."""

    def __init__(self, database: str, *, limited: bool = False, **settings: str) -> None:
        """`limited`: with the limits that hold when nothing is set. `settings` are in force besides, by their names
        without PECKING_ORDER_."""
        self.database = database
        self._limits = {} if limited else {f"PECKING_ORDER_LIMITS__{name}": str(10**7) for name in WITHOUT_LIMITS}
        self._settings = {f"PECKING_ORDER_{name}": value for name, value in settings.items()}
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.environment: dict[str, str] = {}
        """What stands in the environment of the process besides."""
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The id of the process that runs."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start the process, and return when it takes people."""
        environment = {
            **os.environ,
            **self._limits,
            "DATABASE_URL": self.database,
            "PECKING_ORDER_LOG_LEVEL": "warning",
            **self._settings,
            **self.environment,
        }
        command = [sys.executable, "-m", "app", "serve", "--quiet", "--host", "127.0.0.1", "--port", str(self.port)]
        self._process = subprocess.Popen(command, env=environment, cwd=_ROOT)  # noqa: S603
        for _ in range(_TRIES):
            if self._process.poll() is not None:
                raise click.ClickException("The server did not start.")
            try:
                if self.request("GET", "/readyz")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.05)
        raise click.ClickException("The server does not become ready.")

    def kill(self) -> None:
        """Let the process end this very moment (SIGKILL): it hears nothing of it."""
        self._end(subprocess.Popen.kill)

    def stop(self) -> None:
        """Ask the process to end, and wait until it has."""
        self._end(subprocess.Popen.terminate)

    def _end(self, how: Any) -> None:
        process, self._process = self._process, None
        if process is not None:
            how(process)
            process.wait()

    def post(self, path: str, body: Any, token: str | None = None) -> Any:
        """Give what the server made of a POST."""
        status, answer = self.request("POST", path, body, token)
        if status != 201:
            raise click.ClickException(f"{path}: {answer.decode()}")
        return json.loads(answer)

    def request(self, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, bytes]:
        """Ask the server; give (status, body)."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            headers = {"Content-Type": "application/json"} if body is not None else {}
            headers |= {"Authorization": f"Bearer {token}"} if token is not None else {}
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


@contextmanager
def serving(database: str | None, *, limited: bool = False) -> Iterator[OwnServer]:
    """A server that runs for the length of one block, on this database or on a new file that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="pecking-order-") as folder:
        server = OwnServer(database or f"sqlite:///{Path(folder) / 'rooms.sqlite3'}", limited=limited)
        try:
            server.start()
            yield server
        finally:
            server.stop()
