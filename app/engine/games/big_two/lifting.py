"""By which rule Big Two refuses: the first switch that, set to another value, would let these cards be played.

It is tried, not told: cards are read, and combinations compared, under the options with one switch turned.
"""

from functools import lru_cache

from app.engine.cards import Cards
from app.engine.climbing.combinations import Combination
from app.engine.options import Options, Value

from . import combinations, deal
from .combinations import Combinations
from .deal import CardOrder

_ID = {switch.key: switch.id for section in (combinations.SECTION, deal.SECTION) for switch in section.switches}
_READ: dict[str, tuple[Value, ...]] = {
    "triples": (True,),
    "flushes": (True,),
    "quads": ("alone", "with_card"),
    "straight_flush": ("five", "seven"),
    "straights": tuple(combinations.LEVELS),
}
"""By what else cards might be a combination."""
_BEAT: dict[str, tuple[Value, ...]] = {
    "full_house": ("over_straight",),
    "honours": ("beat_all",),
    "quads_over": (False, True),
    "straights": tuple(combinations.LEVELS),
    "flushes_by": tuple(combinations.MEASURES),
    "suit_order": deal.SUIT_ORDERS,
}
"""By what else one combination might beat another."""


@lru_cache(maxsize=1024)
def _combinations(options: Options) -> Combinations:
    return Combinations(options, CardOrder.by(options))


def unread_by(options: Options, cards: Cards) -> str | None:
    """The id of the switch by which these cards are no combination."""
    return next(
        (
            _ID[key]
            for key, values in _READ.items()
            for value in values
            if _combinations(options.but(key, value)).read(cards) is not None
        ),
        None,
    )


def unbeaten_by(options: Options, new: Combination, on: Combination) -> str | None:
    """The id of the switch by which one does not beat the other."""
    for key, values in _BEAT.items():
        for value in values:
            turned = _combinations(options.but(key, value))
            mine, theirs = turned.read(new.cards), turned.read(on.cards)
            if mine is not None and theirs is not None and turned.beats(mine, theirs):
                return _ID[key]
    return None
