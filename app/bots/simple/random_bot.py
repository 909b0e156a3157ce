"""A bot that does anything that is legal. Good company for tests, not for people."""

import random

from app.bots.view.seat_view import Action, SeatReader, View, completed
from app.engine.cards.action_codec import FORMS

_TALK = frozenset(name for name, form in FORMS.items() if form.talk and not form.main)
"""What settles nothing. It talks, but not for ever."""


def choose(view: View, rng: random.Random) -> Action:
    """Choose any legal action."""
    seat = SeatReader(view)
    decisive = [action for action in seat.legal if action["do"] not in _TALK]
    talks = not decisive or rng.random() < 0.2
    return completed(seat, rng.choice(seat.legal if talks else decisive), rng)


def break_in(view: View, rng: random.Random) -> Action | None:
    """Do it every other time, with anything that may be played."""
    plays = SeatReader(view).doing("play")
    return rng.choice(plays) if plays and rng.random() < 0.5 else None
