"""The complete, immutable state of one hand of a climbing game."""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from app.engine.base.frozen import FrozenState
from app.engine.cards.cards import Cards
from app.engine.match.hand import HandPhase

from .combinations import Combination
from .effects import Effect, RequireChoice
from .exchange import Exchange

R_co = TypeVar("R_co", covariant=True)
"""The type of the hand's rules. The state never calls them (rule_hooks.py)."""


class PlayedCombination(Struct, frozen=True, dict=True):
    """A combination that was played, and its player.

    `call`: a limit on the next plays that was announced with it, or None. `out_of_turn`: it was played during another
    player's turn.
    """

    by: str
    combination: Combination
    call: str | None = None
    out_of_turn: bool = False
    ends: bool = False
    """Whether this play ends the trick."""
    inverted: bool = False
    """Whether ranks were inverted when it was played."""

    def to_json(self) -> dict[str, Any]:
        """Return the play as JSON for views and records: `by`, `kind`, `cards`, and `call` if something was called."""
        out: dict[str, Any] = {"by": self.by, "kind": self.combination.kind, "cards": " ".join(self.combination.cards)}
        if self.call is not None:
            out["call"] = self.call
        return out

    def cached_view(self, named: Callable[[Combination], str]) -> Mapping[str, Any]:
        """Return the play as JSON, with the name of its reading as `as`, if it has one.

        `named` returns the name of a reading, such as the rank of wild cards. The result is cached, because every view
        of the trick contains it. Reusing the same object also makes comparing fast.
        """
        cache = vars(self)
        shown: dict[str, Any] | None = cache.get("_shown")
        if shown is None:
            shown = cache["_shown"] = self.to_json()
            if name := named(self.combination):
                shown["as"] = name
        return shown


class Passed(Struct, frozen=True):
    """An act in a trick: player `by` passed on the last play."""

    by: str
    bars: bool = False
    """Whether the pass bars the player from the rest of the trick."""


class Skipped(Struct, frozen=True):
    """An act in a trick: player `by` lost a turn through another player's play."""

    by: str


class Trick(Struct, frozen=True):
    """A trick so far: its acts in order, and the values derived from them.

    Build it with `with_acts` or `from_acts`, which keep the derived fields up to date.
    """

    # Compare acts by `type`, not `isinstance`: a negative `isinstance` on a struct is slow (asks the metaclass).

    acts: tuple[PlayedCombination | Passed | Skipped, ...] = ()
    turned: bool = False
    """Whether the order of ranks is flipped until the trick ends."""
    plays: tuple[PlayedCombination, ...] = ()
    """The combinations on the table in order; the last is to be beaten."""
    table: PlayedCombination | None = None
    """The play to beat, or None before the lead."""
    passed: tuple[str, ...] = ()
    """Players who have passed and not played since. A play out of turn empties the list."""
    silent: frozenset[str] = frozenset()
    """Players who have passed or were skipped since the last play."""
    barred: frozenset[str] = frozenset()
    """Players who may not act again in this trick."""

    @classmethod
    def from_acts(cls, *acts: PlayedCombination | Passed | Skipped, turned: bool = False) -> "Trick":
        """Return the trick that consists of these acts (plays, passes, skips), with the derived fields filled in.

        `turned`: ranks are flipped until the trick ends.
        """
        return cls(turned=turned).with_acts(*acts)

    @property
    def call(self) -> str | None:
        """The call in this trick, or None. It was announced with a play, and limits the plays that follow."""
        return next((laid.call for laid in self.plays if laid.call is not None), None)

    @property
    def players_who_acted(self) -> frozenset[str]:
        """Return the players who have had a turn in this trick, including the leader and players who were skipped."""
        return frozenset([act.by for act in self.acts])

    def with_acts(self, *acts: PlayedCombination | Passed | Skipped) -> "Trick":
        """Return the trick with these acts (plays, passes, skips) added in order."""
        return reduce(_trick_after_act, acts, self)

    def before_last_play(self) -> "Trick":
        """Return the trick up to its last play: without that play and the acts after it.

        A rule that forbids some last plays looks at the trick before the play. Raises ValueError in a trick without
        plays.
        """
        last = max(place for place, act in enumerate(self.acts) if type(act) is PlayedCombination)
        return self.from_acts(*self.acts[:last], turned=self.turned)


def _trick_after_act(trick: Trick, act: PlayedCombination | Passed | Skipped) -> Trick:
    """Return the trick with one act (a play, pass or skip) added and the derived fields updated."""
    by, acts, passed = act.by, (*trick.acts, act), trick.passed
    if type(act) is Skipped:
        return replace(trick, acts=acts, silent=trick.silent | {by})
    if by in passed:
        passed = tuple([name for name in passed if name != by])
    if type(act) is PlayedCombination:
        passed = () if act.out_of_turn else passed
        return replace(trick, acts=acts, plays=(*trick.plays, act), table=act, passed=passed, silent=frozenset())
    barred = trick.barred | {by} if type(act) is Passed and act.bars else trick.barred
    return replace(trick, acts=acts, passed=(*passed, by), silent=trick.silent | {by}, barred=barred)


class ClimbingHand(FrozenState, Generic[R_co], frozen=True):
    """The state of one hand of a climbing game. `seats` run clockwise; `direction` is -1 for anticlockwise.

    It is never changed: each action makes a new one. `to_act` are players who must act. `last_trick` has the plays of
    the trick before.

    `exchange` are the gifts of the hand, or None.
    """

    transient_fields = frozenset({"rules"})
    rules: R_co
    seats: tuple[str, ...]
    dealer: str
    cards: Mapping[str, Cards]
    phase: HandPhase = "play"
    """`deal`, `exchange`, `play` or `over`."""
    to_act: tuple[str, ...] = ()
    hierarchy: tuple[str, ...] = ()
    """The hierarchy during this hand, best first; empty in the first hand."""
    direction: int = 1
    inverted: bool = False
    """Whether ranks are inverted now: for the hand or until the trick ends, but not by both."""
    trick: Trick = Trick()
    last_trick: tuple[PlayedCombination, ...] = ()
    starter: str | None = None
    """The player who leads the first trick, or None if not yet known."""
    opened: bool = False
    """Whether the first lead has been made."""
    out: tuple[str, ...] = ()
    """Players who went out, in order."""
    sunk: tuple[str, ...] = ()
    """Players who will finish below everybody else; the last one lowest."""
    pile: Cards = ()
    """Cards of finished tricks, in the order played."""
    exchange: Exchange | None = None
    due: tuple[Effect, ...] = ()
    """Effects of the last play that are not applied yet: first the open choice, then its followers."""
    memory: object = None
    """The game-specific part of the state (immutable)."""

    @property
    def play_to_beat(self) -> PlayedCombination | None:
        """Return the play that must be beaten now; None if the next player leads."""
        return self.trick.table

    @property
    def open_choice(self) -> RequireChoice | None:
        """Return the choice that a player must make in mid-trick before the turn moves on, or None."""
        first = self.due[0] if self.due else None
        return first if isinstance(first, RequireChoice) else None

    @property
    def is_revolution(self) -> bool:
        """Return whether ranks are inverted for the rest of the hand, apart from an inversion for this trick only."""
        return self.inverted != self.trick.turned

    @property
    def player_to_play(self) -> str | None:
        """Return the player whose turn it is in the play phase of the hand, else None."""
        return self.to_act[0] if self.phase == "play" and self.to_act else None

    @property
    def left_of_dealer(self) -> str:
        """Return the player at the dealer's left, who gets the first card of the deal."""
        return self.seats[(self.seats.index(self.dealer) + 1) % len(self.seats)]

    def players_with_cards(self) -> tuple[str, ...]:
        """Return the players who still have cards in the hand, clockwise."""
        return tuple([name for name in self.seats if self.cards[name]])

    def others_in_play_order(self, name: str) -> tuple[str, ...]:
        """Return all other players of the hand in the direction of play, starting next to `name`."""
        place = self.seats.index(name)
        clockwise = self.seats[place + 1 :] + self.seats[:place]
        return clockwise if self.direction == 1 else clockwise[::-1]

    def next_player_with_cards(self, name: str) -> str | None:
        """Return the next player after `name`, in the direction of play, who has cards; None if nobody else has."""
        return next((other for other in self.others_in_play_order(name) if self.cards[other]), None)

    def with_player_cards(self, name: str, cards: Cards) -> "ClimbingHand[R_co]":
        """Return a copy of the hand in which `name` holds these cards."""
        return self.replace(cards={**self.cards, name: cards})
