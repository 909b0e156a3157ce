"""The middle of society [PRES-38]: its option, and the swap that merchants and colluding pairs use."""

from collections.abc import Mapping
from typing import Annotated, TypedDict

from app.engine.base.options import Choice, Option
from app.engine.cards.actions import AcceptOffers, AnnounceRank, EndSwaps, EndTalks, Offer
from app.engine.cards.cards import Cards, remove_cards
from app.engine.climbing.exchange import GAVE_CARDS
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import SWAPPED, GameEvent, GameEventType


class OfferView(TypedDict, total=False):
    """Your own offer."""

    offer: Annotated[str, "The cards that you offer in a trade or to your partner."]


SWITCH = Option(
    id="PRES-38",
    also="merchants collusion",
    key="middle",
    label="Middle players",
    domain=Choice(
        {
            "none": "Nothing",
            "trade": "Trade: the two in the middle swap one card",
            "collude": "Collude: pairs see each other’s cards and swap",
        }
    ),
    default="none",
    sentence="Decides what the middle players do before play. “Trade”: the two in the middle swap one card. "
    "“Collude”: first and last, second and second-last and so on see each other’s cards and swap. "
    "Trading needs six players, colluding an even number.",
    example="“I have a ten.” “I want an ace.” Neither player has to tell the truth.",
    short={
        "trade": "The two middle places (with 6+ players) bargain, then swap one card each, face down.",
        "collude": "Next hand, first and last place, second and second-last and so on pair up, see each other’s cards "
        "and swap equal numbers. Results name the top-scoring pair.",
    },
)

CARDS_OFFERED = GameEventType(
    "offered",
    {"one": "{by} offers a card.", "other": "{by} offers {count} cards."},
    you={"one": "You offer a card.", "other": "You offer {count} cards."},
    claim="{by} offers a card and claims: {claim}.",
    you_claim="You offer a card and claim: {claim}.",
)
SWAP_AGREED = GameEventType("agreed", "{by} agrees.", you="You agree.")

TRADE_ACTIONS = (AnnounceRank, Offer, AcceptOffers, EndTalks, EndSwaps)
"""Actions in the talk before a swap."""


def swap_cards(
    hand: HandState, players: tuple[str, str], cards_by_giver: Mapping[str, Cards]
) -> tuple[HandState, tuple[GameEvent, ...]]:
    """Return the hand after two players have exchanged these cards, and the events.

    Only the two players are told which cards.
    """
    one, other = players
    cards = dict(hand.cards)
    for giver, taker in ((one, other), (other, one)):
        cards[giver] = remove_cards(cards[giver], cards_by_giver[giver])
        cards[taker] = tuple(sorted((*cards[taker], *cards_by_giver[giver]), key=hand.rules.card_sort_key))
    events = (
        SWAPPED(one, to=other, count=len(cards_by_giver[one])),
        GAVE_CARDS(one, seen_by=players, to=other, cards=" ".join(cards_by_giver[one])),
        GAVE_CARDS(other, seen_by=players, to=one, cards=" ".join(cards_by_giver[other])),
    )
    return hand.replace(cards=cards), events
