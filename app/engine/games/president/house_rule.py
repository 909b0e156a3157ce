"""`HouseRule`: the base class of house rules, with one method for each question that a rule may answer.

A rule overrides only the methods it needs; the others are never called. It changes nothing but its own slice of the
hand's memory. For the rest it returns effects, a new state of the hand, or requirements for plays. `PresidentRules`
combines the answers. All requirements must be met, effects are applied in order, and the first new state wins.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

from app.engine.base.errors import RuleError
from app.engine.base.messages import TranslatableMessage
from app.engine.base.options import Conflict, Option, Options, OptionValue
from app.engine.cards.actions import Action
from app.engine.cards.cards import Card, Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.effects import Effect, EndTrick
from app.engine.climbing.rule_hooks import NOTHING_TO_CALL, HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.climbing.suggestion_data import Suggestion
from app.engine.display.table_display import Badge, OwnFace, Panel
from app.engine.games.president.combinations.beats import PresidentCombinations
from app.engine.games.president.combinations.requirements import PlayRequirement
from app.engine.match.game import Nothing
from app.engine.match.hand import HandConclusion, HandTransition

RuleMemory = TypeVar("RuleMemory")
"""The type of what a rule remembers during a hand; immutable."""


class Judge(Protocol):
    """Reads cards and decides what beats what in one trick: the default (judging.py), or a house rule's own."""

    def readings(self, cards: Cards, on: Combination | None, *, inverted: bool) -> Sequence[Combination]:
        """Return every combination that these cards can be, strongest first."""
        ...

    def candidate_plays(
        self, held: Cards, on: Combination | None, *, inverted: bool, must: Card | None = None
    ) -> Iterator[Cards]:
        """Yield different choices of cards that include all playable ones and few others; each contains `must`."""
        ...

    def beats(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        """Return whether one play beats the play on the table."""
        ...

    def rule_against_beating(self, new: Combination, on: Combination, *, inverted: bool) -> str:
        """Return the id of the rule by which the play does not beat."""
        ...

    def suggested_plays(
        self, on: Combination, demands: Sequence[PlayRequirement], *, inverted: bool
    ) -> list[Suggestion]:
        """Return suggestions that beat the combination and meet these requirements."""
        ...

    def unbeatable_message(self) -> TranslatableMessage | None:
        """Return the message that nothing beats the play, if there is a special reason; else None."""
        ...


class HouseRule(Generic[RuleMemory]):
    """One active house rule. Methods that are not overridden are never called."""

    switch: ClassVar[Option[Any]]
    section: ClassVar[str]
    """The key of the section that contains the option."""
    active_value: ClassVar[OptionValue] = True
    """The option's value that turns the rule on, unless `is_active` is overridden."""
    conflicts: ClassVar[tuple[Conflict[Any, Any], ...]] = ()
    """Conflicts with options that are declared earlier."""
    actions: ClassVar[tuple[type[Action], ...]] = ()
    """Action types that only this rule has."""
    may_refuse_plays: bool = False
    """Whether `find_play_error` can refuse plays."""
    off_turn_actions: ClassVar[tuple[Action, ...]] = ()
    """Actions of this rule that are possible at any time and are not in the list of legal actions."""
    memory_key: ClassVar[str] = ""
    """The name of the rule's slice of the hand's memory; empty if it has none."""
    inverts_for: ClassVar[Literal["hand", "trick"] | None] = None
    """The duration for which the rule may invert the ranks; None if it never does."""
    allows_interruptions: bool = False
    """Whether the rule allows plays out of turn."""
    min_players: ClassVar[int] = 0
    """The fewest players to begin a match with this rule."""

    def __init__(self, combination_rules: PresidentCombinations, options: Options) -> None:
        self.combination_rules, self.card_meanings, self.options = (
            combination_rules,
            combination_rules.card_meanings,
            options,
        )

    @classmethod
    def is_active(cls, value: OptionValue) -> bool:
        """Return whether the rule is active at this value of its option."""
        return value == cls.active_value

    # Its slice of the memory -------------------------------------------------------------------------------------

    @classmethod
    def read_memory(cls, hand: HandState) -> RuleMemory | None:
        """Return the rule's memory of this hand, or None if empty."""
        kept: RuleMemory | None = _rule_memories(hand).get(cls.memory_key)
        return kept

    @classmethod
    def with_memory(cls, hand: HandState, memory: RuleMemory) -> HandState:
        """Return the hand with this memory of the rule."""
        return hand.replace(memory={**_rule_memories(hand), cls.memory_key: memory})

    # Views -------------------------------------------------------------------------------------------------------

    @classmethod
    def table(cls, hand: HandState) -> Mapping[str, object]:
        """Return the rule's part of the public view, as its own TypedDict. Called even if the rule is inactive."""
        return Nothing()

    @classmethod
    def own(cls, hand: HandState, player: str) -> Mapping[str, object]:
        """Return the rule's part of a player's private view. Called even if the rule is inactive."""
        return Nothing()

    # A match and its hands ---------------------------------------------------------------------------------------

    def player_count_error(self, count: int) -> TranslatableMessage | None:
        """Return why a match can't begin with this number of players, or None."""
        return None

    def prepare_hand(self, hand: HandState, match_memory: Mapping[str, Any]) -> HandState:
        """Return a new hand with the values that the rule needs from the match's memory."""
        return hand

    def adjust_finish(self, hand: HandState, finish: HandConclusion) -> HandConclusion:
        """Return the results of a finished hand, with the rule's changes to events, hierarchy or memory."""
        return finish

    def adjust_places(self, hand: HandState, standing: tuple[str, ...]) -> tuple[str, ...]:
        """Return the standing, during or after the hand, with the rule's changes."""
        return standing

    def cards_set_aside(self, hand: HandState) -> Cards:
        """Return cards that no player holds and nobody has played."""
        return ()

    def players_visible_to(self, hand: HandState, player: str) -> tuple[str, ...]:
        """Return the players whose cards this player can see now."""
        return ()

    def redact_for_player(self, hand: HandState, player: str) -> HandState | None:
        """Return the hand without the rule's secrets from this player; None if they can't be sampled again."""
        return hand

    # From the deal to the first lead -----------------------------------------------------------------------------

    def continue_manual_deal(
        self, hand: HandState, continue_deal: Callable[[HandState], object]
    ) -> HandTransition[HandState] | None:
        """Return the hand that waits for the next step of a deal by hand; None once all is dealt.

        `continue_deal` tries the steps that follow the deal, to find errors early.
        """
        return None

    def assign_piles(self, hand: HandState) -> HandTransition[HandState]:
        """Return the hand after the dealt piles were given to their players."""
        return HandTransition(hand)

    def prepare_exchange(self, hand: HandState) -> HandState:
        """Return the hand before the exchange, with additional tasks of this rule."""
        return hand

    def continue_exchange(self, hand: HandState) -> HandState | None:
        """Return the hand with the remaining tasks after all gifts, or None if nothing remains."""
        return None

    def players_still_trading(self, hand: HandState) -> tuple[str, ...]:
        """Return the players with tasks in the exchange other than gifts."""
        return ()

    # In a trick --------------------------------------------------------------------------------------------------

    def trick_judge(self, hand: HandState) -> Judge | None:
        """Return the judge of this trick, or None for the default."""
        return None

    def play_requirement(self, hand: HandState) -> PlayRequirement | None:
        """Return a requirement for every play in this trick, by any player, or None."""
        return None

    def available_calls(self, hand: HandState, combination: Combination) -> Sequence[str]:
        """Return the calls that are possible with this play."""
        return ()

    def current_call(self, hand: HandState) -> str | None:
        """Return the call in this trick, or None."""
        return None

    def call_refused_message(self) -> TranslatableMessage:
        """Return the message that nothing can be called with this play, and which calls are possible."""
        return NOTHING_TO_CALL()

    def can_interrupt_with(self, hand: HandState, combination: Combination) -> bool:
        """Return whether this combination may be played out of turn."""
        return False

    def interrupting_plays(self, hand: HandState, by: str) -> Iterator[Cards]:
        """Yield each choice of cards that this player may play out of turn now."""
        return iter(())

    def possible_interrupters(self, hand: HandState) -> tuple[str, ...]:
        """Return the players who might play out of turn by this rule, judging by public information."""
        return ()

    def turn_message(self, turn: TranslatableMessage) -> TranslatableMessage:
        """Return the message about whose turn it is, with the plays that this rule allows out of turn."""
        return turn

    def find_play_error(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        """Return why a play that leads or beats is refused all the same. Needs `may_refuse_plays`."""
        return None

    def pass_lead(self, hand: HandState, by: str) -> HandTransition[HandState] | None:
        """Return the hand after a leader without a legal lead passed. Needs `may_refuse_plays`."""
        return None

    def must_play_reason(self, hand: HandState, by: str) -> TranslatableMessage | None:
        """Return why this player may not pass, as the first half of a sentence; None if passing is allowed."""
        return None

    def trick_effects(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        """Return effects of a play on its trick, reported before all others. `hand` already includes the play."""
        return ()

    def find_trick_end(self, hand: HandState, laid: PlayedCombination) -> EndTrick | None:
        """Return the end of the trick by this play, which is not on the table yet; None if it goes on."""
        return None

    def effects_of_play(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        """Return the effects of a play, after those of four of a kind; in the order of `HOUSE_RULES`."""
        return ()

    def foul_effects(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        """Return the effects of a foul finish with this play; if there are any, the player has not gone out."""
        return ()

    def required_choices(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        """Return the choices after a play, before the turn moves on."""
        return ()

    def skip_effects(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        """Return skips by a play that does not end the trick; applied after all other effects."""
        return ()

    def effects_of_going_out(self, hand: HandState, player: str) -> Iterable[Effect]:
        """Return the effects when a player goes out, by a play or by a choice in mid-trick."""
        return ()

    def after_trick(self, hand: HandState, trick: Sequence[PlayedCombination]) -> HandTransition[HandState] | None:
        """Return the hand after a trick if something must be done before the next one, else None."""
        return None

    def pause_reason(self, hand: HandState) -> TranslatableMessage | None:
        """Return a sentence that says what must be done before anyone may play or pass; None if nothing."""
        return None

    def signs(self, hand: HandState) -> Iterable[Badge]:
        """Return badges about this rule that all players see."""
        return ()

    def panels(self, hand: HandState) -> Iterable[Panel]:
        """Return panels about this rule for the middle of the table, for times without a trick."""
        return ()

    def waiting_message(self, hand: HandState) -> TranslatableMessage | None:
        """Return a sentence about the action that all wait for by this rule, or None."""
        return None

    def player_prompt(self, hand: HandState, player: str) -> OwnFace | None:
        """Return what this player alone is shown and asked by this rule, or None."""
        return None

    # The rule's actions ------------------------------------------------------------------------------------------

    def legal_actions(self, hand: HandState) -> Iterator[tuple[str, Action]]:
        """Yield the rule's own legal actions, each with its player."""
        return iter(())

    def apply_action(self, hand: HandState, by: str, action: Action) -> HandTransition[HandState] | None:
        """Return the hand after an action, or None if the action does not belong to this rule now.

        Raises `RuleError` if the action is illegal.
        """
        return None


def _rule_memories(hand: HandState) -> dict[str, Any]:
    """Return the memory of a hand of President: the slices of all rules by `memory_key`."""
    assert isinstance(hand.memory, dict)
    return hand.memory


def rules_overriding(rules: Iterable[HouseRule[Any]], method: Callable[..., object]) -> tuple[HouseRule[Any], ...]:
    """Return the rules that override this method of `HouseRule`."""
    name = method.__name__
    return tuple(part for part in rules if getattr(type(part), name) is not method)
