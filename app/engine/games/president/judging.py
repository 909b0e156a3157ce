"""Who judges the plays of a trick where no house rule does: what beating.py says, with the sentences of a refusal."""

from collections.abc import Iterator, Sequence

from app.engine.cards import Card, Cards
from app.engine.climbing.combinations import Combination
from app.engine.options import Options
from app.engine.proposals import Proposal

from . import lifting, proposing
from .beating import Beating
from .demands import Demand


class Usual:
    """The `Judge` of an ordinary trick."""

    def __init__(self, beating: Beating, options: Options) -> None:
        self.beating, self.options = beating, options

    def readings(self, cards: Cards, on: Combination | None, *, inverted: bool) -> Sequence[Combination]:
        """Everything that these cards may be, strongest first."""
        return self.beating.readings(cards, on, inverted=inverted)

    def candidates(
        self, held: Cards, on: Combination | None, *, inverted: bool, must: Card | None = None
    ) -> Iterator[Cards]:
        """Different choices of cards that may be played, and few others."""
        return self.beating.candidates(held, on, inverted=inverted, must=must)

    def beats(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        """Whether one play beats what lies on the table."""
        return self.beating.beats(new, on, inverted=inverted)

    def unbeaten_by(self, new: Combination, on: Combination, *, inverted: bool) -> str:
        """The id of the rule by which it does not: the first without which it would."""
        return lifting.unbeaten_by(self.options, new, on, inverted=inverted)

    def proposals(self, on: Combination, demands: Sequence[Demand], *, inverted: bool) -> list[Proposal]:
        """Everything that beats it and meets these demands."""
        return proposing.proposals(self.beating, on, demands, inverted=inverted)

    def nothing_beats(self) -> str | None:
        """No reason of its own."""
        return None
