"""Tien Len's rules for the game loop, derived from the options of one match.

`TienLenRules` is built once from the options; the files of the sections implement each option.
"""

from collections.abc import Iterator, Sequence

from app.engine.base.caching import weakly_memoized
from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.base.options import Options
from app.engine.cards.actions import Play
from app.engine.cards.cards import Card, Cards, describe_cards
from app.engine.cards.deal_order import find_holder
from app.engine.climbing.combinations import Combination
from app.engine.climbing.effects import Effect, EmitEvent, SetMemory
from app.engine.climbing.hand import begin_play, can_play
from app.engine.climbing.rule_hooks import (
    BAN_LIFTED,
    LEAD_PASSED,
    ClimbingRules,
    HandState,
    standing_by_cards_left,
)
from app.engine.climbing.state import PlayedCombination
from app.engine.climbing.suggestion_data import Suggestion
from app.engine.display.events import GameEvent, GameEventType
from app.engine.match.hand import HandTransition

from . import blocking_rule, instant_wins, play, table
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


class TienLenRules(ClimbingRules):
    """Tien Len's rules in one match, derived from its options; the game loop asks them each question."""

    barring_rule = play.PASSING.id
    low_card_rule = table.LOW_CARD_LEAD.id
    direction_is_fixed = True
    suits_count = True

    def __init__(self, options: Options) -> None:
        self.options = options
        self.judge = TienLenJudge(options)
        self.direction = table.DIRECTIONS[options[table.DIRECTION]]
        self.find_leader = table.LEADER_BY_OPTION[options[table.STARTER]]
        self.find_gifts = table.GIFTS_BY_OPTION[options[table.EXCHANGE]]
        self.low_card_lead = options[table.LOW_CARD_LEAD]
        self.pass_bars_player = options[play.PASSING] == "out"
        self.interruption_rule = None if options[INTERRUPTIONS] == "none" else INTERRUPTIONS.id
        self.barred_may_interrupt = self.interruption_rule is not None
        self.waiting_players_idle = self.interruption_rule is None
        self.bans_last_twos = options[play.NO_LAST_TWOS]
        self.can_refuse_plays = self.bans_last_twos or self.low_card_lead == "alone"
        self.is_hand_over = play.HAND_OVER_BY_OPTION[options[play.PLAY_ON]]
        self.instant_wins = options[instant_wins.INSTANT_WINS]
        self.instant_points = options[instant_wins.INSTANT_POINTS]
        self.by_cards = not self.judge.chops.depends_on_trick
        self.by_worth = self.judge.combinations.suits_are_free

    # Combinations ------------------------------------------------------------------------------------------------

    def suits_low_to_high(self, hand: HandState) -> str:
        """Return the suits from spades to hearts."""
        return ORDER.suits

    def exchange_value(self, card: Card) -> int:
        """Return the card's position in the order of Tien Len: no two cards are equal."""
        return ORDER.index_by_card[card]

    def deck(self) -> Cards:
        """Return Tien Len's deck of 52 cards, sorted from the lowest."""
        return ORDER.deck

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

    def rule_forbidding_combination(self, hand: HandState, cards: Cards) -> str | None:
        """Return the id of the option by which these cards form no combination, or None."""
        return blocking_rule.find_rule_against_combination(self.options, cards)

    def rule_forbidding_beating(self, hand: HandState, by: str, combination: Combination) -> str | None:
        """Return the id of the option by which the combination does not beat the table, or None."""
        return blocking_rule.find_rule_against_beating(self.options, combination.cards, hand.trick.plays)

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

    def start_play(self, hand: HandState, events: tuple[GameEvent, ...]) -> HandTransition[HandState]:
        """Begin the play of a hand: the leader by the last hand leads, or the holder of the lowest card."""
        memory = memory_of(hand)
        if memory.leader is not None:
            return begin_play(hand, memory.leader, events)
        low = ORDER.lowest_card(card for cards in hand.cards.values() for card in cards)
        if self.low_card_lead != "free":
            hand = hand.replace(memory=memory.but(low=low))
        return begin_play(hand, find_holder(hand.cards, low), events)

    def after_exchange(self, hand: HandState) -> HandTransition[HandState]:
        """Begin the play of a hand after the exchange."""
        return self.start_play(hand, ())

    def required_lead_card(self, hand: HandState, by: str) -> Card | None:
        """Return the lowest card if the first lead of the hand must contain it and this player holds it, else None."""
        low = memory_of(hand).low
        return low if low in hand.cards[by] else None

    def may_pass(self, hand: HandState, by: str) -> bool:
        """Return whether the player may pass: a leader only with a last card that may not be led [TIEN-15]."""
        return hand.play_to_beat is not None or (len(hand.cards[by]) == 1 and not can_play(hand, by))

    def after_lead_passed(self, hand: HandState, by: str) -> HandTransition[HandState]:
        """Return the hand after a leader passed: the next player leads.

        If all players had to pass in turn, the ban on last plays with twos is lifted.
        """
        memory, following = memory_of(hand), hand.next_player_with_cards(by)
        assert following is not None, "a hand with a ban has a second player"
        passes = memory.lead_passes + 1
        lifted = passes >= len(hand.players_with_cards())
        memory = memory.but(lead_passes=0 if lifted else passes, ban_lifted=memory.ban_lifted or lifted)
        events = (LEAD_PASSED(by, leads=following), *([BAN_LIFTED(None, play.NO_LAST_TWOS.id)] if lifted else ()))
        return HandTransition(hand.replace(to_act=(following,), memory=memory), events)

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

    # The end -----------------------------------------------------------------------------------------------------

    def has_hand_ended(self, hand: HandState) -> bool:
        """Return whether the hand is over: one player is out or, with `play_on`, at most one has cards."""
        return self.is_hand_over(hand)

    def standing(self, hand: HandState) -> tuple[str, ...]:
        """Return the players who are out, in order; once the hand is over, then the others by fewest cards."""
        return standing_by_cards_left(hand)


@weakly_memoized
def rules_of(options: Options) -> TienLenRules:
    """Return Tien Len's rules for these options; the same object for equal options while it is in use."""
    return TienLenRules(options)
