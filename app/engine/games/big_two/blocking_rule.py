"""By which rule Big Two refuses: the first switch that, set to another value, would let these cards be played.

It is tried, not told: cards are read, and combinations compared, under the options with one switch turned.
"""

from functools import lru_cache
from typing import Any, Final

from app.engine.base.options import Options, Switch, Value
from app.engine.cards.cards import Cards
from app.engine.climbing.combinations import Combination
from app.engine.games.big_two import combinations, deal
from app.engine.games.big_two.combinations import Combinations
from app.engine.games.big_two.deal import CardOrder

_READ: dict[Switch[Any], tuple[Value, ...]] = {
    combinations.TRIPLES: (True,),
    combinations.FLUSHES: (True,),
    combinations.QUADS: ("alone", "with_card"),
    combinations.STRAIGHT_FLUSH: ("five", "seven"),
    combinations.STRAIGHTS: tuple(combinations.LEVELS),
}
"""By what else cards might be a combination."""
_BEAT: dict[Switch[Any], tuple[Value, ...]] = {
    combinations.FULL_HOUSE: ("over_straight",),
    combinations.HONOURS: ("beat_all",),
    combinations.QUADS_OVER: (False, True),
    combinations.QUADS: ("alone",),
    combinations.STRAIGHTS: tuple(combinations.LEVELS),
    combinations.FLUSHES_BY: tuple(combinations.MEASURES),
    deal.SUIT_ORDER: deal.SUIT_ORDERS,
}
"""By what else one combination might beat another."""

KEPT_TURNED: Final = 32
"""Readers of cards with one switch turned that are kept: enough for one refusal, some 20 kB each."""


@lru_cache(KEPT_TURNED)
def _combinations(options: Options) -> Combinations:
    return Combinations(options, CardOrder.by(options))


def unread_by(options: Options, cards: Cards) -> str | None:
    """The id of the switch by which these cards are no combination."""
    return next(
        (
            switch.id
            for switch, values in _READ.items()
            for value in values
            if _combinations(options.but(switch, value)).read(cards) is not None
        ),
        None,
    )


def unbeaten_by(options: Options, new: Combination, on: Combination) -> str | None:
    """The id of the switch by which one does not beat the other."""
    for switch, values in _BEAT.items():
        for value in values:
            turned = _combinations(options.but(switch, value))
            mine, theirs = turned.read(new.cards), turned.read(on.cards)
            if mine is not None and theirs is not None and turned.beats(mine, theirs):
                return switch.id
    return None
