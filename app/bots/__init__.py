"""Bots: functions `choose(view, rng) -> action` that use only their own seat's view and events.

Bots answer at once, because a view lists a bounded number of legal actions. To add a bot, write a module and add a line
to `BOTS` and to `OUT_OF_TURN_PLAYS`. If people may choose the bot, add a line to `LEVELS` (levels.py) as well. History
and playing strength of the bots: docs/bots.md.
"""

import random
from collections.abc import Callable
from typing import Literal, TypeAlias

from app.bots.network import small_network_bot
from app.bots.search import search_bot
from app.bots.simple import easy_bot, random_bot
from app.bots.simple.levels import LEVELS, BotLevel, Occasion
from app.bots.simple.safe_action import actions_by_risk, grant_request
from app.bots.view.seat_view import Action, View

ChooseAction = Callable[[View, random.Random], Action]

BOTS: dict[str, ChooseAction] = {
    "easy": easy_bot.choose,
    "medium": small_network_bot.choose,
    "hard": search_bot.choose,
    "random": random_bot.choose,
}
"""The function that chooses an action, by kind of bot. Kinds not in `LEVELS` are for tests and API clients."""

SEARCHING_BOTS = frozenset(("hard",))
"""Kinds of bots that search ahead, in the match as their seat knows it, `view["veiled"]` (monte_carlo.py)."""


def available_bots(*, with_workers: bool) -> tuple[str, ...]:
    """Return the kinds of bots that can play on this server; without workers, bots that search ahead are left out."""
    return tuple(kind for kind in BOTS if with_workers or kind not in SEARCHING_BOTS)


OutOfTurnPlay = Callable[[View, random.Random], Action | None]

OUT_OF_TURN_PLAYS: dict[str, OutOfTurnPlay] = {
    "easy": easy_bot.out_of_turn_play,
    "medium": easy_bot.out_of_turn_play,
    "hard": easy_bot.out_of_turn_play,
    "random": random_bot.out_of_turn_play,
}
"""By kind of bot, the function that chooses a play out of turn, or None to wait for its own turn."""


StandIn: TypeAlias = Literal["easy", "medium"]
"""Kinds of bots that may play for an absent player. Hard bots may not: they might play better than the player."""
DEFAULT_STAND_IN: StandIn = "easy"
"""The kind of bot that plays for absent players unless the host has chosen another kind."""
QUICK_START_BOT = "medium"
"""The kind of bot that fills the seats when a person starts a match at once."""

__all__ = [
    "BOTS",
    "DEFAULT_STAND_IN",
    "LEVELS",
    "OUT_OF_TURN_PLAYS",
    "QUICK_START_BOT",
    "SEARCHING_BOTS",
    "Action",
    "BotLevel",
    "ChooseAction",
    "Occasion",
    "StandIn",
    "View",
    "actions_by_risk",
    "available_bots",
    "grant_request",
]
