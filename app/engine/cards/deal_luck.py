"""The luck of the deal: what the cards dealt to somebody were worth, compared with what chance deals.

A card counts by where it stands in the deck, sorted as the game ranks cards at the start of a hand: 0 for the lowest, 1
for the highest. Of the hands that chance deals, of so many cards, the mean of these is spread in a known way; luck is
how many of a hundred such hands are worth less.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby
from math import erf, sqrt
from typing import Any

from app.engine.cards.cards import Card, Cards


@dataclass(frozen=True, slots=True)
class Scale:
    """What the cards of a deck are worth beside one another."""

    places: Mapping[Card, float]
    """Where each stands, from 0 to 1."""
    spread: float
    deck: int
    """How many cards it has."""

    @classmethod
    def of(cls, worth: Callable[[Card], Any], deck: Cards) -> "Scale":
        """Put the cards of a deck in the order of what they are worth."""
        places = _places(worth, deck)
        return cls(places, sum((places[card] - 0.5) ** 2 for card in deck) / len(deck), len(deck))

    def luck(self, dealt: Mapping[str, Cards]) -> dict[str, int]:
        """Tell for each player how many of a hundred hands of as many cards out of the deck are worth less than theirs.

        >>> deck = tuple(Card(rank + "c") for rank in "3456789")
        >>> Scale.of(lambda card: card.rank, deck).luck({"Ana": deck[:2], "Bob": deck[5:], "Cat": (deck[3],)})
        {'Ana': 3, 'Bob': 97, 'Cat': 50}
        """
        held = {name: [self.places[card] for card in cards] for name, cards in dealt.items()}
        return {name: _percentile(places, self.spread, self.deck) for name, places in held.items()}


def _places(worth: Callable[[Card], Any], deck: Cards) -> dict[Card, float]:
    """Where each card stands between the lowest, near 0, and the highest, near 1; equals stand together."""
    places: dict[Card, float] = {}
    below = 0
    for _, group in groupby(sorted(deck, key=worth), key=worth):
        tied = list(group)
        places |= dict.fromkeys(tied, (below + len(tied) / 2) / len(deck))
        below += len(tied)
    return places


def _percentile(held: list[float], spread: float, deck: int) -> int:
    count = len(held)
    if not held or count >= deck or not spread:
        return 50
    mean = sum(held) / count
    if count == 1:  # chance deals each card as often as any other
        return round(100 * mean)
    # What is dealt is not put back: the mean of `count` cards varies the less, the more of the deck they are.
    deviation = sqrt(spread / count * (deck - count) / (deck - 1))
    return round(50 * (1 + erf((mean - 0.5) / deviation / sqrt(2))))
