"""What President shows besides what all climbing games do: the kept pile, talk in the middle, the deal by hand."""

from typing import Annotated, NotRequired, TypedDict, cast

from app.engine.cards import show
from app.engine.climbing import shown
from app.engine.climbing.moments import HandState
from app.engine.climbing.shown import ClimbingOwn, ClimbingTable

from .house.collusion import Collusion
from .house.exposed import Exposed
from .house.faults import Faults
from .house.merchants import Merchants
from .house.scum import Pile, Scum
from .rules import PresidentRules


class Dealing(TypedDict):
    """A deal by hand under way."""

    shuffled: Annotated[bool, "Whether the pack is shuffled."]
    offered: Annotated[bool, "Whether it was offered for the cut."]
    cut: Annotated[bool, "Whether it is cut."]


class Trade(TypedDict):
    """Two merchants who haggle."""

    merchants: Annotated[list[str], "The two."]
    claims: Annotated[dict[str, str], "The rank that each says they offer, by name."]
    agreed: Annotated[list[str], "Who agrees to the swap."]
    broken_off: Annotated[bool, "Whether one has broken off, so that each gives a card unseen."]


class Pair(TypedDict):
    """Two who collude."""

    two: Annotated[list[str], "The two."]
    offers: Annotated[dict[str, int], "How many cards each offers, by name."]
    agreed: Annotated[list[str], "Who agrees to the swap."]
    done: Annotated[list[str], "Who wants no other."]


class PresidentTable(ClimbingTable):
    """What everybody may know of a hand."""

    dealing: Annotated[Dealing | None, "How far a deal by hand is; else null (PRES-41)."]
    waits_for_clearing: Annotated[bool, "Whether the trick waits for the bottom to clear it (PRES-40)."]
    touched: Annotated[list[str], "Who has touched the pile, in order (PRES-40)."]
    exposed: Annotated[dict[str, str], "The card turned up of each pile, by who got it (PRES-37)."]
    trade: Annotated[Trade | None, "The trade of the two merchants, while it lasts (PRES-38)."]
    pairs: Annotated[list[Pair], "Those who collude; empty where nobody does (PRES-38)."]


class Partner(TypedDict):
    """The one with whom one colludes."""

    name: Annotated[str, "Who it is."]
    cards: Annotated[str, "What they hold."]
    offer: Annotated[str, "What they offer."]


class PresidentOwn(ClimbingOwn):
    """What one player may know besides their cards and legal actions."""

    offer: NotRequired[Annotated[str, "The cards that one has put down in a trade or for a partner."]]
    partner: NotRequired[Annotated[Partner, "The partner in collusion, during the exchange."]]


def table(hand: HandState) -> PresidentTable:
    """What everybody may know of the hand."""
    rules, pile = hand.rules, Scum.of(hand) or Pile()
    assert isinstance(rules, PresidentRules)
    return {
        **shown.table(hand),
        "dealing": _dealing(hand),
        "waits_for_clearing": pile.leads is not None,
        "touched": list(pile.touched),
        "exposed": dict(Exposed.of(hand) or {}),
        "trade": _trade(hand),
        "pairs": [
            {
                "two": list(pair.two),
                "offers": {name: len(offered) for name, offered in pair.offers.items()},
                "agreed": sorted(pair.agreed),
                "done": sorted(pair.done),
            }
            for pair in Collusion.of(hand) or ()
        ],
    }


def own(hand: HandState, player: str) -> PresidentOwn:
    """What only this player may know: what they owe, their own offer, and in collusion a partner's cards and offer."""
    told: PresidentOwn = cast("PresidentOwn", shown.own(hand, player))
    trade = Merchants.of(hand)
    if trade is not None and not trade.over and player in trade.offers:
        told["offer"] = show(trade.offers[player])
    pair = next((pair for pair in Collusion.of(hand) or () if player in pair.two), None)
    if pair is not None and hand.phase == "exchange":
        partner = pair.partner(player)
        offer = pair.offers.get(partner, ())
        told["partner"] = {"name": partner, "cards": show(hand.cards[partner]), "offer": show(offer)}
        told["offer"] = show(pair.offers.get(player, ()))
    return told


def _dealing(hand: HandState) -> Dealing | None:
    blame = Faults.of(hand)
    deal = None if blame is None else blame.deal
    if deal is None or deal.dealt:
        return None
    return {"shuffled": deal.shuffled, "offered": deal.offered, "cut": deal.cut}


def _trade(hand: HandState) -> Trade | None:
    trade = Merchants.of(hand)
    if trade is None or trade.over:
        return None
    return {
        "merchants": list(trade.merchants),
        "claims": dict(trade.claims),
        "agreed": sorted(trade.agreed),
        "broken_off": trade.broken_off,
    }
