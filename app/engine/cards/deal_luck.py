"""The luck of the deal: how a player's dealt cards compare with random cards.

Each card has a value by its position in the sorted deck: 0 for the lowest, 1 for the highest. The deck is sorted as
the game ranks cards at the start of a hand. Luck is a percentile: the percentage of random choices of the same number
of cards that have a lower mean value. The distribution of that mean is approximated by a normal distribution.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby
from math import erf, sqrt
from typing import Any

from app.engine.cards.cards import Card, Cards


@dataclass(frozen=True, slots=True)
class CardScale:
    """The relative values of the cards of a deck, from which the luck of a deal is estimated.

    `variance` is that of the `positions`.
    """

    positions: Mapping[Card, float]
    """The value of each card, from 0 to 1."""
    variance: float
    deck_size: int
    """Number of cards in the deck."""

    @classmethod
    def from_deck(cls, card_value: Callable[[Card], Any], deck: Cards) -> "CardScale":
        """Sort a deck by `card_value` and return the scale of its cards, from which the luck of deals is estimated."""
        places = _relative_positions(card_value, deck)
        return cls(places, sum((places[card] - 0.5) ** 2 for card in deck) / len(deck), len(deck))

    def luck_percentiles(self, dealt: Mapping[str, Cards]) -> dict[str, int]:
        """Return for each player the percentage of random deals that are worth less than the player's cards.

        The random deals have the same number of cards, from the same deck. `dealt` are the cards by player. A high
        percentage means good luck.

        >>> deck = tuple(Card(rank + "c") for rank in "3456789")
        >>> scale = CardScale.from_deck(lambda card: card.rank, deck)
        >>> scale.luck_percentiles({"Ana": deck[:2], "Bob": deck[5:], "Cat": (deck[3],)})
        {'Ana': 3, 'Bob': 97, 'Cat': 50}
        """
        held = {name: [self.positions[card] for card in cards] for name, cards in dealt.items()}
        return {name: _percentile(places, self.variance, self.deck_size) for name, places in held.items()}


def _relative_positions(card_value: Callable[[Card], Any], deck: Cards) -> dict[Card, float]:
    """Return each card's relative position in the sorted deck, between 0 (lowest) and 1.

    Cards of equal value share a position.
    """
    places: dict[Card, float] = {}
    below = 0
    for _, group in groupby(sorted(deck, key=card_value), key=card_value):
        tied = list(group)
        places |= dict.fromkeys(tied, (below + len(tied) / 2) / len(deck))
        below += len(tied)
    return places


def _percentile(held: list[float], spread: float, deck: int) -> int:
    count = len(held)
    if not held or count >= deck or not spread:
        return 50
    mean = sum(held) / count
    if count == 1:  # every card is equally likely
        return round(100 * mean)
    # Cards are drawn without replacement: the mean varies less if `count` is a larger part of the deck.
    deviation = sqrt(spread / count * (deck - count) / (deck - 1))
    return round(50 * (1 + erf((mean - 0.5) / deviation / sqrt(2))))
