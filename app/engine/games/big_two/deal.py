"""Table and deal [BIG-01 … BIG-06]: order of cards, direction, receiver of the first card, and the starter.

Nothing here depends on combinations or scoring.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from typing import Any

from app.engine.base.options import Choice, NumberOrNone, Option, Options, Section, on_off_choice
from app.engine.cards.card_order import CardOrder
from app.engine.cards.cards import Cards

DIRECTION = Option(
    id="BIG-01",
    also="order of play clockwise counterclockwise 顺时针 逆时针 順時針 逆時針",
    key="direction",
    domain=Choice(
        {
            "anticlockwise": "Anticlockwise, to the right",
            "clockwise": "Clockwise, to the left",
            "alternate": "Anticlockwise in the first hand, then alternating",
        }
    ),
    default="anticlockwise",
    sentence="Sets the direction of play and deal.",
    example="Ana leads 3♦. Anticlockwise the player at the right is next, clockwise the player at the left.",
    short={
        "anticlockwise": "Play goes anticlockwise.",
        "clockwise": "Play goes clockwise.",
        "alternate": "The direction of play alternates.",
    },
)

FIRST_CARD = Option(
    id="BIG-02",
    also="where the deal begins cut for the deal",
    key="first_card",
    domain=Choice(
        {
            "exposed": "Counted from the dealer by a card from the middle of the deck",
            "next": "The player next to the dealer",
        }
    ),
    default="exposed",
    sentence="Decides which player gets the first card. An exposed card counts round the table, beginning "
    "with the dealer.",
    example="With four players A, 5, 9 and K point to the dealer, 2, 6 and 10 to the next in the direction of play.",
)

STARTER = Option(
    id="BIG-03",
    also="who starts first lead 首出 3♦ 方块3 階磚3",
    key="starter",
    domain=Choice(
        {
            "low_card": "The player with the lowest card",
            "winner": "The winner of the hand before",
            "loser": "The player with the most cards left",
        }
    ),
    default="low_card",
    sentence="Decides which player begins from the second hand on. The holder of the low card begins the "
    "first hand. Among losers with equally many cards, compare the largest combination left: fewer "
    "cards in it begin, then the weaker one. A loser who begins also deals; otherwise the winner "
    "deals.",
    example="Cat (6♣ 8♦ J♥) and Dan (5♦ 5♥ 9♣) have three cards left. Cat has no pair, so Cat begins.",
    short={"winner": "Later, the winner leads.", "loser": "Later, the player with the most cards left leads."},
)

LEAD_LOW_CARD = Option(
    id="BIG-04",
    also="3♦ first 首出 方块3 階磚3",
    key="lead_low_card",
    label="Low card lead",
    domain=on_off_choice("The first play may be anything", "The first play must contain the low card"),
    default=True,
    sentence="Decides whether the player who begins with the low card must play it.",
    example="With 3♦ 3♥ 9♣ you begin with 3♦ or with 3♦ 3♥.",
)

DEALS = Option(
    id="BIG-05",
    also="rounds number of hands 局数 局數",
    key="deals",
    label="Hands",
    domain=NumberOrNone(1, 1000, none_label="No end"),
    default=None,
    sentence="The match ends after this number of hands. The highest total wins.",
    example="With 10, and the winner beginning each hand, this is an Indonesian match.",
    short="The match ends after {value} hands.",
)

SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def _describe_suit_order(order: str) -> str:
    """Return an order of suits as a label for the options form; the orders of some regions are marked."""
    whose = {"dhsc": " (Philippines)", "shdc": " (as in Bridge)"}
    return f"{' '.join(SIGNS[suit] for suit in order)}, from the highest{whose.get(order, '')}"


SUIT_ORDERS = tuple(dict.fromkeys(("shcd", "dhsc", "shdc", *map("".join, permutations("shdc")))))
"""Orders of suits from the highest, common ones first."""

SUIT_ORDER = Option(
    id="BIG-06",
    also="order of suits 花色大小 Pusoy Dos",
    key="suit_order",
    label="Order of the suits",
    domain=Choice({order: _describe_suit_order(order) for order in SUIT_ORDERS}),
    default="shcd",
    sentence="Sets the order of the suits among cards of one rank. The low card is the three of the lowest suit.",
    example="By default 9♦ is the lowest nine, then 9♣ 9♥ 9♠. With “♦ ♥ ♠ ♣” it is 9♣ 9♠ 9♥ 9♦.",
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

STEPS_BY_RANK = {rank: count for count, rank in enumerate("A23456789TJQK", 1)}
"""The count of seats that an exposed card gives, with the dealer as number one."""


FIRST_CARD_STEPS: dict[str, Mapping[str, int]] = {
    "exposed": {rank: count - 1 for rank, count in STEPS_BY_RANK.items()},
    "next": dict.fromkeys(STEPS_BY_RANK, 1),
}
"""Number of seats from the dealer, in the direction of play, to the receiver of the first card.

The inner key is the rank of the exposed card.
"""


def card_order_for(options: Options) -> CardOrder:
    """Return the order of cards that these options of Big Two ask for."""
    return CardOrder.for_suit_order(options[SUIT_ORDER])


# Who begins ----------------------------------------------------------------------------------------------------------

Names = Sequence[str]

STARTER_BY_OPTION: dict[str, Callable[[Names, Names], str | None]] = {
    "low_card": lambda standing, losers: None,
    "winner": lambda standing, losers: _first_or_none(standing),
    "loser": lambda standing, losers: _first_or_none(losers),
}
"""Returns the starter from the last hand's standing and losers, as far as they are still seated.

None: the holder of the low card starts.
"""

DEALER_BY_OPTION: dict[str, Callable[[Names, Names], str | None]] = {
    "low_card": lambda standing, losers: _first_or_none(standing),
    "winner": lambda standing, losers: _first_or_none(standing),
    "loser": lambda standing, losers: _first_or_none(losers) or _first_or_none(standing),
}
"""Returns the dealer from the last hand's standing and losers, for each value of `starter`; None before any hand."""


def _first_or_none(names: Names) -> str | None:
    return next(iter(names), None)


LargestCombination = Callable[[Cards], tuple[int, Any]]


def _remember_nothing(cards_left: Mapping[str, Cards], largest_combination: LargestCombination) -> dict[str, Any]:
    return {}


def _remember_losers(cards_left: Mapping[str, Cards], largest_combination: LargestCombination) -> dict[str, Any]:
    """Return, for the next hand's starter, the players with cards left after a hand of Big Two.

    Players with more cards come first; of equal numbers, the one whose largest combination is smaller.
    """
    held = [name for name, cards in cards_left.items() if cards]
    return {"losers": sorted(held, key=lambda name: (-len(cards_left[name]), largest_combination(cards_left[name])))}


MEMORY_FOR_NEXT_HAND: dict[str, Callable[[Mapping[str, Cards], LargestCombination], dict[str, Any]]] = {
    "low_card": _remember_nothing,
    "winner": _remember_nothing,
    "loser": _remember_losers,
}
"""Returns what the next hand must know about this one, for each value of `starter`."""
