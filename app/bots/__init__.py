"""Bots: `choose(view, rng) -> action`, from what a seat sees and has been told, and nothing else.

They answer at once: a view lists a bounded number of legal actions. A new bot is a module and a line in `BOTS` and in
`BREAKING_IN`, and one that people may ask for has another in `LEVELS` (levels.py). How they came to be, and how good
they are: docs/bots.md.
"""

import random
from collections.abc import Callable
from typing import Literal, TypeAlias

from app.bots.network import small_network_bot
from app.bots.search import search_bot
from app.bots.simple import greedy, random_bot
from app.bots.simple.levels import LEVELS, Level, Occasion
from app.bots.simple.safe_action import answer, harmless
from app.bots.view.seat_view import Action, View

Choose = Callable[[View, random.Random], Action]

BOTS: dict[str, Choose] = {
    "greedy": greedy.choose,
    "steady": small_network_bot.choose,
    "hard": search_bot.choose,
    "random": random_bot.choose,
}
"""By kind. What is no level is for tests and programs."""

THINKING = frozenset(("hard",))
"""Those who think ahead, and want the match as their seat may know it: `view["veiled"]` (monte_carlo.py)."""


def kinds(*, thinks: bool) -> tuple[str, ...]:
    """The bots that there are, by kind: where somebody thinks for those that want to think, or where nobody does."""
    return tuple(kind for kind in BOTS if thinks or kind not in THINKING)


BreakIn = Callable[[View, random.Random], Action | None]

BREAKING_IN: dict[str, BreakIn] = {
    "greedy": greedy.break_in,
    "steady": greedy.break_in,
    "hard": greedy.break_in,
    "random": random_bot.break_in,
}
"""Whether, and with what, each of them acts at once where it may though it is not to act; None: it lets things be."""


StandIn: TypeAlias = Literal["greedy", "steady"]
"""Those that may play for people who are away. A hard one may not: nobody wants to come back to a better self."""
DEFAULT_BOT: StandIn = "greedy"
"""Plays for them unless the host has chosen another."""
COMPANY = "steady"
"""Plays with who wants to play at once."""

__all__ = [
    "BOTS",
    "BREAKING_IN",
    "COMPANY",
    "DEFAULT_BOT",
    "LEVELS",
    "THINKING",
    "Action",
    "Choose",
    "Level",
    "Occasion",
    "StandIn",
    "View",
    "answer",
    "harmless",
    "kinds",
]
