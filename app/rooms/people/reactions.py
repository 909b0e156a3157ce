"""What people show each other at a table: pictures that fly from a seat. Nothing of the game, so in no log.

The page draws each (`static/js/chat/stickers.js`) and has a sound for it (`reaction.cluck`), and words for ears.
"""

from typing import Literal, TypeAlias

Reaction: TypeAlias = Literal["cluck", "crow", "clap", "thumb", "heart", "egg", "tear", "snail"]
"""A hen that laughs, a rooster that crows, wings that clap, a thumb, a heart, an egg that splits, a chick that weeps,
and a snail for who takes their time."""
