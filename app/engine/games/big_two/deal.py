"""Table and deal [BIG-01 … BIG-06]: the order of cards, the direction, who gets the first card, and who begins.

Nothing here knows what a combination is or how a hand is scored.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from app.engine.base.options import Choice, NumberOrNone, Options, Section, Switch, flag
from app.engine.cards.cards import RANKS, Card, Cards, pack

DIRECTION = Switch(
    id="BIG-01",
    also="order of play clockwise counterclockwise 顺时针 逆时针 順時針 逆時針",
    key="direction",
    domain=Choice(
        {
            "anticlockwise": "Anticlockwise, to the right",
            "clockwise": "Clockwise, to the left",
            "alternate": "Anticlockwise in the first hand, then turn about",
        }
    ),
    default="anticlockwise",
    sentence="Which way play and deal go round the table.",
    example="Ana leads 3♦: anticlockwise the player at her right is next, clockwise the one at her left.",
)

FIRST_CARD = Switch(
    id="BIG-02",
    also="where the deal begins cut for the deal",
    key="first_card",
    domain=Choice(
        {
            "exposed": "Counted out from the dealer by a card from the middle of the pack",
            "next": "The player next to the dealer",
        }
    ),
    default="exposed",
    sentence="Who gets the first card. An exposed card counts round the table, the dealer being one.",
    example="With four players A, 5, 9 and K point to the dealer, 2, 6 and 10 to the next in the direction of play.",
)

STARTER = Switch(
    id="BIG-03",
    also="who starts first lead 首出 3♦ 方块3 階磚3",
    key="starter",
    domain=Choice(
        {
            "low_card": "Who holds the lowest card",
            "winner": "The winner of the hand before",
            "loser": "Who was left with most cards",
        }
    ),
    default="low_card",
    sentence="Who begins from the second hand on; in the first it is the low card’s holder. Losers with equally many "
    "cards compare the largest combination each was left with: the fewest cards in it begin, then the weakest. "
    "The loser who begins deals as well; else the winner deals.",
    example="Cat (6♣ 8♦ J♥) and Dan (5♦ 5♥ 9♣) were left with three cards: Cat has no pair, so Cat begins.",
)

LEAD_LOW_CARD = Switch(
    id="BIG-04",
    also="3♦ first 首出 方块3 階磚3",
    key="lead_low_card",
    domain=flag("The first play may be anything", "The first play must contain the low card"),
    default=True,
    sentence="Whether a start given by the low card must contain it.",
    example="With 3♦ 3♥ 9♣ one begins with 3♦ or with 3♦ 3♥.",
)

DEALS = Switch(
    id="BIG-05",
    also="rounds number of hands 局数 局數",
    key="deals",
    domain=NumberOrNone(1, 1000, none_label="No end"),
    default=None,
    sentence="After how many hands the match is over; then the highest total wins.",
    example="With 10, and the winner beginning each hand, this is an Indonesian round.",
)

SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def _order_in_words(order: str) -> str:
    """An order of suits for players; three of them are somebody's own."""
    whose = {"dhsc": " (Philippines)", "shdc": " (as in Bridge)"}
    return f"{' '.join(SIGNS[suit] for suit in order)}, from the highest{whose.get(order, '')}"


SUIT_ORDERS = tuple(dict.fromkeys(("shcd", "dhsc", "shdc", *map("".join, permutations("shdc")))))
"""From the highest; first those that are usual somewhere."""

SUIT_ORDER = Switch(
    id="BIG-06",
    also="order of suits 花色大小 Pusoy Dos",
    key="suit_order",
    domain=Choice({order: _order_in_words(order) for order in SUIT_ORDERS}),
    default="shcd",
    sentence="Which suit is higher among cards of one rank. The low card is the three of the lowest suit.",
    example="9♦ 9♣ 9♥ 9♠ from the lowest by default; with “dhsc” it is 9♣ 9♠ 9♥ 9♦.",
)

SECTION = Section(
    "table",
    "Table and deal",
    (
        DIRECTION,
        FIRST_CARD,
        STARTER,
        LEAD_LOW_CARD,
        DEALS,
        SUIT_ORDER,
    ),
)

ANTICLOCKWISE, CLOCKWISE = -1, 1

DIRECTIONS: dict[str, Callable[[int], int]] = {
    "anticlockwise": lambda hands_before: ANTICLOCKWISE,
    "clockwise": lambda hands_before: CLOCKWISE,
    "alternate": lambda hands_before: CLOCKWISE if hands_before % 2 else ANTICLOCKWISE,
}
"""Which way a hand goes, after so many before it."""

COUNT = {rank: count for count, rank in enumerate("A23456789TJQK", 1)}
"""How far an exposed card counts."""


FIRST_CARDS: dict[str, Mapping[str, int]] = {
    "exposed": {rank: count - 1 for rank, count in COUNT.items()},
    "next": dict.fromkeys(COUNT, 1),
}
"""How many seats after the dealer, in the direction of play, the first card goes: by the rank of the exposed card."""


@dataclass(frozen=True, slots=True)
class CardOrder:
    """All 52 cards from the lowest to the highest: by rank, then by suit."""

    suits: str
    """From the lowest."""
    value: Mapping[Card, int]
    """0 for the low card, 51 for the highest."""
    suit: Mapping[str, int]
    deck: Cards

    @classmethod
    def by(cls, options: Options) -> "CardOrder":
        """The order in a match with these options."""
        return cls.of(options[SUIT_ORDER])

    @classmethod
    def of(cls, suit_order: str) -> "CardOrder":
        """The order for a value of `suit_order`, which names the highest suit first."""
        suits = suit_order[::-1]
        deck = tuple(sorted(pack(), key=lambda card: (RANKS.index(card.rank), suits.index(card.suit))))
        return cls(suits, {card: n for n, card in enumerate(deck)}, {suit: n for n, suit in enumerate(suits)}, deck)

    def of_rank(self, rank: str) -> Cards:
        """Return the four cards of a rank, from the lowest suit."""
        return tuple(Card(rank + suit) for suit in self.suits)

    def sorted(self, cards: Iterable[Card]) -> Cards:
        """Cards from the lowest to the highest."""
        return tuple(sorted(cards, key=self.value.__getitem__))

    def lowest(self, cards: Iterable[Card]) -> Card:
        """The lowest of some cards."""
        return min(cards, key=self.value.__getitem__)

    def highest(self, cards: Iterable[Card]) -> Card:
        """The highest of some cards."""
        return max(cards, key=self.value.__getitem__)

    def in_words(self) -> str:
        """The suits from the lowest, for a sentence."""
        return " ".join(SIGNS[suit] for suit in self.suits)


def round_from(seats: Sequence[str], first: str, direction: int) -> tuple[str, ...]:
    """Everybody in the direction of play, beginning with `first`."""
    start, count = seats.index(first), len(seats)
    return tuple(seats[(start + direction * step) % count] for step in range(count))


def holder(cards: Mapping[str, Cards], card: Card) -> str:
    """Who holds a card that somebody holds."""
    return next(name for name, held in cards.items() if card in held)


# Who begins ----------------------------------------------------------------------------------------------------------

Names = Sequence[str]

STARTERS: dict[str, Callable[[Names, Names], str | None]] = {
    "low_card": lambda standing, losers: None,
    "winner": lambda standing, losers: _first(standing),
    "loser": lambda standing, losers: _first(losers),
}
"""Who begins, from the standing and the losers of the hand before, as far as they are still here; None: who holds the
low card."""

DEALERS: dict[str, Callable[[Names, Names], str | None]] = {
    "low_card": lambda standing, losers: _first(standing),
    "winner": lambda standing, losers: _first(standing),
    "loser": lambda standing, losers: _first(losers) or _first(standing),
}
"""Who deals, by the value of `starter`, likewise; None: there was no hand before."""


def _first(names: Names) -> str | None:
    return next(iter(names), None)


Largest = Callable[[Cards], tuple[int, Any]]


def _nothing(left: Mapping[str, Cards], largest: Largest) -> dict[str, Any]:
    return {}


def _losers(left: Mapping[str, Cards], largest: Largest) -> dict[str, Any]:
    """Those left with cards: who has most first, and of equals whose largest combination is smallest."""
    held = [name for name, cards in left.items() if cards]
    return {"losers": sorted(held, key=lambda name: (-len(left[name]), largest(left[name])))}


REMEMBERED: dict[str, Callable[[Mapping[str, Cards], Largest], dict[str, Any]]] = {
    "low_card": _nothing,
    "winner": _nothing,
    "loser": _losers,
}
"""What the next hand has to know of this one, by the value of `starter`."""
