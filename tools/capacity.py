"""`python -m tools capacity`: simulate the nodes, databases and machines that a number of rooms needs.

A node works in one thread. It has at most one commit under way, and actions that arrive meanwhile share the next one.
The costs are those that `python -m tools bench costs` measures. docs/measurements/how-far-it-goes.md has the result.
"""

import math
from collections.abc import Callable, Generator, Iterable
from random import Random
from typing import Any, Final, TypeAlias

import click
import simpy
from msgspec import Struct

Steps: TypeAlias = Generator[simpy.Event, Any, None]


class Costs(Struct, frozen=True):
    """Seconds of a processor, and of waiting for the disk."""

    node_action: float
    node_commit: float
    database_action: float
    database_commit: float
    client_action: float  # of the program that plays, if it shares the machine
    sync: float  # until a commit is on the disk
    wake: float = 0.0  # of the database, for each NOTIFY and each node that listens


COSTS: Final = Costs(414e-6, 1.80e-3, 23e-6, 758e-6, 126e-6, sync=2e-3, wake=20e-6)
NOTICES_PER_SECOND: Final = 100  # the most NOTIFY of a node (`SEND_INTERVAL` in app/store/cluster/pg_bus.py)

ROOMS: Final = (10_000, 100_000, 1_000_000)
SECONDS_FOR_ACTION: Final = 3  # from one action in a room that plays to the next
PLAYING: Final = {"one room in 50 plays": 0.02, "all rooms play at once": 1.0}
PLAY_SECONDS: Final = 6 * 3600 * 30  # of a month, in which this number of rooms plays
PATIENCE: Final = 0.1  # seconds, the longest bearable wait at p99
RESERVE: Final = 0.7  # of a node's highest rate is used. The rest is for busy minutes, and for a machine that fails
MOST_NODES: Final = 256  # on one database

# Machine: CCX23 of Hetzner Cloud, for nodes and for databases.
CORES: Final = 4
NODES_ON_MACHINE: Final = 3  # one processor is for the proxy and the system
DATABASE_MACHINES: Final = 3  # a primary and two standbys
PRICE: Final = 50  # euro a month: an assumption, not an offer
DISK_BYTES: Final = 160e9
MEMORY_BYTES: Final = 16e9
NODE_BYTES: Final = 150e6
ROOM_BYTES: Final = 93e3  # of memory, for a room that plays (docs/measurements/server.md)
ACTION_BYTES: Final = 400  # on the disk, with a share of the hand (docs/database.md)


class Node:
    """A server process. Its event loop does one thing at a time."""

    def __init__(
        self, env: simpy.Environment, costs: Costs, cores: simpy.Resource, database_cores: simpy.Resource
    ) -> None:
        self._env, self._costs, self._cores, self._database_cores = env, costs, cores, database_cores
        self._loop = simpy.Resource(env)
        self._waiting: list[simpy.Event] = []
        self._wake = env.event()
        self.commits = 0
        env.process(self._save())

    def act(self) -> Steps:
        """Handle one action, from its arrival until the players have the update."""
        yield from self._run(self._costs.node_action / 2)
        saved = self._env.event()
        self._waiting.append(saved)
        if not self._wake.triggered:
            self._wake.succeed()
        yield saved
        yield from self._run(self._costs.node_action / 2)

    def _save(self) -> Steps:
        costs = self._costs
        while True:
            yield self._wake
            batch, self._waiting, self._wake = self._waiting, [], self._env.event()
            yield from self._run(costs.node_commit)
            seconds = costs.database_commit + len(batch) * costs.database_action
            yield from work(self._env, self._database_cores, seconds)
            yield self._env.timeout(costs.sync)
            self.commits += 1
            for saved in batch:
                saved.succeed()

    def _run(self, seconds: float) -> Steps:
        with self._loop.request() as turn:
            yield turn
            yield from work(self._env, self._cores, seconds)


def work(env: simpy.Environment, cores: simpy.Resource, seconds: float) -> Steps:
    """Use one of these processors."""
    with cores.request() as core:
        yield core
        yield env.timeout(seconds)


def deliver_notices(env: simpy.Environment, costs: Costs, cores: simpy.Resource, nodes: int) -> Steps:
    """Let the database wake the other nodes for each NOTIFY of a node."""
    while True:
        yield env.timeout(1 / NOTICES_PER_SECOND)
        env.process(work(env, cores, nodes * (nodes - 1) * costs.wake))


def highest_rate(costs: Costs, nodes: int, rooms: int, cores: int, seconds: float = 5.0) -> tuple[float, float]:
    """Return the actions a second of programs that answer at once, and the actions for each second of a processor.

    All processes share one machine.
    """
    env = simpy.Environment()
    machine, client, done = simpy.Resource(env, cores), simpy.Resource(env), [0]

    def play(node: Node) -> Steps:
        while True:
            with client.request() as turn:
                yield turn
                yield from work(env, machine, costs.client_action)
            yield from node.act()
            done[0] += 1

    servers = [Node(env, costs, machine, machine) for _ in range(nodes)]
    env.process(deliver_notices(env, costs, machine, nodes))
    for room in range(rooms):
        env.process(play(servers[room % nodes]))
    env.run(seconds)
    of_action = costs.client_action + costs.node_action + costs.database_action
    of_commits = sum(server.commits for server in servers) * (costs.node_commit + costs.database_commit)
    return done[0] / seconds, done[0] / (done[0] * of_action + of_commits)


def slow_wait(costs: Costs, nodes: int, rate: float, seconds: float = 2.0) -> float:
    """Return the p99 of the seconds from an action to its update, with `rate` actions a second on each node.

    Each node has a processor, and the database a machine. Infinite if actions of the first half stay unanswered.
    """
    env, rng, waits = simpy.Environment(), Random(1), list[float]()
    machine = simpy.Resource(env, CORES)

    def handle(node: Node, place: int) -> Steps:
        since = env.now
        yield from node.act()
        waits[place] = env.now - since

    def arrive(node: Node) -> Steps:
        while env.now < seconds / 2:
            yield env.timeout(rng.expovariate(rate))
            waits.append(math.inf)
            env.process(handle(node, len(waits) - 1))

    env.process(deliver_notices(env, costs, machine, nodes))
    for _ in range(nodes):
        env.process(arrive(Node(env, costs, simpy.Resource(env), machine)))
    env.run(seconds)
    return sorted(waits)[len(waits) * 99 // 100]


def highest_bearable(wait: Callable[[float], float], low: float, high: float) -> float:
    """Return the highest value with a bearable wait, to 5 %."""
    while high / low > 1.05:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if wait(middle) < PATIENCE else (low, middle)
    return low


def plan_lines(share: float, node_rate: float, nodes: int) -> Iterable[str]:
    """Yield the limit of each part, and the machines for each number of rooms, of which `share` plays."""
    of_room = share / SECONDS_FOR_ACTION
    limits = {
        "processor of a node": node_rate / of_room,
        f"processors of the database, with {nodes} nodes": nodes * node_rate / of_room,
        "memory of a machine with nodes": (MEMORY_BYTES - NODES_ON_MACHINE * NODE_BYTES) / ROOM_BYTES / share,
        "disk of the database, after a month": DISK_BYTES / (of_room * PLAY_SECONDS * ACTION_BYTES),
    }
    for part, rooms in sorted(limits.items(), key=lambda limit: limit[1]):
        yield f"{part}: full at {rooms:,.0f} rooms"
    for rooms in ROOMS:
        rate = rooms * of_room
        needed = math.ceil(rate / node_rate)
        databases = math.ceil(needed / nodes)
        machines = math.ceil(needed / NODES_ON_MACHINE) + databases * DATABASE_MACHINES
        growth = rate * PLAY_SECONDS * ACTION_BYTES / 1e9
        yield (
            f"{rooms:,} rooms: {rate:,.0f} actions a second, {needed} nodes, {databases} databases; {machines} "
            f"machines, {machines * PRICE:,} € a month; {growth:,.0f} GB more each month"
        )


@click.command()
def capacity() -> None:
    """Simulate the nodes, databases and machines that 10,000 to a million rooms need."""
    node_rate = RESERVE * highest_bearable(lambda rate: slow_wait(COSTS, 1, rate), 10, 20_000)
    nodes = int(highest_bearable(lambda count: slow_wait(COSTS, int(count), node_rate), 1, MOST_NODES))
    click.echo(f"A node handles {node_rate:.0f} actions a second, a database {nodes} nodes.")
    for title, share in PLAYING.items():
        click.echo("\n  ".join((f"If {title}:", *plan_lines(share, node_rate, nodes))))
