"""The order of a deal: which cards of a shuffled deck go to which seat, as data.

With this data a page can check a deal without knowing the game. Cards are dealt one at a time, the first to the first
of `seats`. In some games the shuffle decides where the deal begins. Either a card of the shuffled deck is counted
round the table (`counted`), or each player draws a card and the highest one decides (`drawn`). Then `seats` is
rotated.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, TypedDict

from app.engine.base.frozen import FrozenState
from app.engine.cards.cards import Card, Cards, parse_cards
from app.engine.cards.shuffling import shuffled


class CountedView(TypedDict):
    """A card of the shuffled deck that decides where the deal begins."""

    place: Annotated[int, "The index of the card in the deck, from 0."]
    steps: Annotated[dict[str, int], "The number of seats to move on, by rank of the card."]


class DrawnView(TypedDict):
    """Cards that players draw before the deal."""

    pack: Annotated[str, "The cards to draw from, lowest first."]
    seats: Annotated[list[str], "The players who draw, in order."]
    nth: Annotated[int, "The number of the shuffle within the hand."]


class DealOrderView(TypedDict):
    """Which cards of the shuffled deck go to which seat."""

    seats: Annotated[list[str], "Players in the order in which they get cards, one card at a time."]
    counted: Annotated[CountedView | None, "A card of the deck that rotates this order."]
    drawn: Annotated[
        DrawnView | None, "Drawn cards that rotate it: the deal begins with the player who draws the highest card."
    ]


class CountedStart(FrozenState, frozen=True):
    """A card of the shuffled deck that decides which player gets the first card.

    `place` is its index in the deck. `steps` gives for each rank the number of seats to move on.
    """

    place: int
    steps: Mapping[str, int]


class DrawnStart(FrozenState, frozen=True):
    """Cards that players draw before the deal; the player who draws the highest gets the first card.

    `pack` holds the cards, lowest first. `nth` is the number of the shuffle within the hand.
    """

    pack: str
    seats: tuple[str, ...]
    nth: int


class DealOrder(FrozenState, frozen=True):
    """Which cards of a shuffled deck go to which seat: one at a time, in the order of `seats`.

    `counted` and `drawn`, if set, move the start to another seat. As data, it lets anybody check a deal.
    """

    seats: tuple[str, ...]
    counted: CountedStart | None = None
    drawn: DrawnStart | None = None

    @property
    def to_json(self) -> DealOrderView:
        """Return the order of the deal as JSON."""
        counted, drawn = self.counted, self.drawn
        return {
            "seats": list(self.seats),
            "counted": None if counted is None else {"place": counted.place, "steps": dict(counted.steps)},
            "drawn": None if drawn is None else {"pack": drawn.pack, "seats": list(drawn.seats), "nth": drawn.nth},
        }

    def deal_recipients(self, deck: Cards, seed: int | None) -> tuple[str, ...]:
        """Return the players in dealing order for this shuffled deck: first the receiver of the first card.

        `seed` is the seed of the hand's other shuffles. Without a seed, drawn cards are ignored.
        """
        turn = 0
        if self.drawn is not None and seed is not None:
            pack = parse_cards(self.drawn.pack)
            cards = dict(zip(self.drawn.seats, shuffled(pack, seed, self.drawn.nth), strict=False))
            turn += self.seats.index(max(cards, key=lambda name: pack.index(cards[name])))
        if self.counted is not None:
            turn += self.counted.steps[deck[self.counted.place].rank]
        turn %= len(self.seats)
        return self.seats[turn:] + self.seats[:turn]


def seats_from_left_of(dealer: str, seats: tuple[str, ...]) -> tuple[str, ...]:
    """Return the seats clockwise, the dealer's left neighbour first and the dealer last."""
    left = seats.index(dealer) + 1
    return seats[left:] + seats[:left]


def seats_in_play_order(seats: Sequence[str], first: str, direction: int) -> tuple[str, ...]:
    """Return all players in the direction of play, beginning with `first`. `direction` is -1 for anticlockwise."""
    start, count = seats.index(first), len(seats)
    return tuple(seats[(start + direction * step) % count] for step in range(count))


def find_holder(cards: Mapping[str, Cards], card: Card) -> str:
    """Return the player who holds this card; some player must hold it.

    Without a holder it raises `StopIteration`.
    """
    return next(name for name, held in cards.items() if card in held)
