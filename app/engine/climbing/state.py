"""The state of one hand of a climbing game: frozen, whole, and nothing else is needed to go on from it."""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from app.engine.base.frozen import Value
from app.engine.cards.cards import Cards
from app.engine.match.hand import HandPhase

from .combinations import Combination
from .effects import Choose, Effect
from .exchange import Exchange

R_co = TypeVar("R_co", covariant=True)
"""The rules that a hand is played by. What they answer is no business of the state's (rule_hooks.py)."""


class Laid(Struct, frozen=True, dict=True):
    """A combination on the table and who played it."""

    by: str
    combination: Combination
    call: str | None = None
    out_of_turn: bool = False
    ends: bool = False
    """Whether the trick is over with it."""
    inverted: bool = False
    """Whether the ranks were upside down when it was played."""

    def to_json(self) -> dict[str, Any]:
        """`by`, `kind` and `cards`, and `call` where something was called: for views and records."""
        out: dict[str, Any] = {"by": self.by, "kind": self.combination.kind, "cards": " ".join(self.combination.cards)}
        if self.call is not None:
            out["call"] = self.call
        return out

    def shown(self, named: Callable[[Combination], str]) -> Mapping[str, Any]:
        """The same, with what `as` calls it, if it has a name. Put together once: every picture of its trick has it,
        and what is the very same need not be compared."""
        kept = vars(self)
        shown: dict[str, Any] | None = kept.get("_shown")
        if shown is None:
            shown = kept["_shown"] = self.to_json()
            if name := named(self.combination):
                shown["as"] = name
        return shown


class Passed(Struct, frozen=True):
    """Somebody had nothing to say to the last play."""

    by: str
    bars: bool = False
    """Whether this puts them out of the trick."""


class Skipped(Struct, frozen=True):
    """Somebody lost a turn."""

    by: str


class Trick(Struct, frozen=True):
    """From a lead until nobody beats the last play: what was done, in order, and what follows from that. Made act by
    act, or by `of`."""

    # Acts are told apart by `type`: that something is no instance of a struct, `isinstance` has to ask its metaclass.

    acts: tuple[Laid | Passed | Skipped, ...] = ()
    turned: bool = False
    """Whether the ranks are turned as long as it lasts: upside down, or back from that."""
    plays: tuple[Laid, ...] = ()
    """The combinations on the table, the one to beat last."""
    table: Laid | None = None
    """The play to beat, if there is one."""
    passed: tuple[str, ...] = ()
    """Those who have passed and not played since; a play out of turn lets everybody speak anew."""
    silent: frozenset[str] = frozenset()
    """Who passed, or was skipped, since the last play."""
    barred: frozenset[str] = frozenset()
    """Who may not act again before the trick is over."""

    @classmethod
    def of(cls, *acts: Laid | Passed | Skipped, turned: bool = False) -> "Trick":
        """The trick in which this was done."""
        return cls(turned=turned).but(*acts)

    @property
    def acted(self) -> frozenset[str]:
        """Who has had a turn in this trick, the leader included."""
        return frozenset([act.by for act in self.acts])

    def but(self, *acts: Laid | Passed | Skipped) -> "Trick":
        """The trick after more was done in it."""
        return reduce(_after, acts, self)

    def before_last(self) -> "Trick":
        """The trick before the last play, and what followed it."""
        last = max(place for place, act in enumerate(self.acts) if type(act) is Laid)
        return self.of(*self.acts[:last], turned=self.turned)


def _after(trick: Trick, act: Laid | Passed | Skipped) -> Trick:
    """The trick after one more act."""
    by, acts, passed = act.by, (*trick.acts, act), trick.passed
    if type(act) is Skipped:
        return replace(trick, acts=acts, silent=trick.silent | {by})
    if by in passed:
        passed = tuple([name for name in passed if name != by])
    if type(act) is Laid:
        passed = () if act.out_of_turn else passed
        return replace(trick, acts=acts, plays=(*trick.plays, act), table=act, passed=passed, silent=frozenset())
    barred = trick.barred | {by} if type(act) is Passed and act.bars else trick.barred
    return replace(trick, acts=acts, passed=(*passed, by), silent=trick.silent | {by}, barred=barred)


class State(Value, Generic[R_co], frozen=True):
    """One hand. `seats` run clockwise; `direction` is 1 for clockwise and -1 for anticlockwise."""

    apart = frozenset({"rules"})
    rules: R_co
    seats: tuple[str, ...]
    dealer: str
    cards: Mapping[str, Cards]
    phase: HandPhase = "play"
    """`deal`, `exchange`, `play` or `over`."""
    to_act: tuple[str, ...] = ()
    hierarchy: tuple[str, ...] = ()
    """The society's order in this hand, best first; empty in the first."""
    direction: int = 1
    inverted: bool = False
    """Whether the ranks are upside down now: turned for the hand, or until the trick ends, but not both."""
    trick: Trick = Trick()
    last_trick: tuple[Laid, ...] = ()
    starter: str | None = None
    """Who leads the first trick."""
    opened: bool = False
    """Whether the first lead has been made."""
    out: tuple[str, ...] = ()
    """Who went out, in order."""
    sunk: tuple[str, ...] = ()
    """Who finishes below everybody else, whatever happens; the last is lowest."""
    pile: Cards = ()
    """Cards of finished tricks, in the order played."""
    exchange: Exchange | None = None
    due: tuple[Effect, ...] = ()
    """What the last play has set off and waits for a choice: that first, then what follows."""
    memory: object = None
    """What the game itself keeps during a hand (frozen)."""

    @property
    def table(self) -> Laid | None:
        """The play to beat, if there is one."""
        return self.trick.table

    @property
    def choice(self) -> Choose | None:
        """What has to be chosen before the turn moves on."""
        first = self.due[0] if self.due else None
        return first if isinstance(first, Choose) else None

    @property
    def revolution(self) -> bool:
        """Whether the ranks are turned for the hand."""
        return self.inverted != self.trick.turned

    @property
    def turn(self) -> str | None:
        """The one whose turn it is, in play."""
        return self.to_act[0] if self.phase == "play" and self.to_act else None

    @property
    def left_of_dealer(self) -> str:
        """Who sits at the dealer's left: they get the first card."""
        return self.seats[(self.seats.index(self.dealer) + 1) % len(self.seats)]

    def active(self) -> tuple[str, ...]:
        """Players who still have cards, clockwise."""
        return tuple([name for name in self.seats if self.cards[name]])

    def after(self, name: str) -> tuple[str, ...]:
        """Everybody else in the direction of play, beginning next to `name`."""
        place = self.seats.index(name)
        clockwise = self.seats[place + 1 :] + self.seats[:place]
        return clockwise if self.direction == 1 else clockwise[::-1]

    def next_active(self, name: str) -> str | None:
        """The next player after `name`, in the direction of play, who has cards."""
        return next((other for other in self.after(name) if self.cards[other]), None)

    def with_cards(self, name: str, cards: Cards) -> "State[R_co]":
        """A copy in which `name` holds these cards."""
        return self.but(cards={**self.cards, name: cards})
