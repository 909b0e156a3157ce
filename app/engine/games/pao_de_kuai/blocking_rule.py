"""Find the option by which Pao De Kuai forbids a play: the first that would allow it with another value."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from app.engine.base.options import Option, Options, OptionValue
from app.engine.cards.cards import Cards
from app.engine.climbing.state import PlayedCombination

from . import bombs, combinations
from .judging import PaoDeKuaiJudge

_VALUES_THAT_ALLOW_MORE: tuple[tuple[Option[Any], OptionValue], ...] = (
    (combinations.LOOSE_CARDS, "two"),
    (combinations.LOOSE_CARDS, "any"),
    (combinations.SHORT_LAST, "always"),
    (combinations.PAIR_RUNS, 2),
    (combinations.ACE_IN_RUNS, True),
    (combinations.FOURS_WITH, "two"),
    (combinations.FOURS_WITH, "three"),
    (bombs.ACE_BOMB, True),
)
"""Options, with a value that may make cards a combination, or let one beat another."""

VARIANTS_CACHED: Final = 32
"""Number of cached variants with one option changed."""

_judge = lru_cache(VARIANTS_CACHED)(PaoDeKuaiJudge)


def _other_judges(options: Options) -> Iterator[tuple[str, PaoDeKuaiJudge]]:
    return ((switch.id, _judge(options.with_value(switch, value))) for switch, value in _VALUES_THAT_ALLOW_MORE)


def find_rule_against_combination(options: Options, cards: Cards, held: Cards) -> str | None:
    """Return the id of the option by which these cards form no combination, or None; errors name the rule."""
    return next((rule for rule, judge in _other_judges(options) if judge.readings(cards, held, None)), None)


def find_rule_against_beating(options: Options, cards: Cards, held: Cards, table: PlayedCombination) -> str | None:
    """Return the id of the option by which these cards do not beat the last play, or None."""
    return next(
        (
            rule
            for rule, judge in _other_judges(options)
            if any(judge.beats(reading, table.combination) for reading in judge.readings(cards, held, table))
        ),
        None,
    )
