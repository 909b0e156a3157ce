"""The levels of bots that people may choose, with the names, pictures, reactions and decrees of their bots.

How a bot plays is in its own module. When a bot reacts is decided by the room (rooms/bots/reactions.py).
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from app.engine.base.messages import MessageTemplate

Occasion = Literal["first", "last", "stuns", "admires"]
"""When a bot may show a reaction.

"first" and "last": the bot took that place in a hand. "stuns": it made a great play. "admires": another player did.
"""

DECREES_COUNTED = 4
"""Number of decrees that `BotLevel.obeyed_decrees` counts from."""


class BotLevel(NamedTuple):
    """A level of bots, as shown in forms, at the table and in the API, with its bots' names and reactions."""

    name: MessageTemplate
    """Shown next to the name of a bot."""
    add_label: MessageTemplate
    """Label of the button that adds a bot of this level."""
    change_label: MessageTemplate
    """Label of the button that changes a bot of another level to this level."""
    about: MessageTemplate
    """One sentence about how the bots of this level play."""
    sign: str
    """Name of the animal head that the page draws for the bot."""
    names: tuple[str, ...]
    """Names for bots of this level; each name is used once in a room. Pages translate them."""
    reactions: Mapping[Occasion, str]
    """The reaction (rooms/people/reactions.py) that the bot shows on each occasion."""
    decrees: tuple[str, ...]
    """Decrees that the bot may make, where the rules allow decrees. Pages translate them."""
    decrees_for_all: bool
    """Whether the bot's decrees address all players below it, or only the last of them."""
    obeyed_decrees: int
    """Number of decrees that the bot obeys, out of `DECREES_COUNTED`."""


LEVELS: dict[str, BotLevel] = {
    "easy": BotLevel(
        MessageTemplate("bot.easy", "easy bot"),
        MessageTemplate("bot.add.easy", "Add an easy bot"),
        MessageTemplate("bot.become.easy", "Make it easy"),
        MessageTemplate("bot.about.easy", "Easy bots play low cards first and keep high cards for later."),
        sign="chick",
        names=("Pip", "Crumb", "Fluff", "Dot", "Chirp", "Button", "Pebble", "Nugget", "Peep", "Daisy", "Tuft", "Bean"),
        reactions={"first": "heart", "last": "tear", "admires": "clap"},
        decrees=(
            "Everybody says something nice to the one on their left.",
            "Applause for whoever goes out next.",
            "Whoever has snacks shares them.",
            "Everybody tweets once.",
            "Somebody tells me what a straight is.",
        ),
        decrees_for_all=True,
        obeyed_decrees=4,
    ),
    "medium": BotLevel(
        MessageTemplate("bot.medium", "medium bot"),
        MessageTemplate("bot.add.medium", "Add a medium bot"),
        MessageTemplate("bot.become.medium", "Make it medium"),
        MessageTemplate("bot.about.medium", "Medium bots remember the cards played, and plan how to finish."),
        sign="hen",
        names=(
            "Hetty", "Mabel", "Agnes", "Maud", "Clara", "Winnie", "Biddy", "Dorothy", "Ida", "Pearl", "Edith",
            "Olive",
        ),
        reactions={"first": "cluck", "last": "egg", "stuns": "cluck", "admires": "thumb"},
        decrees=(
            "Sit up straight and count your cards.",
            "Everybody drinks a glass of water.",
            "No feathers on the table.",
            "Nobody sighs until the next deal.",
            "One of you airs the room.",
        ),
        decrees_for_all=True,
        obeyed_decrees=3,
    ),
    "hard": BotLevel(
        MessageTemplate("bot.hard", "hard bot"),
        MessageTemplate("bot.add.hard", "Add a hard bot"),
        MessageTemplate("bot.become.hard", "Make it hard"),
        MessageTemplate("bot.about.hard", "Hard bots estimate the cards of others, and how each play would end."),
        sign="fox",
        names=(
            "Reynard", "Vixen", "Russet", "Tod", "Ember", "Rufus", "Sorrel", "Sienna", "Garnet", "Copper", "Juniper",
            "Ash",
        ),
        reactions={"first": "crow", "last": "thumb", "stuns": "crow", "admires": "snail"},
        decrees=(
            "Bow before you pass.",
            "Bring me a drink and a good excuse.",
            "Name the card that you fear most.",
            "Praise my last play in one sentence.",
            "Cluck when you lose a trick.",
        ),
        decrees_for_all=False,
        obeyed_decrees=1,
    ),
}  # fmt: skip
"""The levels that people may choose, by kind of bot, the easiest first."""
