"""What President shows besides what all climbing games do: the keys of its house rules, each declared by the rule."""

import inspect
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from app.engine.climbing import view_keys
from app.engine.climbing.rule_hooks import HandState, Rules
from app.engine.climbing.state import State
from app.engine.climbing.view_keys import ClimbingOwn, ClimbingTable
from app.engine.display.table_display import own_face
from app.engine.games.president.house import HOUSE
from app.engine.games.president.house_rule import Part


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
_UNTOUCHED: HandState = State(rules=Rules(), seats=(), dealer="", cards={}, memory={})
_NOTHING_KEPT = {key: told for answer in _TABLES for key, told in answer(_UNTOUCHED).items()}
"""What everybody is told by rules that keep nothing."""
_NOT_IN_FORCE = {key: told for part in _answering("own") for key, told in part.own(_UNTOUCHED, "").items()}
"""What one player is told by rules that keep nothing."""
_NOTHING = cast("PresidentOwn", {**own_face(), "owes": None, **_NOT_IN_FORCE})
"""The same in a trick in which nothing has to be chosen, by rules that tell nobody anything: most of what is told."""


def table(hand: HandState) -> PresidentTable:
    """What everybody may know of the hand."""
    told: dict[str, object] = {**view_keys.table(hand), **_NOTHING_KEPT}
    if hand.memory:
        for answer in _TABLES:
            told |= answer(hand)
    return cast("PresidentTable", told)


def own(hand: HandState, player: str, telling: Iterable[Part[Any]]) -> PresidentOwn:
    """What only this player may know: what they owe, and what the house rules that are `telling` tell them alone."""
    if hand.phase == "play" and hand.rules.rests and not hand.due:
        return _NOTHING
    told: dict[str, object] = {**view_keys.own(hand, player), **_NOT_IN_FORCE}
    for part in telling:
        told |= part.own(hand, player)
    return cast("PresidentOwn", told)
