"""Bots: `choose(view, rng) -> action`, from what a seat sees and nothing else.

They answer at once: a view lists a bounded number of legal actions. A new bot is a module and a line in
`BOTS` and in `BREAKING_IN`.
"""

import random
from collections.abc import Callable

from . import greedy, random_bot
from .harmless import answer, harmless
from .seat import Action, View

Choose = Callable[[View, random.Random], Action]

BOTS: dict[str, Choose] = {"greedy": greedy.choose, "random": random_bot.choose}
"""By kind, in the order in which they are offered."""

BreakIn = Callable[[View, random.Random], Action | None]

BREAKING_IN: dict[str, BreakIn] = {"greedy": greedy.break_in, "random": random_bot.break_in}
"""Whether, and with what, each of them acts at once where it may though it is not to act; None: it lets things be."""

DEFAULT_BOT = "greedy"
"""Plays for people who are away."""

__all__ = ["BOTS", "BREAKING_IN", "DEFAULT_BOT", "Action", "Choose", "View", "answer", "harmless"]
