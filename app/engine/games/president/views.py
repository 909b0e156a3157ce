"""President's views: those of all climbing games plus the keys that each house rule declares."""

import inspect
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from app.engine.climbing import view_keys
from app.engine.climbing.rule_hooks import ClimbingRules, HandState
from app.engine.climbing.state import ClimbingHand
from app.engine.climbing.view_keys import ClimbingOwn, ClimbingTable
from app.engine.display.table_display import player_display
from app.engine.games.president.house import HOUSE_RULES
from app.engine.games.president.house_rule import HouseRule


def _rules_with_own_method(method_name: str) -> tuple[type[HouseRule[Any]], ...]:
    """Return President's house rules that define this view method, whether active or not.

    Thus the view has the same keys for all options.
    """
    return tuple(part for part in HOUSE_RULES if method_name in vars(part))


def _view_types(method_name: str) -> tuple[type, ...]:
    """Return the declared return types of this view method, one for each of President's house rules that have it.

    The types of the whole view are built from them.
    """
    return tuple(
        inspect.signature(getattr(part, method_name)).return_annotation for part in _rules_with_own_method(method_name)
    )


if TYPE_CHECKING:
    PresidentTable = ClimbingTable
    PresidentOwn = ClimbingOwn
else:

    class PresidentTable(ClimbingTable, *_view_types("table")):
        """The public view of a hand of President."""

    class PresidentOwn(ClimbingOwn, *_view_types("own")):
        """The private view of a hand of President for one player, without cards and legal actions."""


_TABLE_VIEW_BUILDERS = tuple(part.table for part in _rules_with_own_method("table"))
_EMPTY_HAND: HandState = ClimbingHand(rules=ClimbingRules(), seats=(), dealer="", cards={}, memory={})
_EMPTY_TABLE_VIEW = {key: value for answer in _TABLE_VIEW_BUILDERS for key, value in answer(_EMPTY_HAND).items()}
"""Public values of house rules without memory."""
_INACTIVE_OWN_VIEW = {
    key: value for part in _rules_with_own_method("own") for key, value in part.own(_EMPTY_HAND, "").items()
}
"""Private values of house rules without memory."""
_EMPTY_OWN_VIEW = cast("PresidentOwn", {**player_display(), "must_give": None, **_INACTIVE_OWN_VIEW})
"""The private view during an ordinary trick without an open choice or private values: the most frequent case."""


def build_table_view(hand: HandState) -> PresidentTable:
    """Return the public view of a hand of President as JSON, with the keys of all house rules."""
    view: dict[str, object] = {**view_keys.table_view(hand), **_EMPTY_TABLE_VIEW}
    if hand.memory:
        for answer in _TABLE_VIEW_BUILDERS:
            view |= answer(hand)
    return cast("PresidentTable", view)


def build_own_view(hand: HandState, player: str, rules_with_own_view: Iterable[HouseRule[Any]]) -> PresidentOwn:
    """Return what only this player may know of a hand of President, as JSON.

    Values of active house rules are filled in; keys of the others have empty values.
    """
    if hand.phase == "play" and hand.rules.waiting_players_idle and not hand.due:
        return _EMPTY_OWN_VIEW
    view: dict[str, object] = {**view_keys.private_view(hand, player), **_INACTIVE_OWN_VIEW}
    for part in rules_with_own_view:
        view |= part.own(hand, player)
    return cast("PresidentOwn", view)
