"""What the loop asks of Ceausescu, answered from the switches of one match.

`CeausescuRules` is built once from the options; the sections' files hold what each switch means.
"""

from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache, partial

from app.engine.cards import Card, Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.effects import Effect, Tell
from app.engine.climbing.hand import begin_play
from app.engine.climbing.moments import HandState, Rules
from app.engine.climbing.proposals import Proposal
from app.engine.climbing.state import Laid
from app.engine.hands import HandStep
from app.engine.options import Options

from . import beaten, bombs, patterns, society
from .hold import EVERYTHING, hold, readings
from .memory import memory_of


class CeausescuRules(Rules):
    """The rules in force in one match."""

    rests = True

    def __init__(self, options: Options) -> None:
        self.crowned = bombs.CROWNING[options[bombs.NICOLAE]]
        self.gifts = society.GIFTS[options[society.EXCHANGE]]
        self.titles = partial(society.titles, options[society.TITLES])

    def worth(self, card: Card) -> int:
        """As the ranks go: the jokers are the two best."""
        return patterns.VALUE[card]

    def alike(self, card: Card) -> Hashable:
        """Suits are equal."""
        return patterns.VALUE[card]

    def readings(self, hand: HandState, cards: Cards) -> Sequence[Combination]:
        """What these cards are; never more than one thing."""
        return readings(cards)

    def found(self, hand: HandState, held: Cards) -> Iterable[Sequence[Combination]]:
        """On a lead everything held, smallest first; on a play what beats it."""
        table = hand.table
        return hold(held).of(EVERYTHING) if table is None else hold(held).answers(table.combination)

    def beats(self, hand: HandState, by: str, combination: Combination) -> bool:
        """The same pattern and size with a higher value, or a higher bomb or missile."""
        assert hand.table is not None
        return bombs.beats(combination, hand.table.combination)

    def kinds(self, hand: HandState, by: str) -> list[Proposal]:
        """The patterns, and bombs and missiles."""
        return beaten.TO_LEAD

    def proposals(self, hand: HandState, by: str) -> list[Proposal]:
        assert hand.table is not None
        return beaten.proposals(hand.table.combination)

    def unbeaten_by(self, hand: HandState, by: str, combination: Combination) -> str | None:
        """The row of what lies there: it says what beats it."""
        assert hand.table is not None
        kind = hand.table.combination.kind
        return bombs.unbeaten_by(hand.table.combination) or patterns.BY_KIND[kind].id

    def played(self, hand: HandState, laid: Laid) -> Sequence[Effect]:
        """Bombs and missiles are announced; the Nicolae crowns its player and ends the trick."""
        event = bombs.announced(laid.combination, laid.by)
        if event is None:
            return ()
        return self.crowned(laid.by, event) if event.name == bombs.NICOLAE_PLAYED.name else (Tell(event),)

    def exchange_over(self, hand: HandState) -> HandStep[HandState]:
        """The serf leads."""
        return begin_play(hand, hand.hierarchy[-1])

    def standing(self, hand: HandState) -> tuple[str, ...]:
        """In the order of going out; of a hand that is over, who put down a Nicolae is first."""
        places, king = super().standing(hand), memory_of(hand).king
        if king is None or hand.phase != "over":
            return places
        return (king, *(name for name in places if name != king))


@lru_cache(maxsize=64)
def rules_of(options: Options) -> CeausescuRules:
    """The rules of one match, built once for all its hands."""
    return CeausescuRules(options)
