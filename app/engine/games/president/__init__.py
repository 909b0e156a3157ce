"""President: pagat's basic game and all its variations, Board Game Arena's President, Kings and Bastards.

The files have the headings of the rules page: cards, beating, trick, opening, society, scoring, presets. Whatever a
house rule is, from its switch to what it answers in a hand, stands in a file of its own below `house/` (`part.py` says
what it may answer). `rules.py` puts them together for the loop, `game.py` joins them to a match, `shown.py` says what
is seen.
"""

from .game import President

__all__ = ["President"]
