"""Complete listed legal actions with random fields, such as the cards of an offer."""

from collections.abc import Iterator
from random import Random

from app.engine.base.errors import RuleError
from app.engine.cards.action_codec import action_to_json, parse_action
from app.engine.cards.actions import Action, AnnounceRank, Cut, Offer
from app.engine.cards.cards import RANKS
from app.engine.match.match import Match


def is_accepted(match: Match, by: str, action: Action) -> bool:
    """Return whether an action, encoded as a client sends it, is accepted now (in or between hands).

    The match itself stays unchanged.
    """
    try:
        (match.apply_action if match.is_hand_running else match.apply_between_hands)(
            by, parse_action(action_to_json(action))
        )
    except RuleError:
        return False
    return True


def complete_action(match: Match, by: str, action: Action, rng: Random) -> Action:
    """Return a listed legal action with random values for fields that the list leaves out, such as an offer's cards.

    Of a few variants, the first that is accepted; if none is, the first. Other actions are returned unchanged.
    """
    some = list(_action_variants(match, by, action, rng))
    return next((one for one in some if is_accepted(match, by, one)), some[0]) if some else action


def _action_variants(match: Match, by: str, action: Action, rng: Random) -> Iterator[Action]:
    match action:
        case AnnounceRank(None, None):
            yield AnnounceRank(have=rng.choice(RANKS + "X"))
        case Offer(()):
            held = match.current_hand.cards[by]
            for count in rng.sample(range(1, 4), 3):
                cards = tuple(rng.sample(held, min(count, len(held))))
                yield Offer(cards)
                yield Offer(cards, rng.choice(RANKS))
        case Cut(None) | Cut(0):
            yield Cut(rng.randint(0, 30))
        case _:
            pass
