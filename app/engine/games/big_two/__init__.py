"""Big Two: be the first to shed your cards, in singles, pairs, triples and five-card combinations.

The files follow the headings of the rules page: `deal`, `combinations`, `play`, `scoring`, `short_tables` (three and
two players) and `presets`. `rules` answers the game loop, `game` implements the game for a match. `hand_memory` is
the game's own state of a hand, and `kinds` defines the kinds of combination.
"""

from .game import BigTwo

__all__ = ["BigTwo"]
