"""Big Two's rules for the game loop, derived from the options of one match.

`BigTwoRules` is built once from the options; the files of the sections implement each option.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from app.engine.base.caching import weakly_memoized
from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate, TranslatableMessage, join_with_or
from app.engine.base.options import Options
from app.engine.cards.cards import Cards, describe_cards
from app.engine.climbing.combinations import SINGLE, Combination
from app.engine.climbing.effects import Effect, EmitEvent, SetMemory
from app.engine.climbing.low_card.rules import DIRECTION_BY_OPTION, LowCardRules
from app.engine.climbing.rule_hooks import (
    LAST_CARDS,
    LIABLE,
    HandState,
    next_player_about_to_win,
)
from app.engine.climbing.state import PlayedCombination
from app.engine.climbing.suggestion_data import KindSuggestion, Suggestion, single_card_suggestion
from app.engine.display.events import GameEventType
from app.engine.display.table_display import Badge
from app.engine.games.big_two import combinations, play, scoring, short_tables
from app.engine.games.big_two.hand_memory import BigTwoMemory, memory_of
from app.engine.match.hand import HandTransition

from . import deal as dealing
from .combinations import DRAGON_WINNER_BY_OPTION, BigTwoCombinations
from .deal import LEAD_LOW_CARD
from .kinds import HONOUR_KINDS, SMALL_KINDS

YOUR_HIGHEST = MessageTemplate("big_two.your_highest", "{card}, your highest")
OUT_OF_TURN = MessageTemplate("big_two.out_of_turn", "{turn} Out of turn, play only {honours}.")

HONOUR = GameEventType("honour", "{by} plays an honour.", you="You play an honour.", stood_out="honour")
DRAGON = GameEventType(
    "dragon", "A dragon! {by} wins at once.", you="A dragon! You win at once.", tone="great", stood_out="dragon"
)


class BigTwoRules(LowCardRules):
    """Big Two's rules in one match, derived from its options; the game loop asks them each question."""

    barring_rule = play.PASSING.id
    low_card_rule = LEAD_LOW_CARD.id
    ban_rule = play.NO_WIN_ON.id
    by_worth = True
    suits_count = True
    values_that_allow_combinations = (
        (combinations.TRIPLES, (True,)),
        (combinations.FLUSHES, (True,)),
        (combinations.QUADS, ("alone", "with_card")),
        (combinations.STRAIGHT_FLUSH, ("five", "seven")),
        (combinations.STRAIGHTS, tuple(combinations.STRAIGHT_ORDERS)),
    )
    values_that_allow_beating = (
        (combinations.FULL_HOUSE, ("over_straight",)),
        (combinations.HONOURS, ("beat_all",)),
        (combinations.QUADS_OVER, (False, True)),
        (combinations.QUADS, ("alone",)),
        (combinations.STRAIGHTS, tuple(combinations.STRAIGHT_ORDERS)),
        (combinations.FLUSHES_BY, tuple(combinations.FLUSH_STRENGTHS)),
        (dealing.SUIT_ORDER, dealing.SUIT_ORDERS),
    )

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.card_order = dealing.card_order_for(options)
        self.direction_of_hand = DIRECTION_BY_OPTION[options[dealing.DIRECTION]]
        self.first_card_steps = dealing.FIRST_CARD_STEPS[options[dealing.FIRST_CARD]]
        self.find_starter = dealing.STARTER_BY_OPTION[options[dealing.STARTER]]
        self.find_dealer = dealing.DEALER_BY_OPTION[options[dealing.STARTER]]
        self.memory_for_next_hand = dealing.MEMORY_FOR_NEXT_HAND[options[dealing.STARTER]]
        self.hands_per_match = options[dealing.DEALS]
        self.target_points = options[scoring.TARGET]
        self.combination_rules = BigTwoCombinations(options, self.card_order)
        self.pass_bars_player = play.PASSING_BARS[options[play.PASSING]]
        self.owner_goes_on = play.OWNER_GOES_ON[options[play.PASSING]]
        self.is_banned_card = partial(play.BANNED_CARD_BY_OPTION[options[play.NO_WIN_ON]], self.combination_rules)
        self.interruption_rule = (
            combinations.HONOURS.id if self.combination_rules.honours_playable_out_of_turn else None
        )
        self.waiting_players_idle = self.interruption_rule is None
        self.can_refuse_plays = options[play.NO_WIN_ON] != "none" or options[play.LAST_CARD_DEFENCE] == "required"
        self.last_card_defence = play.DEFENCES[options[play.LAST_CARD_DEFENCE]](self.combination_rules)
        self.play_on = options[play.PLAY_ON]
        self.announced_card_count = options[play.ANNOUNCE]
        self.find_dragon_winner = DRAGON_WINNER_BY_OPTION[options[combinations.DRAGON]]
        self.must_lead_low = options[dealing.LEAD_LOW_CARD]
        self.take_odd_card = short_tables.odd_card_handler(options)
        self.tribute_gifts = short_tables.TRIBUTE_GIFTS_BY_OPTION[options[short_tables.TRIBUTE]]
        self.draw_on_pass = short_tables.DrawOnPass.for_options(options, self.card_order)
        self.newcomer_points = scoring.NEWCOMER_POINTS_BY_OPTION[options[scoring.NEWCOMER_POINTS]]

    # Combinations ------------------------------------------------------------------------------------------------

    def readings(self, hand: HandState, cards: Cards) -> Sequence[Combination]:
        """Return the combination that these cards form in Big Two, in a sequence with at most one reading."""
        return self.combination_rules.readings(cards)

    def playable_combinations(self, hand: HandState, held: Cards) -> Iterator[Sequence[Combination]]:
        """Yield every combination of the held cards that may be led in Big Two, smallest first.

        If there is a play to beat, yield those that beat it.
        """
        table = hand.play_to_beat
        return (
            self.combination_rules.possible_leads(held)
            if table is None
            else self.combination_rules.possible_answers(held, table.combination)
        )

    def beats(self, hand: HandState, by: str, combination: Combination) -> bool:
        """Return whether a combination beats the table in Big Two: higher of its kind, or of a kind allowed on it."""
        assert hand.play_to_beat is not None
        return self.combination_rules.beats(combination, hand.play_to_beat.combination)

    def lead_suggestions(self, hand: HandState, by: str) -> list[Suggestion]:
        """Return suggestions of what a player of Big Two may lead, after a refused play.

        Singles are limited to the highest card where the next player's last card demands it.
        """
        return self._limit_singles_to_required(hand, by, self.combination_rules.suggested_leads())

    def beating_suggestions(self, hand: HandState, by: str) -> list[Suggestion]:
        """Return suggestions of what beats the table in Big Two, after a refused play; out of turn, only honours.

        Honours are four of a kind and straight flushes.
        """
        assert hand.play_to_beat is not None
        found = self.combination_rules.suggested_answers(
            hand.play_to_beat.combination, honours_only=by != hand.player_to_play
        )
        return self._limit_singles_to_required(hand, by, found)

    def _limit_singles_to_required(self, hand: HandState, by: str, found: list[KindSuggestion]) -> list[Suggestion]:
        """Return the suggestions `found`, with singles limited to the card that the next player's last card demands.

        They stay as they are if any single is allowed.
        """
        single, only = SINGLE, self.last_card_defence.required_single(hand, by)
        if only is None:
            return [*found]
        highest = single_card_suggestion(YOUR_HIGHEST(card=describe_cards((only,))), [only])
        reading = self.combination_rules.read_combination((only,))
        assert reading is not None, "a card of the deck is a single"
        return [
            highest if one.kinds == (single,) else one for one in found if one.kinds != (single,) or one.covers(reading)
        ]

    def can_beat_with(self, hand: HandState, by: str, cards: Cards) -> bool:
        """Return whether cards beat the table in Big Two, both read by these rules, which other options may have."""
        assert hand.play_to_beat is not None
        new = self.combination_rules.read_combination(cards)
        on = self.combination_rules.read_combination(hand.play_to_beat.combination.cards)
        return new is not None and on is not None and self.combination_rules.beats(new, on)

    # Out of turn -------------------------------------------------------------------------------------------------

    def badges(self, hand: HandState) -> Iterator[Badge]:
        yield from super().badges(hand)
        yield from short_tables.stock_signs(memory_of(hand).stock)

    def can_play_out_of_turn(self, hand: HandState, by: str, combination: Combination) -> bool:
        """Return whether the combination may be played out of turn in Big Two.

        By an option, honours (four of a kind, straight flushes) may.
        """
        return (
            self.combination_rules.honours_playable_out_of_turn and combination.kind in self.combination_rules.honours
        )

    def turn_message(self, hand: HandState) -> TranslatableMessage:
        """Return the message about whose turn it is in Big Two, with the honours that others may play, if they may."""
        sentence = super().turn_message(hand)
        if not self.combination_rules.honours_playable_out_of_turn:
            return sentence
        return OUT_OF_TURN(turn=sentence, honours=join_with_or(self.combination_rules.honour_names()))

    def out_of_turn_plays(self, hand: HandState, by: str) -> Iterator[Cards]:
        """Yield this player's honours that beat the table, if Big Two's options allow them out of turn.

        Honours are four of a kind and straight flushes.
        """
        if not self.combination_rules.honours_playable_out_of_turn:
            return iter(())
        assert hand.play_to_beat is not None
        on, honours = hand.play_to_beat.combination, self.combination_rules.honours
        return (honour.cards for (honour,) in self.combination_rules.possible_answers(hand.cards[by], on, honours))

    # Leading -----------------------------------------------------------------------------------------------------

    def may_pass(self, hand: HandState, by: str) -> bool:
        """Return whether the player of Big Two may pass.

        A leader may pass only if the last card may not be led (BIG-20), other players unless the next player's last
        card forbids it (BIG-19).
        """
        if hand.play_to_beat is not None:
            return self.last_card_defence.can_pass(hand, by)
        return super().may_pass(hand, by)

    def pass_refusal(self, hand: HandState, by: str) -> tuple[TranslatableMessage, str | None]:
        """Return why passing is forbidden in Big Two, and the rule's id.

        Either the player leads, or the next player has one card and the player's highest card beats the table.
        """
        if hand.play_to_beat is None:
            return super().pass_refusal(hand, by)
        following = next_player_about_to_win(hand, by)
        assert following is not None, "else there is no duty"
        return play.ONE_CARD_LEFT(name=following), play.LAST_CARD_DEFENCE.id

    def after_lead_passed(self, hand: HandState, by: str) -> HandTransition[HandState]:
        """Return the hand after a leader of Big Two passed: nobody is liable any more for letting this player win."""
        memory = memory_of(hand)
        return super().after_lead_passed(
            hand.replace(memory=memory.but(offences=_offences_not_against(memory, by))), by
        )

    # Last cards --------------------------------------------------------------------------------------------------

    def play_refusal(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        """Return why Big Two's rules refuse a play, although it could be led or beats the table; None if they do not.

        Some cards may not win the hand, and a next player with one card may demand the highest single.
        """
        return play.find_ban_error(
            hand, by, combination, self.is_banned_card
        ) or self.last_card_defence.find_play_error(hand, by, combination)

    def may_refuse(self, hand: HandState, by: str, size: int) -> bool:
        """Return whether the ban on winning cards may refuse a play of `size` cards; it concerns only single cards.

        Plays that a next player's last card forbids are never suggested (`_limit_singles_to_required`).
        """
        return size == 1 and play.can_ban_winning_card(hand, by)

    # Effects -----------------------------------------------------------------------------------------------------

    def next_player_after_silence(self, hand: HandState) -> str | None:
        """Return the player of the last play if an option lets them go on alone in the trick; None ends the trick."""
        table = hand.play_to_beat
        assert table is not None
        return table.by if self.owner_goes_on and hand.cards[table.by] else None

    def effects_of_play(self, hand: HandState, laid: PlayedCombination) -> Sequence[Effect]:
        """Return the effects of a play in Big Two: events for honours and last cards, and the updated memory.

        The memory keeps the winning play, players who let the next player win, and the player who has to pay. `laid` is
        the play, already on the table of `hand`.
        """
        by, memory, effects = laid.by, memory_of(hand), list[Effect]()
        plays, left = hand.trick.plays, len(hand.cards[by])
        if laid.combination.kind in HONOUR_KINDS and (laid.out_of_turn or _is_on_small_combination(plays)):
            effects.append(EmitEvent(HONOUR(by, combinations.HONOURS.id)))
        if 0 < left <= self.announced_card_count:
            effects.append(EmitEvent(LAST_CARDS(by, play.ANNOUNCE.id, count=left)))
        if hand.out == (by,):
            memory = memory.but(last_play=laid.combination, liable=_player_who_let_win(memory, by))
            if memory.liable is not None:
                effects.append(EmitEvent(LIABLE(memory.liable, play.LAST_CARD_DEFENCE.id, winner=by)))
        memory = memory.but(low=None, lead_passes=0, offences=self._offences_after_turn(hand, by, laid))
        return effects if memory == memory_of(hand) else (*effects, SetMemory(memory))

    def after_pass(self, hand: HandState, by: str) -> HandTransition[HandState]:
        """Return the hand of Big Two after a pass: the player may draw cards, by an option.

        It is remembered if the pass lets the next player win with one card. Nothing is drawn if the player of the last
        play passes, which ends the trick.
        """
        table, memory = hand.play_to_beat, memory_of(hand)
        offences = self._offences_after_turn(hand, by, None)
        if offences != memory.offences:
            hand = hand.replace(memory=memory.but(offences=offences))
        if table is None or table.by == by:
            return HandTransition(hand)
        return HandTransition(*self.draw_on_pass.draw_cards(hand, by))

    def after_trick(self, hand: HandState, trick: Sequence[PlayedCombination]) -> HandTransition[HandState]:
        """Return the hand of Big Two after a trick; an honour that nobody beat is remembered for scoring.

        Honours are four of a kind and straight flushes.
        """
        last = trick[-1]
        if last.combination.kind not in HONOUR_KINDS:
            return HandTransition(hand)
        memory = memory_of(hand)
        return HandTransition(hand.replace(memory=memory.but(unbeaten=(*memory.unbeaten, last))))

    def _offences_after_turn(
        self, hand: HandState, by: str, laid: PlayedCombination | None
    ) -> tuple[tuple[str, str], ...]:
        """Return the pairs (player, next player they let win) of `BigTwoMemory.offences` after a play or pass of `by`.

        `laid` is the play; None for a pass. Pairs in which `by` was the player who might win are dropped, as this turn
        is over. A pair is added if `by` has now let the next player, who has one card, win.
        """
        open_doors = _offences_not_against(memory_of(hand), by)
        if hand.out or not self.last_card_defence.lets_next_player_win(hand, by, laid):
            return open_doors
        following = next_player_about_to_win(hand, by)
        assert following is not None
        return (*open_doors, (by, following))


def _is_on_small_combination(plays: Sequence[PlayedCombination]) -> bool:
    return len(plays) > 1 and plays[-2].combination.kind in SMALL_KINDS


def _player_who_let_win(memory: BigTwoMemory, winner: str) -> str | None:
    return next((name for name, towards in memory.offences if towards == winner), None)


def _offences_not_against(memory: BigTwoMemory, by: str) -> tuple[tuple[str, str], ...]:
    return tuple(offence for offence in memory.offences if offence[1] != by) if memory.offences else ()


@weakly_memoized
def rules_of(options: Options) -> BigTwoRules:
    """Return Big Two's rules for these options; the same object for equal options while it is in use."""
    return BigTwoRules(options)
