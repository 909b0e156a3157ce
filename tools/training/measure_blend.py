"""`python -m tools trust`: measure how much weight the hard bot should give its network in a game."""

import os

import click
from msgspec import json

from app.arena.duplicate_deals import BotComparison
from app.bots.network import small_network_bot
from app.bots.search.blend import BlendWeights
from app.commands.shared.options import parse_option
from app.engine.base.errors import RuleError
from app.engine.games import GAMES
from tools.training.train import CLIMBING


@click.command()
@click.argument("game", type=click.Choice(CLIMBING))
@click.option(
    "--hands",
    type=click.IntRange(10),
    default=300,
    show_default=True,
    help="Hands to play; some of their turns are used.",
)
@click.option(
    "--worlds",
    type=click.IntRange(1),
    default=16,
    show_default=True,
    help="Sampled deals in which each action is tried.",
)
@click.option("--seed", default="trust", show_default=True, help="Random seed.")
@click.option("--preset", default=None, help="Preset to play. Default: the first one.")
@click.option("--switch", "switches", multiple=True, help="Set an option, as KEY=VALUE (repeatable).")
def trust(game: str, hands: int, worlds: int, seed: str, preset: str | None, switches: tuple[str, ...]) -> None:
    """Measure which estimates tell actions apart, to fit the hard bot's weights for a game.

    The estimates are the network's opinion now, its opinion some turns later in sampled deals (worlds), and what these
    deals come to in the end. For each combination of them, the command prints the share of the real outcome that it
    explains, and the weight of each part. The share is measured in positions that it was not fitted to. The last line
    has the weights that explain most.

    Needs numpy (`pip install '.[train]'`): see docs/bots.md.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from tools.training.blend_weights import DEPTH, blend_weights_from_fit, evaluate_positions, fit_weights
    except ImportError:
        raise click.ClickException("This needs numpy: pip install '.[train]'.") from None
    net, rules = small_network_bot.load_current_network(game), GAMES[game].option_schema
    if net is None:
        raise click.ClickException(f"Nothing has been learnt of {game}: see `python -m tools train`.")
    bout = BotComparison(
        GAMES[game], preset or rules.presets[0].key, dict(map(parse_option, switches)), "medium", "medium", seed=seed
    )
    try:
        some = [one for hand in range(hands) for one in evaluate_positions(bout, hand, worlds, net)]
    except RuleError as error:
        raise click.ClickException(f"{bout.rules_label}: {error.sentence}") from None
    if len(some) < hands // 2:
        raise click.ClickException("There are too few turns with a choice in them.")
    click.echo(f"{bout.rules_label}: {len(some)} positions, {worlds} worlds each")
    found: list[tuple[float, BlendWeights]] = []
    for depth in range(DEPTH + 1):
        for ends in (False, True):
            fit = fit_weights(some, depth, ends=ends)
            weights = " ".join(f"{weight:5.2f}" for weight in fit.weights)
            click.echo(f"{_describe_inputs(depth, ends=ends):54} {100 * fit.explains:5.1f} %  {weights}")
            if depth:
                found.append((fit.explains, blend_weights_from_fit(fit, depth, worlds, len(some))))
    best = max(found, key=lambda one: one[0])[1]
    click.echo(f"measured/{game}.json: {json.encode(best).decode()}")


def _describe_inputs(depth: int, *, ends: bool) -> str:
    parts = ["the network now"]
    if depth:
        parts.append(f"its opinion {'at the next turn' if depth == 1 else f'{depth} turns later'}")
    if ends:
        parts.append("the end")
    return ", ".join(parts)
