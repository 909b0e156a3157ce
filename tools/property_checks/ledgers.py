"""What must hold of every ledger: its reasons are all there is in it, whatever the game and its rules."""

from collections.abc import Iterable, Sequence

from app.engine.base.messages import english
from app.engine.display.point_reasons import Reason, added
from app.engine.match.hand import HandResult
from app.engine.match.match import Match

from .errors import Broken


def check_books(match: Match, entered: Sequence[Reason], results: Iterable[HandResult]) -> None:
    """`Broken` unless the reasons come to the ledger of each hand, and with what was `entered` besides to the totals.

    Where the rules say that what some gain others lose, totals, but for credits, and the pot add up to nothing.
    """
    unit, ended = match.game.unit, list(results)
    for result in ended:
        if added(result.ledger, result.reasons, unit) != dict(result.ledger):
            raise Broken(f"the ledger is not what its reasons come to: {result.ledger}, {result.reasons}")
        check_words(result.reasons)
    check_words(entered)
    reasons = [*entered, *(reason for result in ended for reason in result.reasons)]
    if added(match.totals, reasons, unit) != dict(match.totals):
        raise Broken(f"the totals are not what all reasons come to: {match.totals}, {reasons}")
    if match.game.declared.is_zero_sum(match.options):
        given = sum(reason.amount for reason in entered)
        if sum(match.totals.values()) - given + match.game.pot(match):
            raise Broken(f"somebody gains what nobody loses: {match.totals}, of which {given} were given")


def check_words(reasons: Iterable[Reason]) -> None:
    """`Broken` if a reason comes to nothing, or nobody could read it."""
    for reason in reasons:
        if not reason.amount or not {reason.key, f"{reason.key}.other"} & english().keys():
            raise Broken(f"no reason that anybody can read: {reason}")
