"""Reactions that people show each other: pictures that fly from a seat.

They are not part of the game or the log. The page draws each (`static/js/chat/stickers.js`), with a sound
(`reaction.cluck`) and a text for screen readers.
"""

from typing import Literal, TypeAlias

Reaction: TypeAlias = Literal["cluck", "crow", "clap", "thumb", "heart", "egg", "tear", "snail"]
"""Hen that laughs, rooster that crows, clapping wings, thumb, heart, breaking egg, weeping chick, snail.

The snail is for slow players.
"""
