"""Accidents to a cluster while rooms play on several nodes, and the check that nothing acknowledged is lost or doubled.

Each accident has new rooms, so that each finding belongs to one accident.
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Final, NamedTuple

import click

from app.engine.games import GAMES
from app.store.store import Store, open_beside_server
from tools.cluster.cluster import Cluster
from tools.cluster.machines import Machine, lease_seconds
from tools.crashes.kill_nodes import NodeRoom, NodeSoak, kill_and_restart
from tools.crashes.log_check import LogMismatch
from tools.local_server.server_process import LocalServer

PROCESS_LIMIT: Final = 8.0
"""Seconds that a room may wait for an answer after the loss of a process."""
MACHINE_LIMIT: Final = lease_seconds() + 5.0
"""Seconds that a room may wait for an answer after the loss of a machine."""
PATIENCE: Final = 120.0
"""Seconds without enough answers in a room after which an accident ends. That is its longest wait then."""
ANSWERS: Final = 10
"""Answers that each room gets before an accident and after it."""
_QUICK: Final = 10.0
_SLOW: Final = 30.0

Nodes = Sequence[LocalServer]


@contextmanager
def _once(deed: Callable[[], None]) -> Iterator[None]:
    """Do something before the block. Nothing is to be mended after it."""
    deed()
    yield


@contextmanager
def _killed(machine: Machine, kill: Callable[[], None]) -> Iterator[None]:
    """Kill processes of a machine before the block, and start them again after it."""
    kill()
    try:
        yield
    finally:
        machine.start()


@contextmanager
def _frozen(machine: Machine) -> Iterator[None]:
    """Stop all processes of a machine for the length of the block. Then they go on where they were."""
    machine.signal(signal.SIGSTOP)
    try:
        yield
    finally:
        machine.signal(signal.SIGCONT)


@contextmanager
def _cut(cluster: Cluster) -> Iterator[None]:
    """Cut the connections between the primary and its synchronous replica for the length of the block."""
    cluster.cut(cluster.primary(), cluster.sync_standby())
    try:
        yield
    finally:
        cluster.cut()


@contextmanager
def _killed_replicas(cluster: Cluster) -> Iterator[None]:
    """Kill Patroni and PostgreSQL of both replicas before the block, and start them again after it."""
    primary = cluster.primary()
    with ExitStack() as stack:
        for machine in cluster.machines:
            if machine is not primary:
                stack.enter_context(_killed(machine, machine.kill_patroni))
        yield


def _kill_etcd_leader(cluster: Cluster) -> AbstractContextManager[None]:
    leader = cluster.etcd_leader()
    return _killed(leader, leader.kill_etcd)


def _kill_machine(cluster: Cluster) -> AbstractContextManager[None]:
    primary = cluster.primary()
    return _killed(primary, primary.kill)


class Accident(NamedTuple):
    """A kind of accident, which lasts from the begin of a `with` block until its end."""

    happen: Callable[[Cluster, Nodes], AbstractContextManager[None]]
    seconds: float
    """The time until the block ends, and processes are started again, go on, or are connected."""
    limit: float
    """The longest allowed wait of a room for an answer, in seconds."""


ACCIDENTS: Final[Mapping[str, Accident]] = {
    "nothing": Accident(lambda _, __: nullcontext(), _QUICK, PROCESS_LIMIT),
    "kill-primary": Accident(lambda cluster, _: _once(cluster.primary().kill_postgres), _QUICK, PROCESS_LIMIT),
    "kill-machine": Accident(lambda cluster, _: _kill_machine(cluster), _SLOW, MACHINE_LIMIT),
    "freeze-machine": Accident(lambda cluster, _: _frozen(cluster.primary()), _SLOW, MACHINE_LIMIT),
    "freeze-standby": Accident(lambda cluster, _: _frozen(cluster.sync_standby()), _SLOW, MACHINE_LIMIT),
    "kill-replicas": Accident(lambda cluster, _: _killed_replicas(cluster), _QUICK, MACHINE_LIMIT),
    "kill-etcd-leader": Accident(lambda cluster, _: _kill_etcd_leader(cluster), _QUICK, PROCESS_LIMIT),
    "switch-over": Accident(lambda cluster, _: _once(cluster.primary().switch_over), _QUICK, PROCESS_LIMIT),
    "cut-machines": Accident(lambda cluster, _: _cut(cluster), _SLOW, MACHINE_LIMIT),
    "kill-node": Accident(lambda _, nodes: _once(lambda: kill_and_restart(nodes[0])), _QUICK, PROCESS_LIMIT),
}
"""The kinds of accidents, in the order in which they happen. “nothing” gives the longest wait without an accident."""


@dataclass(slots=True)
class Result:
    """What all accidents of one kind did."""

    kind: str
    times: int = 0
    acknowledged: int = 0
    """Number of actions that the server accepted before, during and after the accidents."""
    longest_wait: float = 0.0
    """Longest time between two answers in a room, in seconds."""
    mismatches: list[LogMismatch] = field(default_factory=list[LogMismatch])

    @property
    def limit(self) -> float:
        """The longest allowed wait, in seconds."""
        return ACCIDENTS[self.kind].limit

    def faults(self) -> list[str]:
        """Return what the logs lack or have twice, and whether a room waited for too long."""
        too_long = [f"{self.kind}: a room waited for {self.longest_wait:.1f} s"] * (self.longest_wait > self.limit)
        return [*too_long, *(f"{self.kind}: {mismatch.kind}: {mismatch.description}" for mismatch in self.mismatches)]

    def count(self, kind: str) -> int:
        """Return the number of mismatches of this kind: `lost`, `doubled` or `phantom`."""
        return sum(mismatch.kind == kind for mismatch in self.mismatches)


class AccidentTest:
    """Lets accidents happen while rooms play, and keeps the results by kind."""

    def __init__(self, cluster: Cluster, nodes: Nodes, *, rooms: int, think: float, rng: Random) -> None:
        """`rooms`: at the same time. `think`: seconds that each player waits before an action."""
        self.results: dict[str, Result] = {}
        self.cluster = cluster
        self.nodes = nodes
        self._rooms = rooms
        self._think = think
        self._rng = rng
        self._logs: dict[str, tuple[int, bytes]] = {}
        """The number of entries of each room's log after its accident, and their digest."""

    async def suffer(self, kind: str) -> None:
        """Let an accident of this kind happen while new rooms play, and compare the rooms with their logs."""
        result = self.results.setdefault(kind, Result(kind))
        await asyncio.to_thread(self.cluster.wait_until_whole)
        soak = NodeSoak(self.nodes, self._rng)
        await asyncio.to_thread(soak.open_rooms, self._rooms, [*GAMES])
        for player in (player for room in soak.tables for player in room.players):
            player.think_seconds = self._think
        try:
            async with soak.playing():
                await self._play_through(ACCIDENTS[kind], soak)
            longest = max(room.longest_pause for room in soak.tables)
        except TimeoutError:
            longest = PATIENCE
        await soak.compare_with_logs(self.cluster.url)
        await self._remember_logs(soak.tables)
        acknowledged = sum(player.accepted for room in soak.tables for player in room.players)
        result.times += 1
        result.acknowledged += acknowledged
        result.longest_wait = max(result.longest_wait, longest)
        result.mismatches += soak.mismatches
        click.echo(f"{kind}: {acknowledged} actions, longest wait {longest:.1f} s, {len(soak.mismatches)} mismatches")

    async def _play_through(self, accident: Accident, soak: NodeSoak) -> None:
        await _wait_for_answers(soak.tables)
        for room in soak.tables:
            room.longest_pause = 0.0
        async with _in_thread(lambda: accident.happen(self.cluster, self.nodes)):
            await asyncio.sleep(accident.seconds)
        await asyncio.to_thread(self.cluster.wait_until_whole)
        await _wait_for_answers(soak.tables)

    async def _remember_logs(self, rooms: Sequence[NodeRoom]) -> None:
        async with open_beside_server(self.cluster.url) as store:
            for room in rooms:
                self._logs[room.room] = await _digest_log(store, room.room)

    async def find_changed_logs(self) -> list[str]:
        """Return the rooms whose logs no longer begin with the entries that they had after their accident."""
        async with open_beside_server(self.cluster.url) as store:
            return [
                room
                for room, (count, kept) in self._logs.items()
                if await _digest_log(store, room, count) != (count, kept)
            ]


@asynccontextmanager
async def _in_thread(begin: Callable[[], AbstractContextManager[None]]) -> AsyncIterator[None]:
    """Enter and leave a context manager in threads, so that the players play on meanwhile."""
    with ExitStack() as stack:
        manager = await asyncio.to_thread(begin)
        await asyncio.to_thread(stack.enter_context, manager)
        try:
            yield
        finally:
            await asyncio.to_thread(stack.close)


async def _wait_for_answers(rooms: Sequence[NodeRoom]) -> None:
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(room.wait_for_answers(ANSWERS) for room in rooms))


async def _digest_log(store: Store, room: str, count: int | None = None) -> tuple[int, bytes]:
    """Return the number of entries of a room's log and their digest, of all or the first `count`."""
    entries = (await store.log.read(room, 0))[:count]
    return len(entries), sha256(repr(entries).encode()).digest()


def format_results(results: Sequence[Result]) -> str:
    """Return a table of results, with one line for each kind of accident.

    >>> print(format_results([Result("switch-over", 2, 1500, 0.62)]))
    accident           times  actions  longest wait   limit   lost  doubled  phantom
    switch-over            2    1,500         0.6 s     8 s      0        0        0
    """
    lines = ["accident           times  actions  longest wait   limit   lost  doubled  phantom"]
    lines += [
        f"{result.kind:17}{result.times:7}{result.acknowledged:9,}{result.longest_wait:12.1f} s{result.limit:6.0f} s"
        f"{result.count('lost'):7}{result.count('doubled'):9}{result.count('phantom'):9}"
        for result in results
    ]
    return "\n".join(lines)
