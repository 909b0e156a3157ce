"""`python -m tools bench costs`: measure the costs for tools/capacity.py, and compare its result with a measurement."""

import click

from tools.bench.nodes import measure_nodes
from tools.capacity import Costs, highest_rate

FEW_ROOMS, ROOMS, MANY_ROOMS = 8, 48, 96
"""The costs come from few and many rooms on one node. The comparison has another number of rooms."""
GAME = "president"


@click.command()
@click.option("--database", required=True, help="DATABASE_URL of a PostgreSQL on this machine.")
@click.option("--cores", default=2, show_default=True, help="Processors of this machine.")
@click.option("--seconds", default=10.0, show_default=True, help="Seconds of each measurement.")
def costs(database: str, cores: int, seconds: float) -> None:
    """Measure the costs of an action and a commit, and compare simulated with measured rates of one and two nodes.

    If other programs are at work, compare only the actions for each second of a processor, over all processes.
    """
    measured = _measure_costs(database, seconds)
    click.echo(measured)
    for nodes in (1, 2):
        rate, efficiency = highest_rate(measured, nodes, ROOMS, cores)
        played = measure_nodes(nodes, ROOMS, seconds, 0, GAME, database)
        found = 1 / sum(1 / played[whose] for whose in ("servers", "database", "clients"))
        click.echo(
            f"{nodes} nodes: {rate:.0f} actions a second simulated, {played['actions_per_second']:.0f} measured; "
            f"{efficiency:.0f} for each second of a processor simulated, {found:.0f} measured"
        )


def _measure_costs(database: str, seconds: float) -> Costs:
    """Measure one node: with many rooms more actions share a commit."""
    measured = [measure_nodes(1, rooms, seconds, 0, GAME, database) for rooms in (FEW_ROOMS, MANY_ROOMS)]
    commits = [1 / one["actions_per_commit"] for one in measured]  # for each action

    def solve(whose: str) -> tuple[float, float]:
        """Return the seconds for an action and for a commit, from two mixtures of both."""
        few, many = (1 / one[whose] for one in measured)
        commit = max(0.0, (few - many) / (commits[0] - commits[1]))
        return few - commit * commits[0], commit

    node, server = solve("servers"), solve("database")
    sync = max(0.0, measured[0]["commit_ms"] / 1000 - server[1] - measured[0]["actions_per_commit"] * server[0])
    return Costs(*node, *server, 1 / measured[1]["clients"], sync)
