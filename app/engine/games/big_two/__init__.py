"""Big Two: be the first to shed your cards, in singles, pairs, triples and five-card combinations.

The files follow the headings of the rules page: `deal`, `combinations`, `play`, `scoring`, `short_tables` (three and
two players) and `presets`. `rules` answers the loop with them, `game` joins them to a match, `hand_memory` is what a
hand keeps, `kinds` are what `combinations` puts together, `blocking_rule` says by which switch something is refused.
"""

from .game import BigTwo

__all__ = ["BigTwo"]
