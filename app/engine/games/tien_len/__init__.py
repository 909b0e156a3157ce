"""Tien Len: be the first to shed your cards, in sets and runs, and chop the twos of the others.

The files follow the headings of the rules page: `table`, `combinations`, `chops`, `instant_wins`, `play`, `payments`
and `presets`. `rules` answers the game loop, `game` implements the game for a match, and `hand_memory` is the game's
own state of a hand. `judging` says what beats what, and `held_chops` what a player is caught with.
"""

from .game import TienLen

__all__ = ["TienLen"]
