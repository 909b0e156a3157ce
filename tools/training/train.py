"""`python -m tools train`: train a network by self-play and write its weights to a file."""

import os
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import click
from msgspec import json

import app.bots
from app.bots.network.features import VERSION
from app.bots.network.one_layer import Weights
from app.commands.shared.options import parse_option
from app.engine.base.errors import RuleError
from app.engine.climbing.game import ClimbingGame
from app.engine.games import GAMES
from tools.training.self_play import CALM, EASY, SWITCHES

_GAMES: Mapping[str, object] = GAMES
CLIMBING = [key for key, game in _GAMES.items() if isinstance(game, ClimbingGame)]
_TELL_EVERY = 30.0
SHIPPED = Path(app.bots.__file__).resolve().parent / "weights"
"""Directory of the weights that the bots read."""


@click.command()
@click.argument("game", type=click.Choice(CLIMBING))
@click.option("--hands", type=click.IntRange(1), default=10_000, show_default=True, help="Hands to play.")
@click.option("--seed", default=1, show_default=True, help="Random seed.")
@click.option(
    "--processes", type=click.IntRange(1), default=2, show_default=True, help="Processes that play at the same time."
)
@click.option(
    "--preset", "presets", multiple=True, help="Play mostly this preset (repeatable). Default: the first one."
)
@click.option("--switch", "besides", multiple=True, help="Set an option for these presets, as KEY=VALUE (repeatable).")
@click.option(
    "--switches",
    type=click.FloatRange(0, 1),
    default=SWITCHES,
    show_default=True,
    help="Share of hands with random options.",
)
@click.option("--on", is_flag=True, help="Continue from the weights in the file.")
@click.option("--wide", is_flag=True, help="Train the large network of the hard bot instead. Needs a C compiler.")
@click.option(
    "--units", type=click.IntRange(8, 1024), nargs=2, help="Units of the large network’s layers; multiples of 8."
)
@click.option(
    "--easy",
    type=click.FloatRange(0, 1),
    default=EASY,
    show_default=True,
    help="With --wide: share of hands among three easy bots.",
)
@click.option(
    "--calm",
    type=click.FloatRange(1),
    default=CALM,
    show_default=True,
    help="With --wide and --on: divide the steps by this.",
)
@click.option("--into", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The file to write.")
@click.option("--ship", is_flag=True, help="Allow --into to be a file that the bots read.")
def train(
    game: str,
    hands: int,
    seed: int,
    processes: int,
    presets: tuple[str, ...],
    besides: tuple[str, ...],
    switches: float,
    *,
    on: bool,
    wide: bool,
    units: tuple[int, int] | None,
    easy: float,
    calm: float,
    into: Path,
    ship: bool,
) -> None:
    """Teach the medium bot a climbing game: it plays against itself and the easy bot, and learns from every hand.

    With --wide, the hard bot's wide network is taught, from very many hands that are played quickly, and processes are
    threads. The result goes into the file named by --into. The files that the bots read stay as they are unless you say
    --ship, too.

    Needs numpy (`pip install '.[train]'`). The result depends on hands and seed alone, not on the number of processes
    that play: see docs/bots.md.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the worker processes already use the cores
    try:
        from tools.training.small_network import SmallNetworkProgress, Training, train_small_network
    except ImportError:
        raise click.ClickException("Training needs numpy: pip install '.[train]'.") from None
    there = {preset.key for preset in GAMES[game].option_schema.presets}
    if not there.issuperset(presets):
        raise click.BadParameter(f"{game} has these: {', '.join(sorted(there))}.", param_hint="--preset")
    given = dict(map(parse_option, besides))
    try:
        for preset in presets or [None]:
            GAMES[game].option_schema.resolve_options(given if preset is None else {"preset": preset, **given})
    except RuleError as error:
        raise click.BadParameter(str(error.sentence), param_hint="--switch") from None
    if not ship and into.resolve().is_relative_to(SHIPPED):
        raise click.BadParameter(
            f"{into} is one of the files that the bots read. Name another file, or say --ship.", param_hint="--into"
        )
    if wide:
        from tools.training.train_large import train_and_save_large_network

        rules = {"most": presets, "switches": switches, "besides": given}
        asked = {"hands": hands, "seed": seed, "easy": easy, "calm": calm, **rules}
        train_and_save_large_network(game, into, processes, units, asked, on=on)
        return
    place = into
    known = json.decode(place.read_bytes(), type=Weights) if on else None
    if known is not None and known.features != VERSION:
        raise click.ClickException(f"{place} was made with other features: train anew.")
    training = Training(game, hands, seed, presets, switches, known, given)
    began = told_at = time.monotonic()

    def told(progress: SmallNetworkProgress, weights: Weights) -> None:
        nonlocal told_at
        if time.monotonic() - told_at >= _TELL_EVERY:
            told_at = time.monotonic()
            played = f"{progress.hands} hands, {progress.choices} choices"
            click.echo(f"{told_at - began:.0f} s, {played}, error {progress.error:.4f}")

    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as players:
        weights = train_small_network(training, players, told)
    place.write_bytes(json.encode(weights) + b"\n")
    click.echo(f"{place}: {weights.made}, {time.monotonic() - began:.0f} s")
