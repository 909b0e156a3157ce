"""Table and lead [TIEN-01 … TIEN-04]: direction, number of cards, and the first lead of a hand."""

from collections.abc import Callable, Sequence

from app.engine.base.options import Choice, Option, Options, Section
from app.engine.cards.card_order import CardOrder
from app.engine.climbing.exchange import Gift

DIRECTION = Option(
    id="TIEN-01",
    also="order of play clockwise counterclockwise chiều kim đồng hồ",
    key="direction",
    domain=Choice({"clockwise": "Clockwise, to the left", "anticlockwise": "Anticlockwise, to the right"}),
    default="clockwise",
    sentence="Sets the direction of play.",
    example="Ana leads 3♠. Clockwise the player at the left is next, anticlockwise the player at the right.",
    source="Vietnamese Wikipedia",
    short={"anticlockwise": "Play goes anticlockwise."},
)

THREE_DEAL = Option(
    id="TIEN-02",
    also="three players 3 người",
    key="three_deal",
    label="Cards of three players",
    domain=Choice({13: "13 each", 17: "17 each"}),
    default=13,
    sentence="Sets the number of cards for each of three players. With 17, one card stays out of the hand and nobody "
    "wins at once.",
    example="With 13 each, 13 cards stay out, and nobody knows which.",
)

STARTER = Option(
    id="TIEN-03",
    also="who starts first lead",
    key="starter",
    domain=Choice({"winner": "The winner of the hand before", "low_card": "The player with the lowest card"}),
    default="winner",
    sentence="Decides which player leads from the second hand on. In the first hand, and after an instant win, it is "
    "the player with the lowest card.",
    example="Ana was the first player out, so Ana leads anything.",
    short={"winner": "Later, the winner leads."},
)

LOW_CARD_LEAD = Option(
    id="TIEN-04",
    also="3♠ first 3 bích",
    key="low_card_lead",
    label="Low card lead",
    domain=Choice(
        {
            "within": "It contains the lowest card",
            "alone": "It is the lowest card alone",
            "free": "Anything",
        }
    ),
    default="within",
    sentence="Decides what the player with the lowest card leads when that card gives the lead.",
    example="With 3♠ 3♥ 4♦ 5♣, “contains the lowest card” allows 3♠, 3♠ 3♥ and 3♠ 4♦ 5♣.",
    source="Wikipedia",
)

EXCHANGE = Option(
    id="TIEN-22",
    also="tribute trading tax",
    key="exchange",
    domain=Choice(
        {"none": "No exchange", "one": "The last player gives the first the highest card and gets any card back"}
    ),
    default="none",
    sentence="Decides whether the first and the last player of a hand exchange a card before the next one. Nobody "
    "gives cards in a hand won at once and in the hand after it.",
    example="Dan, who was last, gives 2♥ and gets 4♣ back.",
    source="house rule",
    short={"one": "Later, the last player gives the first the highest card and gets any card back."},
)

SECTION = Section("table", "Table and lead", (DIRECTION, THREE_DEAL, STARTER, LOW_CARD_LEAD, EXCHANGE))

ORDER = CardOrder.for_suit_order("hdcs")
"""The order of the cards: hearts are the highest suit, spades the lowest."""
USUAL_DEAL = 13
"""The number of cards of each player, unless three players get more."""


def _exchange_one(standing: Sequence[str]) -> tuple[Gift, ...]:
    """Return the gifts of one card between the last and the first; none without a last hand (`standing`)."""
    if len(standing) < 2:
        return ()
    first, last = standing[0], standing[-1]
    return Gift(last, first, 1, "best", EXCHANGE.id), Gift(first, last, 1, "any", EXCHANGE.id, waits_for=(0,))


GIFTS_BY_OPTION: dict[str, Callable[[Sequence[str]], tuple[Gift, ...]]] = {
    "none": lambda standing: (),
    "one": _exchange_one,
}
"""Returns the gifts before the first lead by the last hand's standing, for each value of `exchange`."""


def cards_per_player(options: Options, count: int) -> int:
    """Return the number of cards that each of `count` players is dealt."""
    return options[THREE_DEAL] if count == 3 else USUAL_DEAL
