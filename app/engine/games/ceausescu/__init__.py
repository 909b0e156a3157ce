"""Ceausescu: patterns, bombs and missiles, and a king who can fall at any time.

The files follow the headings of the rules page: `patterns`, `bombs`, `society` (first hand and lead, hierarchy) and
`presets`. `rules` answers the game loop, `game` implements the game for a match, `hand_memory` is the game's own
state of a hand, `suggestions` proposes plays that beat the table.
"""

from .game import Ceausescu

__all__ = ["Ceausescu"]
