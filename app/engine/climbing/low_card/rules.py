"""The rules that games with a low card share: first leads, banned last cards, the end of a hand and refusals."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, Self, TypeAlias

from app.engine.base.options import Option, Options, OptionValue
from app.engine.cards.card_order import CardOrder
from app.engine.cards.cards import Card, Cards
from app.engine.cards.deal_order import find_holder
from app.engine.climbing.combinations import Combination
from app.engine.climbing.hand import begin_play, can_play
from app.engine.climbing.rule_hooks import BAN_LIFTED, LEAD_PASSED, ClimbingRules, HandState, standing_by_cards_left
from app.engine.climbing.state import Trick
from app.engine.display.events import GameEvent
from app.engine.match.hand import HandTransition

from .hand_memory import LowCardMemory

OtherValues: TypeAlias = tuple[tuple[Option[Any], tuple[OptionValue, ...]], ...]
"""Options, each with values that may allow a play which another value forbids."""
VARIANTS_CACHED: Final = 32
"""Number of cached rules with one option changed: enough for one refusal, about 20 kB each."""

DIRECTION_BY_OPTION: dict[str, Callable[[int], int]] = {
    "clockwise": lambda hands_before: 1,
    "anticlockwise": lambda hands_before: -1,
    "alternate": lambda hands_before: 1 if hands_before % 2 else -1,
}
"""Returns the direction of a hand, given the number of hands before it."""


class LowCardRules(ClimbingRules):
    """The rules of one match of a game with a low card, derived from its options.

    A game sets `card_order`, `direction_of_hand` and the fields below. Then it overrides what else differs.
    """

    direction_is_fixed = True
    must_lead_low: bool = False
    """Whether the first lead must contain the low card, if that card gives the lead."""
    winner_leads: bool = False
    """Whether the winner of the last hand leads; otherwise the low card decides in each hand."""
    ban_rule: str | None = None
    """The id of the rule that bans some last cards, so that a leader may have to pass."""
    play_on: bool = False
    """Whether the hand goes on for the places after first, until at most one player has cards."""
    values_that_allow_combinations: OtherValues = ()
    """Values of options that may make cards a combination. A refusal names the first option that would."""
    values_that_allow_beating: OtherValues = ()
    """Values of options that may let one combination beat another. A refusal names the first option that would."""

    card_order: CardOrder
    direction_of_hand: Callable[[int], int]
    """Returns the direction of a hand, given the number of hands before it."""

    def __init__(self, options: Options) -> None:
        self.options = options

    # Cards -------------------------------------------------------------------------------------------------------

    def suits_low_to_high(self, hand: HandState) -> str:
        """Return the suits from low to high, if they count."""
        return self.card_order.suits if self.suits_count else ""

    def exchange_value(self, card: Card) -> int:
        """Return the card's position in the order of the game: no two cards are equal."""
        return self.card_order.index_by_card[card]

    def deck(self) -> Cards:
        """Return the deck of 52 cards, sorted from the lowest."""
        return self.card_order.deck

    # Leads -------------------------------------------------------------------------------------------------------

    def find_leader(self, standing: Sequence[str]) -> str | None:
        """Return who leads after a hand with this standing, as far as still seated; None: the low card decides."""
        return next(iter(standing), None) if self.winner_leads else None

    def start_play(self, hand: HandState, events: tuple[GameEvent, ...] = ()) -> HandTransition[HandState]:
        """Begin the play of a hand: the leader by the last hand leads, or the holder of the lowest card dealt."""
        memory = LowCardMemory.of(hand)
        if memory.leader is not None:
            return begin_play(hand, memory.leader, events)
        low = self.card_order.lowest_card(card for cards in hand.cards.values() for card in cards)
        if self.must_lead_low:
            hand = hand.replace(memory=memory.but(low=low))
        return begin_play(hand, find_holder(hand.cards, low), events)

    def after_exchange(self, hand: HandState) -> HandTransition[HandState]:
        """Begin the play of a hand after the exchange."""
        return self.start_play(hand)

    def required_lead_card(self, hand: HandState, by: str) -> Card | None:
        """Return the low card if the first lead of the hand must contain it and this player holds it, else None."""
        low = LowCardMemory.of(hand).low
        return low if low in hand.cards[by] else None

    def may_pass(self, hand: HandState, by: str) -> bool:
        """Return whether the player may pass: a leader only with a last card that is banned."""
        return hand.play_to_beat is not None or (len(hand.cards[by]) == 1 and not can_play(hand, by))

    def after_lead_passed(self, hand: HandState, by: str) -> HandTransition[HandState]:
        """Return the hand after a leader passed: the next player leads.

        If all players had to pass in turn, the ban on last cards is lifted.
        """
        memory, following = LowCardMemory.of(hand), hand.next_player_with_cards(by)
        assert following is not None, "a hand with a ban has a second player"
        passes = memory.lead_passes + 1
        lifted = passes >= len(hand.players_with_cards())
        memory = memory.but(lead_passes=0 if lifted else passes, ban_lifted=memory.ban_lifted or lifted)
        events = (LEAD_PASSED(by, leads=following), *([BAN_LIFTED(None, self.ban_rule)] if lifted else ()))
        return HandTransition(hand.replace(to_act=(following,), memory=memory), events)

    # The end -----------------------------------------------------------------------------------------------------

    def has_hand_ended(self, hand: HandState) -> bool:
        """Return whether the hand is over: one player is out or, with `play_on`, at most one has cards."""
        return super().has_hand_ended(hand) if self.play_on else bool(hand.out)

    def standing(self, hand: HandState) -> tuple[str, ...]:
        """Return the players who are out, in order; once the hand is over, then the others by fewest cards."""
        return standing_by_cards_left(hand)

    # Refusals ----------------------------------------------------------------------------------------------------

    def rule_forbidding_combination(self, hand: HandState, cards: Cards) -> str | None:
        """Return the id of the first option that, with another value, would make these cards a combination, or None."""
        alone = hand.replace(trick=Trick())
        return self._first_option(self.values_that_allow_combinations, lambda rules: rules.readings(alone, cards))

    def rule_forbidding_beating(self, hand: HandState, by: str, combination: Combination) -> str | None:
        """Return the id of the first option that, with another value, would let these cards beat the table, or None."""
        return self._first_option(
            self.values_that_allow_beating, lambda rules: rules.can_beat_with(hand, by, combination.cards)
        )

    def can_beat_with(self, hand: HandState, by: str, cards: Cards) -> bool:
        """Return whether a player's cards, in any reading, beat the table, which other options may have allowed."""
        return any(self.beats(hand, by, reading) for reading in self.readings(hand, cards))

    @classmethod
    @lru_cache(VARIANTS_CACHED)
    def _variant(cls, options: Options) -> Self:
        return cls(options)

    def _first_option(self, other: OtherValues, allows: Callable[[Self], object]) -> str | None:
        """Return the id of the first option with another value by which the rules allow a play, or None."""
        return next(
            (
                option.id
                for option, values in other
                for value in values
                if allows(self._variant(self.options.with_value(option, value)))
            ),
            None,
        )
