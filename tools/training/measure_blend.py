"""`python -m tools trust`: what the hard bot goes by, and how far it should trust the network."""

import os

import click
from msgspec import json

from app.arena.duplicate_deals import Bout
from app.bots.network import small_network_bot
from app.bots.search.blend import Trust
from app.commands.shared.options import switch
from app.engine.base.errors import RuleError
from app.engine.games import GAMES
from tools.training.train import CLIMBING


@click.command()
@click.argument("game", type=click.Choice(CLIMBING))
@click.option("--hands", type=click.IntRange(10), default=300, show_default=True, help="Of which some turns are taken.")
@click.option("--worlds", type=click.IntRange(1), default=16, show_default=True, help="In which actions are tried.")
@click.option("--seed", default="trust", show_default=True, help="The chance of it all.")
@click.option("--preset", default=None, help="The rules; else the first preset.")
@click.option("--switch", "switches", multiple=True, help="KEY=VALUE: besides, as often as you like.")
def trust(game: str, hands: int, worlds: int, seed: str, preset: str | None, switches: tuple[str, ...]) -> None:
    """Measure what tells actions apart: the network's opinion now, its opinion some turns later in worlds, and what
    worlds come to in the end.

    Of each is printed how much of what came of actions in the real hand it explains, in positions that it was not
    fitted to, and what each part counts; and last the trust in the network that explains most.

    Needs numpy (`pip install '.[train]'`): see docs/bots.md.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from tools.training.blend_weights import DEPTH, fitted, positions, trust_from
    except ImportError:
        raise click.ClickException("This needs numpy: pip install '.[train]'.") from None
    net, rules = small_network_bot.network(game), GAMES[game].declared
    if net is None:
        raise click.ClickException(f"Nothing has been learnt of {game}: see `python -m tools train`.")
    bout = Bout(GAMES[game], preset or rules.presets[0].key, dict(map(switch, switches)), "steady", "steady", seed=seed)
    try:
        some = [one for hand in range(hands) for one in positions(bout, hand, worlds, net)]
    except RuleError as error:
        raise click.ClickException(f"{bout.rules}: {error.sentence}") from None
    if len(some) < hands // 2:
        raise click.ClickException("There are too few turns with a choice in them.")
    click.echo(f"{bout.rules}: {len(some)} positions, {worlds} worlds each")
    found: list[tuple[float, Trust]] = []
    for depth in range(DEPTH + 1):
        for ends in (False, True):
            fit = fitted(some, depth, ends=ends)
            weights = " ".join(f"{weight:5.2f}" for weight in fit.weights)
            click.echo(f"{_what(depth, ends=ends):54} {100 * fit.explains:5.1f} %  {weights}")
            if depth:
                found.append((fit.explains, trust_from(fit, depth, worlds, len(some))))
    best = max(found, key=lambda one: one[0])[1]
    click.echo(f"measured/{game}.json: {json.encode(best).decode()}")


def _what(depth: int, *, ends: bool) -> str:
    parts = ["the network now"]
    if depth:
        parts.append(f"its opinion {'at the next turn' if depth == 1 else f'{depth} turns later'}")
    if ends:
        parts.append("the end")
    return ", ".join(parts)
