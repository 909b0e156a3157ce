"""Test the parts of `python -m tools cluster` that need no cluster. `.ci/cluster` runs the command itself."""

import asyncio
import subprocess
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from random import Random

import click
import pytest
import yaml

from tests.web.test_deploy import program
from tools.cluster.accidents import ACCIDENTS, MACHINE_LIMIT, PROCESS_LIMIT, Result, format_results
from tools.cluster.machines import NUMBERS, TEMPLATES, Machine, Network, Passwords, fill_template, processes_in
from tools.cluster.programs import ROOT, Programs
from tools.crashes.log_check import LogMismatch

NETWORK = Network(f"127.{Random().randint(1, 250)}.{Random().randint(1, 250)}")
PROGRAMS = Programs(Path("/e/etcd"), Path("/h/haproxy"), Path("/p/python"), Path("/pg/bin"))
PORT = 8008


def written(folder: Path, number: int, *, strict: bool = False) -> dict[str, dict[str, object]]:
    """Return the configuration that a machine gets, by file."""
    passwords = Passwords("of-superuser", "of-replication", "of-cards")
    machine = Machine(folder / f"db{number}", number, NETWORK, PROGRAMS, passwords, strict=strict)
    return {file: yaml.safe_load((machine.folder / file).read_text()) for file in ("etcd.yml", "patroni.yml")}


def test_each_machine_listens_behind_its_relay_and_names_the_relays_of_all(tmp_path: Path) -> None:
    files = written(tmp_path, 2)
    etcd, patroni = files["etcd.yml"], files["patroni.yml"]
    assert (etcd["name"], patroni["name"]) == ("db2", "db2")
    assert etcd["listen-peer-urls"] == f"http://{NETWORK.behind_relay(2)}:2380"
    assert etcd["advertise-client-urls"] == f"http://{NETWORK.address(2)}:2379"
    assert patroni["restapi"] == {
        "listen": f"{NETWORK.behind_relay(2)}:8008",
        "connect_address": f"{NETWORK.address(2)}:8008",
    }
    peers = ",".join(f"db{n}=http://{NETWORK.address(n)}:2380" for n in NUMBERS)
    assert etcd["initial-cluster"] == peers
    whole = "".join(file.read_text() for file in (tmp_path / "db2").iterdir())
    assert [left for left in ("10.0.0.", "/var/", "/usr/lib", "ADDRESS:", "PASSWORD") if left in whole] == []


@pytest.mark.parametrize("strict", [False, True])
def test_the_cluster_is_synchronous_and_strict_if_wanted(tmp_path: Path, *, strict: bool) -> None:
    dcs = written(tmp_path, 1, strict=strict)["patroni.yml"]["bootstrap"]["dcs"]  # type: ignore[index]
    assert (dcs["synchronous_mode"], dcs["synchronous_mode_strict"]) == (True, strict)
    assert (dcs["ttl"], dcs["loop_wait"]) == (20, 2)
    assert dcs["loop_wait"] + 2 * dcs["retry_timeout"] <= dcs["ttl"]
    assert (8, dcs["ttl"] + 5) == (PROCESS_LIMIT, MACHINE_LIMIT)


def test_a_text_that_a_template_lacks_is_an_error() -> None:
    with pytest.raises(click.ClickException, match=r"haproxy.cfg has no bind :80"):
        fill_template("haproxy.cfg", {"bind :80": "bind :8080"})


def test_haproxy_and_systemd_accept_their_files(tmp_path: Path) -> None:
    checked = subprocess.run(
        [program("haproxy"), "-c", "-f", TEMPLATES / "haproxy.cfg"], capture_output=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
    unit = tmp_path / "patroni.service"
    unit.write_text((TEMPLATES / unit.name).read_text().replace("/opt/patroni/bin/patroni", "/bin/true"))
    verify = [program("systemd-analyze"), "verify", "--man=no", str(unit)]
    verified = subprocess.run(verify, capture_output=True, text=True, timeout=60, check=False)
    assert (verified.returncode, [line for line in verified.stderr.splitlines() if str(tmp_path) in line]) == (0, [])


def test_a_mismatch_and_a_wait_above_the_limit_are_faults() -> None:
    lost = LogMismatch("lost", "of Ana")
    results = [
        Result("kill-primary", 1, 10, 7.9),
        Result("kill-machine", 1, 10, 25.1),
        Result("nothing", 1, 0, 0, [lost]),
    ]
    assert [result.faults() for result in results] == [
        [],
        ["kill-machine: a room waited for 25.1 s"],
        ["nothing: lost: of Ana"],
    ]
    heading, *lines = format_results(results).splitlines()
    assert [len(line) for line in lines] == [len(heading)] * 3
    assert lines[2].split()[-3:] == ["1", "0", "0"]
    assert {*ACCIDENTS} >= {"kill-machine", "freeze-machine", "switch-over", "cut-machines", "kill-node"}


async def test_a_cut_stops_only_the_connections_between_two_machines(tmp_path: Path) -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            writer.write(line)
        writer.close()

    async def ask(client: asyncio.subprocess.Process) -> bytes:
        assert client.stdin is not None
        assert client.stdout is not None
        client.stdin.write(b"ping\n")
        async with asyncio.timeout(10):
            return await client.stdout.readline()

    async def run(*command: str, folder: Path) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(*command, cwd=folder, stdin=PIPE, stdout=PIPE)

    talk = f"exec 3<>/dev/tcp/{NETWORK.address(2)}/{PORT}; while read a; do echo $a >&3; read -u 3 b; echo $b; done"
    async with await asyncio.start_server(echo, NETWORK.behind_relay(2), PORT):
        relays = await run(sys.executable, "-m", "tools.cluster.relays", str(tmp_path), NETWORK.prefix, folder=ROOT)
        assert relays.stdin is not None
        assert relays.stdout is not None
        assert await relays.stdout.readline() == b"ready\n"
        clients = []
        for name in ("db1", "db3"):
            (tmp_path / name).mkdir()
            clients.append(await run("bash", "-c", talk, folder=tmp_path / name))
        assert processes_in(tmp_path / "db1") == [clients[0].pid]
        assert [await ask(client) for client in clients] == [b"ping\n"] * 2
        relays.stdin.write(b"db1 db2\n")
        await asyncio.sleep(0.2)
        waiting = asyncio.create_task(ask(clients[0]))
        assert await ask(clients[1]) == b"ping\n"
        await asyncio.sleep(0.2)
        assert not waiting.done()
        relays.stdin.write(b"\n")
        assert await waiting == b"ping\n"
        for process in (*clients, relays):
            process.kill()
            await process.communicate()
