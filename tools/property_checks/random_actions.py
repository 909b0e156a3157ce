"""Random particulars for legal actions that a list of them leaves out. All chance comes in as a `Random`."""

from collections.abc import Iterator
from random import Random

from app.engine.base.errors import RuleError
from app.engine.cards.action_codec import action_json, parse_action
from app.engine.cards.actions import Action, Cut, Offer, Say
from app.engine.cards.cards import RANKS
from app.engine.match.match import Match


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
