"""President: pagat's basic game and all its variations, Board Game Arena's President, Kings and Bastards.

Files are named after the headings of the rules page. `combinations/` has the cards that are played together and what
beats what. Each house rule is one file below `house/`; `house_rule.py` says what it may answer. `rules.py` joins them
for the turn loop, `game.py` joins them to a match, `views.py` says what is seen.
"""

from .game import President

__all__ = ["President"]
