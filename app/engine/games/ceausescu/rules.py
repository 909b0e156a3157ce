"""What the loop asks of Ceausescu, answered from the switches of one match.

`CeausescuRules` is built once from the options; the sections' files hold what each switch means.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache, partial

from app.engine.base.messages import Said, Sentence
from app.engine.base.options import Options
from app.engine.cards.cards import Card, Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.effects import Effect, Tell
from app.engine.climbing.hand import begin_play
from app.engine.climbing.rule_hooks import HandState, Rules
from app.engine.climbing.state import Laid
from app.engine.climbing.suggestion_data import Proposal
from app.engine.games.ceausescu import bombs, patterns, society, suggestions
from app.engine.games.ceausescu.hand_index import EVERYTHING, hold, readings
from app.engine.games.ceausescu.hand_memory import memory_of
from app.engine.match.hand import HandStep

OR_BOMB = Sentence(
    "ceausescu.or_bomb", "{turn} Out of turn you may only beat somebody else’s play, with a bomb or missile."
)


class CeausescuRules(Rules):
    """The rules in force in one match."""

    def __init__(self, options: Options) -> None:
        self.interrupting = bombs.BOMBING.id if options[bombs.BOMBING] == "any_time" else None
        self.rests = self.interrupting is None
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
        return suggestions.TO_LEAD

    def proposals(self, hand: HandState, by: str) -> list[Proposal]:
        """Out of turn only bombs and missiles would do."""
        assert hand.table is not None
        found = suggestions.proposals(hand.table.combination)
        return [*found] if by == hand.turn else [one for one in found if set(one.kinds) <= bombs.LEVEL.keys()]

    def unbeaten_by(self, hand: HandState, by: str, combination: Combination) -> str | None:
        """The row of what lies there: it says what beats it."""
        assert hand.table is not None
        kind = hand.table.combination.kind
        return bombs.unbeaten_by(hand.table.combination) or patterns.BY_KIND[kind].id

    def out_of_turn(self, hand: HandState, by: str, combination: Combination) -> bool:
        """Bombs and missiles, where they may come at any time."""
        return self.interrupting is not None and combination.kind in bombs.LEVEL

    def turn_sentence(self, hand: HandState) -> Said:
        """Whose turn it is, and that others may drop bombs."""
        turn = super().turn_sentence(hand)
        return turn if self.interrupting is None else OR_BOMB(turn=turn)

    def interruptions(self, hand: HandState, by: str) -> Iterator[Cards]:
        """The bombs and missiles of one player that beat the table."""
        assert hand.table is not None
        if self.interrupting is not None:
            for (one,) in hold(hand.cards[by]).answers(hand.table.combination):
                if one.kind in bombs.LEVEL:
                    yield one.cards

    def may_break_in(self, hand: HandState) -> tuple[str, ...]:
        """Everybody who may hold a bomb, once the owner of the last play is nearly out: if every play waited for
        bombs, the game would never move on."""
        table = hand.table
        if self.interrupting is None or table is None or hand.turn is None:
            return ()
        if len(hand.cards[table.by]) > bombs.A_FEW:
            return ()
        return tuple(name for name in hand.active() if name not in (table.by, hand.turn) and len(hand.cards[name]) > 1)

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
