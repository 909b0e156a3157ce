"""`python -m tools bench costs`: measure the costs for tools/capacity.py, and compare its result with a measurement."""

import click

from tools.bench.nodes import measure_nodes
from tools.capacity import Costs, highest_rate

RATES = (100, 800)
"""Actions a second: at the first rate most actions have a commit for themselves, at the second several share it."""
ROOMS = 48
GAME = "president"


@click.command()
@click.option("--database", required=True, help="DATABASE_URL of a PostgreSQL on this machine.")
@click.option("--cores", default=2, show_default=True, help="Processors of this machine.")
@click.option("--seconds", default=10.0, show_default=True, help="Seconds of each measurement.")
def costs(database: str, cores: int, seconds: float) -> None:
    """Measure the costs of an action and of a commit, and the highest rate of one and two nodes, which is simulated."""
    measured = _measure_costs(database, seconds)
    click.echo(measured)
    for nodes in (1, 2):
        simulated = highest_rate(measured, nodes, ROOMS, cores)
        rate = measure_nodes(nodes, ROOMS, seconds, 0, GAME, database)["actions_per_second"]
        click.echo(f"{nodes} nodes: {simulated:.0f} actions a second simulated, {rate:.0f} measured")


def _measure_costs(database: str, seconds: float) -> Costs:
    rare, often = (measure_nodes(1, ROOMS, seconds, rate, GAME, database) for rate in RATES)
    commits = [1 / one["actions_per_commit"] for one in (rare, often)]  # for each action

    def solve(whose: str) -> tuple[float, float]:
        """Return the seconds for an action and for a commit, from two mixtures of both."""
        few, many = (1 / one[whose] for one in (rare, often))
        commit = max(0.0, (few - many) / (commits[0] - commits[1]))
        return few - commit * commits[0], commit

    node, database_ = solve("servers"), solve("database")
    sync = max(0.0, rare["commit_ms"] / 1000 - sum(database_))
    return Costs(*node, *database_, 1 / often["clients"], sync)
