"""Find the option by which Tien Len forbids a play: the first that would allow it with another value."""

from functools import lru_cache
from typing import Any, Final

from app.engine.base.options import Option, Options, OptionValue
from app.engine.cards.cards import Cards
from app.engine.climbing.state import PlayedCombination

from . import chops, combinations
from .judging import TienLenJudge

_VALUES_THAT_ALLOW_READING: dict[Option[Any], OptionValue] = {
    combinations.PAIR_RUNS: True,
    combinations.SUITS: "any",
}
"""Options, with the value that may make cards a combination."""
_VALUES_THAT_ALLOW_BEATING: dict[Option[Any], OptionValue] = {
    combinations.SUITS: "any",
    combinations.SUITED_RUNS: "plain",
    chops.FOUR_CHOPS: "two_twos",
    chops.TRIPLE_CHOP: True,
    chops.CHOPS_ON_CHOPS: "always",
}
"""Options, with the value that may make one combination beat another."""

VARIANTS_CACHED: Final = 32
"""Number of cached variants with one option changed."""

_judge = lru_cache(VARIANTS_CACHED)(TienLenJudge)


def find_rule_against_combination(options: Options, cards: Cards) -> str | None:
    """Return the id of the option by which these cards form no combination, or None; errors name the rule."""
    return next(
        (
            switch.id
            for switch, value in _VALUES_THAT_ALLOW_READING.items()
            if _judge(options.with_value(switch, value)).combinations.readings(cards)
        ),
        None,
    )


def find_rule_against_beating(options: Options, cards: Cards, plays: tuple[PlayedCombination, ...]) -> str | None:
    """Return the id of the option by which these cards do not beat the last play of a trick, or None."""
    for switch, value in _VALUES_THAT_ALLOW_BEATING.items():
        judge = _judge(options.with_value(switch, value))
        if any(judge.beats(reading, plays) for reading in judge.combinations.readings(cards)):
            return switch.id
    return None
