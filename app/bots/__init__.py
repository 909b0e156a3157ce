"""Bots: `choose(view, rng) -> action`, from what a seat sees and has been told, and nothing else.

They answer at once: a view lists a bounded number of legal actions. A new bot is a module and a line in `BOTS` and in
`BREAKING_IN`, and one that people may ask for has another in `LEVELS`. How they came to be, and how good they are:
docs/bots.md.
"""

import random
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, TypeAlias

from app.engine.words import Sentence

from . import greedy, hard, random_bot, steady
from .harmless import answer, harmless
from .seat import Action, View

Choose = Callable[[View, random.Random], Action]

BOTS: dict[str, Choose] = {
    "greedy": greedy.choose,
    "steady": steady.choose,
    "hard": hard.choose,
    "random": random_bot.choose,
}
"""By kind. What is no level is for tests and programs."""

THINKING = frozenset(("hard",))
"""Those who think ahead, and want the match as their seat may know it: `view["veiled"]` (search.py)."""


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


Occasion = Literal["first", "last", "stuns", "admires"]
"""What a bot may show something at: it was the first in a hand, or the last; it has done something great, or another
has."""


class Level(NamedTuple):
    """How well a bot plays, in words, and what it is like: for the form, the table and the API."""

    name: Sentence
    """What stands beside the bot's own name."""
    add: Sentence
    """What asks for one."""
    become: Sentence
    """What makes one of another level."""
    about: Sentence
    """How it plays."""
    sign: str
    """The head that it has at the table, which the page draws."""
    shows: Mapping[Occasion, str]
    """Its reactions (rooms/reactions.py), and when it has them."""


LEVELS: dict[str, Level] = {
    "greedy": Level(
        Sentence("bot.greedy", "easy bot"),
        Sentence("bot.add.greedy", "Add an easy bot"),
        Sentence("bot.become.greedy", "Make it easy"),
        Sentence("bot.about.greedy", "Easy bots get rid of low cards and keep the best for later."),
        sign="chick",
        shows={"first": "heart", "last": "tear", "admires": "clap"},
    ),
    "steady": Level(
        Sentence("bot.steady", "medium bot"),
        Sentence("bot.add.steady", "Add a medium bot"),
        Sentence("bot.become.steady", "Make it medium"),
        Sentence("bot.about.steady", "Medium bots remember what was played, and plan how to go out."),
        sign="hen",
        shows={"first": "cluck", "last": "egg", "stuns": "cluck", "admires": "thumb"},
    ),
    "hard": Level(
        Sentence("bot.hard", "hard bot"),
        Sentence("bot.add.hard", "Add a hard bot"),
        Sentence("bot.become.hard", "Make it hard"),
        Sentence("bot.about.hard", "Hard bots think about who may hold what, and how each play would end."),
        sign="fox",
        shows={"first": "crow", "last": "thumb", "stuns": "crow", "admires": "snail"},
    ),
}
"""Those that are offered, by kind, the easiest first."""

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
