"""Ceausescu: patterns, bombs and missiles, and a king whom nobody sees coming down.

`patterns` and `bombs` say what may be played and what beats what, `society` who leads, gives, comes and goes; `presets`
is data, and `game` joins them to the loop and to a match.
"""

from .game import Ceausescu

__all__ = ["Ceausescu"]
