"""The middle of society [PRES-38]: its switch, and the swap that merchants and those who collude make."""

from collections.abc import Mapping

from app.engine.actions import Agree, BreakOff, Done, Offer, Say
from app.engine.cards import Cards, without
from app.engine.climbing.moments import HandState
from app.engine.events import Event, told
from app.engine.options import Choice, Switch

SWITCH = Switch(
    id="PRES-38",
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
        told("swapped", one, to=other, count=len(given[one])),
        Event("gave_cards", one, {"to": other, "cards": " ".join(given[one])}, to=two),
        Event("gave_cards", other, {"to": one, "cards": " ".join(given[other])}, to=two),
    )
    return hand.but(cards=cards), events
