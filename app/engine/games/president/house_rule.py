"""`HouseRule`: the base class of house rules, with one method for each question that a rule may answer.

A rule overrides only the methods it needs; the others are never called. docs/hooks.md lists all of them, with a rule
that overrides each. A rule changes nothing but its own slice of the hand's memory. For the rest it returns effects, a
new state of the hand, or requirements for plays. `PresidentRules` combines the answers. All requirements must be met,
effects are applied in order, and the first new state wins.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar, final

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

    @final
    @classmethod
    def read_memory(cls, hand: HandState) -> RuleMemory | None:
        """Return what the house rule remembers of this hand, or None if it has stored nothing."""
        memory: RuleMemory | None = _rule_memories(hand).get(cls.memory_key)
        return memory

    @final
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
        """Return why, by this house rule, a match can't begin with `count` players; None (the default) if it can.

        Called when a match begins, without a hand.
        """
        return None

    def prepare_hand(self, hand: HandState, match_memory: Mapping[str, Any]) -> HandState:
        """Return a new hand with what the house rule must remember in it, taken from the match's memory if needed.

        Called first of all, when the cards are dealt and the table is empty.
        """
        return hand

    def adjust_finish(self, hand: HandState, finish: HandConclusion) -> HandConclusion:
        """Return the results of a finished hand, with the house rule's changes to events, hierarchy or memory.

        Called once, when the hand is over. By default `finish` is returned unchanged.
        """
        return finish

    def adjust_places(self, hand: HandState, standing: tuple[str, ...]) -> tuple[str, ...]:
        """Return the players with a place, best first, with the house rule's changes.

        `standing` are the places without these changes, which is the default. Called at any time from the deal on, also
        for views.
        """
        return standing

    def cards_set_aside(self, hand: HandState) -> Cards:
        """Return cards that the house rule has set aside: no player holds them, and nobody has played them.

        Called at any time, for the check that no card is lost.
        """
        return ()

    def players_visible_to(self, hand: HandState, player: str) -> tuple[str, ...]:
        """Return the players whose cards this player can see now by the house rule: none by default.

        Called at any time, for views.
        """
        return ()

    def redact_for_player(self, hand: HandState, player: str) -> HandState | None:
        """Return the hand without what the house rule keeps secret from this player, for bots that search.

        None if the secrets can't be replaced by random ones. Called at any time. By default it is unchanged.
        """
        return hand

    # From the deal to the first lead -----------------------------------------------------------------------------

    def continue_manual_deal(
        self, hand: HandState, continue_deal: Callable[[HandState], object]
    ) -> HandTransition[HandState] | None:
        """Return the hand that waits for the next step of a deal by hand; None once all is dealt, or by default.

        Called after `prepare_hand`, and after each action of the deal, from the second hand on. The players hold their
        cards, unless the rule has set them aside. `continue_deal` tries the steps that follow the deal, to find errors
        early.
        """
        return None

    def prepare_exchange(self, hand: HandState) -> HandTransition[HandState]:
        """Return the hand before the exchange, with events: piles for other players, or more tasks to do.

        Called once when all cards are dealt, from the second hand on. Each player's cards are in the order of the deal,
        and the seats are still those of the last hand. It is unchanged by default.
        """
        return HandTransition(hand)

    def continue_exchange(self, hand: HandState) -> HandState | None:
        """Return the hand with the house rule's tasks that follow after all gifts; None (the default) without any.

        Called when the last gift was given, and again when these tasks are done, before the first lead.
        """
        return None

    def players_still_trading(self, hand: HandState) -> tuple[str, ...]:
        """Return the players whom the exchange waits for by this house rule, apart from gifts: none by default.

        Called in the exchange, after each action.
        """
        return ()

    # In a trick --------------------------------------------------------------------------------------------------

    def trick_judge(self, hand: HandState) -> Judge | None:
        """Return the judge of this trick by the house rule; None (the default) leaves that to the default judge.

        Called for each lead and play that is checked, listed or suggested. The table has the plays before it.
        """
        return None

    def play_requirement(self, hand: HandState) -> PlayRequirement | None:
        """Return a requirement that the house rule adds for every play in this trick; None by default.

        Called as `trick_judge` is. A lead need not meet it.
        """
        return None

    def available_calls(self, hand: HandState, combination: Combination) -> Sequence[str]:
        """Return the calls that this play may make by the house rule: none by default.

        A call is a limit on later plays, announced with a play. Called before the play: `combination` is not on the
        table yet.
        """
        return ()

    def call_refused_message(self) -> TranslatableMessage:
        """Return the message that refuses a call with a play for which the house rule allows none."""
        return NOTHING_TO_CALL()

    def can_interrupt_with(self, hand: HandState, combination: Combination) -> bool:
        """Return whether the house rule allows this combination out of turn: never by default.

        Called before the play, only if `allows_interruptions`: `combination` is not on the table yet.
        """
        return False

    def interrupting_plays(self, hand: HandState, by: str) -> Iterator[Cards]:
        """Yield each choice of cards that this player may play out of turn now by the house rule; none by default.

        Called when legal actions are listed. The table has the plays so far.
        """
        return iter(())

    def possible_interrupters(self, hand: HandState) -> tuple[str, ...]:
        """Return the players who might play out of turn by this house rule, judging by public information.

        Called after each play, for views: the play is on the table. None by default.
        """
        return ()

    def turn_message(self, turn: TranslatableMessage) -> TranslatableMessage:
        """Return the message about whose turn it is, to which the house rule adds the plays it allows out of turn."""
        return turn

    def find_play_error(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        """Return why the house rule refuses a play that leads or beats; None (the default) if it does not.

        Called before the play, only if `may_refuse_plays`: `combination` is still among the cards of `by`, and not on
        the table.
        """
        return None

    def pass_lead(self, hand: HandState, by: str) -> HandTransition[HandState] | None:
        """Return the hand after a leader passed whom the house rule leaves no legal lead; None by default.

        Called only if `may_refuse_plays`. The table is empty. Without this, a leader may not pass.
        """
        return None

    def must_play_reason(self, hand: HandState, by: str) -> TranslatableMessage | None:
        """Return why, by the house rule, this player may not pass, as the first half of a sentence.

        Called when passing is checked, listed or refused, with a play on the table. None (the default) if passing is
        allowed.
        """
        return None

    def find_trick_end(self, hand: HandState, laid: PlayedCombination) -> EndTrick | None:
        """Return the effect by which the house rule ends the trick with this play; None (the default) if it goes on.

        Called before all effects of the play: `laid` is neither on the table of `hand` nor taken from the player's
        cards. The effect itself is applied last.
        """
        return None

    # Effects of a play, in the order of these methods, and of several rules in the order of `HOUSE_RULES`. All see the
    # same position: `laid` is on the table of `hand` and gone from its player's cards, and no effect is applied yet.

    def trick_effects(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        """Return the house rule's effects of a play on its trick; none by default.

        The first effects of a play, before those of four of a kind.
        """
        return ()

    def effects_of_play(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        """Return the house rule's effects of a play, such as turned ranks; none by default.

        The next effects, after those of four of a kind.
        """
        return ()

    def foul_effects(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        """Return the effects of a last play that the house rule forbids as the last; none by default.

        The next effects, if the player has no cards left. If there are any, the player has not gone out, but is placed
        last, for example.
        """
        return ()

    def effects_of_going_out(self, hand: HandState, player: str) -> Iterable[Effect]:
        """Return the house rule's effects when a player goes out; none by default.

        The next effects of a play, unless it is a foul. Also called when a player loses the last cards by a choice.
        """
        return ()

    def required_choices(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        """Return the choices that the house rule asks of a play's player before the turn moves on; none by default.

        The next effects. A choice is of cards to give or discard, or of ranks to bomb. The effects behind it wait for
        the answer.
        """
        return ()

    def skip_effects(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        """Return the skips that the house rule causes by a play that does not end the trick; none by default.

        The last effects of a play.
        """
        return ()

    # After a trick, and views -----------------------------------------------------------------------------------

    def after_trick(self, hand: HandState, trick: Sequence[PlayedCombination]) -> HandTransition[HandState] | None:
        """Return the hand after a trick if the house rule asks for something before the next one; None by default.

        The table of `hand` is empty and the next leader is to act. `trick` has the plays that lay there.
        """
        return None

    def pause_reason(self, hand: HandState) -> TranslatableMessage | None:
        """Return what, by the house rule, must be done before anyone may play or pass; None (the default) if nothing.

        Called before each play and pass, and for each list of legal actions. The table may have a finished trick.
        """
        return None

    def signs(self, hand: HandState) -> Iterable[Badge]:
        """Return badges of this house rule that all players see; none by default.

        Called for views, at any time in a hand.
        """
        return ()

    def panels(self, hand: HandState) -> Iterable[Panel]:
        """Return panels of this house rule for the middle of the table; none by default.

        Called for views. They are shown without a trick on the table.
        """
        return ()

    def waiting_message(self, hand: HandState) -> TranslatableMessage | None:
        """Return a sentence about the action that all players wait for by this house rule; None by default.

        Called for views, at any time in a hand.
        """
        return None

    def player_prompt(self, hand: HandState, player: str) -> OwnFace | None:
        """Return what this player alone is shown and asked by this house rule; None by default.

        Called for views, at any time in a hand.
        """
        return None

    # The rule's actions ------------------------------------------------------------------------------------------

    def legal_actions(self, hand: HandState) -> Iterator[tuple[str, Action]]:
        """Yield the legal actions that this house rule adds, each with its player; none by default.

        Called at any time in a hand, before plays and passes are listed.
        """
        return iter(())

    def apply_action(self, hand: HandState, by: str, action: Action) -> HandTransition[HandState] | None:
        """Return the hand after an action; None (the default) if the action does not belong to this house rule now.

        Called for each action other than plays, passes and gifts that are owed. Raises `RuleError` if it is illegal.
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
