"""Find the rule by which a play does not beat another in President: the first without which it would.

The search is by trial: one option at a time is set to a neutral value, and both plays are read and compared again.
"""

from functools import lru_cache
from typing import Any, Final

from app.engine.base.options import Option, Options, OptionValue
from app.engine.cards.cards import Cards
from app.engine.climbing.combinations import KIND_OF_SET, Combination
from app.engine.games.president.combinations import beats, cards, poker_hands, sequences
from app.engine.games.president.combinations.beats import PresidentCombinations
from app.engine.games.president.combinations.cards import CardMeanings

VARIANTS_CACHED: Final = 32
"""Number of cached variants with one option changed: enough for one refusal, about 30 kB each."""

_VALUES_THAT_LIFT_BEAT_RULES: dict[Option[Any], OptionValue] = {
    beats.FOLLOW_SUIT: False,
    beats.SKIP_BEST: True,
    cards.TRANSPARENT: "",
    cards.THREES: "rank",
    cards.TWOS: "rank",
    cards.JOKER_ROLE: "rank",
    cards.HIGH_CARDS: "none",
    cards.POWER_CARDS: "none",
    cards.WILD_TIE: "equal",
    cards.JOKER_RANK: "equal",
    sequences.BEATS: "higher_top",
}
"""The neutral value of each option, in the order of trial."""


_VALUES_THAT_LIFT_READ_RULES: dict[Option[Any], OptionValue] = {sequences.SUITS: "any", cards.WILD_SETS: "any"}
"""The neutral value of options that can make cards unplayable together."""


def find_rule_against_combination(options: Options, cards_: Cards, *, inverted: bool) -> str | None:
    """Return the id of the option of President by which these cards form no combination.

    None if no option forbids them. Errors name the rule. `inverted`: ranks are upside down now.
    """
    for switch, value in _VALUES_THAT_LIFT_READ_RULES.items():
        if options[switch] != value and _combination_rules(options.with_value(switch, value)).readings(
            cards_, None, inverted=inverted
        ):
            return switch.id
    return None


def find_rule_against_beating(options: Options, new: Combination, on: Combination, *, inverted: bool) -> str:
    """Return the id of President's rule by which `new` does not beat `on`, so that the error can name it.

    It is the first option without which `new` would beat.
    """
    if inverted and _combination_rules(options).beats(new, on, inverted=False):
        return beats.FOUR_OF_A_KIND.id
    for switch, value in _VALUES_THAT_LIFT_BEAT_RULES.items():
        if options[switch] != value and _beats_under_options(
            options.with_value(switch, value), new, on, inverted=inverted
        ):
            return switch.id
    if on.kind in KIND_OF_SET and new.kind in KIND_OF_SET:
        return beats.SET_SIZE.id
    poker = {new.kind, on.kind} & set(poker_hands.KINDS)
    return poker_hands.SWITCH.id if poker else sequences.SWITCH.id


def _beats_under_options(options: Options, new: Combination, on: Combination, *, inverted: bool) -> bool:
    lifted = _combination_rules(options)
    there = lifted.readings(on.cards, None, inverted=inverted)
    # The play on the table keeps the rank it was played as, if that reading still exists.
    lies = next((one for one in there if one.rank == on.rank), there[0] if there else on.replace(role=""))
    return any(
        lifted.beats(one, lies, inverted=inverted) for one in lifted.readings(new.cards, lies, inverted=inverted)
    )


@lru_cache(VARIANTS_CACHED)
def _combination_rules(options: Options) -> PresidentCombinations:
    return PresidentCombinations(CardMeanings(options), options)
