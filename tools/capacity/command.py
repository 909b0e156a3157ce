"""`python -m tools capacity`: how many nodes and databases a number of rooms needs, and what they cost a month.

docs/measurements/how-far-it-goes.md has the result.
"""

import math
from collections.abc import Callable
from typing import Final

import click

from tools.bench.nodes import measure_nodes
from tools.capacity.model import Costs, highest_rate, slow_wait

COSTS: Final = Costs(
    node_action=330e-6,
    node_commit=250e-6,
    database_action=60e-6,
    database_commit=100e-6,
    client_action=200e-6,
    sync=1e-3,
    wake=5e-6,
)
"""Measured by `--database` on a virtual machine with two cores."""

ROOMS: Final = (10_000, 100_000, 1_000_000)
SECONDS_FOR_ACTION: Final = 3
"""Seconds from one action in a room that plays to the next."""
PLAYING: Final = {"one room in 50 plays": 0.02, "all rooms play at once": 1.0}
PLAY_SECONDS: Final = 6 * 3600 * 30
"""Seconds of a month in which this number of rooms play."""
PATIENCE: Final = 0.1
"""The longest wait at p99, in seconds."""
RESERVE: Final = 0.7
"""Part of the highest rate that is used: the rest is for busy minutes, and for a machine that fails."""
MOST_NODES: Final = 256
"""The most nodes on one database that are tried."""

MACHINE: Final = "CCX23 of Hetzner Cloud: 4 processors, 16 GB, 160 GB"
CORES: Final = 4
MEMORY: Final = 16e9
DISK: Final = 160e9
PRICE: Final = 50
"""Euro a month for a machine: an assumption, not an offer."""
NODES_ON_MACHINE: Final = 3
"""The fourth processor is for the proxy and the system."""
DATABASE_MACHINES: Final = 3
"""A primary and two standbys."""
NODE_BYTES: Final = 150e6
ROOM_BYTES: Final = 93e3
"""Memory of a room that plays (docs/measurements/server.md)."""
ACTION_BYTES: Final = 400
"""Disk space for an action, with its share of the hand (docs/database.md)."""


@click.command()
@click.option("--database", help="DATABASE_URL of a PostgreSQL on this machine: measure the costs, and compare.")
@click.option("--seconds", default=10.0, show_default=True, help="Seconds of each measurement.")
def capacity(database: str | None, seconds: float) -> None:
    """Say how many nodes, databases and machines 10,000 to a million rooms need, by a simulation."""
    if database is not None:
        compare(measure_costs(database, seconds), database, seconds)
        return
    node_rate = RESERVE * _highest(lambda rate: slow_wait(COSTS, 1, rate, CORES), 10, 20_000)
    nodes = int(_highest(lambda count: slow_wait(COSTS, int(count), node_rate, CORES, 1.0), 1, MOST_NODES))
    click.echo(f"A node handles {node_rate:.0f} actions a second, and a database {nodes} nodes.")
    for title, share in PLAYING.items():
        click.echo(f"If {title}, one of each is full at this number of rooms:")
        for part, rooms in sorted(find_limits(share, node_rate, nodes).items(), key=lambda limit: limit[1]):
            click.echo(f"  {rooms:12,.0f}  {part}")
        for rooms in ROOMS:
            click.echo(f"  {describe_plan(rooms, share, node_rate, nodes)}")


def find_limits(share: float, node_rate: float, nodes: int) -> dict[str, float]:
    """Return the number of rooms at which each part is full, if `share` of the rooms plays."""
    of_room = share / SECONDS_FOR_ACTION
    return {
        f"processor of a node ({node_rate:.0f} actions a second)": node_rate / of_room,
        f"database with {nodes} nodes": nodes * node_rate / of_room,
        f"memory of a machine with {NODES_ON_MACHINE} nodes": (MEMORY - NODES_ON_MACHINE * NODE_BYTES)
        / (share * ROOM_BYTES),
        "disk of the database, after a month": DISK / (of_room * PLAY_SECONDS * ACTION_BYTES),
    }


def describe_plan(rooms: int, share: float, node_rate: float, nodes_of_database: int) -> str:
    """Return a line with the machines for this number of rooms."""
    rate = rooms * share / SECONDS_FOR_ACTION
    nodes = math.ceil(rate / node_rate)
    databases = math.ceil(nodes / nodes_of_database)
    machines = math.ceil(nodes / NODES_ON_MACHINE) + databases * DATABASE_MACHINES
    disk = rate * PLAY_SECONDS * ACTION_BYTES
    return (
        f"{rooms:,} rooms: {rate:,.0f} actions a second, {nodes} nodes, {databases} databases, {machines} machines, "
        f"{machines * PRICE:,} € a month; the disk grows by {disk / 1e9:,.0f} GB a month"
    )


def _highest(wait: Callable[[float], float], low: float, high: float) -> float:
    """Return the highest value with a bearable wait, to 5 %."""
    while high / low > 1.05:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if wait(middle) < PATIENCE else (low, middle)
    return low


def measure_costs(database: str, seconds: float) -> Costs:
    """Measure the costs on this machine, with one node: rare actions need a commit each, frequent ones share it."""
    rare, often = (measure_nodes(1, 48, seconds, rate, "president", database) for rate in (100, 800))

    def solve(whose: str) -> tuple[float, float]:
        """Return seconds for an action, and for a commit: 1 / each figure = action + commit / actions of a commit."""
        few, many = (1 / one[whose] for one in (rare, often))
        share_few, share_many = (1 / one["actions_per_commit"] for one in (rare, often))
        commit = max(0.0, (few - many) / (share_few - share_many))
        return few - commit * share_few, commit

    node_action, node_commit = solve("servers")
    database_action, database_commit = solve("database")
    sync = rare["commit_ms"] / 1000 - database_commit - database_action
    return Costs(node_action, node_commit, database_action, database_commit, 1 / often["clients"], max(0.0, sync))


def compare(costs: Costs, database: str, seconds: float) -> None:
    """Print the costs, and the highest rate of one and two nodes on two processors: simulated and measured."""
    click.echo(costs)
    for nodes in (1, 2):
        expected = highest_rate(costs, nodes, 48, 2)
        measured = measure_nodes(nodes, 48, seconds, 0, "president", database)["actions_per_second"]
        click.echo(
            f"{nodes} nodes: {expected:.0f} actions a second simulated, {measured:.0f} measured, "
            f"{expected / measured - 1:+.0%}"
        )
