"""`pecking-order verify`: the deals of an exported match, checked with what everybody was promised beforehand."""

import json
from pathlib import Path

import click

from app.engine.games import GAMES
from app.engine.record import Unusable
from app.rooms.checking import check


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
def verify(files: tuple[Path, ...]) -> None:
    """Check the deals of exported matches (FILES) without trusting the server.

    Each hand's secret must be the one whose fingerprint was shown before the deal; secret, seeds and cut must make the
    very cards that were dealt. An action that today's rules refuse ends the check of its match: the rules have been
    amended since, or the file was changed. Status 0 if all is well, 1 if a deal is not, 2 if a file can't be used, 3 if
    the deals are fair, but an action is refused.
    """
    worst: set[int] = set()
    for path in files:
        if len(files) > 1:
            click.echo(f"{path}:")
        try:
            found = check(json.loads(path.read_text(encoding="utf-8")), GAMES)
        except (Unusable, ValueError, RecursionError) as error:
            click.echo(f"{path} can’t be used: {error}", err=True)
            worst.add(2)
            continue
        for hand in found.hands:
            click.echo(f"Hand {hand.number + 1}: {hand.unfair or 'fair'}")
        if found.refused is not None:
            click.echo(found.refused)
            worst.add(3)
        if any(hand.unfair is not None for hand in found.hands):
            worst.add(1)
    raise SystemExit(next((status for status in (2, 1, 3) if status in worst), 0))
