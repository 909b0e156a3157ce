"""`pecking-order verify`: the deals of an exported match, checked with what everybody was promised beforehand."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from app.engine.cards import parse_cards
from app.engine.games import GAMES
from app.engine.match import Match
from app.engine.record import Illegal, Unusable, fold, opened
from app.rooms import fairness


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
def verify(files: tuple[Path, ...]) -> None:
    """Check the deals of exported matches (FILES) without trusting the server.

    Each hand's secret must be the one whose fingerprint was shown before the deal; secret, seeds and cut must make the
    very cards that were dealt; and every action must be legal. Status 0 if all is well, 1 if not, 2 if a file can't be
    used.
    """
    status = 0
    for path in files:
        if len(files) > 1:
            click.echo(f"{path}:")
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            for number, problem in _checked(record):
                click.echo(f"Hand {number + 1}: {problem or 'fair'}")
                status = max(status, 1 if problem else 0)
        except (Unusable, ValueError, KeyError, TypeError, AttributeError) as error:
            click.echo(f"{path} can’t be used: {error}", err=True)
            status = 2
    raise SystemExit(status)


def _checked(record: object) -> Iterator[tuple[int, str | None]]:
    """Each hand with what is wrong about it; None: nothing. May raise `Unusable`."""
    match, hands = opened(record, GAMES)
    dealt: tuple[int, str | None] | None = None
    try:
        for moment in fold(match, hands):
            if moment.is_deal:
                if dealt is not None:
                    yield dealt
                dealt = moment.hand, _unfair(moment.before, hands[moment.hand])
    except Illegal as illegal:
        if dealt is not None and dealt[0] < illegal.hand:
            yield dealt
        dealt = illegal.hand, f"not legal: {illegal.error.sentence}"
    if dealt is not None:
        yield dealt


def _unfair(match: Match, hand: dict[str, Any]) -> str | None:
    """What is wrong with the deal of a hand at this match before it; None: nothing."""
    proof = hand.get("fair")
    if proof is None:
        return "has no proof"
    try:
        deck = fairness.verify(proof, match.deck())
    except (ValueError, KeyError) as error:
        return f"not proven: {error}"
    chance = fairness.Chance(bytes.fromhex(proof["secret"]), proof["seeds"], proof["cut"])
    wanted = match.deal(deck, chance.seed())
    if wanted.dealer != hand["dealer"]:
        return f"{hand['dealer']} dealt instead of {wanted.dealer}"
    for name, cards in wanted.cards.items():
        if sorted(cards) != sorted(parse_cards(hand["cards"].get(name, ""))):
            return f"{name} was dealt other cards"
    if wanted.stock != parse_cards(hand.get("stock", "")):
        return "the stock is another"
    return None
