"""Who judges the plays of a trick where no house rule does: what beats.py says, with the sentences of a refusal."""

from collections.abc import Sequence

from app.engine.base.messages import Said
from app.engine.base.options import Options
from app.engine.climbing.combinations import Combination
from app.engine.climbing.suggestion_data import Proposal
from app.engine.games.president.combinations import blocking_rule, suggestions
from app.engine.games.president.combinations.beats import Beating
from app.engine.games.president.combinations.requirements import Demand


class Usual:
    """The `Judge` of an ordinary trick."""

    def __init__(self, beating: Beating, options: Options) -> None:
        self.beating, self.options = beating, options
        # Asked for every card that may be played: without a step between.
        self.readings, self.candidates, self.beats = beating.readings, beating.candidates, beating.beats

    def unbeaten_by(self, new: Combination, on: Combination, *, inverted: bool) -> str:
        """The id of the rule by which it does not: the first without which it would."""
        return blocking_rule.unbeaten_by(self.options, new, on, inverted=inverted)

    def proposals(self, on: Combination, demands: Sequence[Demand], *, inverted: bool) -> list[Proposal]:
        """Everything that beats it and meets these demands."""
        return suggestions.proposals(self.beating, on, demands, inverted=inverted)

    def nothing_beats(self) -> Said | None:
        """There is no reason of its own to give."""
        return None
