"""`pecking-order verify`: check the deals of an exported match against the commitments made before the deal."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from app.engine.games import GAMES
from app.engine.match.record import ROOM_FORMAT, InvalidRecord
from app.rooms.model.shuffle_proof import CancelledDeal, CancelReason, ProofKind
from app.rooms.recorded.verify import SAME_SEATS, VerifiedHand, VerifiedMatch, find_list_difference, verify_match


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--list",
    "lists",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Compare the deals with closed lists, as a player copied them from the page. With one match only.",
)
def verify(files: tuple[Path, ...], lists: tuple[Path, ...]) -> None:
    """Check the deals of exported matches (FILES) without trusting the server.

    A file is the record of one match, or has all matches of a room or a person.

    Each hand's secret must fit its commitment, and each seed its hash on the closed list. Secret, seeds and cut must
    give the very cards that were dealt, seat by seat. The same holds for deals that were cancelled after their list was
    closed. With --list, the closed lists must be those that a player saw before the seeds were shown.

    An action that today's rules refuse ends the check of its match: the rules have changed since, or the file was
    changed. Status 0 if all is well, 1 if a deal is not, 2 if a file can't be used, 3 if the deals are fair, but an
    action is refused. Status 4 if nothing is false, but a deal rests on the server alone or on seeds that were sent in
    the open, or was drawn again. Of several, 2 wins, then 1, 4, 3. Known cards change no status.
    """
    if lists and len(files) > 1:
        raise click.UsageError("--list needs exactly one file: the match in which the player saw the list.")
    seen = [one for path in lists for one in _read_seen_lists(path)]
    worst: set[int] = set()
    for path in files:
        if len(files) > 1:
            click.echo(f"{path}:")
        try:
            records = _read_records(path)
            if seen and len(records) > 1:
                raise click.UsageError(f"--list needs the record of one match, but {path} has {len(records)} matches.")
            for number, record in enumerate(records, 1):
                if len(records) > 1:
                    click.echo(f"Match {number}:")
                found = verify_match(record, GAMES)
                worst |= _report_deals(found)
                unlike, lacking = _report_seen_lists(found, seen)
                worst |= unlike
                _report_counts(found, lacking)
        except (InvalidRecord, ValueError, RecursionError) as error:
            click.echo(f"{path} can’t be used: {error}", err=True)
            worst.add(2)
    raise SystemExit(next((status for status in (2, 1, 4, 3) if status in worst), 0))


def _read_records(path: Path) -> list[Any]:
    """Return the record in a file, or all records in the file of a room or a person."""
    value = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(value, dict) or value.get("format") != ROOM_FORMAT:
        return [value]
    matches: Any = value.get("matches")
    if not isinstance(matches, list) or not all(isinstance(each, dict) for each in matches):
        raise ValueError("its matches are not a list of objects")
    return [each.get("record") for each in matches]


_KINDS: dict[ProofKind, str] = {
    "sealed": "fair (players’ seeds were fixed before the first was shown)",
    "open": "fair (older kind: seeds were sent in the open, so the server could choose)",
    "server": "fair (without players’ seeds: it depends on the server alone)",
}
_REASONS: dict[CancelReason, str] = {
    "deleted": "{by} deleted their data",
    "seats_changed": "the seats changed",
    "match_ended": "the match was ended",
    "lost_entries": "the server lost data",
}


def _report_deals(found: VerifiedMatch) -> set[int]:
    """Print what was found out about each deal of a match, and return the statuses that follow from it."""
    worst: set[int] = set()
    for hand in found.hands:
        for deal in hand.cancelled:
            click.echo(f"Before hand {hand.number + 1}: {_describe_cancelled_deal(deal)}")
        click.echo(f"Hand {hand.number + 1}: {hand.deal_problem or _describe_fair_deal(hand)}")
        if hand.deal_problem is not None and not hand.cards_are_known:
            worst.add(1)
        if hand.cancelled or hand.kind in ("open", "server"):
            worst.add(4)
    for deal in found.cancelled:
        click.echo(f"After the last hand: {_describe_cancelled_deal(deal)}")
        worst.add(4)
    if found.cancelled_problem is not None:
        click.echo(f"After the last hand: {found.cancelled_problem}")
        worst.add(1)
    if found.refused is not None:
        click.echo(found.refused)
        worst.add(3)
    return worst


def _report_counts(found: VerifiedMatch, lacking: int) -> None:
    """Print the number of deals that were drawn again: those told with a true reason, and the others.

    `lacking`: the number of lists that a player saw and that the match lacks.
    """
    again = sum(len(hand.cancelled) for hand in found.hands) + len(found.cancelled)
    problems = [*(hand.deal_problem for hand in found.hands), found.cancelled_problem]
    false = sum(problem is not None and problem.key == SAME_SEATS.key for problem in problems)
    if again or lacking:
        click.echo(f"Drawn again: {again - false} told, {false + lacking} without a word or with a false reason.")


def _describe_fair_deal(hand: VerifiedHand) -> str:
    """Return a description of a fair deal: its proof, the givers, and the seats without a seed."""
    assert hand.kind is not None
    parts = [_KINDS[hand.kind]]
    if hand.givers:
        parts.append(f"seeds: {', '.join(hand.givers)}")
        if hand.without_seed:
            parts.append(f"no seed: {', '.join(hand.without_seed)}")
    if hand.left_out:
        parts.append(f"left out: the seeds of {', '.join(hand.left_out)}")
    return "; ".join(parts)


def _describe_cancelled_deal(deal: CancelledDeal) -> str:
    seeds = ", ".join(deal["givers"].values()) or "nobody"
    return f"a deal was cancelled: {_REASONS[deal['reason']].format(by=deal['by'])}; seeds had come from: {seeds}"


# Lists that a player saw ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _SeenList:
    """A closed list (hashes of the players' shuffle seeds) that a player saw before the deal."""

    hand: int | None
    """The number of the hand that was dealt from it, from 1; None: the player saw no cards from it."""
    shown: Mapping[str, Any]
    promised: str | None
    """The hash that the player's page had promised; None: unknown."""
    is_open: bool
    """Whether the deal was not over when the list was copied, so that the file may lack it."""


def _read_seen_lists(path: Path) -> Iterator[_SeenList]:
    """Read a file with one closed list or with several, as the page copies them. Raises UsageError for other files."""
    try:
        lists = json.loads(path.read_text(encoding="utf-8"))
        some = lists.get("lists", [lists])
        if not isinstance(some, list):
            raise TypeError
        for each in some:
            hand, shown, promised = each.get("hand"), each["list"], each.get("hash")
            if not (hand is None or (isinstance(hand, int) and hand > 0)) or not isinstance(shown, dict):
                raise TypeError
            yield _SeenList(hand, shown, promised, each.get("open") is True)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise click.UsageError(
            f'{path} is not a closed list: it must be an object with "hand" (from 1) and "list", or with "lists".'
        ) from None


def _report_seen_lists(found: VerifiedMatch, seen: Iterable[_SeenList]) -> tuple[set[int], int]:
    """Print how the closed lists that a player saw compare with a match.

    Returns the statuses that follow from it, and the number of lists that the match lacks.
    """
    first = 1 if found.carried is None else int(found.carried["dealt"]) + 1
    dealt = {first + hand.number: _closed_list(hand.record.get("fair")) for hand in found.hands}
    cancelled = [deal["list"] for hand in found.hands for deal in hand.cancelled]
    cancelled += [deal["list"] for deal in found.cancelled]
    worst, lacking = set[int](), 0
    for one in seen:
        if one.hand is None:
            where, fits = "A list without a hand", "the file has the list that the player saw"
            lists = [*filter(None, dealt.values()), *cancelled]
            problem = None if any(_difference(each, one.shown) is None for each in lists) else DRAWN_AGAIN
            lacking += problem is not None and not one.is_open
        else:
            where, fits = f"Hand {one.hand}", "its closed list is the one that the player saw"
            problem = _find_problem(one.hand, one.shown, dealt)
        if problem is None and one.promised is not None and one.promised not in one.shown["hashes"].values():
            problem = "the player’s hash was left off the list"
        if problem is not None and one.is_open and one.hand not in dealt:
            problem, fits = None, "this deal was not over when the list was copied, and the file lacks it"
        if problem is not None:
            worst.add(1)
        click.echo(f"{where}: {problem or fits}")
    return worst, lacking


DRAWN_AGAIN = "the server drew again after seeds were sent: the file lacks the list that the player saw"


def _find_problem(hand: int, seen: Mapping[str, Any], dealt: Mapping[int, Mapping[str, Any] | None]) -> str | None:
    """Return how the closed list of a hand differs from the list that a player saw, as a clause; None: it does not.

    `dealt`: the closed lists of the match by the number of the hand.
    """
    if hand not in dealt:
        return "the player saw a closed list, but the file has no such hand"
    closed = dealt[hand]
    unlike = "it has no closed list" if closed is None else _difference(closed, seen)
    return None if unlike is None else f"not the list that the player saw: {unlike}"


def _closed_list(proof: Any) -> Mapping[str, Any] | None:
    return proof.get("list") if isinstance(proof, Mapping) else None


def _difference(closed: Mapping[str, Any], seen: Mapping[str, Any]) -> str | None:
    """Return how a closed list differs from the one that a player saw, as a clause; None if it does not."""
    try:
        key = find_list_difference(closed, seen)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return f"malformed ({error})"
    return None if key is None else f"it has another {key}"
