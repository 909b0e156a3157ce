"""The hard bot, which searches ahead (monte_carlo.py). Its view has an extra key `veiled`: a `SeatKnowledge`."""

import random

from app.bots.network import small_network_bot
from app.bots.search.monte_carlo import Budget, search_action
from app.bots.view.seat_view import Action, SeatReader, View

DEFAULT_BUDGET = Budget(seconds=0.1)
"""0.1 seconds of processor time."""


def choose(view: View, rng: random.Random, budget: Budget = DEFAULT_BUDGET) -> Action:
    """Choose the hard bot's action by search. The medium bot chooses without a `veiled` match or without a real choice.

    `veiled` is the view's extra key with the match as far as the seat knows it. `budget` limits the search.
    """
    veiled = view.get("veiled")
    if veiled is None or is_forced(view):
        return small_network_bot.choose(view, rng)
    return search_action(veiled, view, budget, rng).action


def is_forced(view: View) -> bool:
    """Return whether the hard bot needs no search: one legal action, or one candidate such as going out."""
    seat = SeatReader(view)
    return len(seat.legal) < 2 or len(small_network_bot.candidate_actions(seat)) < 2
