"""The middle of society [PRES-38]: its switch, and the swap that merchants and those who collude make."""

from collections.abc import Mapping
from typing import Annotated, TypedDict

from app.engine.base.options import Choice, Switch
from app.engine.cards.actions import Agree, BreakOff, Done, Offer, Say
from app.engine.cards.cards import Cards, without
from app.engine.climbing.exchange import GAVE_CARDS
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import SWAPPED, Event, EventType


class OfferShown(TypedDict, total=False):
    """What one has put down."""

    offer: Annotated[str, "The cards that one has put down in a trade or for a partner."]


SWITCH = Switch(
    id="PRES-38",
    also="merchants collusion",
    key="middle",
    domain=Choice(
        {
            "none": "Nothing",
            "trade": "The two in the middle trade a card",
            "collude": "Pairs see each other’s cards and swap",
        }
    ),
    default="none",
    sentence="What people in the middle do before play: merchants haggle over one card, or first and last, second and "
    "last but one … collude. A trade needs six to begin with, collusion an even number; when people have left or come "
    "since, a hand with too few or an odd number goes without.",
    example="“I have a ten.” — “I want an ace.” Nobody has to tell the truth.",
)

CARDS_OFFERED = EventType(
    "offered",
    {"one": "{by} offers a card.", "other": "{by} offers {count} cards."},
    you={"one": "You offer a card.", "other": "You offer {count} cards."},
    claim="{by} offers a card, said to be: {claim}.",
    you_claim="You offer a card, said to be: {claim}.",
)
SWAP_AGREED = EventType("agreed", "{by} agrees.", you="You agree.")

TALK = (Say, Offer, Agree, BreakOff, Done)
"""What is done in the talk before a swap."""


def swap(hand: HandState, two: tuple[str, str], given: Mapping[str, Cards]) -> tuple[HandState, tuple[Event, ...]]:
    """Two people exchange these cards; only they learn which."""
    one, other = two
    cards = dict(hand.cards)
    for giver, taker in ((one, other), (other, one)):
        cards[giver] = without(cards[giver], given[giver])
        cards[taker] = tuple(sorted((*cards[taker], *given[giver]), key=hand.rules.order))
    events = (
        SWAPPED(one, to=other, count=len(given[one])),
        GAVE_CARDS(one, seen_by=two, to=other, cards=" ".join(given[one])),
        GAVE_CARDS(other, seen_by=two, to=one, cards=" ".join(given[other])),
    )
    return hand.but(cards=cards), events
