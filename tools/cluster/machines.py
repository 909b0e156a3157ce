"""The three machines of a cluster on one computer. Each runs etcd and Patroni, and Patroni runs PostgreSQL.

A machine is a folder: its processes are those whose working directory is in this folder. So all of them can be killed
or frozen at once, as if a real machine failed. The configuration comes from `deploy/patroni/`.
"""

import http.client
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from tools.cluster.programs import ROOT, Programs

TEMPLATES: Final = ROOT / "deploy" / "patroni"
NUMBERS: Final = (1, 2, 3)
ETCD_PORT: Final = 2379
ETCD_PEER_PORT: Final = 2380
POSTGRES_PORT: Final = 5432
PATRONI_PORT: Final = 8008
PORTS: Final = (ETCD_PORT, ETCD_PEER_PORT, POSTGRES_PORT, PATRONI_PORT)
"""The ports of a machine that other machines use."""
ASK_SECONDS: Final = 3.0
_END_SECONDS: Final = 10.0


class Network(NamedTuple):
    """Loopback addresses for one cluster, so that every machine has the usual ports."""

    prefix: str
    """The first three numbers of the addresses, such as 127.7.7."""

    def behind_relay(self, number: int) -> str:
        """Return the address at which the services of a machine listen."""
        return f"{self.prefix}.{number}"

    def address(self, number: int) -> str:
        """Return the address of a machine for the others: there a relay listens, which can cut connections."""
        return f"{self.prefix}.{10 + number}"

    def haproxy(self) -> str:
        """Return the address and port of HAProxy."""
        return f"{self.prefix}.20:5000"


class Passwords(NamedTuple):
    """The passwords of a cluster."""

    superuser: str
    replication: str
    cards: str
    """The password of the role of Pecking Order."""


def fill_template(name: str, values: Mapping[str, str]) -> str:
    """Return a file of `deploy/patroni/` with texts replaced, as an operator edits it.

    Raises `ClickException` if the file lacks one of the texts.
    """
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    for old, new in values.items():
        if old not in text:
            raise click.ClickException(f"deploy/patroni/{name} has no {old}")
        text = text.replace(old, new)
    return text


def fill_machine_template(name: str, number: int, network: Network, values: Mapping[str, str]) -> str:
    """Return the configuration of a service of a machine. In lines with `listen` it gets the address behind the relay.

    >>> "listen-peer-urls: http://127.7.7.2:2380" in fill_machine_template("etcd.yml", 2, Network("127.7.7"), {})
    True
    """
    own = {"NAME": f"db{number}", "ADDRESS": network.address(number)}
    others = {f"10.0.0.{each}": network.address(each) for each in NUMBERS}
    text = fill_template(name, {**values, **own, **others})
    return re.sub(
        r"^\s*listen.*$",
        lambda line: line[0].replace(network.address(number), network.behind_relay(number)),
        text,
        flags=re.MULTILINE,
    )


def lease_seconds() -> int:
    """Return Patroni's `ttl`: after this number of seconds without a sign of life, a primary is replaced.

    >>> lease_seconds() >= 20  # Patroni accepts no smaller number
    True
    """
    found = re.search(r"\bttl: (\d+)", (TEMPLATES / "patroni.yml").read_text(encoding="utf-8"))
    assert found is not None
    return int(found[1])


def processes_in(folder: Path) -> list[int]:
    """Return the ids of all processes whose working directory is in a folder, which must have no links in its path."""
    found = list[int]()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                if (entry / "cwd").readlink().is_relative_to(folder):
                    found.append(int(entry.name))
    return found


def _send(what: signal.Signals, pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, what)


class Machine:
    """One machine of a cluster, with etcd, Patroni and PostgreSQL."""

    def __init__(
        self, folder: Path, number: int, network: Network, programs: Programs, passwords: Passwords, *, strict: bool
    ) -> None:
        """Write the configuration to a folder, which is created. `strict`: with `synchronous_mode_strict`."""
        self.name = f"db{number}"
        self.folder = folder
        self.address = network.behind_relay(number)
        self._programs = programs
        self._children = dict[str, subprocess.Popen[bytes]]()
        folder.mkdir()
        values = {
            "/usr/lib/postgresql/17/bin": str(programs.postgres),
            "/var/lib/postgresql/": f"{folder}/",
            "/var/run/postgresql": str(folder),
            "10.0.0.0/24": "127.0.0.0/8",
            "SUPERUSER_PASSWORD": passwords.superuser,
            "REPLICATION_PASSWORD": passwords.replication,
            **({"strict: false": "strict: true"} if strict else {}),
        }
        files = {"etcd.yml": {"/var/lib/etcd/cards": f"{folder}/etcd"}, "patroni.yml": values}
        for name, changed in files.items():
            (folder / name).write_text(fill_machine_template(name, number, network, changed), encoding="utf-8")

    def start(self) -> None:
        """Start etcd and Patroni unless they run. Patroni starts PostgreSQL."""
        self._start("etcd", [str(self._programs.etcd), "--config-file", "etcd.yml"])
        self._start("patroni", [str(self._programs.patroni), "-m", "patroni", "patroni.yml"])

    def _start(self, name: str, command: list[str]) -> None:
        if name not in self._children or self._children[name].poll() is not None:
            with (self.folder / f"{name}.log").open("ab") as log:
                self._children[name] = subprocess.Popen(  # noqa: S603
                    command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
                )

    def signal(self, what: signal.Signals) -> None:
        """Send a signal to all processes of the machine."""
        _send(what, processes_in(self.folder))

    def kill(self) -> None:
        """Kill all processes of the machine."""
        self._kill_all_but(set())

    def kill_patroni(self) -> None:
        """Kill Patroni and PostgreSQL. etcd goes on."""
        self._kill_all_but({self._children["etcd"].pid})

    def _kill_all_but(self, spared: set[int]) -> None:
        end = time.monotonic() + _END_SECONDS
        while (left := set(processes_in(self.folder)) - spared) and time.monotonic() < end:
            _send(signal.SIGKILL, left)
            for child in self._children.values():
                child.poll()

    def kill_postgres(self) -> None:
        """Kill the main process of PostgreSQL. Its other processes end by themselves."""
        pid = (self.folder / "cards" / "postmaster.pid").read_text(encoding="ascii").split()[0]
        os.kill(int(pid), signal.SIGKILL)

    def kill_etcd(self) -> None:
        """Kill the process of etcd."""
        self._children["etcd"].kill()
        self._children["etcd"].wait()

    def members(self) -> list[dict[str, Any]]:
        """Return what this machine's Patroni knows of all: name, role, state and timeline. Raises `OSError`."""
        members: list[dict[str, Any]] = self._ask(PATRONI_PORT, "GET", "/cluster")["members"]
        return members

    def switch_over(self) -> None:
        """Let this machine, the primary, hand over to another. Raises `OSError`."""
        self._ask(PATRONI_PORT, "POST", "/switchover", {"leader": self.name}, seconds=60)

    def leads_etcd(self) -> bool | None:
        """Return whether this machine's etcd is the leader; None during an election. Raises `OSError`."""
        status = self._ask(ETCD_PORT, "POST", "/v3/maintenance/status", {})
        leader = status.get("leader")
        return None if leader is None else bool(leader == status["header"]["member_id"])

    def _ask(self, port: int, method: str, path: str, body: object = None, *, seconds: float = ASK_SECONDS) -> Any:
        connection = http.client.HTTPConnection(self.address, port, timeout=seconds)
        try:
            connection.request(method, path, None if body is None else json.dumps(body))
            answer = connection.getresponse()
            text = answer.read().decode()
            if answer.status != 200:
                raise OSError(f"{self.name}: {path} was answered with {answer.status}: {text}")
            return json.loads(text) if text.startswith("{") else text
        except http.client.HTTPException as error:
            raise OSError(f"{self.name}: {path}: {error!r}") from error
        finally:
            connection.close()
