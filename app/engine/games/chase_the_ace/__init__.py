"""Chase the Ace: one card each, hand the low one on, and don't be left with it.

It is no climbing game: its loop is its own. `trading` knows the turns and what picture cards do, `dimes` what is
lost, won and kept from deal to deal, `game` joins them to a match and lists what may be seen.
"""

from .game import ChaseTheAce

__all__ = ["ChaseTheAce"]
