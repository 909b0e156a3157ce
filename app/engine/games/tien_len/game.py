"""Tien Len as a `Game`: start and results of a hand, and its options."""

from app.engine.base.options import Options, OptionSchema
from app.engine.climbing.exchange import Gift
from app.engine.climbing.hand import win_at_deal
from app.engine.climbing.low_card.game import LowCardGame
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import GameEvent
from app.engine.display.table_display import Felt
from app.engine.match.context import MatchContext
from app.engine.match.hand import HandConclusion, HandResult, HandTransition

from . import chops, combinations, instant_wins, payments, play, table
from .hand_memory import TienLenMemory, memory_of
from .presets import BASICS, PRESETS
from .questions import QUESTIONS
from .rules import TienLenRules, rules_of
from .short_rules import SHORT_RULES

DECLARED = OptionSchema(
    sections=(
        table.SECTION,
        combinations.SECTION,
        chops.SECTION,
        instant_wins.SECTION,
        play.SECTION,
        payments.SECTION,
    ),
    presets=PRESETS,
    conflicts=(*combinations.CONFLICTS, *chops.CONFLICTS, *payments.CONFLICTS),
    zero_sum=payments.ZERO_SUM,
    short_rules=SHORT_RULES,
    basics=BASICS,
    questions=QUESTIONS,
    source="pagat.com",
)
WON_AT_ONCE = "won_at_once"
"""Memory key: whether the last hand was won by the cards dealt, so that its standing does not count."""


class TienLen(LowCardGame):
    """The game object of Tien Len: its options, deals, start and results of a hand. It holds no state."""

    key = "tien_len"
    name = "Tien Len"
    sentence = "Play sets and runs, and chop twos with four of a kind or pairs in a row."
    also = "Tiến lên, Thirteen, 13, Killer, Killer 13, Viet Cong, VC, Vietnamese Cards, 前进"
    felt: Felt = "green"
    memory_type = TienLenMemory
    option_schema = DECLARED

    def build_rules(self, options: Options) -> TienLenRules:
        """Return Tien Len's rules for these options, from a cache."""
        return rules_of(options)

    # Before a hand -----------------------------------------------------------------------------------------------

    def dealt_card_count(self, match: MatchContext, total: int) -> int:
        """Return the number of dealt cards; with two or three players others stay out of the hand."""
        count = len(match.seats)
        return count * table.cards_per_player(match.options, count)

    def next_leader(self, match: MatchContext) -> str | None:
        """Return who leads the next hand by the result of the last one; None if the lowest card decides."""
        return rules_of(match.options).find_leader(_standing_that_counts(match))

    def next_gifts(self, match: MatchContext) -> tuple[Gift, ...]:
        """Return the gifts before the next hand; none if the exchange is off or the last hand was won at once."""
        return rules_of(match.options).find_gifts(_standing_that_counts(match))

    def start_hand(
        self, match: MatchContext, hand: HandState, events: tuple[GameEvent, ...]
    ) -> HandTransition[HandState]:
        """Return the hand after the deal: the cards of a player may win at once [TIEN-12]."""
        won = rules_of(match.options).find_instant_win(hand, first_hand=match.dealt == 0)
        if won is None or won.by is None:
            return super().start_hand(match, hand, events)
        return win_at_deal(hand.replace(memory=memory_of(hand).but(instant_win=True)), won.by, (*events, won))

    # After a hand ------------------------------------------------------------------------------------------------

    def finish_hand(self, match: MatchContext, hand: HandState) -> HandConclusion:
        """Return the results of a finished hand, and that the lowest card leads after an instant win."""
        rules, memory = rules_of(match.options), memory_of(hand)
        standing = rules.standing(hand)
        if memory.instant_win:
            reasons = payments.instant_win_reasons(standing, rules.instant_points)
        else:
            finished = payments.PlayedHand(standing, hand.cards, memory.chops, memory.idle)
            reasons = payments.point_reasons(match.options, finished, rules.judge.combinations)
        result = HandResult.from_reasons(hand.dealer, standing, {}, tuple(hand.cards), reasons)
        lasting = {WON_AT_ONCE: True} if memory.instant_win else {}
        return HandConclusion(result, hand.seats, standing, memory=lasting)


def _standing_that_counts(match: MatchContext) -> tuple[str, ...]:
    """Return the standing that counts for the next hand; empty in the first hand and after an instant win."""
    return () if match.memory.get(WON_AT_ONCE) else match.hierarchy
