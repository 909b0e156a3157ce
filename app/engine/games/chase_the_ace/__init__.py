"""Chase the Ace: one card each, hand the low one on, and don't be left with it.

It is no climbing game: its loop is its own. The files follow the headings of the rules page: `lives_and_pot` (what is
lost and won, and the books from deal to deal), `picture_cards` (kings, queens and jacks), `society` (who plays, comes
and goes) and `presets`. `trading` is the loop of one deal, `rules` answers it, `game` joins them to a match.
"""

from .game import ChaseTheAce

__all__ = ["ChaseTheAce"]
