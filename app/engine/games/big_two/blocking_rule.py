"""Find the option by which Big Two forbids a play: the first that would allow it with another value.

The search is by trial: cards are read and compared with one option changed at a time.
"""

from functools import lru_cache
from typing import Any, Final

from app.engine.base.options import Option, Options, OptionValue
from app.engine.cards.cards import Cards
from app.engine.climbing.combinations import Combination
from app.engine.games.big_two import combinations, deal
from app.engine.games.big_two.combinations import BigTwoCombinations

_VALUES_THAT_ALLOW_READING: dict[Option[Any], tuple[OptionValue, ...]] = {
    combinations.TRIPLES: (True,),
    combinations.FLUSHES: (True,),
    combinations.QUADS: ("alone", "with_card"),
    combinations.STRAIGHT_FLUSH: ("five", "seven"),
    combinations.STRAIGHTS: tuple(combinations.STRAIGHT_ORDERS),
}
"""Options, with values that may make cards a combination."""
_VALUES_THAT_ALLOW_BEATING: dict[Option[Any], tuple[OptionValue, ...]] = {
    combinations.FULL_HOUSE: ("over_straight",),
    combinations.HONOURS: ("beat_all",),
    combinations.QUADS_OVER: (False, True),
    combinations.QUADS: ("alone",),
    combinations.STRAIGHTS: tuple(combinations.STRAIGHT_ORDERS),
    combinations.FLUSHES_BY: tuple(combinations.FLUSH_STRENGTHS),
    deal.SUIT_ORDER: deal.SUIT_ORDERS,
}
"""Options, with values that may make one combination beat another."""

VARIANTS_CACHED: Final = 32
"""Number of cached variants with one option changed: enough for one refusal, about 20 kB each."""


@lru_cache(VARIANTS_CACHED)
def _combination_rules(options: Options) -> BigTwoCombinations:
    return BigTwoCombinations(options, deal.card_order_for(options))


def find_rule_against_combination(options: Options, cards: Cards) -> str | None:
    """Return the id of the option by which Big Two's rules forbid these cards as a combination.

    None if no other value of an option would allow them. Errors name the rule.
    """
    return next(
        (
            switch.id
            for switch, values in _VALUES_THAT_ALLOW_READING.items()
            for value in values
            if _combination_rules(options.with_value(switch, value)).read_combination(cards) is not None
        ),
        None,
    )


def find_rule_against_beating(options: Options, new: Combination, on: Combination) -> str | None:
    """Return the id of the option by which Big Two's rules let `new` not beat `on`.

    None if no other value of an option would let it. Errors name the rule.
    """
    for switch, values in _VALUES_THAT_ALLOW_BEATING.items():
        for value in values:
            turned = _combination_rules(options.with_value(switch, value))
            above, theirs = turned.read_combination(new.cards), turned.read_combination(on.cards)
            if above is not None and theirs is not None and turned.beats(above, theirs):
                return switch.id
    return None
