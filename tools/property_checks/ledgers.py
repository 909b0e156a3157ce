"""Check ledgers in any game: the reasons of a hand must add up to its points."""

from collections.abc import Iterable, Sequence

from app.engine.base.messages import english_texts
from app.engine.display.point_reasons import PointReason, sum_points
from app.engine.match.hand import HandResult
from app.engine.match.match import Match

from .errors import PropertyViolation


def check_ledgers(match: Match, extra_reasons: Sequence[PointReason], results: Iterable[HandResult]) -> None:
    """Check that the reasons for points add up to each hand's ledger, and all of them to the match totals.

    Raises `PropertyViolation` otherwise. `extra_reasons` are points added outside hands, such as credits. In zero-sum
    settlements, the totals without credits plus the pot must add up to 0.
    """
    unit, ended = match.game.unit, list(results)
    for result in ended:
        if sum_points(result.ledger, result.reasons, unit) != dict(result.ledger):
            raise PropertyViolation(f"the ledger is not what its reasons come to: {result.ledger}, {result.reasons}")
        check_reasons_readable(result.reasons)
    check_reasons_readable(extra_reasons)
    reasons = [*extra_reasons, *(reason for result in ended for reason in result.reasons)]
    if sum_points(match.totals, reasons, unit) != dict(match.totals):
        raise PropertyViolation(f"the totals are not what all reasons come to: {match.totals}, {reasons}")
    if match.game.option_schema.is_zero_sum(match.options):
        given = sum(reason.amount for reason in extra_reasons)
        if sum(match.totals.values()) - given + match.game.pot(match):
            raise PropertyViolation(f"somebody gains what nobody loses: {match.totals}, of which {given} were given")


def check_reasons_readable(reasons: Iterable[PointReason]) -> None:
    """Raise `PropertyViolation` if a reason for points has amount 0 or no English text."""
    for reason in reasons:
        if not reason.amount or not {reason.key, f"{reason.key}.other"} & english_texts().keys():
            raise PropertyViolation(f"no reason that anybody can read: {reason}")
