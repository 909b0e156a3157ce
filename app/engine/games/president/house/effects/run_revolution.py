"""Long runs that invert the ranks [PRES-78]: kaidan kakumei."""

from collections.abc import Iterable
from typing import Any

from app.engine.base.options import NumberOrNone, Option, OptionValue
from app.engine.climbing.effects import Effect
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.games.president.combinations.cards import conflict_with_toronto
from app.engine.games.president.combinations.sequences import WIDTH_OF
from app.engine.games.president.house_rule import HouseRule


class RunRevolution(HouseRule[None]):
    """A house rule of President: a long run inverts the ranks for the rest of the hand.

    The option sets the least number of cards. The option for four of a kind decides whether the direction is inverted,
    too.
    """

    switch = Option(
        id="PRES-78",
        also="kaidan kakumei 階段革命 sequence revolution",
        key="run_revolution",
        domain=NumberOrNone(3, 13, none_label="No runs"),
        default=None,
        sentence="A run of at least this number of cards reverses the rank order for the rest of the hand.",
        example="With 5, 4♣ 5♣ 6♣ 7♣ 8♣ reverses the order.",
        source="UECda",
        label="Runs that reverse the ranks",
    )
    section = "beating"
    active_value = 4
    inverts_for = "hand"
    conflicts = (conflict_with_toronto(switch),)

    @classmethod
    def is_active(cls, value: OptionValue) -> bool:
        return value is not None

    def effects_of_play(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        least: Any = self.options[self.switch]
        if laid.combination.kind in WIDTH_OF and laid.combination.size >= least:
            return self.combination_rules.inversion_effects(self.switch.id)
        return ()
