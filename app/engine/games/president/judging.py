"""The judge of tricks without a special house rule: beats.py, plus the messages of a refusal."""

from collections.abc import Sequence

from app.engine.base.messages import TranslatableMessage
from app.engine.base.options import Options
from app.engine.climbing.combinations import Combination
from app.engine.climbing.suggestion_data import Suggestion
from app.engine.games.president.combinations import blocking_rule, suggestions
from app.engine.games.president.combinations.beats import PresidentCombinations
from app.engine.games.president.combinations.requirements import PlayRequirement


class DefaultJudge:
    """The `Judge` (decides what beats what) of a trick of President without a special house rule."""

    def __init__(self, beating: PresidentCombinations, options: Options) -> None:
        self.combination_rules, self.options = beating, options
        # Direct references for speed: called for every candidate play.
        self.readings, self.candidate_plays, self.beats = beating.readings, beating.candidate_plays, beating.beats

    def rule_against_beating(self, new: Combination, on: Combination, *, inverted: bool) -> str:
        """Return the id of the first rule of President without which `new` would beat `on`; the error names it."""
        return blocking_rule.find_rule_against_beating(self.options, new, on, inverted=inverted)

    def suggested_plays(
        self, on: Combination, demands: Sequence[PlayRequirement], *, inverted: bool
    ) -> list[Suggestion]:
        """Return suggestions of what beats `on` in President and meets these requirements, for a refused player."""
        return suggestions.find_suggestions(self.combination_rules, on, demands, inverted=inverted)

    def unbeatable_message(self) -> TranslatableMessage | None:
        """Return None: an ordinary trick has no special reason why nothing beats the play."""
        return None
