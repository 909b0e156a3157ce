"""A bot that thinks ahead (monte_carlo.py): it wants `view["veiled"]` besides what every bot gets, a `Veiled` match."""

import random

from app.bots.network import small_network_bot
from app.bots.search.monte_carlo import Budget, think
from app.bots.view.seat_view import Action, SeatReader, View

USUAL = Budget(seconds=0.1)
"""A tenth of a second of the processor."""


def choose(view: View, rng: random.Random, budget: Budget = USUAL) -> Action:
    """Choose what to do now; as the steady bot does where nothing can be thought ahead."""
    veiled = view.get("veiled")
    if veiled is None or at_once(view):
        return small_network_bot.choose(view, rng)
    return think(veiled, view, budget, rng).action


def at_once(view: View) -> bool:
    """Whether there is nothing to think about: one thing to do, or a way out."""
    seat = SeatReader(view)
    return len(seat.legal) < 2 or len(small_network_bot.weighed(seat)) < 2
