"""Pao De Kuai as a `Game`: start and results of a hand, and its options."""

from app.engine.base.options import Options, OptionSchema
from app.engine.cards.actions import JoinMatch, LeaveMatch, Pass, Play
from app.engine.cards.cards import Cards
from app.engine.climbing.game import ClimbingGame
from app.engine.climbing.hand import announce_lead
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import ClimbingHand
from app.engine.display.events import DEALT, GameEvent
from app.engine.display.table_display import Felt
from app.engine.match.context import MatchContext
from app.engine.match.hand import Deal, HandConclusion, HandResult, HandTransition

from . import bombs, combinations, payments, play, table
from .hand_memory import PaoDeKuaiMemory, memory_of
from .presets import BASICS, PRESETS
from .questions import QUESTIONS
from .rules import PaoDeKuaiRules, rules_of
from .short_rules import SHORT_RULES

DECLARED = OptionSchema(
    sections=(table.SECTION, combinations.SECTION, bombs.SECTION, play.SECTION, payments.SECTION),
    presets=PRESETS,
    zero_sum=payments.ZERO_SUM,
    short_rules=SHORT_RULES,
    basics=BASICS,
    questions=QUESTIONS,
)


class PaoDeKuai(ClimbingGame):
    """The game object of Pao De Kuai: its options, deals, start and results of a hand. It holds no state."""

    key = "pao_de_kuai"
    name = "Pao De Kuai"
    sentence = "Beat whenever you can, with runs, triples and bombs."
    also = "跑得快, Run Fast, Paodekuai, 关牌, 關牌, Guan Pai"
    felt: Felt = "slate"
    limits = 2, 4
    actions = frozenset({Play, Pass, JoinMatch, LeaveMatch})
    option_schema = DECLARED

    def build_rules(self, options: Options) -> PaoDeKuaiRules:
        """Return Pao De Kuai's rules for these options, from a cache."""
        return rules_of(options)

    def initial_memory(self) -> PaoDeKuaiMemory:
        """Return Pao De Kuai's own state of a hand at its start: everything empty."""
        return PaoDeKuaiMemory()

    def deck(self, options: Options, count: int) -> Cards:
        """Return the deck of this number of players, sorted from the lowest rank."""
        return table.DECKS[table.deck_key(options, count)]

    # Before a hand -----------------------------------------------------------------------------------------------

    def next_hand_events(self, match: MatchContext) -> tuple[GameEvent, ...]:
        """Return the lead of the next hand as an event."""
        return (announce_lead(_leader_by_last_hand(match), match.hierarchy),)

    def dealt_card_count(self, match: MatchContext, total: int) -> int:
        """Return the number of dealt cards; with fewer players others stay out of the hand."""
        count = len(match.seats)
        return count * table.CARDS_EACH[table.deck_key(match.options, count)]

    def begin_hand(self, match: MatchContext, deal: Deal) -> HandTransition[HandState]:
        """Start a hand: the winner of the last hand leads, or the holder of the first card.

        Raises `RuleError` for an impossible deal.
        """
        self.check_deal(match, deal)
        rules = rules_of(match.options)
        hand = ClimbingHand(
            rules=rules,
            seats=match.seats,
            dealer=deal.dealer,
            cards={name: tuple(sorted(deal.cards[name], key=rules.card_sort_key)) for name in match.seats},
            hierarchy=match.hierarchy,
            direction=rules.direction,
            memory=PaoDeKuaiMemory(leader=_leader_by_last_hand(match)),
        )
        return rules.start_play(hand, (DEALT(deal.dealer),))

    # After a hand ------------------------------------------------------------------------------------------------

    def finish_hand(self, match: MatchContext, hand: HandState) -> HandConclusion:
        """Return the results of a finished hand."""
        standing, memory = rules_of(match.options).standing(hand), memory_of(hand)
        finished = payments.HandToPay(standing, hand.cards, memory.played, memory.bombs, memory.ten_by, memory.liable)
        reasons = payments.point_reasons(match.options, finished)
        result = HandResult.from_reasons(hand.dealer, standing, {}, tuple(hand.cards), reasons)
        return HandConclusion(result, hand.seats, standing)

    # Views -----------------------------------------------------------------------------------------------------

    def without_secret_memory(self, hand: HandState, player: str) -> HandState:
        """Return the hand without the first card dealt, unless this player holds it; for bots that search."""
        memory = memory_of(hand)
        return hand if memory.low in (None, *hand.cards.get(player, ())) else hand.replace(memory=memory.but(low=None))


def _leader_by_last_hand(match: MatchContext) -> str | None:
    """Return who leads the next hand by the result of the last one; None if the first card decides."""
    return rules_of(match.options).find_leader(match.hierarchy)
