"""What a rule asks of the very cards of a play, besides that they beat: judged and told from one declaration."""

from collections.abc import Callable
from dataclasses import dataclass

from app.engine.base.messages import beside
from app.engine.climbing.combinations import SINGLE, Combination
from app.engine.games.president.combinations.nouns import noun


@dataclass(frozen=True, slots=True)
class Demand:
    """What every play on a table must be. `is_met` judges, the words say the same: who refuses by it can't but tell."""

    is_met: Callable[[Combination], bool]
    card: str
    """A single card that meets it, after “a higher ”."""
    cards: str = ""
    """What more cards must be, after “a higher pair ” and the like; empty where it is asked of single cards only."""
    larger: bool = True
    """Whether a larger set than the one that lies there may meet it."""
    rank: str | None = None
    """The one rank whose sets may meet it without a power, or empty for none; None: sets of any rank may."""
    because: str = ""
    """Why, for the end of a sentence, if it needs saying."""

    def among(self, kind: str) -> str:
        """What meets it among plays of this kind, after “a higher ”."""
        return self.card if kind == SINGLE else beside((noun(kind), self.cards))
