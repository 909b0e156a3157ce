"""The opening [PRES-29 … PRES-31, PRES-85]: who leads a hand, and with what."""

from collections.abc import Callable, Mapping

from app.engine.base.options import Choice, Options, Section, Switch, flag
from app.engine.cards.cards import SUITS, Card, Cards
from app.engine.climbing.rule_hooks import HandState
from app.engine.games.president.combinations.cards import CardMeanings

LEAD_LOW_CARD = Switch(
    id="PRES-30",
    also="first card must be the three 首出",
    key="lead_low_card",
    domain=flag("Any lead", "The lead must contain the low card"),
    default=False,
    sentence="Whether a lead that the low card decides must contain it.",
    example="3♣ 3♦ is a good first lead, 4♣ is not.",
)

LOW_SUIT = Switch(
    id="PRES-85",
    also="3♦ ダイヤの3",
    key="low_suit",
    domain=Choice({"c": "Clubs", "d": "Diamonds", "h": "Hearts", "s": "Spades"}),
    default="c",
    sentence="The suit of the low card: of each rank its card comes first, then clubs, diamonds, hearts, spades.",
    example="With diamonds, as in Daifugō, whoever holds 3♦ leads.",
    source="Daifugō",
)

FIRST_LEAD = Switch(
    id="PRES-29",
    also="first player who starts 首出 opening lead",
    key="first_lead",
    domain=Choice({"dealer_left": "The dealer’s left", "low_card": "The holder of the lowest card"}),
    default="dealer_left",
    sentence="Who leads to the first hand. The low card is the three of clubs (or of "
    "another suit), or the next card up that was dealt.",
    example="With “lowest card”, whoever holds 3♣ leads.",
)

NEXT_LEAD = Switch(
    id="PRES-31",
    also="first player who starts next round",
    key="next_lead",
    domain=Choice({"top": "The top", "bottom": "The bottom", "low_card": "The holder of the lowest card"}),
    default="top",
    sentence="Who leads from the second hand on (the low card’s holder after the exchange).",
    example="At Board Game Arena the Beggar leads.",
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


def low_card(faces: CardMeanings, cards: Mapping[str, Cards], suits: str = SUITS) -> Card | None:
    """The lowest card that somebody holds, as “the low card” goes; of one rank by these suits."""
    held = {card for hand in cards.values() for card in hand}
    return next((card for card in faces.low_cards(suits) if card in held), None)


def _low_card(hand: HandState, card: Card | None) -> str:
    start = hand.seats.index(hand.left_of_dealer)
    order = hand.seats[start:] + hand.seats[:start]
    return next((name for name in order if card in hand.cards[name]), order[0])


LEADERS: dict[str, Callable[[HandState, Card | None], str]] = {
    "dealer_left": lambda hand, _: hand.left_of_dealer,
    "low_card": _low_card,
    "top": lambda hand, _: hand.hierarchy[0],
    "bottom": lambda hand, _: hand.hierarchy[-1],
}
"""Who leads, for each value of the two switches, given the low card."""


class Opening:
    """How a hand is opened under some options."""

    def __init__(self, faces: CardMeanings, options: Options) -> None:
        self.faces = faces
        self.first = options[FIRST_LEAD]
        self.next = options[NEXT_LEAD]
        self.lead_low_card = options[LEAD_LOW_CARD]
        self.suits = options[LOW_SUIT] + SUITS.replace(options[LOW_SUIT], "")
        """From the low end."""

    def _by(self, hand: HandState) -> str:
        return self.next if hand.hierarchy else self.first

    def leader(self, hand: HandState) -> str:
        """Who leads to this hand; somebody who has cards."""
        name = LEADERS[self._by(hand)](hand, self._low_card(hand))
        return name if hand.cards[name] else (hand.next_active(name) or name)

    def must_lead(self, hand: HandState) -> Card | None:
        """The card that the first lead must contain: the low card, where it decides who leads."""
        if hand.opened or not self.lead_low_card or self._by(hand) != "low_card":
            return None
        return self._low_card(hand)

    def _low_card(self, hand: HandState) -> Card | None:
        return low_card(self.faces, hand.cards, self.suits)
