"""Simulate nodes that share one database: actions wait for a processor, for the commit of their batch, and for the disk.

A node works in one thread. It has at most one commit under way: actions that arrive meanwhile share the next one.
"""

import math
from collections.abc import Generator
from random import Random
from typing import Any, Final, TypeAlias

import simpy
from msgspec import Struct

Steps: TypeAlias = Generator[simpy.Event, Any, None]

NOTICES_PER_SECOND: Final = 100
"""The most NOTIFY that a node sends (`SEND_INTERVAL` in app/store/cluster/pg_bus.py)."""


class Costs(Struct, frozen=True):
    """Seconds of a processor, and of waiting for the disk."""

    node_action: float
    node_commit: float
    database_action: float
    database_commit: float
    client_action: float
    """Of the program that plays, if it shares the machine."""
    sync: float
    """Until a commit is on the disk."""
    wake: float = 0.0
    """Of the database, for each NOTIFY and each other node that listens."""


class Database:
    """A database with its processors."""

    def __init__(self, env: simpy.Environment, costs: Costs, cores: simpy.Resource) -> None:
        self._env, self._costs, self._cores = env, costs, cores

    def commit(self, actions: int) -> Steps:
        """Save a batch of actions."""
        yield from work(self._env, self._cores, self._costs.database_commit + actions * self._costs.database_action)
        yield self._env.timeout(self._costs.sync)

    def deliver_notices(self, nodes: int) -> Steps:
        """Wake all other nodes for the NOTIFY of each node."""
        while True:
            yield self._env.timeout(1 / NOTICES_PER_SECOND)
            yield from work(self._env, self._cores, nodes * (nodes - 1) * self._costs.wake)


class Node:
    """A server process. Its event loop does one thing at a time."""

    def __init__(self, env: simpy.Environment, costs: Costs, cores: simpy.Resource, database: Database) -> None:
        self._env, self._costs, self._cores, self._database = env, costs, cores, database
        self._loop = simpy.Resource(env)
        self._waiting: list[simpy.Event] = []
        self._wake = env.event()
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
        while True:
            yield self._wake
            batch, self._waiting, self._wake = self._waiting, [], self._env.event()
            yield from self._run(self._costs.node_commit)
            yield from self._database.commit(len(batch))
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


def highest_rate(costs: Costs, nodes: int, rooms: int, cores: int, seconds: float = 10.0) -> float:
    """Return the actions a second of programs that answer at once, on a machine that all processes share."""
    env = simpy.Environment()
    machine, done = simpy.Resource(env, cores), [0]
    database, client = Database(env, costs, machine), simpy.Resource(env)

    def play(node: Node) -> Steps:
        while True:
            with client.request() as turn:
                yield turn
                yield from work(env, machine, costs.client_action)
            yield from node.act()
            done[0] += 1

    servers = [Node(env, costs, machine, database) for _ in range(nodes)]
    env.process(database.deliver_notices(nodes))
    for room in range(rooms):
        env.process(play(servers[room % nodes]))
    env.run(seconds)
    return done[0] / seconds


def slow_wait(costs: Costs, nodes: int, rate: float, database_cores: int, seconds: float = 4.0) -> float:
    """Return the p99 of the seconds from an action to its update.

    Each node gets `rate` actions a second and has a processor, and the database has its own machine. Infinite if the
    actions of the first half have not all been handled at the end.
    """
    env, rng = simpy.Environment(), Random(1)
    database = Database(env, costs, simpy.Resource(env, database_cores))
    waits, begun = list[float](), [0]

    def handle(node: Node) -> Steps:
        since = env.now
        begun[0] += since < seconds / 2
        yield from node.act()
        if since < seconds / 2:
            waits.append(env.now - since)

    def arrive(node: Node) -> Steps:
        while True:
            yield env.timeout(rng.expovariate(rate))
            env.process(handle(node))

    env.process(database.deliver_notices(nodes))
    for _ in range(nodes):
        env.process(arrive(Node(env, costs, simpy.Resource(env), database)))
    env.run(seconds)
    return sorted(waits)[len(waits) * 99 // 100] if len(waits) == begun[0] else math.inf
