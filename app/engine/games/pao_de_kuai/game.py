"""Pao De Kuai as a `Game`: start and results of a hand, and its options."""

from app.engine.base.options import Options, OptionSchema
from app.engine.cards.actions import JoinMatch, LeaveMatch, Pass, Play
from app.engine.cards.cards import Cards
from app.engine.climbing.low_card.game import LowCardGame
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.table_display import Felt
from app.engine.match.context import MatchContext
from app.engine.match.hand import HandConclusion, HandResult

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


class PaoDeKuai(LowCardGame):
    """The game object of Pao De Kuai: its options, deals, start and results of a hand. It holds no state."""

    key = "pao_de_kuai"
    name = "Pao De Kuai"
    sentence = "Beat whenever you can, with runs, triples and bombs."
    also = "跑得快, Run Fast, Paodekuai, 关牌, 關牌, Guan Pai"
    felt: Felt = "slate"
    memory_type = PaoDeKuaiMemory
    actions = frozenset({Play, Pass, JoinMatch, LeaveMatch})
    option_schema = DECLARED

    def build_rules(self, options: Options) -> PaoDeKuaiRules:
        """Return Pao De Kuai's rules for these options, from a cache."""
        return rules_of(options)

    def deck(self, options: Options, count: int) -> Cards:
        """Return the deck of this number of players, sorted from the lowest rank."""
        return table.DECKS[table.deck_key(options, count)]

    # Before a hand -----------------------------------------------------------------------------------------------

    def dealt_card_count(self, match: MatchContext, total: int) -> int:
        """Return the number of dealt cards; with fewer players others stay out of the hand."""
        count = len(match.seats)
        return count * table.CARDS_EACH[table.deck_key(match.options, count)]

    # After a hand ------------------------------------------------------------------------------------------------

    def finish_hand(self, match: MatchContext, hand: HandState) -> HandConclusion:
        """Return the results of a finished hand."""
        standing, memory = rules_of(match.options).standing(hand), memory_of(hand)
        finished = payments.HandToPay(standing, hand.cards, memory.played, memory.bombs, memory.ten_by, memory.liable)
        reasons = payments.point_reasons(match.options, finished)
        result = HandResult.from_reasons(hand.dealer, standing, {}, tuple(hand.cards), reasons)
        return HandConclusion(result, hand.seats, standing)
