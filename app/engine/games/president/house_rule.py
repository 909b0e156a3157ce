"""A house rule as one value: `Part` has a method for each question of the hand that such a rule may answer.

A part answers what it overrides, and is asked nothing else. It never edits what is not its own: it answers with
effects, with a step of the hand in which only its own slice of the memory is changed, or with what it asks of a play.
`PresidentRules` joins the answers, in one fixed way per question: every demand has to be met, effects follow one
another, the first step wins.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

from app.engine.base.errors import RuleError
from app.engine.base.messages import Said
from app.engine.base.options import Conflict, Options, Switch, Value
from app.engine.cards.actions import Action
from app.engine.cards.cards import Card, Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.effects import Effect, EndTrick
from app.engine.climbing.rule_hooks import NOTHING_TO_CALL, HandState
from app.engine.climbing.state import Laid
from app.engine.climbing.suggestion_data import Proposal
from app.engine.display.table_display import OwnFace, Panel, Sign
from app.engine.games.president.combinations.beats import Beating
from app.engine.games.president.combinations.requirements import Demand
from app.engine.match.game import Nothing
from app.engine.match.hand import Finish, HandStep

Slice = TypeVar("Slice")
"""What a part keeps during a hand: frozen."""


class Judge(Protocol):
    """Who says in one trick what cards are, and what beats: as everywhere (judging.py), or as a house rule has it."""

    def readings(self, cards: Cards, on: Combination | None, *, inverted: bool) -> Sequence[Combination]:
        """Everything that these cards may be, strongest first."""
        ...

    def candidates(
        self, held: Cards, on: Combination | None, *, inverted: bool, must: Card | None = None
    ) -> Iterator[Cards]:
        """Different choices of cards that may be played, and few others; each with the card that it must have."""
        ...

    def beats(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        """Whether one play beats what lies on the table."""
        ...

    def unbeaten_by(self, new: Combination, on: Combination, *, inverted: bool) -> str:
        """The id of the rule by which it does not."""
        ...

    def proposals(self, on: Combination, demands: Sequence[Demand], *, inverted: bool) -> list[Proposal]:
        """Everything that beats it and meets these demands."""
        ...

    def nothing_beats(self) -> Said | None:
        """That nothing does, for a sentence, where there is a reason to give."""
        ...


class Part(Generic[Slice]):
    """One house rule in force. What is not overridden is never asked."""

    switch: ClassVar[Switch[Any]]
    section: ClassVar[str]
    """The key of the section that has the switch."""
    at: ClassVar[Value] = True
    """The value of the switch at which the rule is in force, where `is_on` does not say otherwise."""
    conflicts: ClassVar[tuple[Conflict[Any, Any], ...]] = ()
    """What contradicts it, of what is declared before it."""
    actions: ClassVar[tuple[type[Action], ...]] = ()
    """Actions that only this rule has."""
    refusing: bool = False
    """Whether `refuses` may refuse anything."""
    unlisted: ClassVar[tuple[Action, ...]] = ()
    """Of these, what may be done at one's own time, so that no list of legal actions has it."""
    key: ClassVar[str] = ""
    """The name of its slice of the hand's memory, if it has one."""
    turns: ClassVar[Literal["hand", "trick"] | None] = None
    """For how long it may turn the ranks upside down, if it does."""
    interrupts: bool = False
    """Whether anything may be played out of turn by this rule."""
    fewest: ClassVar[int] = 0
    """The fewest players with whom a match begins."""

    def __init__(self, beating: Beating, options: Options) -> None:
        self.beating, self.faces, self.options = beating, beating.faces, options

    @classmethod
    def is_on(cls, value: Value) -> bool:
        """Whether the rule is in force at this value of its switch."""
        return value == cls.at

    # Its slice of the memory -------------------------------------------------------------------------------------

    @classmethod
    def of(cls, hand: HandState) -> Slice | None:
        """What it keeps in this hand; None if it keeps nothing yet."""
        kept: Slice | None = _slices(hand).get(cls.key)
        return kept

    @classmethod
    def keep(cls, hand: HandState, kept: Slice) -> HandState:
        """The hand with this kept."""
        return hand.but(memory={**_slices(hand), cls.key: kept})

    # What it lays open -------------------------------------------------------------------------------------------

    @classmethod
    def table(cls, hand: HandState) -> Mapping[str, object]:
        """What everybody may know by this rule of a hand, whether or not it is in force: a `TypedDict` of its own."""
        return Nothing()

    @classmethod
    def own(cls, hand: HandState, player: str) -> Mapping[str, object]:
        """What only this player may know by this rule, likewise."""
        return Nothing()

    # A match and its hands ---------------------------------------------------------------------------------------

    def wrong_number(self, count: int) -> Said | None:
        """Why no match begins with so many players; None if one does."""
        return None

    def begin(self, hand: HandState, kept: Mapping[str, Any]) -> HandState:
        """A hand that is about to be dealt, with what it needs of what its match keeps."""
        return hand

    def finish(self, hand: HandState, finish: Finish) -> Finish:
        """What a hand that is over leaves behind: its events, the hierarchy, what the match keeps."""
        return finish

    def places(self, hand: HandState, standing: tuple[str, ...]) -> tuple[str, ...]:
        """The places so far, or at the end."""
        return standing

    def set_aside(self, hand: HandState) -> Cards:
        """Cards that nobody holds and nobody has played."""
        return ()

    def open_to(self, hand: HandState, player: str) -> tuple[str, ...]:
        """Who shows this player all their cards now."""
        return ()

    def known_to(self, hand: HandState, player: str) -> HandState | None:
        """A hand without what this rule keeps of it and this player can't know; None if that can't be drawn again."""
        return hand

    # From the deal to the first lead -----------------------------------------------------------------------------

    def deals(self, hand: HandState, then: Callable[[HandState], object]) -> HandStep[HandState] | None:
        """The hand that waits for the deal to go on by hand; None: all is dealt. `then` tries what comes after it."""
        return None

    def hands_out(self, hand: HandState) -> HandStep[HandState]:
        """The piles as dealt, each to whom it is for."""
        return HandStep(hand)

    def before_gifts(self, hand: HandState) -> HandState:
        """A hand whose gifts are about to be asked for, with what has to be done besides."""
        return hand

    def after_gifts(self, hand: HandState) -> HandState | None:
        """A hand with something left to do when all gifts have changed hands; None: nothing is."""
        return None

    def exchanging(self, hand: HandState) -> tuple[str, ...]:
        """Who has something to do in the exchange besides gifts."""
        return ()

    # In a trick --------------------------------------------------------------------------------------------------

    def judge(self, hand: HandState) -> Judge | None:
        """Who judges the plays of this trick, if it is not as everywhere."""
        return None

    def asks(self, hand: HandState) -> Demand | None:
        """What every play on this table must be, whoever makes it."""
        return None

    def calls(self, hand: HandState, combination: Combination) -> Sequence[str]:
        """What may be called with this play."""
        return ()

    def called(self, hand: HandState) -> str | None:
        """Return what is called in this trick, if anything is."""
        return None

    def uncalled(self) -> Said:
        """That nothing may be called with some play, and what could be."""
        return NOTHING_TO_CALL()

    def interrupting(self, hand: HandState, combination: Combination) -> bool:
        """Whether this may be played though somebody else is to act."""
        return False

    def interruptions(self, hand: HandState, by: str) -> Iterator[Cards]:
        """All that somebody who is not to act may play now by this rule, each once."""
        return iter(())

    def may_break_in(self, hand: HandState) -> tuple[str, ...]:
        """Who may be about to play out of turn by this rule, for all that everybody can see."""
        return ()

    def turn_words(self, turn: Said) -> Said:
        """Whose turn it is, and what may be played out of turn by this rule."""
        return turn

    def refuses(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        """Why a play that would beat, or lead, is not allowed all the same; of a rule that is `refusing`."""
        return None

    def lead_passed(self, hand: HandState, by: str) -> HandStep[HandState] | None:
        """The hand after a leader passed who has nothing to lead, by a rule that is `refusing`."""
        return None

    def must_play(self, hand: HandState, by: str) -> Said | None:
        """Why this player may not pass on what lies there, for a sentence that goes on with what to play."""
        return None

    def marks(self, hand: HandState, laid: Laid) -> Iterable[Effect]:
        """What a play makes of its trick, told before all that follows from it. `hand` has it in its trick."""
        return ()

    def ends(self, hand: HandState, laid: Laid) -> EndTrick | None:
        """Whether the trick is over with this play, which is about to be put on the table."""
        return None

    def played(self, hand: HandState, laid: Laid) -> Iterable[Effect]:
        """What follows from a play, after what four of a kind turn: in the order of the list of house rules."""
        return ()

    def fouls(self, hand: HandState, laid: Laid) -> Iterable[Effect]:
        """What comes of going out by this play, where that is a foul: then nobody has gone out."""
        return ()

    def chooses(self, hand: HandState, laid: Laid) -> Iterable[Effect]:
        """What has to be chosen after a play, before the turn moves on."""
        return ()

    def skips(self, hand: HandState, laid: Laid) -> Iterable[Effect]:
        """Who loses a turn by a play with which the trick goes on: the last to follow from it."""
        return ()

    def went_out(self, hand: HandState, name: str) -> Iterable[Effect]:
        """What follows when somebody has gone out: by a play, or by a choice in mid-trick."""
        return ()

    def trick_over(self, hand: HandState, trick: Sequence[Laid]) -> HandStep[HandState] | None:
        """The hand after a trick, where something is left to do before the next."""
        return None

    def pauses(self, hand: HandState) -> Said | None:
        """What has to be done before anybody may play or pass, as a sentence."""
        return None

    def signs(self, hand: HandState) -> Iterable[Sign]:
        """What is out of the ordinary now by this rule, for all to see."""
        return ()

    def panels(self, hand: HandState) -> Iterable[Panel]:
        """What is to be read or seen in the middle of the table about this rule, where no trick lies there."""
        return ()

    def waits_for(self, hand: HandState) -> Said | None:
        """What all wait for by this rule, in a sentence."""
        return None

    def shows(self, hand: HandState, player: str) -> OwnFace | None:
        """What only this player is shown and asked by this rule."""
        return None

    # Actions of its own ------------------------------------------------------------------------------------------

    def legal(self, hand: HandState) -> Iterator[tuple[str, Action]]:
        """What may be done now, and by whom, besides play, pass and gifts."""
        return iter(())

    def act(self, hand: HandState, by: str, action: Action) -> HandStep[HandState] | None:
        """The hand after an action; `RuleError` if it is not legal; None if it is none of this rule's now."""
        return None


def _slices(hand: HandState) -> dict[str, Any]:
    """What a hand of President keeps: of each part its slice, by its key."""
    assert isinstance(hand.memory, dict)
    return hand.memory


def asked(parts: Iterable[Part[Any]], question: Callable[..., object]) -> tuple[Part[Any], ...]:
    """Those that have an answer of their own to a question, given as the method of `Part`."""
    name = question.__name__
    return tuple(part for part in parts if getattr(type(part), name) is not question)
