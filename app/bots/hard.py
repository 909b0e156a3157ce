"""A bot that thinks ahead (search.py): it wants `view["veiled"]` besides what every bot gets, a `Veiled` match."""

import random

from . import steady
from .search import Budget, think
from .seat import Action, SeatReader, View

USUAL = Budget(seconds=0.1)
"""A tenth of a second of the processor."""


def choose(view: View, rng: random.Random, budget: Budget = USUAL) -> Action:
    """Choose what to do now; as the steady bot does where nothing can be thought ahead."""
    veiled = view.get("veiled")
    if veiled is None or at_once(view):
        return steady.choose(view, rng)
    return think(veiled, view, budget, rng).action


def at_once(view: View) -> bool:
    """Whether there is nothing to think about: one thing to do, or a way out."""
    seat = SeatReader(view)
    return len(seat.legal) < 2 or len(steady.weighed(seat)) < 2
