"""`python -m tools cluster`: run the high availability of `deploy/patroni/` on this machine, and test it."""

import asyncio
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Final

import click

from tools.cluster.accidents import ACCIDENTS, AccidentTest, format_results
from tools.cluster.cluster import PROBE_DATABASE, Cluster, describe_members
from tools.cluster.direct_writes import DirectWriter, find_writes_to_replaced_primaries
from tools.cluster.programs import find_programs, leave_root
from tools.crashes.kill_server import find_rebuild_differences
from tools.local_server.server_process import LocalServer

_SHOWN: Final = 20


@click.command()
@click.option("--accidents", is_flag=True, help="Play in rooms, let each accident happen once, and check the logs.")
@click.option("--seconds", type=click.FloatRange(0), default=0, help="Repeat the accidents for this time.")
@click.option(
    "--only", "kinds", multiple=True, type=click.Choice([*ACCIDENTS]), help="Only this accident (repeatable)."
)
@click.option("--strict", is_flag=True, help="With synchronous_mode_strict: nothing is saved without a replica.")
@click.option("--nodes", type=click.IntRange(1), default=4, show_default=True, help="Servers of Pecking Order.")
@click.option("--rooms", type=click.IntRange(1), default=4, show_default=True, help="Rooms that play at a time.")
@click.option("--think", default=0.1, show_default=True, help="Seconds that a player waits before each action.")
@click.option("--seed", default=1, show_default=True, help="Random seed of the players.")
@click.option("--keep", is_flag=True, help="Keep the folder with configuration, data and logs, as after an error.")
@click.option(
    "--postgres",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with PostgreSQL's programs, such as /usr/lib/postgresql/17/bin. Default: those of the tests.",
)
def cluster(
    accidents: bool,
    seconds: float,
    kinds: tuple[str, ...],
    strict: bool,
    nodes: int,
    rooms: int,
    think: float,
    seed: int,
    keep: bool,
    postgres: Path | None,
) -> None:
    """Start three machines with etcd, Patroni and PostgreSQL, and HAProxy, as in deploy/patroni/.

    They run until Ctrl-C. With --accidents, people play in rooms on several servers meanwhile, and the accidents happen
    one after the other. No acknowledged action may be lost or doubled, no two primaries may be written to, and no room
    may wait for long. The end is a table.
    """
    programs = find_programs(postgres)
    leave_root()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Told to stop."))
    with _new_folder(keep=keep) as folder, Cluster(folder, programs, strict=strict) as machines:
        if not (accidents or kinds):
            click.echo(f"DATABASE_URL='{machines.url}'\n{describe_members(machines.members())}\nCtrl-C ends it.")
            _wait_for_ctrl_c()
            return
        with _servers(machines, folder, nodes) as servers:
            test = AccidentTest(machines, servers, rooms=rooms, think=think, rng=Random(seed))
            writer = DirectWriter({each.name: machines.direct_url(each, PROBE_DATABASE) for each in machines.machines})
            writer.make_table(machines.direct_url(machines.primary(), PROBE_DATABASE))
            asyncio.run(_run_in_turn(test, writer, kinds or [*ACCIDENTS], seconds))
        results = [*test.results.values()]
        click.echo(format_results(results))
        faults = [*(fault for result in results for fault in result.faults()), *_check_at_end(test, writer)]
        for fault in faults[:_SHOWN]:
            click.echo(fault, err=True)
        if faults:
            sys.exit(1)


@contextmanager
def _servers(machines: Cluster, folder: Path, nodes: int) -> Iterator[list[LocalServer]]:
    """Run servers of Pecking Order on the cluster's database for the length of a block."""
    servers = [LocalServer(machines.url, RETRY_MS="100") for _ in range(nodes)]
    try:
        for number, server in enumerate(servers, 1):
            server.log = folder / f"node{number}.log"
            server.start()
        yield servers
    finally:
        for server in servers:
            server.stop()


async def _run_in_turn(test: AccidentTest, writer: DirectWriter, kinds: Sequence[str], seconds: float) -> None:
    """Let the kinds of accidents happen in turn: once each, or until this time is over."""
    end = time.monotonic() + seconds
    async with writer.writing():
        for number, kind in enumerate(cycle(kinds)):
            if number >= len(kinds) and time.monotonic() >= end:
                return
            await test.suffer(kind)


def _check_at_end(test: AccidentTest, writer: DirectWriter) -> list[str]:
    """Return what is wrong with logs, history, and the writes to each PostgreSQL; print the counts."""
    machines = test.cluster
    lost = writer.find_lost(machines.direct_url(machines.primary(), PROBE_DATABASE))
    old = find_writes_to_replaced_primaries(writer.writes)
    changed = asyncio.run(test.find_changed_logs())
    differences = find_rebuild_differences(machines.url)
    tracebacks = sum(server.log.read_text(errors="replace").count("Traceback") for server in test.nodes if server.log)
    timelines = len({write.timeline for write in writer.writes})
    click.echo(
        f"{len(writer.writes)} direct writes on {timelines} timelines: {len(old)} to a replaced primary, "
        f"{len(lost)} lost\n"
        f"{len(changed)} logs changed later, {len(differences)} rows of history and statistics differ from the logs\n"
        f"{tracebacks} tracebacks in the logs of the servers"
    )
    return [
        *(f"written to a replaced primary: {write}" for write in old),
        *(f"lost: {write}" for write in lost),
        *(f"changed later: the log of room {room}" for room in changed),
        *map(str, differences),
    ]


@contextmanager
def _new_folder(*, keep: bool) -> Iterator[Path]:
    """Make a folder for the length of a block. It stays after an error, or if the operator wants to keep it."""
    folder = Path(tempfile.mkdtemp(prefix="pecking-order-cluster-")).resolve()
    try:
        yield folder
    except BaseException:
        keep = True
        raise
    finally:
        if keep:
            click.echo(f"The logs are in {folder}", err=True)
        else:
            shutil.rmtree(folder)


def _wait_for_ctrl_c() -> None:
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        pass
