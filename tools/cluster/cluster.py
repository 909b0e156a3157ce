"""A cluster of three machines, the relays between them, and HAProxy in front of PostgreSQL, on this computer."""

import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final, Self, TypeVar

import click
import psycopg

from tools.cluster.machines import NUMBERS, POSTGRES_PORT, Machine, Network, Passwords, fill_template
from tools.cluster.programs import ROOT, Programs

PATIENCE: Final = 180.0
"""Seconds that a cluster may take to start, or to be whole again after an accident."""
PROBE_DATABASE: Final = "probe"
"""A database beside that of Pecking Order, to write to each PostgreSQL directly."""
_POLL_SECONDS: Final = 0.3

Answer = TypeVar("Answer")


class Cluster:
    """Three machines with etcd, Patroni and PostgreSQL, and one HAProxy. Use it as a context manager."""

    def __init__(self, folder: Path, programs: Programs, *, strict: bool) -> None:
        """`folder`: empty; gets data, configuration and logs. `strict`: with `synchronous_mode_strict`."""
        self._folder = folder
        self._programs = programs
        self._network = Network(f"127.{Random().randint(1, 250)}.{Random().randint(1, 250)}")
        self._passwords = Passwords(secrets.token_hex(8), secrets.token_hex(8), secrets.token_hex(8))
        self.machines = [
            Machine(folder / f"db{number}", number, self._network, programs, self._passwords, strict=strict)
            for number in NUMBERS
        ]
        self._haproxy: subprocess.Popen[bytes] | None = None
        self._relays: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        """The address of Pecking Order's database, at HAProxy."""
        return f"postgresql://cards:{self._passwords.cards}@{self._network.haproxy()}/cards"

    def direct_url(self, machine: Machine, database: str) -> str:
        """Return the address of a database at a machine's own PostgreSQL, be it the primary or not."""
        return f"postgresql://cards:{self._passwords.cards}@{machine.address}:{POSTGRES_PORT}/{database}"

    def __enter__(self) -> Self:
        """Start everything, make the databases, and return when each machine is as it should be."""
        try:
            self._start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Kill everything."""
        self.close()

    def close(self) -> None:
        """Kill all processes of the cluster. Its folder stays."""
        for machine in self.machines:
            machine.kill()
        for process in (self._haproxy, self._relays):
            if process is not None:
                process.kill()
                process.wait()

    def _start(self) -> None:
        self._relays = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "tools.cluster.relays", str(self._folder), self._network.prefix],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._relays.stdout is not None
        self._relays.stdout.readline()
        for machine in self.machines:
            machine.start()
        values = {f"10.0.0.{n}": machine.address for n, machine in zip(NUMBERS, self.machines, strict=True)}
        config = fill_template("haproxy.cfg", {"bind 127.0.0.1:5000": f"bind {self._network.haproxy()}", **values})
        (self._folder / "haproxy.cfg").write_text(config, encoding="utf-8")
        with (self._folder / "haproxy.log").open("wb") as log:
            command = [str(self._programs.haproxy), "-db", "-f", str(self._folder / "haproxy.cfg")]
            self._haproxy = subprocess.Popen(command, stdout=log, stderr=log)  # noqa: S603
        self.wait_until_whole()
        self._make_databases()

    def _make_databases(self) -> None:
        """Make the role and the databases, as an operator does with `createuser` and `createdb`."""

        def connect() -> psycopg.Connection[Any]:
            superuser = f"postgresql://postgres:{self._passwords.superuser}@{self._network.haproxy()}/postgres"
            return psycopg.connect(superuser, autocommit=True)

        with _try_until(connect, "HAProxy", (psycopg.OperationalError,)) as connection:
            connection.execute(f"CREATE ROLE cards LOGIN PASSWORD '{self._passwords.cards}'".encode())
            for database in ("cards", PROBE_DATABASE):
                connection.execute(f"CREATE DATABASE {database} OWNER cards".encode())

    def wait_until_whole(self) -> None:
        """Wait until there are a primary and two replicas, one of them synchronous, and etcd has its three members.

        Raises `ClickException` after `PATIENCE` seconds.
        """

        def check() -> None:
            members = self.members()
            roles = sorted(member["role"] for member in members)
            states = sorted(member["state"] for member in members)
            lines = {member.get("timeline") for member in members}
            if (roles, states, len(lines)) != (
                ["leader", "replica", "sync_standby"],
                ["running", "streaming", "streaming"],
                1,
            ):
                raise OSError(f"Patroni says {describe_members(members)}")
            if sorted(str(machine.leads_etcd()) for machine in self.machines) != ["False", "False", "True"]:
                raise OSError("etcd has no leader yet")

        _try_until(check, "the cluster")

    def members(self) -> list[dict[str, Any]]:
        """Return what the first Patroni that answers knows of all. Raises `OSError` if none answers."""
        for machine in self.machines:
            with suppress(OSError):
                return machine.members()
        raise OSError("no Patroni answers")

    def primary(self) -> Machine:
        """Return the machine of the primary. Raises `ClickException` after `PATIENCE` seconds."""
        return self._with_role("leader")

    def sync_standby(self) -> Machine:
        """Return the machine of the synchronous replica. Raises `ClickException` after `PATIENCE` seconds."""
        return self._with_role("sync_standby")

    def _with_role(self, role: str) -> Machine:
        def find() -> Machine:
            names = [member["name"] for member in self.members() if member["role"] == role]
            for machine in self.machines:
                if names == [machine.name]:
                    return machine
            raise OSError(f"no machine is the {role}")

        return _try_until(find, role)

    def etcd_leader(self) -> Machine:
        """Return the machine of etcd's leader. Raises `ClickException` after `PATIENCE` seconds."""

        def find() -> Machine:
            for machine in self.machines:
                if machine.leads_etcd():
                    return machine
            raise OSError("etcd has no leader")

        return _try_until(find, "etcd")

    def cut(self, *machines: Machine) -> None:
        """Cut the connections between two machines; without machines, end the cut."""
        assert self._relays is not None
        assert self._relays.stdin is not None
        print(*(machine.name for machine in machines), file=self._relays.stdin, flush=True)


def describe_members(members: Iterable[dict[str, Any]]) -> str:
    """Return what Patroni says of its members, in one line.

    >>> describe_members([{"name": "db1", "role": "leader", "state": "running", "timeline": 2}])
    'db1: leader, running, timeline 2'
    """
    return "; ".join(
        f"{member['name']}: {member['role']}, {member['state']}, timeline {member.get('timeline')}"
        for member in members
    )


def _try_until(question: Callable[[], Answer], what: str, errors: tuple[type[Exception], ...] = (OSError,)) -> Answer:
    """Ask until the question raises none of these errors, and return the answer.

    Raises `ClickException` after `PATIENCE` seconds.
    """
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return question()
        except errors as error:
            if time.monotonic() > end:
                raise click.ClickException(f"{what}: {error}") from error
        time.sleep(_POLL_SECONDS)
