"""Which pile of a shuffled deck goes to which seat, as data: so a page that knows no game can check a deal.

Cards are dealt one at a time, and the first card goes to the first of `seats`. In some games the shuffle itself says
where the deal begins: a card of the shuffled deck counts round the table (`counted`), or everybody draws a card and
the highest one deals (`drawn`). Then `seats` is turned.
"""

from collections.abc import Mapping
from typing import Annotated, TypedDict

from app.engine.base.frozen import Value
from app.engine.cards.cards import Cards, parse_cards
from app.engine.cards.shuffling import shuffled


class CountedShown(TypedDict):
    """A card of the shuffled deck that says where the deal begins."""

    place: Annotated[int, "Of that card in the deck, from 0."]
    steps: Annotated[dict[str, int], "How many seats further the deal begins, by the card’s rank."]


class DrawnShown(TypedDict):
    """Cards that everybody draws before the deal."""

    pack: Annotated[str, "What they are drawn from, lowest first."]
    seats: Annotated[list[str], "Who draws, in order."]
    nth: Annotated[int, "Which shuffle of the hand they are drawn from."]


class DealOrderShown(TypedDict):
    """Which pile goes to which seat."""

    seats: Annotated[list[str], "Who gets cards, one at a time, the first card first."]
    counted: Annotated[CountedShown | None, "A card of the deck that turns this order."]
    drawn: Annotated[DrawnShown | None, "Drawn cards that turn it: it begins with whoever draws the highest."]


class Counted(Value, frozen=True):
    """A card of the shuffled deck that says where the deal begins."""

    place: int
    steps: Mapping[str, int]


class Drawn(Value, frozen=True):
    """Cards that everybody draws before the deal."""

    pack: str
    seats: tuple[str, ...]
    nth: int


class DealOrder(Value, frozen=True):
    """Which pile of a deck goes to which seat."""

    seats: tuple[str, ...]
    counted: Counted | None = None
    drawn: Drawn | None = None

    @property
    def shown(self) -> DealOrderShown:
        """Return the order as JSON."""
        counted, drawn = self.counted, self.drawn
        return {
            "seats": list(self.seats),
            "counted": None if counted is None else {"place": counted.place, "steps": dict(counted.steps)},
            "drawn": None if drawn is None else {"pack": drawn.pack, "seats": list(drawn.seats), "nth": drawn.nth},
        }

    def of(self, deck: Cards, seed: int | None) -> tuple[str, ...]:
        """Return who gets the first card of this shuffled deck, who the second, and so on.

        `seed` is that of the hand's other shuffles.
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


def from_left_of(dealer: str, seats: tuple[str, ...]) -> tuple[str, ...]:
    """Return the seats clockwise, the dealer's left neighbour first and the dealer last."""
    left = seats.index(dealer) + 1
    return seats[left:] + seats[:left]
