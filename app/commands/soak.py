"""`pecking-order soak`: random hands of every game, each checked in every way that must hold."""

import json
import sys
import time
import traceback
from collections import Counter
from random import Random

import click

from app.engine.games import GAMES
from app.soak.broken import Broken
from app.soak.matches import check_match
from app.soak.playout import Playout

_HANDS_A_MATCH = 8


@click.command()
@click.option("--hands", default=1000, show_default=True, help="Hands to play, over all games.")
@click.option("--game", "games", multiple=True, type=click.Choice(list(GAMES)), help="Only these games.")
@click.option("--seed", default=1, show_default=True, help="The first match; the same seed plays the same.")
def soak(hands: int, games: tuple[str, ...], seed: int) -> None:
    """Play random matches over random options and numbers of players, and stop at the first mistake.

    Every action's cards are counted; every match is replayed from its record, saved and loaded, and must come out the
    same.
    """
    chosen = games or tuple(GAMES)
    played, actions = Counter[str](), Counter[str]()
    began = time.monotonic()
    number = seed
    while played.total() < hands:
        key = chosen[number % len(chosen)]
        playout = Playout.random(GAMES[key], Random(number))
        try:
            check_match(playout, min(_HANDS_A_MATCH, hands - played.total()))
        except Exception as error:
            click.echo(traceback.format_exc(), err=True)
            click.echo(json.dumps(playout.record()))
            what = "broken" if isinstance(error, Broken) else type(error).__name__
            sys.exit(
                f"{key}, match {number}: {what}: {error} (the record is printed above; --seed {number} plays it again)"
            )
        played[key] += len(playout.elements)
        actions[key] += playout.actions
        number += 1
    seconds = time.monotonic() - began
    for key in chosen:
        click.echo(f"{key:16} {played[key]:8} hands {actions[key]:10} actions")
    click.echo(f"{played.total()} hands in {seconds:.0f} s, nothing wrong")
