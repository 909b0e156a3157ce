"""The least harmful legal actions of a seat, used when a player's time is up, and how bots answer requests."""

import random
from collections.abc import Iterator

from app.bots.view.seat_view import Action, SeatReader, View, cards_of_action, complete_action
from app.engine.cards.action_codec import ACTION_SPECS

_GRANTS = frozenset(name for name, form in ACTION_SPECS.items() if form.grants_request)


def actions_by_risk(view: View) -> Iterator[Action]:
    """Yield every legal action, with details filled in, from the least to the most harmful.

    The server takes the first one that works when a player's time is up; the easy bot uses it at unusual turns.
    """
    seat = SeatReader(view)
    rng = random.Random(0)  # completes cuts and offers; every node must choose the same

    def cost(action: Action) -> tuple[int, int, int, str]:
        cards = cards_of_action(action)
        kind = ACTION_SPECS[action["do"]].risk
        worth = sum(seat.worth(card) for card in cards)
        # Sorting is stable: of several deals by hand, the first listed is the right action.
        return (kind, len(cards) if action["do"] == "play" else 0, worth, " ".join(cards))

    for action in sorted(seat.legal, key=cost):
        yield complete_action(seat, action, rng)


def grant_request(view: View) -> Action | None:
    """Return the action by which a bot grants another player's request between hands, such as to leave.

    None if nobody asks for anything.
    """
    return next((action for action in SeatReader(view).own_view.get("off_turn", ()) if action["do"] in _GRANTS), None)
