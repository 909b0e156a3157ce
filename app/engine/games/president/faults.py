"""Procedural faults [PRES-41]: from the second hand on the Landlord deals by hand, and falls for mistakes.

They shuffle, offer the cut to the bottom and deal, naming who gets the first card. The second fault of a match, or two
hands in a row that change nobody's place, makes the Landlord the bottom.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from app.engine.actions import Action, Cut, DealOut, OfferCut, Shuffle
from app.engine.climbing.moments import HandState
from app.engine.errors import RuleError
from app.engine.events import Event, notable, told

FAULTS_TO_FALL = 2
UNCHANGED_TO_FALL = 2


@dataclass(frozen=True, slots=True)
class HandDeal:
    """A deal by hand under way. `due` is who should get the first card."""

    due: str
    shuffled: bool = False
    offered: bool = False
    cut: bool = False
    dealt: bool = False


def to_act(hand: HandState, deal: HandDeal) -> str:
    """The bottom while the cut is theirs, else the top."""
    return hand.hierarchy[-1] if deal.offered and not deal.cut else hand.hierarchy[0]


def legal(hand: HandState, deal: HandDeal) -> Iterator[tuple[str, Action]]:
    """What comes next; dealing to anybody is listed, faults are for the Landlord to make."""
    by = to_act(hand, deal)
    if deal.offered and not deal.cut:
        yield by, Cut()
    elif not deal.shuffled:
        yield by, Shuffle()
    else:
        if not deal.offered:
            yield by, OfferCut()
        # The right name first, so that whoever just takes the first choice deals properly.
        yield from ((by, DealOut(name)) for name in (deal.due, *(other for other in hand.seats if other != deal.due)))


def act(hand: HandState, deal: HandDeal, by: str, action: Action) -> tuple[HandDeal, tuple[Event, ...]]:
    """The deal after one action; a deal with a fault is told as such."""
    if by != to_act(hand, deal):
        raise RuleError("not_your_turn", f"{to_act(hand, deal)} is to act in the deal.")
    match action:
        case Shuffle() if not deal.shuffled:
            return replace(deal, shuffled=True), (told("shuffled", by),)
        case OfferCut() if deal.shuffled and not deal.offered:
            return replace(deal, offered=True), (told("cut_offered", by, to=hand.hierarchy[-1]),)
        case Cut(at) if deal.offered and not deal.cut:
            return replace(deal, cut=True), (told("cut", by, at=at),)
        case DealOut(first) if deal.shuffled and (deal.cut or not deal.offered):
            if first not in hand.seats:
                raise RuleError("bad_action", f"Nobody called {first} sits at the table.")
            wrong = first != deal.due or not deal.offered
            events = (told("dealt_by_hand", by, first=first),)
            return replace(deal, dealt=True), (*events, notable("fault", by, "PRES-41")) if wrong else events
        case _:
            order = "shuffle first, then offer the cut; the bottom cuts; then deal, naming who gets the first card"
            raise RuleError("not_in_this_phase", f"In a deal by hand: {order}.")


def fallen(hierarchy: tuple[str, ...]) -> tuple[str, ...]:
    """The Landlord becomes the bottom, everybody else moves up."""
    return (*hierarchy[1:], hierarchy[0])
