"""A bot that chooses random legal actions, for tests."""

import random

from app.bots.view.seat_view import Action, SeatReader, View, complete_action
from app.engine.cards.action_codec import ACTION_SPECS

_TALK = frozenset(name for name, form in ACTION_SPECS.items() if form.is_repeatable and not form.is_primary)
"""Kinds of actions that can be repeated without progress. The bot chooses them rarely, so that a hand ends."""


def choose(view: View, rng: random.Random) -> Action:
    """Choose a random legal action of a seat.

    Repeatable side actions such as requests are drawn from only one time in five, unless nothing else is legal.
    """
    seat = SeatReader(view)
    decisive = [action for action in seat.legal if action["do"] not in _TALK]
    talks = not decisive or rng.random() < 0.2
    return complete_action(seat, rng.choice(seat.legal if talks else decisive), rng)


def out_of_turn_play(view: View, rng: random.Random) -> Action | None:
    """Choose a random play during another player's turn with probability 1/2; else, or without a play, None."""
    plays = SeatReader(view).legal_actions_of_kind("play")
    return rng.choice(plays) if plays and rng.random() < 0.5 else None
