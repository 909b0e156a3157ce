"""What President shows besides what all climbing games do: the keys of its house rules, each declared by the rule."""

import inspect
from typing import TYPE_CHECKING, Any, cast

from app.engine.climbing import shown
from app.engine.climbing.moments import HandState
from app.engine.climbing.shown import ClimbingOwn, ClimbingTable

from .house import HOUSE
from .part import Part


def _answering(question: str) -> tuple[type[Part[Any]], ...]:
    """The house rules that show something, in force or not: a table has the same keys whatever is turned on."""
    return tuple(part for part in HOUSE if question in vars(part))


def _shapes(question: str) -> tuple[type, ...]:
    """The keys of each, declared behind the arrow."""
    return tuple(inspect.signature(getattr(part, question)).return_annotation for part in _answering(question))


if TYPE_CHECKING:
    PresidentTable = ClimbingTable
    PresidentOwn = ClimbingOwn
else:

    class PresidentTable(ClimbingTable, *_shapes("table")):
        """What everybody may know of a hand."""

    class PresidentOwn(ClimbingOwn, *_shapes("own")):
        """What one player may know besides their cards and legal actions."""


_TABLES = tuple(part.table for part in _answering("table"))
_OWN = tuple(part.own for part in _answering("own"))


def table(hand: HandState) -> PresidentTable:
    """What everybody may know of the hand."""
    told: dict[str, object] = {**shown.table(hand)}
    for answer in _TABLES:
        told |= answer(hand)
    return cast("PresidentTable", told)


def own(hand: HandState, player: str) -> PresidentOwn:
    """What only this player may know: what they owe, and what house rules tell them alone."""
    told: dict[str, object] = {**shown.own(hand, player)}
    for answer in _OWN:
        told |= answer(hand, player)
    return cast("PresidentOwn", told)
