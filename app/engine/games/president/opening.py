"""The opening [PRES-29 … PRES-31, PRES-85]: which player leads a hand, and which card the lead must contain."""

from collections.abc import Callable, Mapping

from app.engine.base.options import Choice, Option, Options, Section, on_off_choice
from app.engine.cards.cards import SUITS, Card, Cards
from app.engine.climbing.rule_hooks import HandState
from app.engine.games.president.combinations.cards import CardMeanings

LEAD_LOW_CARD = Option(
    id="PRES-30",
    also="first card must be the three 首出",
    key="lead_low_card",
    label="Low card lead",
    domain=on_off_choice("Any lead", "The lead must contain the low card"),
    default=False,
    sentence="Decides whether the holder of the low card must play it in the first lead.",
    example="3♣ 3♦ is a valid first lead, 4♣ is not.",
)

LOW_SUIT = Option(
    id="PRES-85",
    also="3♦ ダイヤの3",
    key="low_suit",
    domain=Choice({"c": "Clubs", "d": "Diamonds", "h": "Hearts", "s": "Spades"}),
    default="c",
    sentence="Sets the suit of the low card. In each rank the card of this suit comes first, then clubs, "
    "diamonds, hearts, spades.",
    example="With diamonds, as in Daifugō, the player with 3♦ leads.",
    source="Daifugō",
)

FIRST_LEAD = Option(
    id="PRES-29",
    also="first player who starts 首出 opening lead",
    key="first_lead",
    domain=Choice({"dealer_left": "The player left of the dealer", "low_card": "The holder of the lowest card"}),
    default="dealer_left",
    sentence="Decides which player leads the first trick of the first hand. The low card is the three of "
    "clubs (or of another suit), or the next card up that was dealt.",
    example="With “The holder of the lowest card”, the player with 3♣ leads.",
)

NEXT_LEAD = Option(
    id="PRES-31",
    also="first player who starts next round",
    key="next_lead",
    domain=Choice({"top": "First place", "bottom": "Last place", "low_card": "The holder of the lowest card"}),
    default="top",
    sentence="Decides which player leads from the second hand on. The holder of the lowest card is found "
    "after the exchange.",
    example="At Board Game Arena, the Beggar leads.",
    short={
        "top": "Later, first place leads.",
        "bottom": "Later, last place leads.",
        "low_card": "Later, the lowest card’s holder leads.",
    },
)

SECTION = Section(
    "opening",
    "Opening",
    (
        FIRST_LEAD,
        LEAD_LOW_CARD,
        NEXT_LEAD,
        LOW_SUIT,
    ),
)


def find_low_card(faces: CardMeanings, cards: Mapping[str, Cards], suits: str = SUITS) -> Card | None:
    """Return the lowest card of President held by any player; None if no card that counts is held.

    `faces` tells the meaning of each card, and `suits` gives the order within a rank. Wild and high cards are left out.
    The card may decide who leads.
    """
    held = {card for hand in cards.values() for card in hand}
    return next((card for card in faces.cards_low_to_high(suits) if card in held), None)


def _holder_of_low_card(hand: HandState, card: Card | None) -> str:
    start = hand.seats.index(hand.left_of_dealer)
    order = hand.seats[start:] + hand.seats[:start]
    return next((name for name in order if card in hand.cards[name]), order[0])


LEADER_BY_OPTION: dict[str, Callable[[HandState, Card | None], str]] = {
    "dealer_left": lambda hand, _: hand.left_of_dealer,
    "low_card": _holder_of_low_card,
    "top": lambda hand, _: hand.hierarchy[0],
    "bottom": lambda hand, _: hand.hierarchy[-1],
}
"""Returns the leader, given the hand and the low card, for each value of `first_lead` and `next_lead`."""


def announced_leader(options: Options, hierarchy: tuple[str, ...]) -> str | None:
    """Return who leads the next hand of President in a hierarchy, best first; None: the holder of the lowest card."""
    return {"top": hierarchy[0], "bottom": hierarchy[-1], "low_card": None}[options[NEXT_LEAD]]


class LeadRules:
    """Decides which player leads the first trick of a hand of President, and which card the lead must contain."""

    def __init__(self, faces: CardMeanings, options: Options) -> None:
        self.card_meanings = faces
        self.first_lead = options[FIRST_LEAD]
        self.next_lead = options[NEXT_LEAD]
        self.lead_low_card = options[LEAD_LOW_CARD]
        self.suits_low_to_high = options[LOW_SUIT] + SUITS.replace(options[LOW_SUIT], "")
        """Suits from low to high."""

    def _leader_option(self, hand: HandState) -> str:
        return self.next_lead if hand.hierarchy else self.first_lead

    def find_leader(self, hand: HandState) -> str:
        """Return the player who leads the first trick of the hand; if that one has no cards, the next who has."""
        name = LEADER_BY_OPTION[self._leader_option(hand)](hand, self._find_low_card(hand))
        return name if hand.cards[name] else (hand.next_player_with_cards(name) or name)

    def required_lead_card(self, hand: HandState) -> Card | None:
        """Return the card that the first lead of the hand must contain, or None.

        That is the low card, if it decides the leader and an option demands it.
        """
        if hand.opened or not self.lead_low_card or self._leader_option(hand) != "low_card":
            return None
        return self._find_low_card(hand)

    def _find_low_card(self, hand: HandState) -> Card | None:
        return find_low_card(self.card_meanings, hand.cards, self.suits_low_to_high)
