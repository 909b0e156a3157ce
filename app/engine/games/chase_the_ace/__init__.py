"""Chase the Ace: each player has one card; pass on a low card, and don't be left with the lowest.

It is not a climbing game and has its own loop. The files follow the headings of the rules page:

- `lives_and_pot`: dimes, pot and their state from deal to deal
- `picture_cards`: kings, queens and jacks
- `society`: players joining and leaving
- `presets`: the preset and the explanation for beginners

`trading` is the loop of one deal, `rules` holds the options, `game` implements the game for a match.
"""

from .game import ChaseTheAce

__all__ = ["ChaseTheAce"]
