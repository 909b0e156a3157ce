"""Instant wins [TIEN-12, TIEN-13]: cards that win a hand as soon as they are dealt."""

from collections.abc import Callable, Sequence

from app.engine.base.options import MultiChoice, Number, Option, Section
from app.engine.cards.cards import RANKS, Cards
from app.engine.climbing.combinations import group_by_rank
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import GameEvent, GameEventType

from .combinations import RUN_RANKS, is_of_one_colour
from .table import USUAL_DEAL

INSTANT_WINS = Option(
    id="TIEN-12",
    also="tới trắng ăn trắng automatic win",
    key="instant_wins",
    domain=MultiChoice(
        {
            "dragon": "A run from 3 to ace",
            "five_pairs": "Five pairs in a row",
            "six_pairs": "Six pairs",
            "four_twos": "Four twos",
            "three_triples": "Three triples in a row",
            "four_threes": "Four threes in the first hand",
            "one_colour": "Thirteen cards of one colour",
        }
    ),
    default=["dragon", "five_pairs", "six_pairs", "four_twos"],
    sentence="Lists the cards that win at once when a player is dealt them. If several players have such cards, "
    "the first in the list wins; of equal ones, the first player after the dealer.",
    example="3♠ 4♠ 5♣ 6♦ 7♥ 8♠ 9♣ 10♦ J♥ Q♠ K♣ A♦ and any card are a run from 3 to ace.",
    source="Vietnamese Wikipedia",
)

INSTANT_POINTS = Option(
    id="TIEN-13",
    also="tới trắng ăn trắng payment",
    key="instant_points",
    label="Points for instant wins",
    domain=Number(0, 100),
    default=2,
    sentence="Sets the points that each other player pays for an instant win.",
    example="By default the winner of a table of four gets 6 points.",
    source="Vietnamese score sheets",
)

SECTION = Section("instant_wins", "Instant wins", (INSTANT_WINS, INSTANT_POINTS))


def _event(key: str, what: str) -> GameEventType:
    return GameEventType(
        f"instant_{key}",
        f"{what}! {{by}} wins at once.",
        you=f"{what}! You win at once.",
        tone="great",
        stood_out=what.lower(),
        celebrated="triumph",
    )


EVENTS = {
    "dragon": _event("dragon", "A run from 3 to ace"),
    "five_pairs": _event("five_pairs", "Five pairs in a row"),
    "six_pairs": _event("six_pairs", "Six pairs"),
    "four_twos": _event("four_twos", "Four twos"),
    "three_triples": _event("three_triples", "Three triples in a row"),
    "four_threes": _event("four_threes", "Four threes"),
    "one_colour": _event("one_colour", "Cards of one colour"),
}
"""The event of each instant win."""


def _has_row(cards: Cards, width: int, length: int) -> bool:
    """Return whether the cards have `length` consecutive ranks, without twos, with at least `width` cards of each."""
    groups = group_by_rank(cards)
    marks = "".join("x" if len(groups.get(rank, ())) >= width else " " for rank in RUN_RANKS)
    return "x" * length in marks


def _count_pairs(cards: Cards) -> int:
    return sum(len(group) // 2 for group in group_by_rank(cards).values())


def _has_four(cards: Cards, rank: str) -> bool:
    return len(group_by_rank(cards).get(rank, ())) == 4


WINS_BY_OPTION: dict[str, Callable[[Cards, bool], bool]] = {
    "dragon": lambda cards, first: _has_row(cards, 1, len(RUN_RANKS)),
    "five_pairs": lambda cards, first: _has_row(cards, 2, 5),
    "six_pairs": lambda cards, first: _count_pairs(cards) >= 6,
    "four_twos": lambda cards, first: _has_four(cards, RANKS[-1]),
    "three_triples": lambda cards, first: _has_row(cards, 3, 3),
    "four_threes": lambda cards, first: first and _has_four(cards, RANKS[0]),
    "one_colour": lambda cards, first: len(cards) == USUAL_DEAL and is_of_one_colour(cards),
}
"""Returns whether cards win at once; the second argument says whether this is the first hand of a match."""


def find_instant_win(wins: Sequence[str], hand: HandState, *, first_hand: bool) -> GameEvent | None:
    """Return the event that a player wins at once with the cards dealt; None if nobody does.

    `wins` has the strongest first. Of players with equal wins the first after the dealer in the direction of play wins.
    Only players with at most 13 cards count.
    """
    for win in wins:
        for name in (*hand.others_in_play_order(hand.dealer), hand.dealer):
            cards = hand.cards[name]
            if len(cards) <= USUAL_DEAL and WINS_BY_OPTION[win](cards, first_hand):
                return EVENTS[win](name, INSTANT_WINS.id, cards=" ".join(cards))
    return None
