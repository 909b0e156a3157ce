"""Start a server as a separate process, for commands that measure or kill it.

It uses a new SQLite file with `synchronous=FULL`, or the given database. Rate limits are lifted, unless a tool tests
them.
"""

import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import click

from tools.local_server.free_port import free_port

_ROOT = Path(__file__).parents[2]
_LIFTED = (
    "MESSAGES_PER_SECOND", "MESSAGES_AT_ONCE", "SOCKETS", "SOCKETS_PER_ADDRESS", "HANDSHAKES_PER_MINUTE",
    "REQUESTS_PER_MINUTE", "CHANGES_PER_MINUTE", "ROOMS_PER_HOUR", "PEOPLE_PER_HOUR", "SETTINGS_CHANGES_PER_MINUTE",
)  # fmt: skip
WITHOUT_LIMITS = {
    **{f"PECKING_ORDER_LIMITS__{name}": str(10**7) for name in _LIFTED},
    "PECKING_ORDER_LIMITS__LOG_BYTES_PER_HOUR": "0",
}
"""The environment of a server whose limits are lifted for a measurement."""
_READY_SECONDS = 120.0
"""Seconds that a new server may take to be ready. It may have to migrate its database first."""
_POLL_SECONDS = 0.2
"""Seconds between two questions whether it is ready: each answer takes some of the time that the start needs."""


class LocalServer:
    """A server process on a free port of 127.0.0.1, for tools; it can be started, stopped and killed repeatedly."""

    def __init__(self, database: str, *, limited: bool = False, program: Path | None = None, **settings: str) -> None:
        """Choose a free port.

        `limited`: keep the default limits. `program`: the installed program that serves, in place of this checkout.
        `settings`: more settings, without PECKING_ORDER_.
        """
        self.database = database
        self._limits = {} if limited else WITHOUT_LIMITS
        self._program = [sys.executable, "-m", "app"] if program is None else [str(program)]
        self._folder = _ROOT if program is None else program.parent
        self._settings = {f"PECKING_ORDER_{name}": value for name, value in settings.items()}
        self.port = free_port()
        self.environment: dict[str, str] = {}
        """More environment variables for the process."""
        self.log: Path | None = None
        """The file for the server's log; None: standard error."""
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The process id of the running server; it must have been started."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start the server process, and return when it is ready for requests.

        Raises `ClickException` if it ends or does not become ready within two minutes.
        """
        environment = {
            **os.environ,
            **self._limits,
            "DATABASE_URL": self.database,
            "PECKING_ORDER_ENV_FILE": "",
            "PECKING_ORDER_LOG_LEVEL": "warning",
            **self._settings,
            **self.environment,
        }
        command = [*self._program, "serve", "--quiet", "--host", "127.0.0.1", "--port", str(self.port)]
        with nullcontext() if self.log is None else self.log.open("ab") as log:
            self._process = subprocess.Popen(command, env=environment, cwd=self._folder, stderr=log)  # noqa: S603
        end = time.monotonic() + _READY_SECONDS
        while time.monotonic() < end:
            if self._process.poll() is not None:
                raise click.ClickException("The server did not start.")
            try:
                if self.request("GET", "/readyz")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(_POLL_SECONDS)
        raise click.ClickException("The server does not become ready.")

    def kill(self) -> None:
        """Kill the server process at once (SIGKILL), without a clean shutdown, and wait until it has ended.

        Does nothing if it is not running.
        """
        self._end_process(subprocess.Popen.kill)

    def stop(self) -> None:
        """Ask the server process to shut down (SIGTERM), and wait until it has ended.

        Does nothing if it is not running.
        """
        self._end_process(subprocess.Popen.terminate)

    def _end_process(self, how: Any) -> None:
        process, self._process = self._process, None
        if process is not None:
            how(process)
            process.wait()

    def post(self, path: str, body: Any, token: str | None = None) -> Any:
        """Send a POST request to the server and return the decoded JSON.

        Raises `ClickException` for any status but 201. `token` names the person who asks.
        """
        status, answer = self.request("POST", path, body, token)
        if status != 201:
            raise click.ClickException(f"{path}: {answer.decode()}")
        return json.loads(answer)

    def request(self, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, bytes]:
        """Send a request to the server and return the status and body of the response.

        `body` is sent as JSON; `token` names the person who asks.
        """
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
def running_server(database: str | None, *, limited: bool = False) -> Iterator[LocalServer]:
    """Run a server for one `with` block, on the given database or on a temporary SQLite file.

    `limited`: keep the limits on requests, which are off otherwise.
    """
    with tempfile.TemporaryDirectory(prefix="pecking-order-") as folder:
        server = LocalServer(database or f"sqlite:///{Path(folder) / 'rooms.sqlite3'}", limited=limited)
        try:
            server.start()
            yield server
        finally:
            server.stop()
