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
    """Reads cards and decides what beats what in one trick of President.

    Most tricks use the default judge; a house rule may bring its own.
    """

    def readings(self, cards: Cards, on: Combination | None, *, inverted: bool) -> Sequence[Combination]:
        """Return every combination that these cards can be when played on `on`, strongest first; empty if none.

        `on` is the play to beat; None for a lead. `inverted`: ranks are upside down now.
        """
        ...

    def candidate_plays(
        self, held: Cards, on: Combination | None, *, inverted: bool, must: Card | None = None
    ) -> Iterator[Cards]:
        """Yield different choices of held cards that include all playable ones on `on`, and few others.

        `on` is the play to beat; None for a lead. Each contains `must`, if given. `inverted`: ranks are upside down
        now. The caller checks each choice, which is faster than to check all choices of cards.
        """
        ...

    def beats(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        """Return whether the combination `new` may be played on the one on the table in this trick."""
        ...

    def rule_against_beating(self, new: Combination, on: Combination, *, inverted: bool) -> str:
        """Return the id of the rule by which `new` does not beat `on` in this trick; the error names it."""
        ...

    def suggested_plays(
        self, on: Combination, demands: Sequence[PlayRequirement], *, inverted: bool
    ) -> list[Suggestion]:
        """Return suggestions of what beats `on` and meets these requirements, for a refused player."""
        ...

    def unbeatable_message(self) -> TranslatableMessage | None:
        """Return the message that nothing beats the play on the table, if there is a special reason; else None."""
        ...


class HouseRule(Generic[RuleMemory]):
    """The base of President's house rules: one object for each rule that the options turn on.

    `switch` is its option, and `section` the option's section.

    A subclass overrides the methods that it answers; others are never called.
    """

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
    looks_at_suits: ClassVar[bool] = False
    """Whether cards of one rank can differ in what they beat or what beats them by this rule."""
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
        """Return whether the house rule is active at this value of its option; by default, if it is `active_value`."""
        return value == cls.active_value

    # Its slice of the memory -------------------------------------------------------------------------------------

    @classmethod
    def read_memory(cls, hand: HandState) -> RuleMemory | None:
        """Return what the house rule remembers of this hand, or None if it has stored nothing."""
        memory: RuleMemory | None = _rule_memories(hand).get(cls.memory_key)
        return memory

    @classmethod
    def with_memory(cls, hand: HandState, memory: RuleMemory) -> HandState:
        """Return the hand with this memory of the house rule; those of other rules stay."""
        return hand.replace(memory={**_rule_memories(hand), cls.memory_key: memory})

    # Views -------------------------------------------------------------------------------------------------------

    @classmethod
    def table(cls, hand: HandState) -> Mapping[str, object]:
        """Return the house rule's part of the public view, as its own TypedDict; called even if the rule is inactive.

        So the view has the same keys under all options.
        """
        return Nothing()

    @classmethod
    def own(cls, hand: HandState, player: str) -> Mapping[str, object]:
        """Return the house rule's part of a player's private view; called even if the rule is inactive.

        So the view has the same keys under all options.
        """
        return Nothing()

    # A match and its hands ---------------------------------------------------------------------------------------

    def player_count_error(self, count: int) -> TranslatableMessage | None:
        """Return why, by this house rule, a match can't begin with `count` players; None (the default) if it can."""
        return None

    def prepare_hand(self, hand: HandState, match_memory: Mapping[str, Any]) -> HandState:
        """Return a new hand with what the house rule must remember in it, taken from the match's memory if needed."""
        return hand

    def adjust_finish(self, hand: HandState, finish: HandConclusion) -> HandConclusion:
        """Return the results of a finished hand, with the house rule's changes to events, hierarchy or memory.

        By default `finish` is returned unchanged.
        """
        return finish

    def adjust_places(self, hand: HandState, standing: tuple[str, ...]) -> tuple[str, ...]:
        """Return the players with a place, best first, with the house rule's changes.

        `standing` are the places without these changes, which is the default. It is called during the hand and after
        it.
        """
        return standing

    def cards_set_aside(self, hand: HandState) -> Cards:
        """Return cards that the house rule has set aside: no player holds them, and nobody has played them."""
        return ()

    def players_visible_to(self, hand: HandState, player: str) -> tuple[str, ...]:
        """Return the players whose cards this player can see now by the house rule: none by default."""
        return ()

    def redact_for_player(self, hand: HandState, player: str) -> HandState | None:
        """Return the hand without what the house rule keeps secret from this player, for bots that search.

        None if the secrets can't be replaced by random ones. By default it is unchanged.
        """
        return hand

    # From the deal to the first lead -----------------------------------------------------------------------------

    def continue_manual_deal(
        self, hand: HandState, continue_deal: Callable[[HandState], object]
    ) -> HandTransition[HandState] | None:
        """Return the hand that waits for the next step of a deal by hand; None once all is dealt, or by default.

        `continue_deal` tries the steps that follow the deal, to find errors early.
        """
        return None

    def assign_piles(self, hand: HandState) -> HandTransition[HandState]:
        """Return the hand after the dealt piles were given to players as the house rule says, with events.

        By default players keep the piles dealt to them.
        """
        return HandTransition(hand)

    def prepare_exchange(self, hand: HandState) -> HandState:
        """Return the hand before the exchange, in which the house rule may note additional tasks.

        It is unchanged by default.
        """
        return hand

    def continue_exchange(self, hand: HandState) -> HandState | None:
        """Return the hand with the house rule's tasks that follow after all gifts of the exchange.

        None (the default) if nothing remains.
        """
        return None

    def players_still_trading(self, hand: HandState) -> tuple[str, ...]:
        """Return the players whom the exchange waits for by this house rule, apart from gifts: none by default."""
        return ()

    # In a trick --------------------------------------------------------------------------------------------------

    def trick_judge(self, hand: HandState) -> Judge | None:
        """Return the judge that decides what beats what in this trick by the house rule.

        None (the default) leaves that to the default judge.
        """
        return None

    def play_requirement(self, hand: HandState) -> PlayRequirement | None:
        """Return a requirement that the house rule adds for every play in this trick; None by default."""
        return None

    def available_calls(self, hand: HandState, combination: Combination) -> Sequence[str]:
        """Return the calls that this play may make by the house rule: none by default.

        A call is a limit on later plays, announced with a play.
        """
        return ()

    def current_call(self, hand: HandState) -> str | None:
        """Return the call in force in this trick by the house rule; None by default.

        A call is a limit on later plays that was announced with a play.
        """
        return None

    def call_refused_message(self) -> TranslatableMessage:
        """Return the message that refuses a call with a play for which the house rule allows none."""
        return NOTHING_TO_CALL()

    def can_interrupt_with(self, hand: HandState, combination: Combination) -> bool:
        """Return whether the house rule allows this combination out of turn: never by default."""
        return False

    def interrupting_plays(self, hand: HandState, by: str) -> Iterator[Cards]:
        """Yield each choice of cards that this player may play out of turn now by the house rule; none by default."""
        return iter(())

    def possible_interrupters(self, hand: HandState) -> tuple[str, ...]:
        """Return the players who might play out of turn by this house rule, judging by public information.

        They are shown, and pages wait for them. None by default.
        """
        return ()

    def turn_message(self, turn: TranslatableMessage) -> TranslatableMessage:
        """Return the message about whose turn it is, to which the house rule adds the plays it allows out of turn."""
        return turn

    def find_play_error(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        """Return why the house rule refuses a play that leads or beats; None (the default) if it does not.

        It is asked only if the rule sets `may_refuse_plays`. `hand` is the position before the play of `by`.
        """
        return None

    def pass_lead(self, hand: HandState, by: str) -> HandTransition[HandState] | None:
        """Return the hand after a leader passed whom the house rule leaves no legal lead; None by default.

        It is asked only if the rule sets `may_refuse_plays`. Without this, a leader may not pass.
        """
        return None

    def must_play_reason(self, hand: HandState, by: str) -> TranslatableMessage | None:
        """Return why, by the house rule, this player may not pass, as the first half of a sentence.

        None (the default) if passing is allowed.
        """
        return None

    def trick_effects(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        """Return the house rule's effects of a play on its trick, reported before all others; none by default.

        `laid` is the play, already on the table of `hand`.
        """
        return ()

    def find_trick_end(self, hand: HandState, laid: PlayedCombination) -> EndTrick | None:
        """Return the effect by which the house rule ends the trick with this play; None (the default) if it goes on.

        `laid` is the play, not yet on the table of `hand`.
        """
        return None

    def effects_of_play(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        """Return the house rule's effects of a play, such as turned ranks; none by default.

        They follow those of four of a kind; several rules act in the order of `HOUSE_RULES`.
        """
        return ()

    def foul_effects(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        """Return the effects if the player goes out with a play that the house rule forbids as the last; none by
        default.

        If there are any, the player has not gone out, but is placed last, for example. `laid` is the play.
        """
        return ()

    def required_choices(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        """Return the choices that the house rule asks of a play's player before the turn moves on; none by default.

        A choice is of cards to give or discard, or of ranks to bomb. `laid` is the play.
        """
        return ()

    def skip_effects(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        """Return the skips that the house rule causes by a play that does not end the trick; none by default.

        They are applied after all other effects.
        """
        return ()

    def effects_of_going_out(self, hand: HandState, player: str) -> Iterable[Effect]:
        """Return the house rule's effects when a player goes out; none by default.

        A player goes out by a play, or by a choice in mid-trick.
        """
        return ()

    def after_trick(self, hand: HandState, trick: Sequence[PlayedCombination]) -> HandTransition[HandState] | None:
        """Return the hand after a trick if the house rule asks for something before the next one; None by default."""
        return None

    def pause_reason(self, hand: HandState) -> TranslatableMessage | None:
        """Return a sentence that says what, by the house rule, must be done before anyone may play or pass.

        None (the default) if there is nothing.
        """
        return None

    def signs(self, hand: HandState) -> Iterable[Badge]:
        """Return badges of this house rule that all players see; none by default."""
        return ()

    def panels(self, hand: HandState) -> Iterable[Panel]:
        """Return panels of this house rule for the middle of the table; none by default.

        They are shown without a trick on the table.
        """
        return ()

    def waiting_message(self, hand: HandState) -> TranslatableMessage | None:
        """Return a sentence about the action that all players wait for by this house rule; None by default."""
        return None

    def player_prompt(self, hand: HandState, player: str) -> OwnFace | None:
        """Return what this player alone is shown and asked by this house rule; None by default."""
        return None

    # The rule's actions ------------------------------------------------------------------------------------------

    def legal_actions(self, hand: HandState) -> Iterator[tuple[str, Action]]:
        """Yield the legal actions that this house rule adds, each with its player; none by default."""
        return iter(())

    def apply_action(self, hand: HandState, by: str, action: Action) -> HandTransition[HandState] | None:
        """Return the hand after an action; None (the default) if the action does not belong to this house rule now.

        Raises `RuleError` if the action is illegal.
        """
        return None


def _rule_memories(hand: HandState) -> dict[str, Any]:
    """Return what all house rules remember of a hand of President, by their `memory_key`."""
    assert isinstance(hand.memory, dict)
    return hand.memory


def rules_overriding(rules: Iterable[HouseRule[Any]], method: Callable[..., object]) -> tuple[HouseRule[Any], ...]:
    """Return the house rules that override this method of `HouseRule`, so that only these are asked during a hand."""
    name = method.__name__
    return tuple(part for part in rules if getattr(type(part), name) is not method)
