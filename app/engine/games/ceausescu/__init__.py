"""Ceausescu: patterns, bombs and missiles, and a king whom nobody sees coming down.

The files follow the headings of the rules page: `patterns`, `bombs`, `society` (first hand and lead, hierarchy) and
`presets`. `rules` answers the loop with them, `game` joins them to a match, `hand_memory` is what a hand keeps,
`suggestions` says what would beat the table.
"""

from .game import Ceausescu

__all__ = ["Ceausescu"]
