"""Pao De Kuai's rules for the game loop, derived from the options of one match.

`PaoDeKuaiRules` is built once from the options; the files of the sections implement each option.
"""

from collections.abc import Hashable, Iterator, Sequence

from app.engine.base.caching import weakly_memoized
from app.engine.base.errors import RuleError
from app.engine.base.messages import TranslatableMessage
from app.engine.base.options import Options
from app.engine.cards.cards import Card, Cards, describe_cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.effects import Effect, EmitEvent, SetMemory
from app.engine.climbing.hand import can_play
from app.engine.climbing.low_card.rules import DIRECTION_BY_OPTION, LowCardRules
from app.engine.climbing.rule_hooks import (
    BOMB_DROPPED,
    LAST_CARDS,
    LIABLE,
    HandState,
    next_player_about_to_win,
)
from app.engine.climbing.state import PlayedCombination
from app.engine.climbing.suggestion_data import Suggestion
from app.engine.display.events import GameEventType
from app.engine.match.hand import HandTransition

from . import bombs, combinations, payments, play, table
from .combinations import rank_index
from .hand_memory import PaoDeKuaiMemory, PlayedBomb, memory_of
from .judging import PaoDeKuaiJudge

SPRING = GameEventType(
    "spring",
    "Spring! {by} wins before {to} has played.",
    you="Spring! You win before {to} has played.",
    to_you="Spring! {by} wins before you have played.",
    tone="great",
    stood_out="spring",
    celebrated="triumph",
)


class PaoDeKuaiRules(LowCardRules):
    """Pao De Kuai's rules in one match, derived from its options; the game loop asks them each question."""

    low_card_rule = table.LOW_CARD_LEAD.id
    by_worth = True
    waiting_players_idle = True
    values_that_allow_combinations = values_that_allow_beating = (
        (combinations.LOOSE_CARDS, ("two", "any")),
        (combinations.SHORT_LAST, ("always",)),
        (combinations.PAIR_RUNS, (2,)),
        (combinations.ACE_IN_RUNS, (True,)),
        (combinations.FOURS_WITH, ("two", "three")),
        (bombs.ACE_BOMB, (True,)),
    )

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.judge = PaoDeKuaiJudge(options)
        self.card_order = table.ORDERS[options[table.FIRST_CARD]]
        self.direction_of_hand = DIRECTION_BY_OPTION[options[table.DIRECTION]]
        self.winner_leads = options[table.STARTER] == "winner"
        self.must_lead_low = options[table.LOW_CARD_LEAD] == "within"
        self.must_beat = options[play.MUST_BEAT]
        self.can_refuse_plays = options[play.LAST_CARD] == "highest"
        self.can_be_liable = options[play.LAST_CARD] == "liable"

    # Combinations ------------------------------------------------------------------------------------------------

    def exchange_value(self, card: Card) -> int:
        """Return the position of the card's rank: suits never decide between cards."""
        return rank_index(card)

    def equivalence_key(self, card: Card) -> Hashable:
        """Return the card's rank: cards of one rank beat, and are beaten by, the same cards."""
        return card[0]

    def deck(self) -> Cards:
        """Return the whole deck; some cards may stay out of a hand."""
        return table.DECKS["thirteen"]

    def readings(self, hand: HandState, cards: Cards) -> Sequence[Combination]:
        """Return every combination that these cards form for the player to act, the strongest first."""
        return self.judge.readings(cards, _cards_to_play(hand), hand.play_to_beat)

    def playable_combinations(self, hand: HandState, held: Cards) -> Iterator[Sequence[Combination]]:
        """Yield the choices from the held cards that may be led, or that beat the table, smallest first, bombs last.

        A choice that can be read in several ways is yielded once, with all these readings.
        """
        on = hand.play_to_beat
        if on is not None:
            return ((one,) for one in self.judge.possible_answers(held, on))
        return self._leads(held)

    def _leads(self, held: Cards) -> Iterator[Sequence[Combination]]:
        for one in self.judge.possible_leads(held):
            readings = self.judge.combinations.readings(one.cards) or (one,)
            if readings[0].kind == one.kind:
                yield readings

    def beats(self, hand: HandState, by: str, combination: Combination) -> bool:
        """Return whether a combination beats the table: a higher one of its kind, a short last play, or a bomb."""
        assert hand.play_to_beat is not None
        return self.judge.beats(combination, hand.play_to_beat.combination)

    def lead_suggestions(self, hand: HandState, by: str) -> list[Suggestion]:
        """Return suggestions of what a player may lead, after a refused play."""
        return [*self.judge.suggested_leads(self._required_single(hand, by))]

    def beating_suggestions(self, hand: HandState, by: str) -> list[Suggestion]:
        """Return suggestions of what beats the table, after a refused play."""
        assert hand.play_to_beat is not None
        deck = table.DECKS[table.deck_key(self.options, len(hand.seats))]
        return [*self.judge.suggested_answers(hand.play_to_beat.combination, deck, self._required_single(hand, by))]

    def _required_single(self, hand: HandState, by: str) -> TranslatableMessage | None:
        """Return the text for the only rank of single that the next player's last card allows; None without a duty."""
        if not self.can_refuse_plays or next_player_about_to_win(hand, by) is None:
            return None
        return play.YOUR_HIGHEST(card=describe_cards((play.highest_card(hand.cards[by]),)))

    # Duties ------------------------------------------------------------------------------------------------------

    def may_pass(self, hand: HandState, by: str) -> bool:
        """Return whether the player may pass: not if they can beat and must [PDK-14, PDK-15]."""
        return hand.play_to_beat is not None and self._reason_to_beat(hand, by) is None

    def pass_refusal(self, hand: HandState, by: str) -> tuple[TranslatableMessage, str | None]:
        """Return why passing is forbidden, and the rule's id: the player leads, or must beat."""
        reason = None if hand.play_to_beat is None else self._reason_to_beat(hand, by)
        return super().pass_refusal(hand, by) if reason is None else reason

    def _reason_to_beat(self, hand: HandState, by: str) -> tuple[TranslatableMessage, str] | None:
        if self.must_beat:
            return (play.YOU_MUST(), play.MUST_BEAT.id) if can_play(hand, by) else None
        following = next_player_about_to_win(hand, by) if self.can_refuse_plays else None
        if following is None or not play.highest_beats_single(hand, by):
            return None
        return play.ONE_CARD_LEFT(name=following), play.LAST_CARD.id

    def play_refusal(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        """Return why a play is refused although it leads or beats: a low single before a player with one card."""
        return play.find_low_single_error(hand, by, combination, self.judge) if self.can_refuse_plays else None

    def may_refuse(self, hand: HandState, by: str, size: int) -> bool:
        """Return whether a play of `size` cards may be refused: a single before a player with one card."""
        return self.can_refuse_plays and size == 1 and next_player_about_to_win(hand, by) is not None

    # Effects -----------------------------------------------------------------------------------------------------

    def effects_of_play(self, hand: HandState, laid: PlayedCombination) -> Sequence[Effect]:
        """Return the effects of a play: events for bombs, last cards and the end, and the updated memory."""
        by, memory, effects = laid.by, memory_of(hand), list[Effect]()
        memory = self._with_liable(memory, hand, laid)
        if by not in memory.played:
            memory = memory.but(played=(*memory.played, by))
        if payments.TEN_OF_HEARTS in laid.combination.cards:
            memory = memory.but(ten_by=by)
        if bombs.is_bomb(laid.combination):
            effects.append(EmitEvent(BOMB_DROPPED(by)))
            memory = memory.but(bombs=(*_bombs_after(hand, memory), PlayedBomb(by, laid.combination.cards)))
        if len(hand.cards[by]) == 1:
            effects.append(EmitEvent(LAST_CARDS(by, play.LAST_CARD.id, count=1)))
        if hand.out:
            idle = [name for name in hand.seats if name not in memory.played]
            effects += [EmitEvent(SPRING(by, payments.SPRING.id, to=name)) for name in idle]
        if hand.out and memory.liable is not None:
            effects.append(EmitEvent(LIABLE(memory.liable, play.LAST_CARD.id, winner=by)))
        memory = memory.but(low=None)
        return effects if memory == memory_of(hand) else (*effects, SetMemory(memory))

    def after_pass(self, hand: HandState, by: str) -> HandTransition[HandState]:
        """Return the hand after a pass: it is remembered if the pass lets the next player win [PDK-15]."""
        memory = self._with_liable(memory_of(hand), hand, None, by)
        return HandTransition(hand if memory == memory_of(hand) else hand.replace(memory=memory))

    def _with_liable(
        self, memory: PaoDeKuaiMemory, hand: HandState, laid: PlayedCombination | None, passing: str = ""
    ) -> PaoDeKuaiMemory:
        """Return the memory with the player whose act now lets the next player win, and who pays for all at the end."""
        if not self.can_be_liable:
            return memory
        if hand.out:
            return memory.but(liable=memory.lets_win)
        by = passing if laid is None else laid.by
        return memory.but(lets_win=by if play.lets_next_player_win(hand, by, laid, self.judge) else None)


def _cards_to_play(hand: HandState) -> Cards:
    """Return all cards of the player to play, which tell whether a play is the last one."""
    return hand.cards[hand.to_act[0]] if hand.to_act else ()


def _bombs_after(hand: HandState, memory: PaoDeKuaiMemory) -> tuple[PlayedBomb, ...]:
    """Return the bombs before the one on the table, the last marked as beaten if that beat it."""
    plays, before = hand.trick.plays, memory.bombs
    if len(plays) < 2 or not bombs.is_bomb(plays[-2].combination):
        return before
    return (*before[:-1], PlayedBomb(before[-1].by, before[-1].cards, beaten=True))


@weakly_memoized
def rules_of(options: Options) -> PaoDeKuaiRules:
    """Return Pao De Kuai's rules for these options; the same object for equal options while it is in use."""
    return PaoDeKuaiRules(options)
