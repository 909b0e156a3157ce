"""Tien Len's rules for the game loop, derived from the options of one match.

`TienLenRules` is built once from the options; the files of the sections implement each option.
"""

from collections.abc import Iterator, Sequence

from app.engine.base.caching import weakly_memoized
from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.base.options import Options
from app.engine.cards.actions import Play
from app.engine.cards.cards import Cards, describe_cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.effects import Effect, EmitEvent, SetMemory
from app.engine.climbing.low_card.rules import DIRECTION_BY_OPTION, LowCardRules
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.climbing.suggestion_data import Suggestion
from app.engine.display.events import GameEvent, GameEventType

from . import chops, combinations, instant_wins, play, table
from .chops import FOUR_PAIRS, INTERRUPTIONS, can_be_chopped, chop_level, is_chop
from .hand_memory import Chop, memory_of
from .judging import TienLenJudge
from .table import ORDER

OUT_OF_TURN = MessageTemplate("tien_len.out_of_turn", "{turn} Out of turn, play only chops.")
LOW_CARD_ALONE = MessageTemplate("tien_len.low_card_alone", "The first play must be the {card} alone.")
CHOP = GameEventType(
    "chop",
    "A chop! {by} beats {to}.",
    you="A chop! You beat {to}.",
    to_you="A chop! {by} beats you.",
    tone="great",
    stood_out="chop",
    celebrated="cut",
)
INTERRUPTION_SIZE = 2 * (FOUR_PAIRS + 1)
"""The number of cards in four pairs in a row."""


class TienLenRules(LowCardRules):
    """Tien Len's rules in one match, derived from its options; the game loop asks them each question."""

    barring_rule = play.PASSING.id
    low_card_rule = table.LOW_CARD_LEAD.id
    ban_rule = play.NO_LAST_TWOS.id
    suits_count = True
    card_order = ORDER
    values_that_allow_combinations = ((combinations.PAIR_RUNS, (True,)), (combinations.SUITS, ("any",)))
    values_that_allow_beating = (
        (combinations.SUITS, ("any",)),
        (combinations.SUITED_RUNS, ("plain",)),
        (chops.FOUR_CHOPS, ("two_twos",)),
        (chops.TRIPLE_CHOP, (True,)),
        (chops.CHOPS_ON_CHOPS, ("always",)),
    )

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.judge = TienLenJudge(options)
        self.direction_of_hand = DIRECTION_BY_OPTION[options[table.DIRECTION]]
        self.winner_leads = options[table.STARTER] == "winner"
        self.find_gifts = table.GIFTS_BY_OPTION[options[table.EXCHANGE]]
        self.low_card_lead = options[table.LOW_CARD_LEAD]
        self.must_lead_low = self.low_card_lead != "free"
        self.pass_bars_player = options[play.PASSING] == "out"
        self.interruption_rule = None if options[INTERRUPTIONS] == "none" else INTERRUPTIONS.id
        self.barred_may_interrupt = self.interruption_rule is not None
        self.waiting_players_idle = self.interruption_rule is None
        self.bans_last_twos = options[play.NO_LAST_TWOS]
        self.can_refuse_plays = self.bans_last_twos or self.low_card_lead == "alone"
        self.play_on = options[play.PLAY_ON]
        self.instant_wins = options[instant_wins.INSTANT_WINS]
        self.instant_points = options[instant_wins.INSTANT_POINTS]
        self.by_cards = not self.judge.chops.depends_on_trick
        self.by_worth = self.judge.combinations.suits_are_free

    # Combinations ------------------------------------------------------------------------------------------------

    def readings(self, hand: HandState, cards: Cards) -> Sequence[Combination]:
        """Return the combination that these cards form, in a sequence with at most one reading."""
        return self.judge.combinations.readings(cards)

    def playable_combinations(self, hand: HandState, held: Cards) -> Iterator[Sequence[Combination]]:
        """Yield every combination of the held cards that may be led, or that beats the table, smallest first."""
        plays = hand.trick.plays
        found = self.judge.possible_answers(held, plays) if plays else self.judge.possible_leads(held)
        return ((one,) for one in found)

    def beats(self, hand: HandState, by: str, combination: Combination) -> bool:
        """Return whether a combination beats the table: a higher one of its kind, or a chop."""
        return self.judge.beats(combination, hand.trick.plays)

    def lead_suggestions(self, hand: HandState, by: str) -> list[Suggestion]:
        """Return suggestions of what a player may lead, after a refused play."""
        return [*self.judge.suggested_leads()]

    def beating_suggestions(self, hand: HandState, by: str) -> list[Suggestion]:
        """Return suggestions of what beats the table, after a refused play; out of turn, only chops."""
        return [*self.judge.suggested_answers(hand.trick.plays, interrupting=by != hand.player_to_play)]

    # Out of turn -------------------------------------------------------------------------------------------------

    def can_play_out_of_turn(self, hand: HandState, by: str, combination: Combination) -> bool:
        """Return whether the combination is a chop that is allowed out of turn and after a pass [TIEN-11]."""
        return self.judge.chops.may_interrupt(chop_level(combination))

    def turn_message(self, hand: HandState) -> TranslatableMessage:
        """Return the message about whose turn it is, with the chops that others may play, if they may."""
        turn = super().turn_message(hand)
        return turn if self.interruption_rule is None else OUT_OF_TURN(turn=turn)

    def out_of_turn_plays(self, hand: HandState, by: str) -> Iterator[Cards]:
        """Yield this player's chops that beat the table and are allowed out of turn."""
        found = self.judge.possible_answers(hand.cards[by], hand.trick.plays, interrupting=True)
        return (one.cards for one in found if self.play_refusal(hand, by, one) is None)

    def possible_interrupters(self, hand: HandState) -> tuple[str, ...]:
        """Return the players who might hold four pairs in a row, after a play that these beat.

        Lower chops are too frequent: pages would wait for them after every two.
        """
        table_play = hand.play_to_beat
        if self.interruption_rule is None or table_play is None or not can_be_chopped(table_play.combination):
            return ()
        return tuple(
            name
            for name in hand.players_with_cards()
            if name not in (table_play.by, hand.player_to_play) and len(hand.cards[name]) >= INTERRUPTION_SIZE
        )

    # Before the first lead ---------------------------------------------------------------------------------------

    def find_instant_win(self, hand: HandState, *, first_hand: bool) -> GameEvent | None:
        """Return the event that a player wins at once with the cards dealt [TIEN-12]; None if nobody does."""
        return instant_wins.find_instant_win(self.instant_wins, hand, first_hand=first_hand)

    # Refusals ----------------------------------------------------------------------------------------------------

    def play_refusal(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        """Return why a play is refused although it leads or beats: the low card alone, or a last play with a two."""
        low = self.required_lead_card(hand, by) if self.low_card_lead == "alone" else None
        if low is not None and combination.size > 1:
            card = describe_cards((low,))
            return RuleError("must_play", LOW_CARD_ALONE(card=card), table.LOW_CARD_LEAD.id, (Play((low,)),))
        return play.find_last_twos_error(hand, by, combination) if self.bans_last_twos else None

    def may_refuse(self, hand: HandState, by: str, size: int) -> bool:
        """Return whether a play of `size` cards may be refused: the last play, or a lead by the low card alone."""
        alone = self.low_card_lead == "alone" and size > 1 and self.required_lead_card(hand, by) is not None
        return alone or super().may_refuse(hand, by, size)

    # Effects -----------------------------------------------------------------------------------------------------

    def effects_of_play(self, hand: HandState, laid: PlayedCombination) -> Sequence[Effect]:
        """Return the effects of a play: the event of a chop, and the updated memory.

        The memory keeps chops, players who have played, and those who have not when the first is out.
        """
        memory, plays, effects = memory_of(hand), hand.trick.plays, list[Effect]()
        if is_chop(plays):
            chopped = plays[-2]
            effects.append(EmitEvent(CHOP(laid.by, to=chopped.by)))
            chop = Chop(chopped.by, laid.by, chopped.combination, in_chain=is_chop(plays[:-1]))
            memory = memory.but(chops=(*memory.chops, chop))
        if laid.by not in memory.played:
            memory = memory.but(played=(*memory.played, laid.by))
        if hand.out == (laid.by,):
            memory = memory.but(idle=tuple(name for name in hand.seats if name not in memory.played))
        memory = memory.but(low=None, lead_passes=0)
        return effects if memory == memory_of(hand) else (*effects, SetMemory(memory))


@weakly_memoized
def rules_of(options: Options) -> TienLenRules:
    """Return Tien Len's rules for these options; the same object for equal options while it is in use."""
    return TienLenRules(options)
