"""Draw random rules, and a random number of players that they allow.

`random_options` may draw any declared option, so a new option is tested from the day it is declared. All randomness
comes from the given `Random`.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from app.engine.base.errors import RuleError
from app.engine.base.options import (
    Choice,
    MultiChoice,
    MultiplierSteps,
    Number,
    NumberOrNone,
    Options,
    Points,
    Ranks,
    Titles,
)
from app.engine.match.game import AnyGame

_SOME = "Ana Bob Cat Dan Eve Fay Gus Hal Ivy Jon Kim Lou Mia Ned Oda Pia Quin Rex Sue Tom Uma Vic Wim Xia Yan Zoe"
PLAYER_NAMES = tuple(_SOME.split())
"""Names for the seats of a match, enough for all rules."""


def random_value(domain: object, rng: Random) -> Any:
    """Return a random valid value of an option, given the domain of its values; used to test bots with random rules."""
    match domain:
        case Choice(labels):
            return rng.choice(list(labels))
        case Number(low, high) | NumberOrNone(low, high):
            near = [value for value in (0, 1, 2, 3, 5, 11, 20, -10, low, high) if low <= value <= high]
            return rng.choice([*near, *([None] if isinstance(domain, NumberOrNone) else [])])
        case Ranks(most, of):
            return "".join(rng.sample(of, rng.choice([0, 0, 1, 1, min(2, most), most])))
        case Titles(labels, places):
            return rng.choice([*labels, [f"Number {place}" for place in range(1, len(places) + 1)]])
        case Points(labels, places, low, high):
            return rng.choice(
                [*labels, sorted(rng.sample(range(max(low, -5), min(high, 30)), len(places)), reverse=True)]
            )
        case MultiChoice(labels):
            return rng.sample(list(labels), rng.randint(0, len(labels)))
        case MultiplierSteps():
            return [[rng.randint(1, 20), rng.randint(1, 5)] for _ in range(rng.randint(0, 3))]
        case _:
            raise AssertionError(f"no random value for {domain}")


def random_options(game: AnyGame, rng: Random, changed: Sequence[int] = (0, 1, 2, 4, 8, 30)) -> Options:
    """Return random options of a game, to compare or test bots: a random preset with some options changed.

    The number of changed options is one of `changed`. Contradictory options are drawn again.
    """
    while True:
        requested: dict[str, Any] = {"preset": rng.choice(game.option_schema.presets).key}
        turned = rng.choice(changed)
        for switch in rng.sample(game.option_schema.all_options, min(turned, len(game.option_schema.all_options))):
            requested[switch.key] = random_value(switch.domain, rng)
        try:
            return game.option_schema.resolve_options(requested)
        except RuleError:
            continue


def random_player_count(game: AnyGame, options: Options, rng: Random) -> int | None:
    """Return a random number of players that these options allow, or None if they allow no number.

    Used to test or compare bots under random rules.
    """
    low, high = game.player_limits(options)
    possible = [count for count in range(low, high + 1) if _is_player_count_allowed(game, options, count)]
    return rng.choice(possible) if possible else None


def _is_player_count_allowed(game: AnyGame, options: Options, count: int) -> bool:
    try:
        game.check_players(options, count)
    except RuleError:
        return False
    return True
