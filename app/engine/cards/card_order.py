"""An order of the 52 cards by rank, then by suit, for games in which no two cards are equal."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.engine.cards.cards import RANKS, Card, Cards, build_deck


@dataclass(frozen=True, slots=True)
class CardOrder:
    """The order of all 52 cards, lowest first: by rank, then by suit.

    `index_by_suit` is the suit's position.
    """

    suits: str
    """Suits from low to high."""
    index_by_card: Mapping[Card, int]
    """0 for the low card, 51 for the highest."""
    index_by_suit: Mapping[str, int]
    deck: Cards

    @classmethod
    def for_suit_order(cls, suit_order: str) -> "CardOrder":
        """Return the order of cards for an order of suits, given from the highest suit down."""
        suits = suit_order[::-1]
        deck = tuple(sorted(build_deck(), key=lambda card: (RANKS.index(card.rank), suits.index(card.suit))))
        return cls(suits, {card: n for n, card in enumerate(deck)}, {suit: n for n, suit in enumerate(suits)}, deck)

    def cards_of_rank(self, rank: str) -> Cards:
        """Return the four cards of a rank, from the lowest suit to the highest."""
        return tuple(Card(rank + suit) for suit in self.suits)

    def sort_cards(self, cards: Iterable[Card]) -> Cards:
        """Return the cards sorted, lowest first."""
        return tuple(sorted(cards, key=self.index_by_card.__getitem__))

    def lowest_card(self, cards: Iterable[Card]) -> Card:
        """Return the lowest of these cards; suits compare within a rank."""
        return min(cards, key=self.index_by_card.__getitem__)

    def highest_card(self, cards: Iterable[Card]) -> Card:
        """Return the highest of these cards; suits compare within a rank."""
        return max(cards, key=self.index_by_card.__getitem__)
