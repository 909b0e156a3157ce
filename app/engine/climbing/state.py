"""The state of one hand of a climbing game: frozen, whole, and nothing else is needed to go on from it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from app.engine.cards import Cards
from app.engine.values import but

from .combinations import Combination
from .exchange import Exchange

R_co = TypeVar("R_co", covariant=True)
"""The rules that a hand is played by. What they answer is no business of the state's (moments.py)."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A combination on the table and who played it."""

    by: str
    combination: Combination
    call: str | None = None
    out_of_turn: bool = False

    def to_json(self) -> dict[str, Any]:
        """For views and records."""
        out: dict[str, Any] = {"by": self.by, "kind": self.combination.kind, "cards": " ".join(self.combination.cards)}
        if self.call is not None:
            out["call"] = self.call
        return out


@dataclass(frozen=True, slots=True)
class Passed:
    """Somebody had nothing to say to the last play."""

    by: str
    bars: bool = False
    """Whether this puts them out of the trick."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """Somebody lost a turn."""

    by: str


@dataclass(frozen=True, slots=True)
class Trick:
    """From a lead until nobody beats the last play: what was done, in order. All else follows from that."""

    acts: tuple[Laid | Passed | Skipped, ...] = ()
    plays: tuple[Laid, ...] = field(init=False, compare=False, repr=False)
    """The combinations on the table, the one to beat last. It is asked for all the time, so it is found once."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "plays", tuple([act for act in self.acts if isinstance(act, Laid)]))

    def but(self, *acts: Laid | Passed | Skipped) -> "Trick":
        """The trick after more was done in it."""
        return Trick((*self.acts, *acts))

    @property
    def passed(self) -> tuple[str, ...]:
        """Those who have passed and not played since; a play out of turn lets everybody speak anew."""
        names: dict[str, None] = {}
        for act in self.acts:
            if isinstance(act, Skipped):
                continue
            names.pop(act.by, None)
            if isinstance(act, Passed):
                names[act.by] = None
            elif act.out_of_turn:
                names.clear()
        return tuple(names)

    @property
    def silent(self) -> frozenset[str]:
        """Who passed, or was skipped, since the last play."""
        names: list[str] = []
        for act in reversed(self.acts):
            if isinstance(act, Laid):
                break
            names.append(act.by)
        return frozenset(names)

    @property
    def barred(self) -> frozenset[str]:
        """Who may not act again before the trick is over."""
        return frozenset([act.by for act in self.acts if isinstance(act, Passed) and act.bars])

    @property
    def acted(self) -> frozenset[str]:
        """Who has had a turn in this trick, the leader included."""
        return frozenset([act.by for act in self.acts])


@dataclass(frozen=True)
class State(Generic[R_co]):
    """One hand. `seats` run clockwise; `direction` is 1 for clockwise and -1 for anticlockwise."""

    rules: R_co = field(repr=False, compare=False)
    seats: tuple[str, ...]
    dealer: str
    cards: Mapping[str, Cards]
    phase: str = "play"
    """`deal`, `exchange`, `play` or `over`."""
    to_act: tuple[str, ...] = ()
    hierarchy: tuple[str, ...] = ()
    """The society's order in this hand, best first; empty in the first."""
    direction: int = 1
    inverted: bool = False
    """Whether the ranks are upside down."""
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
    memory: Any = None
    """What the game itself keeps during a hand (frozen)."""

    @property
    def table(self) -> Laid | None:
        """The play to beat, if there is one."""
        plays = self.trick.plays
        return plays[-1] if plays else None

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
        return tuple(name for name in self.seats if self.cards[name])

    def after(self, name: str) -> Iterator[str]:
        """Everybody else in the direction of play, beginning next to `name`."""
        seats, start = self.seats, self.seats.index(name)
        for step in range(1, len(seats)):
            yield seats[(start + self.direction * step) % len(seats)]

    def next_active(self, name: str) -> str | None:
        """The next player after `name`, in the direction of play, who has cards."""
        return next((other for other in self.after(name) if self.cards[other]), None)

    def but(self, **changes: Any) -> "State[R_co]":
        """A copy with some fields changed."""
        return but(self, **changes)

    def with_cards(self, name: str, cards: Cards) -> "State[R_co]":
        """A copy in which `name` holds these cards."""
        return but(self, cards={**self.cards, name: cards})
