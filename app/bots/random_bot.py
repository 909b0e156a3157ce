"""A bot that does anything that is legal. Good company for tests, not for people."""

import random

from app.engine.actions import FORMS

from .seat import Action, SeatReader, View, completed

_TALK = frozenset(name for name, form in FORMS.items() if form.talk and not form.main)
"""What settles nothing. It talks, but not for ever."""


def choose(view: View, rng: random.Random) -> Action:
    """Choose any legal action."""
    seat = SeatReader(view)
    decisive = [action for action in seat.legal if action["do"] not in _TALK]
    talks = not decisive or rng.random() < 0.2
    return completed(seat, rng.choice(seat.legal if talks else decisive), rng)
