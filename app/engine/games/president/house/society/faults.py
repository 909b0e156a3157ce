"""Procedural faults [PRES-41]: from the second hand on, the Landlord deals by hand and may fall for faults.

The Landlord shuffles, offers the cut to the last player and deals, naming the player who gets the first card. The
second fault of a match makes the Landlord last. So do two successive hands that change no player's place.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, TypedDict

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.base.options import Conflict, Option, on_off_choice
from app.engine.cards.actions import Action, Cut, DealByHand, OfferCut, Shuffle
from app.engine.cards.cards import Cards
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import CUT, GameEvent, GameEventType
from app.engine.display.table_display import OwnFace, Panel, action_limits, icon_panel, panel_line, player_display
from app.engine.games.president.house_rule import HouseRule
from app.engine.games.president.society import DEALER
from app.engine.match.hand import HandConclusion, HandTransition

FAULTS_TO_FALL = 2
UNCHANGED_TO_FALL = 2


HAS_THE_PACK = MessageTemplate("faults.deals", "{name} deals by hand.")
THE_PACK_IS_YOURS = MessageTemplate("faults.deal", "You deal by hand.")

SHUFFLED = GameEventType("shuffled", "{by} shuffles.", you="You shuffle.")
CUT_OFFERED = GameEventType(
    "cut_offered",
    "{by} offers {to} the cut.",
    you="You offer {to} the cut.",
    to_you="{by} offers you the cut.",
)
DEALT_BY_HAND = GameEventType(
    "dealt_by_hand",
    "{by} deals, starting with {first}.",
    you="You deal.",
    first_you="{by} deals, and you get the first card.",
    ways=(("deck", "all"),),
)
FAULT = GameEventType("fault", "{by} commits a fault.", you="You commit a fault.", stood_out="fault")
LANDLORD_FALLS = GameEventType(
    "landlord_falls",
    "{by} falls to last place.",
    you="You fall to last place.",
    stood_out="landlord falls",
    celebrated="fall",
)


@dataclass(frozen=True, slots=True)
class ManualDeal:
    """The progress of a deal by hand, by a house rule of President. `proper_first_player` should get the first card.

    The other fields tell which steps are done: shuffling, offering the deck for a cut, cutting, and dealing.
    """

    proper_first_player: str
    shuffled: bool = False
    offered: bool = False
    cut: bool = False
    dealt: bool = False


@dataclass(frozen=True, slots=True)
class DealingState:
    """The faults of the Landlord (top player of President), and the current deal by hand, for a house rule.

    `deal`: the running deal by hand, or None.
    """

    faults: int
    """Number of faults in this match since a Landlord last fell."""
    unchanged: int
    """Number of successive hands, before this one, that left all places unchanged."""
    came_or_went: bool
    """Whether players have joined or left since the last hand."""
    deal: ManualDeal | None = None
    piles: Mapping[str, Cards] = field(default_factory=dict[str, Cards])
    """The dealt cards during a deal by hand; no player holds them yet."""


class ManualDealView(TypedDict):
    """A deal by hand."""

    shuffled: Annotated[bool, "Whether the deck is shuffled."]
    offered: Annotated[bool, "Whether the deck was offered for the cut."]
    cut: Annotated[bool, "Whether the deck is cut."]


class DealingView(TypedDict):
    """The state of a deal by hand."""

    dealing: Annotated[ManualDealView | None, "The progress of a deal by hand; null: no such deal (PRES-41)."]


class DealingFaults(HouseRule[DealingState]):
    """A house rule of President: the Landlord (top player) deals by hand, and falls to the bottom for faults.

    Two faults are enough, as are two hands in a row with an unchanged hierarchy at the end.
    """

    switch = Option(
        id="PRES-41",
        also="misdeal dealing errors",
        key="faults",
        domain=on_off_choice("The cards are dealt automatically", "The Landlord deals by hand, and falls for faults"),
        default=False,
        sentence="Decides whether first place shuffles, offers the cut and deals by hand. A second fault, or two "
        "hands in a row without a change of places, makes them last.",
        example="It is a fault to deal without offering the cut.",
        short={
            True: "First place deals by hand, becoming last after a second fault (no cut offered, wrong player "
            "dealt to first) or two hands in a row with unchanged places."
        },
    )
    section = "society"
    conflicts = (
        Conflict(
            switch,
            DEALER,
            lambda faults, dealer: faults and dealer != "top",
            "First place must deal by hand.",
        ),
    )
    actions = (Shuffle, OfferCut, Cut, DealByHand)
    memory_key = "faults"

    def prepare_hand(self, hand: HandState, match_memory: Mapping[str, Any]) -> HandState:
        blame = DealingState(
            match_memory.get("faults", 0), match_memory.get("unchanged", 0), match_memory.get("came_or_went", False)
        )
        return self.with_memory(hand, blame)

    @classmethod
    def table(cls, hand: HandState) -> DealingView:
        blame = cls.read_memory(hand)
        deal = None if blame is None else blame.deal
        if deal is None or deal.dealt:
            return {"dealing": None}
        return {"dealing": {"shuffled": deal.shuffled, "offered": deal.offered, "cut": deal.cut}}

    def cards_set_aside(self, hand: HandState) -> Cards:
        """Return the piles of a deal by hand, which no player holds yet."""
        return tuple(card for pile in self._dealing_state(hand).piles.values() for card in pile)

    def continue_manual_deal(
        self, hand: HandState, continue_deal: Callable[[HandState], object]
    ) -> HandTransition[HandState] | None:
        blame = self._dealing_state(hand)
        if blame.deal is not None:
            return None if blame.deal.dealt else HandTransition(hand.replace(to_act=(player_to_act(hand, blame.deal),)))
        if blame.faults + 1 < FAULTS_TO_FALL:
            # The gifts are known already: refuse a deal that can't pay them now.
            continue_deal(hand)
        waiting = hand.replace(phase="deal", cards=dict.fromkeys(hand.seats, ()), to_act=(hand.hierarchy[0],))
        return HandTransition(
            self.with_memory(waiting, replace(blame, deal=ManualDeal(hand.left_of_dealer), piles=hand.cards))
        )

    def panels(self, hand: HandState) -> Iterator[Panel]:
        words = self.waiting_message(hand)
        if words is not None:
            yield icon_panel("deal", [panel_line("deck", words, icon="deck")])

    def waiting_message(self, hand: HandState) -> TranslatableMessage | None:
        return HAS_THE_PACK(name=hand.to_act[0]) if hand.phase == "deal" else None

    def player_prompt(self, hand: HandState, player: str) -> OwnFace | None:
        if hand.phase != "deal" or player not in hand.to_act:
            return None
        pack = self.cards_set_aside(hand)
        return {**player_display(THE_PACK_IS_YOURS()), "action_limits": {"cut": action_limits(1, len(pack) - 1)}}

    def legal_actions(self, hand: HandState) -> Iterator[tuple[str, Action]]:
        deal = self._dealing_state(hand).deal
        if hand.phase == "deal" and deal is not None:
            yield from legal_deal_actions(hand, deal)

    def apply_action(self, hand: HandState, by: str, action: Action) -> HandTransition[HandState] | None:
        blame = self._dealing_state(hand)
        if hand.phase != "deal" or blame.deal is None or not isinstance(action, self.actions):
            return None
        deal, events = apply_deal_action(hand, blame.deal, by, action)
        if not deal.dealt:
            return HandTransition(self.with_memory(hand, replace(blame, deal=deal)), events)
        wrong = any(event.name == FAULT.name for event in events)
        count = blame.faults + wrong
        hand, blame = hand.replace(cards=blame.piles), replace(blame, deal=deal, piles={}, faults=count)
        if wrong and count >= FAULTS_TO_FALL:
            events = (*events, LANDLORD_FALLS(by, self.switch.id))
            hand, blame = (
                hand.replace(hierarchy=move_first_to_last(hand.hierarchy)),
                replace(blame, faults=0, unchanged=0),
            )
        return HandTransition(self.with_memory(hand, blame), events)

    def adjust_finish(self, hand: HandState, finish: HandConclusion) -> HandConclusion:
        blame, standing = self._dealing_state(hand), finish.result.standing
        same = bool(hand.hierarchy) and standing == hand.hierarchy and not blame.came_or_went
        unchanged = blame.unchanged + 1 if same else 0
        if unchanged < UNCHANGED_TO_FALL:
            return replace(finish, memory={**finish.memory, "faults": blame.faults, "unchanged": unchanged})
        falls = LANDLORD_FALLS(hand.hierarchy[0], self.switch.id)
        return replace(
            finish,
            hierarchy=move_first_to_last(finish.hierarchy),
            memory={**finish.memory, "faults": 0, "unchanged": 0},
            events=(*finish.events, falls),
        )

    def _dealing_state(self, hand: HandState) -> DealingState:
        blame = self.read_memory(hand)
        assert blame is not None, "kept from the deal on"
        return blame


def player_to_act(hand: HandState, deal: ManualDeal) -> str:
    """Return the player who acts next in a deal by hand: the last player while the cut is open, else the top player.

    The top player shuffles, offers the deck and deals; the last player cuts.
    """
    return hand.hierarchy[-1] if deal.offered and not deal.cut else hand.hierarchy[0]


def legal_deal_actions(hand: HandState, deal: ManualDeal) -> Iterator[tuple[str, Action]]:
    """Yield the next actions in a deal by hand, with their player.

    Faulty ones are among them, such as dealing to the wrong player first.
    """
    by = player_to_act(hand, deal)
    if deal.offered and not deal.cut:
        yield by, Cut()
    elif not deal.shuffled:
        yield by, Shuffle()
    else:
        if not deal.offered:
            yield by, OfferCut()
        # List the right name first, so that taking the first choice deals properly.
        yield from (
            (by, DealByHand(name))
            for name in (
                deal.proper_first_player,
                *(other for other in hand.seats if other != deal.proper_first_player),
            )
        )


NOBODY_TO_DEAL_TO = MessageTemplate("president.nobody_to_deal_to", "Nobody called {first} sits at the table.")
ORDER_OF_THE_DEAL = MessageTemplate(
    "president.order_of_the_deal",
    "Deal by hand in order: shuffle, offer the cut, cut, deal.",
)
TO_ACT_IN_THE_DEAL = MessageTemplate("president.to_act_in_the_deal", "Wait: {name} must act in the deal.")


def apply_deal_action(
    hand: HandState, deal: ManualDeal, by: str, action: Action
) -> tuple[ManualDeal, tuple[GameEvent, ...]]:
    """Return a deal by hand and the events after one of its actions; a faulty deal adds the event `fault`.

    Raises `RuleError` for a wrong player or step.
    """
    if by != player_to_act(hand, deal):
        raise RuleError("not_your_turn", TO_ACT_IN_THE_DEAL(name=player_to_act(hand, deal)))
    match action:
        case Shuffle() if not deal.shuffled:
            return replace(deal, shuffled=True), (SHUFFLED(by),)
        case OfferCut() if deal.shuffled and not deal.offered:
            return replace(deal, offered=True), (CUT_OFFERED(by, to=hand.hierarchy[-1]),)
        case Cut(at) if deal.offered and not deal.cut:
            return replace(deal, cut=True), (CUT(by, at=at),)
        case DealByHand(first) if deal.shuffled and (deal.cut or not deal.offered):
            if first not in hand.seats:
                raise RuleError("bad_action", NOBODY_TO_DEAL_TO(first=first))
            wrong = first != deal.proper_first_player or not deal.offered
            events = (DEALT_BY_HAND(by, first=first),)
            return replace(deal, dealt=True), (*events, FAULT(by, DealingFaults.switch.id)) if wrong else events
        case _:
            raise RuleError("not_in_this_phase", ORDER_OF_THE_DEAL())


def move_first_to_last(hierarchy: tuple[str, ...]) -> tuple[str, ...]:
    """Return the hierarchy with the first player moved to the end, as a punishment for faults."""
    return (*hierarchy[1:], hierarchy[0])
