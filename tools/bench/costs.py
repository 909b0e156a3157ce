"""`python -m tools bench costs`: measure the costs for tools/capacity.py, and compare its result with a measurement."""

import click

from tools.bench.nodes import measure_nodes
from tools.capacity import Costs, highest_rate

MOST_ROOMS = 48
GAME = "president"


@click.command()
@click.option("--database", required=True, help="DATABASE_URL of a PostgreSQL on this machine.")
@click.option("--cores", default=2, show_default=True, help="Processors of this machine.")
@click.option("--seconds", default=10.0, show_default=True, help="Seconds of each measurement.")
def costs(database: str, cores: int, seconds: float) -> None:
    """Measure the costs of an action and a commit, and compare simulated with measured rates of one and two nodes."""
    measured = _measure_costs(database, seconds)
    click.echo(measured)
    for nodes in (1, 2):
        simulated = highest_rate(measured, nodes, MOST_ROOMS, cores)
        rate = measure_nodes(nodes, MOST_ROOMS, seconds, 0, GAME, database)["actions_per_second"]
        click.echo(f"{nodes} nodes: {simulated:.0f} actions a second simulated, {rate:.0f} measured")


def _measure_costs(database: str, seconds: float) -> Costs:
    """Measure one node: each action of a single room has a commit for itself, and those of several rooms share it."""
    alone, several = (measure_nodes(1, rooms, seconds, 0, GAME, database) for rooms in (1, MOST_ROOMS // 4))
    commits = [1 / one["actions_per_commit"] for one in (alone, several)]  # for each action

    def solve(whose: str) -> tuple[float, float]:
        """Return the seconds for an action and for a commit, from two mixtures of both."""
        few, many = (1 / one[whose] for one in (alone, several))
        commit = max(0.0, (few - many) / (commits[0] - commits[1]))
        return few - commit * commits[0], commit

    node, server = solve("servers"), solve("database")
    sync = max(0.0, alone["commit_ms"] / 1000 - sum(server))
    return Costs(*node, *server, 1 / several["clients"], sync)
