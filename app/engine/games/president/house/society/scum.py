"""Only the Scum touches the cards [PRES-40].

A finished trick lies until the bottom clears it, and who else touches it is last."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypedDict

from app.engine.base.errors import RuleError
from app.engine.base.messages import Said, Sentence
from app.engine.base.options import Switch, flag
from app.engine.cards.actions import Action, Clear, Touch
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import Laid, Trick
from app.engine.display.events import EventType
from app.engine.display.table_display import OwnFace, own_face, text
from app.engine.games.president.house_rule import Part
from app.engine.match.hand import HandStep

CLEAR_FIRST = Sentence(
    "president.clear_first", "The finished pile has to be cleared first, by {name} at the bottom (“clear”)."
)


@dataclass(frozen=True, slots=True)
class Pile:
    """The finished pile."""

    leads: str | None = None
    """Who leads when the bottom has cleared it; None while nothing waits."""
    touched: tuple[str, ...] = ()
    """Who touched it, in order."""


CLEARS = Sentence("scum.clears", "The pile waits for {name} to clear it away.")
CLEAR = Sentence("scum.clear", "The pile is yours to clear away.")
TOUCH_AND_BE_LAST = Sentence("scum.touch_and_be_last", "Touch the pile, and be last")


NO_CARDS_TO_TOUCH = Sentence("president.no_cards_to_touch", "There are no cards on the table to touch.")
ONLY_THE_BOTTOM_CLEARS = Sentence("president.only_the_bottom_clears", "Only {king}, at the bottom, clears the pile.")
NO_PILE_TO_CLEAR = Sentence("president.no_pile_to_clear", "There is no finished pile to clear.")

CLEARED = EventType("cleared", "{by} clears the pile away.", you="You clear the pile away.", ways=(("table", "by"),))
TIDIED = EventType("tidied", "{by} touches the pile, as is proper.", you="You touch the pile, as is proper.")
TOUCHED = EventType(
    "touched",
    "{by} has touched the pile, and will be last!",
    you="You have touched the pile, and will be last!",
    stood_out="touched",
)


class PileShown(TypedDict):
    """How the finished pile is dealt with."""

    waits_for_clearing: Annotated[bool, "Whether the trick waits for the bottom to clear it (PRES-40)."]
    touched: Annotated[list[str], "Who has touched the pile, in order (PRES-40)."]


class Scum(Part[Pile]):
    """The bottom clears finished tricks; whoever else touches the pile is last."""

    switch = Switch(
        id="PRES-40",
        also="scum clears the table",
        key="only_bottom_clears",
        domain=flag("Nobody minds", "Only the bottom touches the pile"),
        default=False,
        sentence="A finished trick stays until the bottom clears it; anybody else who touches the pile is last in this "
        "hand.",
        example="Reach for the pile as a Citizen and you are the Scum.",
    )
    section = "society"
    actions = (Clear, Touch)
    unlisted = (Touch(),)
    key = "pile"

    def begin(self, hand: HandState, kept: Mapping[str, Any]) -> HandState:
        return self.keep(hand, Pile())

    @classmethod
    def table(cls, hand: HandState) -> PileShown:
        pile = cls.of(hand) or Pile()
        return {"waits_for_clearing": pile.leads is not None, "touched": list(pile.touched)}

    def places(self, hand: HandState, standing: tuple[str, ...]) -> tuple[str, ...]:
        touched = self._pile(hand).touched
        others = tuple(name for name in standing if name not in touched)
        return (*others, *touched) if hand.phase == "over" else others

    def trick_over(self, hand: HandState, trick: Sequence[Laid]) -> HandStep[HandState] | None:
        """The finished trick stays on the table; the bottom is to act."""
        if not hand.hierarchy:
            return None
        waiting = hand.but(trick=Trick.of(*trick), to_act=(hand.hierarchy[-1],))
        return HandStep(self.keep(waiting, replace(self._pile(hand), leads=hand.to_act[0])))

    def pauses(self, hand: HandState) -> Said | None:
        if self._pile(hand).leads is None:
            return None
        return CLEAR_FIRST(name=hand.hierarchy[-1])

    def waits_for(self, hand: HandState) -> Said | None:
        return None if self._pile(hand).leads is None else CLEARS(name=hand.hierarchy[-1])

    def shows(self, hand: HandState, player: str) -> OwnFace | None:
        if not hand.hierarchy:
            return None
        if player != hand.hierarchy[-1]:
            return {**own_face(), "labels": {"touch": text(TOUCH_AND_BE_LAST())}}
        return own_face(None if self._pile(hand).leads is None else CLEAR())

    def legal(self, hand: HandState) -> Iterator[tuple[str, Action]]:
        if self._pile(hand).leads is not None:
            yield hand.hierarchy[-1], Clear()

    def act(self, hand: HandState, by: str, action: Action) -> HandStep[HandState] | None:
        match action:
            case Touch():
                return self._touch(hand, by)
            case Clear():
                return self._clear(hand, by)
            case _:
                return None

    def _clear(self, hand: HandState, by: str) -> HandStep[HandState]:
        """The bottom takes the pile away; the next lead may come."""
        pile = self._pile(hand)
        if pile.leads is None:
            raise RuleError("not_in_this_phase", NO_PILE_TO_CLEAR())
        if by != hand.hierarchy[-1]:
            raise RuleError("not_your_turn", ONLY_THE_BOTTOM_CLEARS(king=hand.hierarchy[-1]))
        cleared = self.keep(hand.but(trick=Trick(), to_act=(pile.leads,)), replace(pile, leads=None))
        return HandStep(cleared, (CLEARED(by, leads=pile.leads),))

    def _touch(self, hand: HandState, by: str) -> HandStep[HandState]:
        """Anybody may touch the pile; anybody but the bottom is last for it."""
        if hand.phase != "play" or not hand.hierarchy or hand.table is None:
            raise RuleError("not_in_this_phase", NO_CARDS_TO_TOUCH())
        if by == hand.hierarchy[-1]:
            return HandStep(hand, (TIDIED(by),))
        pile = self._pile(hand)
        touched = (*(name for name in pile.touched if name != by), by)
        return HandStep(self.keep(hand, replace(pile, touched=touched)), (TOUCHED(by, self.switch.id),))

    def _pile(self, hand: HandState) -> Pile:
        pile = self.of(hand)
        assert pile is not None, "kept from the deal on"
        return pile
