"""The least harmful things that may be done in a seat: what the clock does for somebody who let their turn pass, and
what any bot answers who is asked something."""

import random
from collections.abc import Iterator

from app.bots.view.seat_view import Action, SeatReader, View, cards_in, completed
from app.engine.cards.action_codec import FORMS

_GRANTS = frozenset(name for name, form in FORMS.items() if form.grants)


def harmless(view: View) -> Iterator[Action]:
    """Every legal action, completed, from the one that costs least. The first is nearly always good."""
    seat = SeatReader(view)
    rng = random.Random(0)  # cuts and the like must be something; the same for every node

    def cost(action: Action) -> tuple[int, int, int, str]:
        cards = cards_in(action)
        kind = FORMS[action["do"]].cost
        worth = sum(seat.worth(card) for card in cards)
        # Sorting is stable: of deals by hand the first listed is the right one.
        return (kind, len(cards) if action["do"] == "play" else 0, worth, " ".join(cards))

    for action in sorted(seat.legal, key=cost):
        yield completed(seat, action, rng)


def answer(view: View) -> Action | None:
    """What a bot does between hands, where nobody's turn is awaited: it grants what somebody has asked of it."""
    return next((action for action in SeatReader(view).you.get("may", ()) if action["do"] in _GRANTS), None)
