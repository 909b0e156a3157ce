"""Procedural faults [PRES-41]: from the second hand on the Landlord deals by hand, and falls for mistakes.

They shuffle, offer the cut to the bottom and deal, naming who gets the first card. The second fault of a match, or two
hands in a row that change nobody's place, makes the Landlord the bottom.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, TypedDict

from app.engine.base.errors import RuleError
from app.engine.base.messages import Said, Sentence
from app.engine.base.options import Conflict, Switch, flag
from app.engine.cards.actions import Action, Cut, DealOut, OfferCut, Shuffle
from app.engine.cards.cards import Cards
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import CUT, Event, EventType
from app.engine.display.table_display import OwnFace, Panel, line, own_face, particulars, things
from app.engine.games.president.house_rule import Part
from app.engine.games.president.society import DEALER
from app.engine.match.hand import Finish, HandStep

FAULTS_TO_FALL = 2
UNCHANGED_TO_FALL = 2


HAS_THE_PACK = Sentence("faults.deals", "{name} has the pack.")
THE_PACK_IS_YOURS = Sentence("faults.deal", "The pack is yours.")

SHUFFLED = EventType("shuffled", "{by} shuffles.", you="You shuffle.")
CUT_OFFERED = EventType(
    "cut_offered",
    "{by} offers {to} the cut.",
    you="You offer {to} the cut.",
    to_you="{by} offers you the cut.",
)
DEALT_BY_HAND = EventType(
    "dealt_by_hand",
    "{by} deals, {first} first.",
    you="You deal.",
    first_you="{by} deals, and you get the first card.",
    ways=(("deck", "all"),),
)
FAULT = EventType("fault", "A fault by {by}.", you="You commit a fault.", stood_out="fault")
LANDLORD_FALLS = EventType(
    "landlord_falls",
    "{by} falls to the bottom.",
    you="You fall to the bottom.",
    stood_out="landlord falls",
    celebrated="fall",
)


@dataclass(frozen=True, slots=True)
class HandDeal:
    """A deal by hand. `due` is who should get the first card."""

    due: str
    shuffled: bool = False
    offered: bool = False
    cut: bool = False
    dealt: bool = False


@dataclass(frozen=True, slots=True)
class Blame:
    """What counts against the Landlord, and the deal by which they may add to it."""

    faults: int
    """In this match, since a landlord last fell."""
    unchanged: int
    """Hands in a row, up to this one, that left everybody in their place."""
    came_or_went: bool
    """Whether people did since the last hand."""
    deal: HandDeal | None = None
    piles: Mapping[str, Cards] = field(default_factory=dict[str, Cards])
    """Cards as dealt, while they are being dealt by hand: nobody holds them yet."""


class Dealing(TypedDict):
    """A deal by hand under way."""

    shuffled: Annotated[bool, "Whether the pack is shuffled."]
    offered: Annotated[bool, "Whether it was offered for the cut."]
    cut: Annotated[bool, "Whether it is cut."]


class DealingShown(TypedDict):
    """Whether a deal by hand is under way."""

    dealing: Annotated[Dealing | None, "How far a deal by hand is; else null (PRES-41)."]


class Faults(Part[Blame]):
    """The Landlord deals by hand, and falls."""

    switch = Switch(
        id="PRES-41",
        also="misdeal dealing errors",
        key="faults",
        domain=flag("The game deals", "The Landlord deals by hand, and falls for faults"),
        default=False,
        sentence="The top shuffles, offers the cut and deals; the second fault, or two hands that change nothing, make "
        "them the bottom.",
        example="Dealing without having offered the cut is a fault.",
    )
    section = "society"
    conflicts = (
        Conflict(
            switch,
            DEALER,
            lambda faults, dealer: faults and dealer != "top",
            "it is the top who deals by hand",
        ),
    )
    actions = (Shuffle, OfferCut, Cut, DealOut)
    key = "faults"

    def begin(self, hand: HandState, kept: Mapping[str, Any]) -> HandState:
        blame = Blame(kept.get("faults", 0), kept.get("unchanged", 0), kept.get("came_or_went", False))
        return self.keep(hand, blame)

    @classmethod
    def table(cls, hand: HandState) -> DealingShown:
        blame = cls.of(hand)
        deal = None if blame is None else blame.deal
        if deal is None or deal.dealt:
            return {"dealing": None}
        return {"dealing": {"shuffled": deal.shuffled, "offered": deal.offered, "cut": deal.cut}}

    def set_aside(self, hand: HandState) -> Cards:
        """The piles while they are dealt by hand."""
        return tuple(card for pile in self._blame(hand).piles.values() for card in pile)

    def deals(self, hand: HandState, then: Callable[[HandState], object]) -> HandStep[HandState] | None:
        blame = self._blame(hand)
        if blame.deal is not None:
            return None if blame.deal.dealt else HandStep(hand.but(to_act=(to_act(hand, blame.deal),)))
        if blame.faults + 1 < FAULTS_TO_FALL:
            # Who owes what is known already: a deal that can't serve is refused now.
            then(hand)
        waiting = hand.but(phase="deal", cards=dict.fromkeys(hand.seats, ()), to_act=(hand.hierarchy[0],))
        return HandStep(self.keep(waiting, replace(blame, deal=HandDeal(hand.left_of_dealer), piles=hand.cards)))

    def panels(self, hand: HandState) -> Iterator[Panel]:
        words = self.waits_for(hand)
        if words is not None:
            yield things("deal", [line("deck", words, icon="deck")])

    def waits_for(self, hand: HandState) -> Said | None:
        return HAS_THE_PACK(name=hand.to_act[0]) if hand.phase == "deal" else None

    def shows(self, hand: HandState, player: str) -> OwnFace | None:
        if hand.phase != "deal" or player not in hand.to_act:
            return None
        pack = self.set_aside(hand)
        return {**own_face(THE_PACK_IS_YOURS()), "particulars": {"cut": particulars(1, len(pack) - 1)}}

    def legal(self, hand: HandState) -> Iterator[tuple[str, Action]]:
        deal = self._blame(hand).deal
        if hand.phase == "deal" and deal is not None:
            yield from legal(hand, deal)

    def act(self, hand: HandState, by: str, action: Action) -> HandStep[HandState] | None:
        blame = self._blame(hand)
        if hand.phase != "deal" or blame.deal is None or not isinstance(action, self.actions):
            return None
        deal, events = act(hand, blame.deal, by, action)
        if not deal.dealt:
            return HandStep(self.keep(hand, replace(blame, deal=deal)), events)
        wrong = any(event.name == FAULT.name for event in events)
        count = blame.faults + wrong
        hand, blame = hand.but(cards=blame.piles), replace(blame, deal=deal, piles={}, faults=count)
        if wrong and count >= FAULTS_TO_FALL:
            events = (*events, LANDLORD_FALLS(by, self.switch.id))
            hand, blame = hand.but(hierarchy=fallen(hand.hierarchy)), replace(blame, faults=0, unchanged=0)
        return HandStep(self.keep(hand, blame), events)

    def finish(self, hand: HandState, finish: Finish) -> Finish:
        blame, standing = self._blame(hand), finish.result.standing
        same = bool(hand.hierarchy) and standing == hand.hierarchy and not blame.came_or_went
        unchanged = blame.unchanged + 1 if same else 0
        if unchanged < UNCHANGED_TO_FALL:
            return replace(finish, memory={**finish.memory, "faults": blame.faults, "unchanged": unchanged})
        falls = LANDLORD_FALLS(hand.hierarchy[0], self.switch.id)
        return replace(
            finish,
            hierarchy=fallen(finish.hierarchy),
            memory={**finish.memory, "faults": 0, "unchanged": 0},
            events=(*finish.events, falls),
        )

    def _blame(self, hand: HandState) -> Blame:
        blame = self.of(hand)
        assert blame is not None, "kept from the deal on"
        return blame


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


NOBODY_TO_DEAL_TO = Sentence("president.nobody_to_deal_to", "Nobody called {first} sits at the table.")
ORDER_OF_THE_DEAL = Sentence(
    "president.order_of_the_deal",
    "In a deal by hand: shuffle first, then offer the cut; the bottom cuts; then deal, naming who gets the first card.",
)
TO_ACT_IN_THE_DEAL = Sentence("president.to_act_in_the_deal", "{name} is to act in the deal.")


def act(hand: HandState, deal: HandDeal, by: str, action: Action) -> tuple[HandDeal, tuple[Event, ...]]:
    """The deal after one action; a deal with a fault is told as such."""
    if by != to_act(hand, deal):
        raise RuleError("not_your_turn", TO_ACT_IN_THE_DEAL(name=to_act(hand, deal)))
    match action:
        case Shuffle() if not deal.shuffled:
            return replace(deal, shuffled=True), (SHUFFLED(by),)
        case OfferCut() if deal.shuffled and not deal.offered:
            return replace(deal, offered=True), (CUT_OFFERED(by, to=hand.hierarchy[-1]),)
        case Cut(at) if deal.offered and not deal.cut:
            return replace(deal, cut=True), (CUT(by, at=at),)
        case DealOut(first) if deal.shuffled and (deal.cut or not deal.offered):
            if first not in hand.seats:
                raise RuleError("bad_action", NOBODY_TO_DEAL_TO(first=first))
            wrong = first != deal.due or not deal.offered
            events = (DEALT_BY_HAND(by, first=first),)
            return replace(deal, dealt=True), (*events, FAULT(by, Faults.switch.id)) if wrong else events
        case _:
            raise RuleError("not_in_this_phase", ORDER_OF_THE_DEAL())


def fallen(hierarchy: tuple[str, ...]) -> tuple[str, ...]:
    """The Landlord becomes the bottom, everybody else moves up."""
    return (*hierarchy[1:], hierarchy[0])
