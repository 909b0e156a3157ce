"""President's rules for the game loop: combines the answers of all sections and house rules.

`PresidentRules` is created once from the options of a match. It names no house rule. It holds the active ones,
grouped by the methods they override, so that a hand calls only these.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain

from app.engine.base.caching import weakly_memoized
from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate, TranslatableMessage, join_with_commas
from app.engine.base.options import Options
from app.engine.cards.actions import Action, Give, JoinMatch, LeaveMatch
from app.engine.cards.cards import Card, Cards, format_cards
from app.engine.climbing import hand as loop
from app.engine.climbing.combinations import Combination
from app.engine.climbing.effects import Effect, EndTrick
from app.engine.climbing.exchange import Exchange, announce_gifts
from app.engine.climbing.rule_hooks import ClimbingRules, HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.climbing.suggestion_data import Suggestion
from app.engine.display.events import DEALT, GameEvent
from app.engine.display.table_display import Badge, OwnFace, Panel, merge_player_displays, player_display
from app.engine.games.president import house, opening, society, trick
from app.engine.games.president.combinations import blocking_rule, order_line
from app.engine.games.president.combinations.beats import FOUR_OF_A_KIND, PresidentCombinations
from app.engine.games.president.combinations.card_powers import HIGH_THREE, SpadeThreeOnJoker
from app.engine.games.president.combinations.cards import HIGH, LOWEST, WILD, CardMeanings
from app.engine.games.president.combinations.requirements import PlayRequirement
from app.engine.games.president.house_rule import HouseRule, Judge, rules_overriding
from app.engine.match.context import COME_AND_GO_BETWEEN_HANDS
from app.engine.match.hand import HandTransition

from .judging import DefaultJudge

NAMED = {WILD: "", HIGH: "", LOWEST: "X", "b": "X", "r": "X", HIGH_THREE: "3"}
"""Names for players of the ranks that only this game has; other ranks are named as they are."""


NOT_NOW_BUT = {
    phase: MessageTemplate(f"president.not_now.{phase}", f"You can’t do that now. {what}")
    for phase, what in {
        "deal": "The cards are being dealt by hand.",
        "exchange": "Cards are being exchanged.",
        "play": "Cards are being played.",
        "over": "The hand is over.",
    }.items()
}
DEALT_TOO_FEW_FOR_GIFTS = MessageTemplate(
    "president.dealt_too_few_for_gifts", "A player was dealt too few cards to give in the exchange."
)
CALLS_ARE = MessageTemplate("president.calls_are", "These cards allow these calls: {calls}.")


class PresidentRules(ClimbingRules):
    """President's rules in one match, derived from its options; they ask each active house rule, too."""

    barring_rule = trick.PASSING.id
    low_card_rule = opening.LEAD_LOW_CARD.id

    def __init__(self, options: Options) -> None:
        self.options = options
        self.card_meanings = CardMeanings(options)
        self.combination_rules = PresidentCombinations(self.card_meanings, options)
        self.default_judge = DefaultJudge(self.combination_rules, options)
        self.opening = opening.LeadRules(self.card_meanings, options)
        self.pass_bars_player = trick.is_out_after_passing(options)
        self.single_round_tricks = trick.has_one_round_per_trick(options)
        self.keeps_pile = trick.is_pile_visible(options)
        self.parts = parts = house.build_active_rules(options, self.combination_rules)
        self._manual_deal_rules = rules_overriding(parts, HouseRule.continue_manual_deal)
        self._exchange_preparing_rules = rules_overriding(parts, HouseRule.prepare_exchange)
        self._exchange_continuing_rules = rules_overriding(parts, HouseRule.continue_exchange)
        self._trading_rules = rules_overriding(parts, HouseRule.players_still_trading)
        self._judging_rules = rules_overriding(parts, HouseRule.trick_judge)
        self._requirement_rules = rules_overriding(parts, HouseRule.play_requirement)
        self._call_rules = rules_overriding(parts, HouseRule.available_calls)
        self._must_play_rules = rules_overriding(parts, HouseRule.must_play_reason)
        self._trick_effect_rules = rules_overriding(parts, HouseRule.trick_effects)
        self._play_effect_rules = rules_overriding(parts, HouseRule.effects_of_play)
        self._trick_end_rules = rules_overriding(parts, HouseRule.find_trick_end)
        self._interruption_rules = rules_overriding(parts, HouseRule.can_interrupt_with)
        self._interrupter_rules = rules_overriding(parts, HouseRule.possible_interrupters)
        self._foul_rules = rules_overriding(parts, HouseRule.foul_effects)
        self._choice_rules = rules_overriding(parts, HouseRule.required_choices)
        self._refusing_rules = tuple(part for part in parts if part.may_refuse_plays)
        self.can_refuse_plays = bool(self._refusing_rules)
        self._skip_rules = rules_overriding(parts, HouseRule.skip_effects)
        self._going_out_rules = rules_overriding(parts, HouseRule.effects_of_going_out)
        self._sign_rules = rules_overriding(parts, HouseRule.signs)
        self._panel_rules = rules_overriding(parts, HouseRule.panels)
        self._waiting_rules = rules_overriding(parts, HouseRule.waiting_message)
        self._prompt_rules = rules_overriding(parts, HouseRule.player_prompt)
        self._trick_over_rules = rules_overriding(parts, HouseRule.after_trick)
        self.rules_with_own_view = rules_overriding(parts, HouseRule.own)
        """The rules that add to a player's private view."""
        self._pausing_rules = rules_overriding(parts, HouseRule.pause_reason)
        self._place_rules = rules_overriding(parts, HouseRule.adjust_places)
        self._action_listing_rules = rules_overriding(parts, HouseRule.legal_actions)
        self._action_rules = rules_overriding(parts, HouseRule.apply_action)
        self.off_turn_actions = tuple(action for part in parts for action in part.off_turn_actions)
        self.strong = format_cards(
            tuple(dict.fromkeys(card for power in self.combination_rules.powers for card in power.strong_cards()))
        )
        self.can_end_tricks = bool(self._trick_end_rules or self.combination_rules.powers)
        self.interruption_rule = next((part.switch.id for part in parts if part.allows_interruptions), None)
        self.waiting_players_idle = not (
            self.interruption_rule
            or self._action_listing_rules
            or self._prompt_rules
            or self.off_turn_actions
            or self.rules_with_own_view
        )
        """True if no rule adds anything private for players and none allows actions out of turn."""
        self.suits_count = (
            self.combination_rules.suits_matter
            or self.combination_rules.poker is not None
            or SpadeThreeOnJoker.role in self.combination_rules.power_by_role
            or bool(self.card_meanings.high_cards)
            or any(part.looks_at_suits for part in parts)
        )
        self.by_cards = not (self._judging_rules or self._requirement_rules)
        self.compares_by_rank_only = self.combination_rules.compares_by_rank_only and self.by_cards
        self.call_rule = self._call_rules[0].switch.id if self._call_rules else None

    # Cards -------------------------------------------------------------------------------------------------------

    def exchange_value(self, card: Card) -> float:
        return self.card_meanings.exchange_value(card)

    def ranks_low_to_high(self, hand: HandState) -> str:
        return self.card_meanings.ranks_low_to_high(inverted=hand.inverted)

    def suits_low_to_high(self, hand: HandState) -> str:
        suits = self.combination_rules.suits
        return suits[::-1] if hand.inverted else suits

    def single_card_order(self, hand: HandState) -> Sequence[str]:
        return order_line.single_card_order(self.card_meanings, inverted=hand.inverted)

    def special_cards(self, hand: HandState) -> Sequence[str]:
        spade_three = SpadeThreeOnJoker.role in self.combination_rules.power_by_role
        return order_line.special_cards(self.card_meanings, spade_three=spade_three, inverted=hand.inverted)

    def wild_ranks(self) -> str:
        return self.card_meanings.wild_ranks

    def equivalence_key(self, card: Card) -> Hashable:
        if self.combination_rules.suits_matter:
            return card
        return self.card_meanings.rank_of(card), card.rank, self.card_meanings.is_wild(card), card in self.strong

    def deck(self) -> Cards:
        return self.card_meanings.deck()

    def deck_ranks(self) -> str:
        return self.card_meanings.natural_ranks

    def reading_name(self, combination: Combination) -> str:
        return NAMED.get(combination.rank, combination.rank)

    # Legal plays -------------------------------------------------------------------------------------------------

    def find_judge(self, hand: HandState) -> Judge:
        """Return the judge of this trick, which decides what beats what.

        It is the first that an active house rule brings, or else the default judge.
        """
        for part in self._judging_rules:
            judge = part.trick_judge(hand)
            if judge is not None:
                return judge
        return self.default_judge

    def play_requirements(self, hand: HandState) -> list[PlayRequirement]:
        """Return the requirements that house rules add for every play in this trick."""
        return [demand for _, demand in self._requirements_by_rule(hand)]

    def _requirements_by_rule(self, hand: HandState) -> Iterator[tuple[HouseRule[object], PlayRequirement]]:
        for part in self._requirement_rules:
            demand = part.play_requirement(hand)
            if demand is not None:
                yield part, demand

    def readings(self, hand: HandState, cards: Cards) -> Sequence[Combination]:
        on = None if hand.play_to_beat is None else hand.play_to_beat.combination
        return self.find_judge(hand).readings(cards, on, inverted=hand.inverted)

    def candidate_plays(self, hand: HandState, held: Cards) -> Iterator[Cards]:
        """Yield choices of held cards that include all that may be played now, and few others.

        They contain the card that the lead must have, if any.
        """
        on = None if hand.play_to_beat is None else hand.play_to_beat.combination
        must = self.required_lead_card(hand, hand.to_act[0])
        return self.find_judge(hand).candidate_plays(held, on, inverted=hand.inverted, must=must)

    def playable_combinations(self, hand: HandState, held: Cards) -> Iterator[Sequence[Combination]]:
        if self.compares_by_rank_only and not self.card_meanings.has_wild(held):
            on = None if hand.play_to_beat is None else hand.play_to_beat.combination
            return self.combination_rules.playable_natural_sets(held, on, inverted=hand.inverted)
        return self._playable_readings(hand, held)

    def _playable_readings(self, hand: HandState, held: Cards) -> Iterator[Sequence[Combination]]:
        """Yield, for each choice of held cards that may be played now, the readings with which it leads or beats the
        table.

        A reading is one way to count cards as a combination. Other choices are left out. What all choices have in
        common is determined once, which is faster.
        """
        judge = self.find_judge(hand) if self._judging_rules else self.default_judge
        on, inverted = None if hand.play_to_beat is None else hand.play_to_beat.combination, hand.inverted
        demands = self.play_requirements(hand) if self._requirement_rules else ()
        if judge is self.default_judge:
            must = self.required_lead_card(hand, hand.to_act[0])
            found = self.combination_rules.candidate_readings(held, on, inverted=inverted, must=must)
        else:
            found = (judge.readings(cards, on, inverted=inverted) for cards in self.candidate_plays(hand, held))
        if on is None:
            yield from filter(None, found)
            return
        for some in found:
            good = [one for one in some if judge.beats(one, on, inverted=inverted)]
            for demand in demands:
                good = list(filter(demand.is_met, good))
            if good:
                yield good

    def beats(self, hand: HandState, by: str, combination: Combination) -> bool:
        table = hand.play_to_beat
        assert table is not None
        judge = self.find_judge(hand) if self._judging_rules else self.default_judge
        if not judge.beats(combination, table.combination, inverted=hand.inverted):
            return False
        return not self._requirement_rules or all(demand.is_met(combination) for demand in self.play_requirements(hand))

    def required_lead_card(self, hand: HandState, by: str) -> Card | None:
        return self.opening.required_lead_card(hand)

    def can_play_out_of_turn(self, hand: HandState, by: str, combination: Combination) -> bool:
        if self.interruption_rule is None or self.pause_refusal(hand):
            return False
        return any(part.can_interrupt_with(hand, combination) for part in self._interruption_rules)

    def out_of_turn_plays(self, hand: HandState, by: str) -> Iterator[Cards]:
        for cards in chain.from_iterable(part.interrupting_plays(hand, by) for part in self._interruption_rules):
            readings = self.readings(hand, cards)
            good = (one for one in readings if self.can_play_out_of_turn(hand, by, one))
            if any(self.play_refusal(hand, by, one) is None for one in good):
                yield cards

    def possible_interrupters(self, hand: HandState) -> tuple[str, ...]:
        return tuple([name for part in self._interrupter_rules for name in part.possible_interrupters(hand)])

    def turn_message(self, hand: HandState) -> TranslatableMessage:
        turn = super().turn_message(hand)
        for part in self._interruption_rules:
            turn = part.turn_message(turn) if part.allows_interruptions else turn
        return turn

    def possible_calls(self, hand: HandState, by: str, combination: Combination) -> Sequence[str]:
        return (
            [call for part in self._call_rules for call in part.available_calls(hand, combination)]
            if self._call_rules
            else ()
        )

    def may_pass(self, hand: HandState, by: str) -> bool:
        if hand.play_to_beat is None:
            return self.can_refuse_plays and not loop.can_play(hand, by)
        return not self._must_play_rules or not any(part.must_play_reason(hand, by) for part in self._must_play_rules)

    def play_refusal(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        return next(filter(None, (part.find_play_error(hand, by, combination) for part in self._refusing_rules)), None)

    def after_lead_passed(self, hand: HandState, by: str) -> HandTransition[HandState]:
        steps = (part.pass_lead(hand, by) for part in self._refusing_rules)
        return next(filter(None, steps), None) or super().after_lead_passed(hand, by)

    # Messages of refusals -----------------------------------------------------------------------------------------

    def pass_refusal(self, hand: HandState, by: str) -> tuple[TranslatableMessage, str | None]:
        reasons = (
            ()
            if hand.play_to_beat is None
            else ((part.must_play_reason(hand, by), part) for part in self._must_play_rules)
        )
        found = next(((why, part.switch.id) for why, part in reasons if why is not None), None)
        return found or super().pass_refusal(hand, by)

    def call_refusal_message(self, hand: HandState, by: str, combination: Combination) -> TranslatableMessage:
        possible = self.possible_calls(hand, by, combination)
        if possible:
            return CALLS_ARE(calls=join_with_commas(possible))
        return (
            self._call_rules[0].call_refused_message()
            if self._call_rules
            else super().call_refusal_message(hand, by, combination)
        )

    def lead_suggestions(self, hand: HandState, by: str) -> list[Suggestion]:
        return self.combination_rules.playable_kinds()

    def beating_suggestions(self, hand: HandState, by: str) -> list[Suggestion]:
        assert hand.play_to_beat is not None
        return self.find_judge(hand).suggested_plays(
            hand.play_to_beat.combination, self.play_requirements(hand), inverted=hand.inverted
        )

    def nothing_beats_message(self, hand: HandState) -> TranslatableMessage:
        return self.find_judge(hand).unbeatable_message() or super().nothing_beats_message(hand)

    def rule_forbidding_combination(self, hand: HandState, cards: Cards) -> str | None:
        return blocking_rule.find_rule_against_combination(self.options, cards, inverted=hand.inverted)

    def rule_forbidding_beating(self, hand: HandState, by: str, combination: Combination) -> str | None:
        assert hand.play_to_beat is not None
        judge, on = self.find_judge(hand), hand.play_to_beat.combination
        if not judge.beats(combination, on, inverted=hand.inverted):
            rule = judge.rule_against_beating(combination, on, inverted=hand.inverted)
            return self._rule_that_inverted(hand) if rule == FOUR_OF_A_KIND.id else rule
        return next(
            (part.switch.id for part, demand in self._requirements_by_rule(hand) if not demand.is_met(combination)),
            None,
        )

    def _rule_that_inverted(self, hand: HandState) -> str:
        """Return the id of the rule by which the order of ranks is inverted now, so that an error can name it."""
        if not hand.trick.turned and self.combination_rules.four_of_a_kind_effects:
            return FOUR_OF_A_KIND.id
        turned = "trick" if hand.trick.turned else "hand"
        return next((part.switch.id for part in self.parts if part.inverts_for == turned), FOUR_OF_A_KIND.id)

    def pause_refusal(self, hand: HandState) -> RuleError | None:
        for part in self._pausing_rules:
            reason = part.pause_reason(hand)
            if reason is not None:
                return RuleError("not_in_this_phase", reason, part.switch.id)
        return None

    def badges(self, hand: HandState) -> Sequence[Badge]:
        return [*super().badges(hand), *[sign for part in self._sign_rules for sign in part.signs(hand)]]

    def panels(self, hand: HandState) -> Sequence[Panel]:
        return [panel for part in self._panel_rules for panel in part.panels(hand)]

    def waiting_message(self, hand: HandState) -> TranslatableMessage | None:
        said = [words for part in self._waiting_rules if (words := part.waiting_message(hand)) is not None]
        return said[0] if said else None

    def private_display(self, hand: HandState, player: str) -> OwnFace:
        return (
            merge_player_displays(part.player_prompt(hand, player) for part in self._prompt_rules)
            if self._prompt_rules
            else player_display()
        )

    # Effects of a play -------------------------------------------------------------------------------------------

    def effects_of_play(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        if laid.combination.role:
            yield from self.combination_rules.power_announcements(hand.trick.plays)
        for part in self._trick_effect_rules:
            yield from part.trick_effects(hand, laid)
        if self.combination_rules.four_of_a_kind_effects:
            yield from self.combination_rules.revolution_effects(hand.trick.plays)
        for part in self._play_effect_rules:
            yield from part.effects_of_play(hand, laid)
        if not hand.cards[laid.by]:
            fouls = [effect for part in self._foul_rules for effect in part.foul_effects(hand, laid)]
            yield from fouls or self.effects_of_going_out(hand, laid.by)
        for part in self._choice_rules:
            yield from part.required_choices(hand, laid)
        if laid.ends:
            return
        if self.combination_rules.equal_play_skips:
            others = len(hand.players_with_cards()) - bool(hand.cards[laid.by])
            yield from self.combination_rules.equal_play_skip_effects(
                hand.trick.plays, inverted=hand.inverted, max_skipped=others
            )
        for part in self._skip_rules:
            yield from part.skip_effects(hand, laid)

    def trick_ending_effect(self, hand: HandState, laid: PlayedCombination) -> EndTrick | None:
        for part in self._trick_end_rules:
            ending = part.find_trick_end(hand, laid)
            if ending is not None:
                return ending
        return self.combination_rules.find_trick_end(laid)

    def effects_of_going_out(self, hand: HandState, name: str) -> Iterable[Effect]:
        return chain.from_iterable(part.effects_of_going_out(hand, name) for part in self._going_out_rules)

    def after_trick(self, hand: HandState, trick: Sequence[PlayedCombination]) -> HandTransition[HandState]:
        return next(
            filter(None, (part.after_trick(hand, trick) for part in self._trick_over_rules)), HandTransition(hand)
        )

    def standing(self, hand: HandState) -> tuple[str, ...]:
        places = super().standing(hand)
        for part in self._place_rules:
            places = part.adjust_places(hand, places)
        return places

    # From the deal to the first lead -----------------------------------------------------------------------------

    def start_hand(self, hand: HandState) -> HandTransition[HandState]:
        """Return the hand of President after the deal, advanced until a player must act, with events.

        That is in a deal by hand, in the exchange or before the first lead.
        """
        step = self._continue_deal(hand, ()) if hand.hierarchy else self._begin_play(hand, ())
        if step.hand.phase == "deal":
            return step
        return HandTransition(step.hand, (DEALT(hand.dealer), *step.events))

    def next_hand_events(self, hierarchy: tuple[str, ...]) -> tuple[GameEvent, ...]:
        """Return the exchange and the lead of President's next hand as events; `hierarchy` is best first.

        The exchange is left out if house rules may change it, and both if they may change the hierarchy in the deal.
        """
        if self._manual_deal_rules:
            return ()
        is_usual = not self._exchange_preparing_rules
        gifts = society.build_gifts(self.options, hierarchy) if is_usual else ()
        return (
            *announce_gifts(gifts),
            loop.announce_lead(opening.announced_leader(self.options, hierarchy), hierarchy),
        )

    def _continue_deal(self, hand: HandState, events: tuple[GameEvent, ...]) -> HandTransition[HandState]:
        """Return the hand waiting for the next step of a deal by hand, if a house rule asks for one.

        Else go on to the exchange. `events` are put first.
        """
        for part in self._manual_deal_rules:
            step = part.continue_manual_deal(hand, self._begin_exchange)
            if step is not None:
                return HandTransition(step.hand, (*events, *step.events))
        return self._begin_exchange(hand, events)

    def _begin_exchange(self, hand: HandState, events: tuple[GameEvent, ...] = ()) -> HandTransition[HandState]:
        """Return the hand in the exchange of President, or after it if nothing is owed; all players have their cards.

        House rules may hand out piles otherwise or add tasks. Raises `RuleError` if somebody was dealt too few cards
        for the gifts.
        """
        for part in self._exchange_preparing_rules:
            step = part.prepare_exchange(hand)
            hand, events = step.hand, (*events, *step.events)
        # Piles were dealt to the old seats; players who fell during the deal change seats now.
        seats = society.seats_for_next_hand(self.options, hand.seats, hand.hierarchy)
        cards = {name: tuple(sorted(held, key=self.card_sort_key)) for name, held in hand.cards.items()}
        hand = hand.replace(seats=seats, cards=cards, phase="exchange")
        gifts = society.build_exchange(self.options, hand) or Exchange((), (), {})
        if not society.can_pay_gifts(self.options, gifts, hand.cards):
            raise RuleError("bad_record", DEALT_TOO_FEW_FOR_GIFTS())
        step = loop.continue_exchange(hand.replace(exchange=gifts))
        return HandTransition(step.hand, (*events, *step.events))

    def players_to_exchange(self, hand: HandState, exchange: Exchange) -> tuple[str, ...]:
        return (
            *exchange.awaited_givers(),
            *chain.from_iterable(part.players_still_trading(hand) for part in self._trading_rules),
        )

    def after_exchange(self, hand: HandState) -> HandTransition[HandState]:
        for part in self._exchange_continuing_rules:
            more = part.continue_exchange(hand)
            if more is not None:
                return loop.continue_exchange(more)
        return self._begin_play(hand, ())

    def _begin_play(self, hand: HandState, events: tuple[GameEvent, ...]) -> HandTransition[HandState]:
        return loop.begin_play(hand, self.opening.find_leader(hand), events)

    # Actions of the house rules ----------------------------------------------------------------------------------

    def other_legal_actions(self, hand: HandState) -> Iterator[tuple[str, Action]]:
        return (
            chain.from_iterable(part.legal_actions(hand) for part in self._action_listing_rules)
            if self._action_listing_rules
            else iter(())
        )

    def apply_unlisted_gift(self, hand: HandState, by: str, action: Give) -> HandTransition[HandState] | None:
        return self._apply_house_rule_action(hand, by, action)

    def apply_other_action(self, hand: HandState, by: str, action: Action) -> HandTransition[HandState]:
        step = self._apply_house_rule_action(hand, by, action)
        if step is None:
            if isinstance(action, JoinMatch | LeaveMatch):
                raise RuleError("not_in_this_phase", COME_AND_GO_BETWEEN_HANDS())
            raise RuleError("not_in_this_phase", NOT_NOW_BUT[hand.phase]())
        # The action may have completed a deal by hand.
        return self._continue_deal(step.hand, step.events) if step.hand.phase == "deal" else step

    def _apply_house_rule_action(self, hand: HandState, by: str, action: Action) -> HandTransition[HandState] | None:
        for part in self._action_rules:
            try:
                step = part.apply_action(hand, by, action)
            except RuleError as error:
                error.set_default_rule(part.switch.id)
                raise
            if step is not None:
                return step
        return None


@weakly_memoized
def rules_of(options: Options) -> PresidentRules:
    """Return President's rules for these options; the same object for equal options while it is in use."""
    return PresidentRules(options)
