"""Only the Scum touches the cards [PRES-40].

A finished trick stays on the table until the last player clears it. Any other player who touches it finishes last.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypedDict

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.base.options import Option, on_off_choice
from app.engine.cards.actions import Action, ClearTrick, TouchPile
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import PlayedCombination, Trick
from app.engine.display.events import GameEventType
from app.engine.display.table_display import OwnFace, player_display, text_to_json
from app.engine.games.president.house_rule import HouseRule
from app.engine.match.hand import HandTransition

CLEAR_FIRST = MessageTemplate("president.clear_first", "Wait until {name}, in last place, clears the pile.")


@dataclass(frozen=True, slots=True)
class PileState:
    """The state of the finished trick under the house rule that only the last player may clear it."""

    leads: str | None = None
    """The player who leads after the pile is cleared; None if no pile waits."""
    touched: tuple[str, ...] = ()
    """Players who touched the pile, in order."""


CLEARS = MessageTemplate("scum.clears", "Waiting for {name} to clear the pile.")
CLEAR = MessageTemplate("scum.clear", "Clear the pile.")
TOUCH_AND_BE_LAST = MessageTemplate("scum.touch_and_be_last", "Touch pile and come last")


NO_CARDS_TO_TOUCH = MessageTemplate("president.no_cards_to_touch", "The table is empty, so you can’t touch a pile.")
ONLY_THE_BOTTOM_CLEARS = MessageTemplate(
    "president.only_the_bottom_clears", "Only {king}, in last place, can clear the pile."
)
NO_PILE_TO_CLEAR = MessageTemplate("president.no_pile_to_clear", "You can clear the pile only after a trick.")

CLEARED = GameEventType("cleared", "{by} clears the pile.", you="You clear the pile.", ways=(("table", "by"),))
TIDIED = GameEventType(
    "tidied",
    "{by} touches the pile, which is allowed in last place.",
    you="You touch the pile, which is allowed in last place.",
)
TOUCHED = GameEventType(
    "touched",
    "{by} has touched the pile and comes last!",
    you="You have touched the pile and come last!",
    stood_out="touched",
)


class PileView(TypedDict):
    """The finished trick on the table."""

    waits_for_clearing: Annotated[bool, "Whether the last player must clear the trick (PRES-40)."]
    touched: Annotated[list[str], "Players who touched the pile, in order (PRES-40)."]


class OnlyBottomClears(HouseRule[PileState]):
    """A house rule of President: the player ranked last clears finished tricks.

    Any other player who touches the pile finishes last.
    """

    switch = Option(
        id="PRES-40",
        also="scum clears the table",
        key="only_bottom_clears",
        label="Clearing the pile",
        domain=on_off_choice("Tricks are cleared automatically", "Only last place touches the pile"),
        default=False,
        sentence="Decides whether only last place may clear finished tricks. Any other player who touches the "
        "pile comes last in this hand.",
        example="If you touch the pile as a Citizen, you become the Scum.",
        short={True: "Only last place may clear tricks; others who do come last."},
    )
    section = "society"
    actions = (ClearTrick, TouchPile)
    off_turn_actions = (TouchPile(),)
    memory_key = "pile"

    def prepare_hand(self, hand: HandState, match_memory: Mapping[str, Any]) -> HandState:
        return self.with_memory(hand, PileState())

    @classmethod
    def table(cls, hand: HandState) -> PileView:
        pile = cls.read_memory(hand) or PileState()
        return {"waits_for_clearing": pile.leads is not None, "touched": list(pile.touched)}

    def adjust_places(self, hand: HandState, standing: tuple[str, ...]) -> tuple[str, ...]:
        touched = self._pile_state(hand).touched
        others = tuple(name for name in standing if name not in touched)
        return (*others, *touched) if hand.phase == "over" else others

    def after_trick(self, hand: HandState, trick: Sequence[PlayedCombination]) -> HandTransition[HandState] | None:
        """Return the hand with the finished trick still on the table; the player ranked last must clear it.

        None in the first hand, when nobody is ranked: then the trick is cleared as usual.
        """
        if not hand.hierarchy:
            return None
        waiting = hand.replace(trick=Trick.from_acts(*trick), to_act=(hand.hierarchy[-1],))
        return HandTransition(self.with_memory(waiting, replace(self._pile_state(hand), leads=hand.to_act[0])))

    def pause_reason(self, hand: HandState) -> TranslatableMessage | None:
        if self._pile_state(hand).leads is None:
            return None
        return CLEAR_FIRST(name=hand.hierarchy[-1])

    def waiting_message(self, hand: HandState) -> TranslatableMessage | None:
        return None if self._pile_state(hand).leads is None else CLEARS(name=hand.hierarchy[-1])

    def player_prompt(self, hand: HandState, player: str) -> OwnFace | None:
        if not hand.hierarchy:
            return None
        if player != hand.hierarchy[-1]:
            return {**player_display(), "labels": {"touch": text_to_json(TOUCH_AND_BE_LAST())}}
        return player_display(None if self._pile_state(hand).leads is None else CLEAR())

    def legal_actions(self, hand: HandState) -> Iterator[tuple[str, Action]]:
        if self._pile_state(hand).leads is not None:
            yield hand.hierarchy[-1], ClearTrick()

    def apply_action(self, hand: HandState, by: str, action: Action) -> HandTransition[HandState] | None:
        match action:
            case TouchPile():
                return self._touch_pile(hand, by)
            case ClearTrick():
                return self._clear_pile(hand, by)
            case _:
                return None

    def _clear_pile(self, hand: HandState, by: str) -> HandTransition[HandState]:
        """Return the hand after the player ranked last has cleared the finished trick; then the next lead may follow.

        Raises `RuleError` for other players, or if nothing is to be cleared.
        """
        pile = self._pile_state(hand)
        if pile.leads is None:
            raise RuleError("not_in_this_phase", NO_PILE_TO_CLEAR())
        if by != hand.hierarchy[-1]:
            raise RuleError("not_your_turn", ONLY_THE_BOTTOM_CLEARS(king=hand.hierarchy[-1]))
        cleared = self.with_memory(hand.replace(trick=Trick(), to_act=(pile.leads,)), replace(pile, leads=None))
        return HandTransition(cleared, (CLEARED(by, leads=pile.leads),))

    def _touch_pile(self, hand: HandState, by: str) -> HandTransition[HandState]:
        """Return the hand after a player touched the pile of played cards, and an event that tells it.

        Every player except the one ranked last will finish last for it. Raises `RuleError` if no cards lie there.
        """
        if hand.phase != "play" or not hand.hierarchy or hand.play_to_beat is None:
            raise RuleError("not_in_this_phase", NO_CARDS_TO_TOUCH())
        if by == hand.hierarchy[-1]:
            return HandTransition(hand, (TIDIED(by),))
        pile = self._pile_state(hand)
        touched = (*(name for name in pile.touched if name != by), by)
        return HandTransition(self.with_memory(hand, replace(pile, touched=touched)), (TOUCHED(by, self.switch.id),))

    def _pile_state(self, hand: HandState) -> PileState:
        pile = self.read_memory(hand)
        assert pile is not None, "kept from the deal on"
        return pile
