"""What chance chooses: rules, how many play, and the particulars that a list of legal actions leaves out.

`random_options` turns any declared switch, so a new one is played the day it is declared. All chance comes in as a
`Random`.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from app.engine.actions import Action, Cut, Offer, Say, action_json, parse_action
from app.engine.cards import RANKS
from app.engine.errors import RuleError
from app.engine.game import AnyGame
from app.engine.match import Match
from app.engine.options import Choice, Number, NumberOrNone, Options, Points, Ranks, Several, Steps, Titles


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


def accepts(match: Match, by: str, action: Action) -> bool:
    """Whether this may be done now, sent as people send it: during a hand, or between hands."""
    try:
        (match.act if match.running else match.between)(by, parse_action(action_json(action)))
    except RuleError:
        return False
    return True


def completed(match: Match, by: str, action: Action, rng: Random) -> Action:
    """An action that is listed without its particulars, with some: the first of a few that is accepted."""
    some = list(_particulars(match, by, action, rng))
    return next((one for one in some if accepts(match, by, one)), some[0]) if some else action


def _particulars(match: Match, by: str, action: Action, rng: Random) -> Iterator[Action]:
    match action:
        case Say(None, None):
            yield Say(have=rng.choice(RANKS + "X"))
        case Offer(()):
            held = match.the_hand.cards[by]
            for count in rng.sample(range(1, 4), 3):
                cards = tuple(rng.sample(held, min(count, len(held))))
                yield Offer(cards)
                yield Offer(cards, rng.choice(RANKS))
        case Cut(None) | Cut(0):
            yield Cut(rng.randint(0, 30))
        case _:
            pass
