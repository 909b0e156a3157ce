"""`pecking-order verify`: check the deals of an exported match against the commitments made before the deal."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from app.engine.games import GAMES
from app.engine.match.record import InvalidRecord
from app.rooms.model import shuffle_proof
from app.rooms.recorded.verify import VerifiedHand, verify_match


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--list",
    "lists",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Compare a hand with this closed list, as a player copied it from the page. With one file only.",
)
def verify(files: tuple[Path, ...], lists: tuple[Path, ...]) -> None:
    """Check the deals of exported matches (FILES) without trusting the server.

    Each hand's secret must fit its commitment, and each seed its hash on the closed list. Secret, seeds and cut must
    give the very cards that were dealt, seat by seat. With --list, the closed list must be the one that a player saw
    before the seeds were shown.

    An action that today's rules refuse ends the check of its match: the rules have changed since, or the file was
    changed. Status 0 if all is well, 1 if a deal is not, 2 if a file can't be used, 3 if the deals are fair, but an
    action is refused.
    """
    if lists and len(files) > 1:
        raise click.UsageError("--list needs exactly one file: the match in which the player saw the list.")
    seen = dict(map(_read_seen_list, lists))
    worst: set[int] = set()
    for path in files:
        if len(files) > 1:
            click.echo(f"{path}:")
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            found = verify_match(record, GAMES)
        except (InvalidRecord, ValueError, RecursionError) as error:
            click.echo(f"{path} can’t be used: {error}", err=True)
            worst.add(2)
            continue
        for hand in found.hands:
            click.echo(f"Hand {hand.number + 1}: {hand.deal_problem or _describe_fair_deal(hand)}")
        for number, shown in seen.items():
            unlike = _describe_list_difference(record, number, shown)
            click.echo(f"Hand {number}: {unlike or 'its closed list is the one that the player saw'}")
            if unlike:
                worst.add(1)
        if found.refused is not None:
            click.echo(found.refused)
            worst.add(3)
        if any(hand.deal_problem is not None for hand in found.hands):
            worst.add(1)
    raise SystemExit(next((status for status in (2, 1, 3) if status in worst), 0))


_KINDS: dict[shuffle_proof.ProofKind, str] = {
    "sealed": "fair (players’ seeds were fixed before the first was shown)",
    "open": "fair (older kind: seeds were sent in the open, so the server could choose)",
    "server": "fair (without players’ seeds: it depends on the server alone)",
}


def _describe_fair_deal(hand: VerifiedHand) -> str:
    """Return a description of a fair deal: its kind of proof, and the people whose shuffle seeds were left out."""
    assert hand.kind is not None
    missing = f"; left out: the seeds of {', '.join(hand.left_out)}" if hand.left_out else ""
    return _KINDS[hand.kind] + missing


def _read_seen_list(path: Path) -> tuple[int, dict[str, Any]]:
    """Read a file with a closed list (hashes of the players' shuffle seeds) that a player saw before the deal.

    Returns the hand's number in its match, from 1, and the list. Raises UsageError for any other file.
    """
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        number, shown = kept["hand"], kept["list"]
        if isinstance(number, int) and number > 0 and isinstance(shown, dict):
            return number, shown
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise click.UsageError(f'{path} is not a closed list: it must be an object with "hand" (from 1) and "list".')


def _describe_list_difference(record: Mapping[str, Any], number: int, seen_list: Mapping[str, Any]) -> str | None:
    """Return how a hand's closed list (hashes of shuffle seeds) differs from the one a player saw; None if it does not.

    `number` is the number of the hand in the match, from 1.
    """
    if number > len(record["hands"]):
        return "the player saw a closed list, but the file has no such hand"
    try:
        shuffle_proof.check_closed_list(record["hands"][number - 1].get("fair") or {}, seen_list)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return f"not the list that the player saw: {error}"
    return None
