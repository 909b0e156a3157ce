"""Long runs that turn the ranks [PRES-78]: kaidan kakumei."""

from collections.abc import Iterable
from typing import Any

from app.engine.base.options import NumberOrNone, Switch, Value
from app.engine.climbing.effects import Effect
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import Laid
from app.engine.games.president.combinations.cards import toronto
from app.engine.games.president.combinations.sequences import WIDTH_OF
from app.engine.games.president.house_rule import Part


class RunRevolution(Part[None]):
    """A run of so many cards turns the ranks for the hand, as four of a kind does."""

    switch = Switch(
        id="PRES-78",
        also="kaidan kakumei 階段革命 sequence revolution",
        key="run_revolution",
        domain=NumberOrNone(3, 13, none_label="Runs turn nothing"),
        default=None,
        sentence="A run of so many cards or more turns the ranks upside down for the hand, as four of a kind may.",
        example="With 5, 4♣ 5♣ 6♣ 7♣ 8♣ turns them.",
        source="UECda",
        label="Runs that turn the ranks",
    )
    section = "beating"
    at = 4
    turns = "hand"
    conflicts = (toronto(switch),)

    @classmethod
    def is_on(cls, value: Value) -> bool:
        return value is not None

    def played(self, hand: HandState, laid: Laid) -> Iterable[Effect]:
        least: Any = self.options[self.switch]
        if laid.combination.kind in WIDTH_OF and laid.combination.size >= least:
            return self.beating.turning(self.switch.id)
        return ()
