"""Bots: `choose(view, rng) -> action`, from what a seat sees and nothing else.

They answer at once: a view lists a bounded number of legal actions. A new bot is a module and a line in `BOTS`.
"""

import random
from collections.abc import Callable

from . import greedy, random_bot
from .harmless import answer, harmless
from .seat import Action, View

Choose = Callable[[View, random.Random], Action]

BOTS: dict[str, Choose] = {"greedy": greedy.choose, "random": random_bot.choose}
"""By kind, in the order in which they are offered."""

DEFAULT_BOT = "greedy"
"""Plays for people who are away."""

__all__ = ["BOTS", "DEFAULT_BOT", "Action", "Choose", "View", "answer", "harmless"]
