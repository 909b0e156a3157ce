"""`python -m tools bench`: the group of benchmark commands. Each module is imported when its command is called."""

import click

from app.commands.shared.lazy_group import LazyGroup

BENCHES = {
    "engine": ("tools.bench.engine:engine", "Actions per second of every game, and the time of `legal`."),
    "rooms": ("tools.bench.rooms:rooms", "A server of its own, with bots over real sockets."),
    "costs": ("tools.bench.costs:costs", "Costs of actions and commits, for `python -m tools capacity`."),
    "nodes": ("tools.bench.nodes:nodes", "Several servers on one PostgreSQL, with bots over real sockets."),
}


@click.group(cls=LazyGroup, table=BENCHES)
def bench() -> None:
    """Measure the engine's speed, or that of a whole server with bots over real sockets."""
