"""Pao De Kuai: be the first to shed your cards, beat whenever you can, and drop bombs.

The files follow the headings of the rules page: `table`, `combinations`, `bombs`, `play`, `payments` and `presets`.
`rules` answers the game loop, `game` implements the game for a match, and `hand_memory` is the game's own state of a
hand. `judging` says what beats what.
"""

from .game import PaoDeKuai

__all__ = ["PaoDeKuai"]
