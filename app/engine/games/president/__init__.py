"""President: pagat's basic game and all its variations, Board Game Arena's President, Kings and Bastards.

Files are named after the headings of the rules page. `combinations/` defines which cards are played together and what
beats what. Each house rule is one file below `house/`, derived from the class in `house_rule.py`. `rules.py` combines
them for the game loop, `game.py` implements the game for a match, `views.py` defines what players see.
"""

from .game import President

__all__ = ["President"]
