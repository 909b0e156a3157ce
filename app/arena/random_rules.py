"""Random rules, and a random number of players that they allow.

`random_options` may draw any declared switch, so a new switch is played from the day it is declared. All chance comes
in as a `Random`.
"""

from random import Random
from typing import Any

from app.engine.base.errors import RuleError
from app.engine.base.options import Choice, Number, NumberOrNone, Options, Points, Ranks, Several, Steps, Titles
from app.engine.match.game import AnyGame

_SOME = "Ana Bob Cat Dan Eve Fay Gus Hal Ivy Jon Kim Lou Mia Ned Oda Pia Quin Rex Sue Tom Uma Vic Wim Xia Yan Zoe"
NAMES = tuple(_SOME.split())
"""Names for the seats of a match: enough for any rules."""


def random_value(domain: object, rng: Random) -> Any:
    """A value that a switch of this domain may have."""
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
        case Several(labels):
            return rng.sample(list(labels), rng.randint(0, len(labels)))
        case Steps():
            return [[rng.randint(1, 20), rng.randint(1, 5)] for _ in range(rng.randint(0, 3))]
        case _:
            raise AssertionError(f"no random value for {domain}")


def random_options(game: AnyGame, rng: Random) -> Options:
    """A preset with some switches turned; contradictions are drawn again."""
    while True:
        asked: dict[str, Any] = {"preset": rng.choice(game.declared.presets).key}
        turned = rng.choice([0, 1, 2, 4, 8, 30])
        for switch in rng.sample(game.declared.switches, min(turned, len(game.declared.switches))):
            asked[switch.key] = random_value(switch.domain, rng)
        try:
            return game.declared.resolve(asked)
        except RuleError:
            continue


def random_count(game: AnyGame, options: Options, rng: Random) -> int | None:
    """A number of players that may play this; None if there is none."""
    low, high = game.players(options)
    possible = [count for count in range(low, high + 1) if _may_play(game, options, count)]
    return rng.choice(possible) if possible else None


def _may_play(game: AnyGame, options: Options, count: int) -> bool:
    try:
        game.check_players(options, count)
    except RuleError:
        return False
    return True
