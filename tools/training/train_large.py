"""`python -m tools train --wide`: play very many hands quickly, and write the weights of the wide network."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from msgspec import json

from app.bots.network.card_features import VERSION
from app.bots.network.two_layers import Packed
from tools.training.fast_simulator import CannotLearn
from tools.training.large_network import UNITS, Deepening, SoFar, deepen

_TELL_EVERY = 100
"""Rounds."""


def train_wide(
    game: str, place: Path, threads: int, units: tuple[int, int] | None, asked: Mapping[str, Any], *, on: bool
) -> None:
    """Write into a file what was learnt; `asked` is the rest of a `Deepening`."""
    known = json.decode(place.read_bytes(), type=Packed) if on else None
    if known is not None and known.features != VERSION:
        raise click.ClickException(f"{place} was made with other features: train anew.")
    units = units or (UNITS if known is None else known.units)
    began = time.monotonic()

    def told(so_far: SoFar) -> None:
        result, gain = so_far.result, so_far.gain
        click.echo(
            f"{time.monotonic() - began:.0f} s, {so_far.hands} hands, {so_far.choices} choices, "
            f"error {so_far.error:.4f}, {result.points:+.2f} ± {result.within:.2f} points and {100 * result.won:.1f} % "
            "won among three easy bots"
            + (f", {gain.points:+.2f} ± {gain.within:.2f} among three as at the start" if gain else "")
        )

    try:
        weights = deepen(Deepening(game, units=units, begin=known, **asked), threads, told, _TELL_EVERY)
    except CannotLearn as error:
        raise click.ClickException(f"The wide network: {error}.") from None
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(json.encode(weights) + b"\n")
    click.echo(f"{place}: {weights.made}, {time.monotonic() - began:.0f} s")
