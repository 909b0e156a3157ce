"""What a bot that people may ask for is like: a chick, a hen, a fox. How it plays is its own module.

What it is called, shows and decrees is all that makes it somebody; when it does so, the room says
(rooms/bots/reactions.py).
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from app.engine.base.messages import Sentence

Occasion = Literal["first", "last", "stuns", "admires"]
"""What a bot may show something at: it was the first in a hand, or the last; it has done something great, or another
has."""

MANY = 4
"""Of so many decrees it is said how many a bot obeys."""


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
    names: tuple[str, ...]
    """What those are called who come to a table as such a bot; of each there is one."""
    shows: Mapping[Occasion, str]
    """Its reactions (rooms/people/reactions.py), and when it has them."""
    decrees: tuple[str, ...]
    """What it decrees, where the rules let it. As with people's decrees, the words stay as they were said."""
    to_all: bool
    """Whether its decrees are for all who have to hear it, or for the last of them alone."""
    obeys: int
    """Of `MANY` decrees that it gets."""


LEVELS: dict[str, Level] = {
    "greedy": Level(
        Sentence("bot.greedy", "easy bot"),
        Sentence("bot.add.greedy", "Add an easy bot"),
        Sentence("bot.become.greedy", "Make it easy"),
        Sentence("bot.about.greedy", "Easy bots get rid of low cards and keep the best for later."),
        sign="chick",
        names=("Pip", "Crumb", "Fluff", "Dot", "Chirp", "Button", "Pebble", "Nugget", "Peep", "Daisy", "Tuft", "Bean"),
        shows={"first": "heart", "last": "tear", "admires": "clap"},
        decrees=(
            "Everybody says something nice to the one on their left.",
            "Applause for whoever goes out next.",
            "Whoever has snacks shares them.",
            "Everybody tweets once.",
            "Somebody tells me what a straight is.",
        ),
        to_all=True,
        obeys=4,
    ),
    "steady": Level(
        Sentence("bot.steady", "medium bot"),
        Sentence("bot.add.steady", "Add a medium bot"),
        Sentence("bot.become.steady", "Make it medium"),
        Sentence("bot.about.steady", "Medium bots remember what was played, and plan how to go out."),
        sign="hen",
        names=(
            "Hetty", "Mabel", "Agnes", "Maud", "Clara", "Winnie", "Biddy", "Dorothy", "Ida", "Pearl", "Edith",
            "Olive",
        ),
        shows={"first": "cluck", "last": "egg", "stuns": "cluck", "admires": "thumb"},
        decrees=(
            "Sit up straight and count your cards.",
            "Everybody drinks a glass of water.",
            "No feathers on the table.",
            "Nobody sighs until the next deal.",
            "One of you airs the room.",
        ),
        to_all=True,
        obeys=3,
    ),
    "hard": Level(
        Sentence("bot.hard", "hard bot"),
        Sentence("bot.add.hard", "Add a hard bot"),
        Sentence("bot.become.hard", "Make it hard"),
        Sentence("bot.about.hard", "Hard bots think about who may hold what, and how each play would end."),
        sign="fox",
        names=(
            "Reynard", "Vixen", "Russet", "Tod", "Ember", "Rufus", "Sorrel", "Sienna", "Garnet", "Copper", "Juniper",
            "Ash",
        ),
        shows={"first": "crow", "last": "thumb", "stuns": "crow", "admires": "snail"},
        decrees=(
            "Bow before you pass.",
            "Bring me a drink and a good excuse.",
            "Name the card that you fear most.",
            "Praise my last play in one sentence.",
            "Cluck when you lose a trick.",
        ),
        to_all=False,
        obeys=1,
    ),
}  # fmt: skip
"""Those that are offered, by kind, the easiest first."""
