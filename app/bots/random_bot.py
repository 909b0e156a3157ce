"""A bot that does anything that is legal. Good company for tests, not for people."""

import random

from .seat import Action, Seat, View, completed

_TALK = frozenset({"say", "offer"})
"""It talks, but not for ever."""


def choose(view: View, rng: random.Random) -> Action:
    """Any legal action."""
    seat = Seat(view)
    decisive = [action for action in seat.legal if action["do"] not in _TALK]
    talks = not decisive or rng.random() < 0.2
    return completed(seat, rng.choice(seat.legal if talks else decisive), rng)
