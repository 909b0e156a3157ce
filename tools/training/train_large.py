"""`python -m tools train --wide`: train the large network in a fast simulator and write its weights to a file."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from msgspec import json

from app.bots.network.card_features import VERSION
from app.bots.network.two_layers import PackedWeights
from tools.training.fast_simulator import TrainingError
from tools.training.large_network import UNITS, LargeTraining, TrainingProgress, train_large_network

_TELL_EVERY = 100
"""Progress is printed after this number of rounds."""


def train_and_save_large_network(
    game: str,
    place: Path,
    threads: int,
    units: tuple[int, int] | None,
    training_options: Mapping[str, Any],
    *,
    on: bool,
) -> None:
    """Train the large network of a game, print progress, and write the weights to the file `place`.

    `units`: sizes of the hidden layers; None for those of the file, or the defaults. `training_options`: other fields
    of `LargeTraining`. `on`: continue from the weights in the file. Raises ClickException if training is impossible.
    """
    known = json.decode(place.read_bytes(), type=PackedWeights) if on else None
    if known is not None and known.features != VERSION:
        raise click.ClickException(f"{place} was made with other features: train anew.")
    units = units or (UNITS if known is None else known.units)
    began = time.monotonic()

    def told(so_far: TrainingProgress) -> None:
        result, gain = so_far.result, so_far.gain
        click.echo(
            f"{time.monotonic() - began:.0f} s, {so_far.hands} hands, {so_far.choices} choices, "
            f"error {so_far.error:.4f}, {result.points:+.2f} ± {result.confidence_interval:.2f} points and "
            f"{100 * result.win_share:.1f} % won among three easy bots"
            + (f", {gain.points:+.2f} ± {gain.confidence_interval:.2f} among three as at the start" if gain else "")
        )

    try:
        weights = train_large_network(
            LargeTraining(game, units=units, begin=known, **training_options), threads, told, _TELL_EVERY
        )
    except TrainingError as error:
        raise click.ClickException(f"The wide network: {error}.") from None
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(json.encode(weights) + b"\n")
    click.echo(f"{place}: {weights.made}, {time.monotonic() - began:.0f} s")
