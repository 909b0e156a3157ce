"""The parts of the game interface that games with a low card share: the start of a hand, and its secrets."""

from app.engine.base.options import Options
from app.engine.climbing.exchange import Exchange, Gift, announce_gifts
from app.engine.climbing.game import ClimbingGame
from app.engine.climbing.hand import announce_lead, continue_exchange
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import ClimbingHand
from app.engine.display.events import DEALT, GameEvent
from app.engine.match.context import MatchContext
from app.engine.match.hand import Deal, HandTransition

from .hand_memory import LowCardMemory
from .rules import LowCardRules


class LowCardGame(ClimbingGame):
    """The base of games in which the low card gives the first lead. `memory_type` is what their rules remember."""

    limits = 2, 4
    memory_type: type[LowCardMemory]

    def build_rules(self, options: Options) -> LowCardRules:
        """Return the rules of a match with these options, as the object that decides each question in a hand."""
        raise NotImplementedError

    def initial_memory(self) -> LowCardMemory:
        """Return the game's own state of a hand at its start: everything empty."""
        return self.memory_type()

    def next_leader(self, match: MatchContext) -> str | None:
        """Return who leads the next hand by the result of the last one; None if the low card decides."""
        return self.build_rules(match.options).find_leader(match.hierarchy)

    def next_gifts(self, match: MatchContext) -> tuple[Gift, ...]:
        """Return the gifts of the exchange before the next hand: none, unless the game overrides it."""
        return ()

    def next_hand_events(self, match: MatchContext) -> tuple[GameEvent, ...]:
        """Return the exchange and the lead of the next hand as events."""
        return (*announce_gifts(self.next_gifts(match)), announce_lead(self.next_leader(match), match.hierarchy))

    def begin_hand(self, match: MatchContext, deal: Deal) -> HandTransition[HandState]:
        """Start a hand with the exchange or the first lead; raise `RuleError` for an impossible deal."""
        self.check_deal(match, deal)
        rules = self.build_rules(match.options)
        hand = ClimbingHand(
            rules=rules,
            seats=match.seats,
            dealer=deal.dealer,
            cards={name: tuple(sorted(deal.cards[name], key=rules.card_sort_key)) for name in match.seats},
            hierarchy=match.hierarchy,
            direction=rules.direction_of_hand(match.dealt),
            memory=self.memory_after_deal(match, deal),
        )
        return self.start_hand(match, hand, (DEALT(deal.dealer),))

    def memory_after_deal(self, match: MatchContext, deal: Deal) -> LowCardMemory:
        """Return the game's own state of a hand after the deal, with the leader by the result of the last hand."""
        return self.memory_type(leader=self.next_leader(match))

    def start_hand(
        self, match: MatchContext, hand: HandState, events: tuple[GameEvent, ...]
    ) -> HandTransition[HandState]:
        """Return the dealt hand in the exchange or, without gifts, before the first lead; `events` come first."""
        gifts = self.next_gifts(match)
        if gifts:
            return continue_exchange(hand.replace(exchange=Exchange(gifts, ((0,), (1,)), hand.cards)), events)
        return self.build_rules(match.options).start_play(hand, events)

    def without_secret_memory(self, hand: HandState, player: str) -> HandState:
        """Return the hand without the low card, unless this player holds it; for bots that search."""
        memory = LowCardMemory.of(hand)
        return hand if memory.low in (None, *hand.cards.get(player, ())) else hand.replace(memory=memory.but(low=None))
