"""What a room needs from outside, as protocols, and the values that go through them.

Implementations live in `app/store` (databases), in `memory_bus.py` (one process) and beside the tests. Nothing here
knows SQL, and nothing behind these protocols knows the rules of a room: entries are kinds with JSON.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from .steps import Steps


class NewEntry(Struct, frozen=True):
    """One entry on its way into a room's log; it has no place in it yet."""

    kind: str
    data: dict[str, Any]
    """What JSON can hold."""
    at: datetime
    """Aware, UTC."""


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """One entry of a room's log: the unit of the fold."""

    seq: int
    """From 1, without gaps."""
    at: datetime
    """Aware, UTC."""
    kind: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Loaded:
    """What opening a room reads: the newest snapshot, and the entries after it."""

    snapshot: tuple[int, dict[str, Any]] | None
    """(seq, state): the room as it was after entry `seq`; None if nothing was ever kept."""
    entries: Sequence[StoredEntry]
    """Everything after the snapshot (or from the first entry on), in order."""


# Facts: rows of the history, written in the same transaction as the entries that complete them.


@dataclass(frozen=True, slots=True)
class Memorable:
    """Something in a match that people will speak of later."""

    n: int | None
    """0 at the deal, k at the k-th action of the hand; None: between hands, before this deal."""
    name: str
    """Of the event."""
    by: str | None
    cause: str | None
    """Id of the switch that made it happen."""
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The first hand of a match is about to be dealt."""

    match_id: str
    room: str
    """The room's id."""
    game: str
    options: dict[str, Any]
    """As resolved, with the preset."""
    players: tuple[tuple[str | None, str], ...]
    """(person, name), as seated; None for bots."""
    at: datetime
    continues: str | None = None
    """The id of the volume before, of a match that was too long for one."""
    carried: dict[str, Any] | None = None
    """The society that it goes on with, in another volume or as a variation: a record’s `carried`."""
    origin: Mapping[str, Any] | None = None
    """Where its cards come from, if they are known: a variation, or the deals of another match (`Origin`)."""


@dataclass(frozen=True, slots=True)
class PlayerCame:
    """Somebody joined a match that had begun."""

    match_id: str
    person_id: str | None
    """None for bots."""
    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PointsEntered:
    """Points came to totals outside of any hand: the credit that a match begins with, or a newcomer's."""

    match_id: str
    hand: int
    """Before which hand, from 0."""
    reasons: list[dict[str, Any]]
    """name, key, values, amount, unit, as in the `reasons` of a result."""
    at: datetime


@dataclass(frozen=True, slots=True)
class Hierarchies:
    """The hierarchy before a hand and after it; empty in a game without one."""

    before: tuple[str, ...] = ()
    """Best first."""
    titles_before: Mapping[str, str] = field(default_factory=dict[str, str])
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HandBegan:
    """A hand is dealt."""

    match_id: str
    number: int
    """From 0."""
    before: Mapping[str, Any]
    """The society right before the deal, as a record’s `carried`: with it the hand can be played again by itself."""


@dataclass(frozen=True, slots=True)
class HandCut:
    """A hand was cut off: the table stopped in the middle of it, and it counts for nothing."""

    match_id: str
    number: int
    """From 0."""
    record: dict[str, Any]
    """As of a hand that ended, as far as it was played."""
    events: Sequence[Mapping[str, Any]]
    result: Mapping[str, Any]
    """As of a hand that ended, with who was out by then in its standing, and without titles and points."""
    at: datetime
    room: str
    moments: tuple[Memorable, ...] = ()


@dataclass(frozen=True, slots=True)
class HandEnded:
    """A hand is over."""

    match_id: str
    number: int
    """From 0."""
    record: dict[str, Any]
    """One element of a record's `hands`: dealer, cards, stock, seed, actions, between; `fair` proves the deal."""
    events: Sequence[Mapping[str, Any]]
    """The public events as they happened, for replay; `n` is 0 at the deal, k at the k-th action."""
    result: Mapping[str, Any]
    """dealer, standing, titles, ledger, events, reasons (`HandResult.to_json`)."""
    totals: dict[str, int]
    at: datetime
    room: str
    game: str
    people: Mapping[str, str | None]
    """Who was whom: the person of each name that has had a place in the match; None for bots."""
    luck: Mapping[str, int] = field(default_factory=dict[str, int])
    """What the cards dealt were worth, by name: see `app/engine/luck.py`."""
    ranks: Hierarchies = Hierarchies()
    moments: tuple[Memorable, ...] = ()
    amended: bool = False
    """Told once more: what was done before the next deal changed how it ended. It replaces what was told."""
    counts: bool = True
    """Whether the book counts it: not where the cards were known before."""


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """A match is over, by its rules or because the table stops."""

    match_id: str
    totals: dict[str, int]
    winners: tuple[str, ...]
    """Empty if the table stopped before there were any."""
    at: datetime
    between: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """What was done after the last hand: a last element of the record's `hands`, if there is anything in it."""
    moments: tuple[Memorable, ...] = ()
    """What of that people will speak of later."""
    people: Mapping[str, str | None] = field(default_factory=dict[str, "str | None"])
    """As of a hand."""


@dataclass(frozen=True, slots=True)
class Readdressed:
    """A room has another code and invitation; the old ones lead nobody but these to the new."""

    room: str
    """The room's id."""
    address: "Address"
    members: tuple[str, ...]
    """Persons who are of the room: to others it is as if they had never been there."""
    at: datetime


@dataclass(frozen=True, slots=True)
class PlayersJoined:
    """Two persons are one player of a room: the host let the second in as the first, with another browser."""

    room: str
    before: str
    """The id of the person who had the seat."""
    now: str
    """The id of the person who has it."""


@dataclass(frozen=True, slots=True)
class PlayersApart:
    """This person's earlier identities in a room count as other players again."""

    room: str
    person: str


Fact: TypeAlias = (
    PlayersJoined
    | PlayersApart
    | MatchStarted
    | PlayerCame
    | PointsEntered
    | HandBegan
    | HandEnded
    | HandCut
    | MatchEnded
    | Readdressed
)


@dataclass(frozen=True, slots=True)
class Address:
    """What lets people into a room, until it gets another one."""

    code: str
    """Short, to be said aloud."""
    invite: str
    """Long, for a link."""


@dataclass(frozen=True, slots=True)
class Lead:
    """Where a code or an invitation leads."""

    room: str
    """The room's id, which it has for ever."""
    code: str
    """The room's code now."""
    current: bool
    """Whether what was asked for is the room's address now; if not, it was."""


class LogConflict(Exception):
    """Somebody else appended first: the log is not where the writer thought."""

    def __init__(self, expected: int, found: int) -> None:
        super().__init__(f"expected the log at {expected}, found it at {found}")
        self.expected = expected
        self.found = found


class AddressTaken(Exception):
    """Another room has this code or invitation, or once had it."""


class Unavailable(Exception):
    """What is kept can't be reached or written just now; what was asked may or may not have been done.

    Whoever keeps it says so in the log of the server, once for all who ask.
    """


Kept: TypeAlias = int | Exception
"""What became of entries: the new last seq, after the commit, or why they are not in the log."""


class LogStore(Protocol):
    """Where rooms are kept. Every call may be made by many tasks at once."""

    async def create(
        self,
        room: str,
        address: Address,
        first: Sequence[NewEntry],
        facts: Sequence[Fact] = (),
        *,
        host: str | None = None,
    ) -> None:
        """Keep a new room with its first entries, seq 1 to n; `AddressTaken` if another has its id, code or invitation.

        Everything else is asked for by this id; codes and invitations only lead to it. `host` is the person who opened
        it, and so has been there.
        """
        ...

    def submit(
        self,
        room: str,
        expected: int,
        entries: Sequence[NewEntry],
        done: Callable[[Kept], Steps],
        *,
        facts: Sequence[Fact] = (),
        snapshot: dict[str, Any] | None = None,
        meanwhile: Callable[[], Steps] | None = None,
    ) -> None:
        """Append after `expected`, the last seq the writer knows; `done` is called later, once, on the event loop.

        It gets the new last seq, only after the commit, or an error: `LogConflict` if the log has moved on. What it
        does then it does in step with all others whose entries share the commit. `snapshot`
        is the room as it was at `expected`, before these entries. Facts go in the same transaction; `AddressTaken` if
        one gives the room an address that another has. Raises what is wrong with the entries themselves.

        `meanwhile` may be called, before that, to prepare what will be needed then. It is called while the event loop's
        thread waits, on another one, and nobody may notice it.
        """
        ...

    generation: int
    """Grows whenever the connection to the database was lost: the next server may lack the last entries."""

    async def load_confirmed(self, room: str) -> Loaded | None:
        """Load a room as `load` does, but only from a server that accepts writes: one was committed there.

        `Unavailable` if there is none just now.
        """
        ...

    async def load(self, room: str, *, at_most: int | None = None) -> Loaded | None:
        """Read what opens a room: the newest snapshot and the entries after it; None if there is no such room.

        A snapshot that another version of the code made is left out, and the whole log is read. `at_most` is how many
        entries are read; then any snapshot is used.
        """
        ...

    async def read(self, room: str, after: int) -> list[StoredEntry]:
        """Read every entry after `after`, in order."""
        ...

    async def heads(self, rooms: Collection[str]) -> dict[str, int]:
        """Read the last seq of each of these rooms that there are, in one go."""
        ...

    async def by_code(self, code: str) -> Lead | None:
        """Find where this code leads, or once led."""
        ...

    async def by_invite(self, invite: str) -> Lead | None:
        """Find where this invitation leads, or once led."""
        ...


TO_ALL = "@"
"""Begins hints that every node hears, whatever rooms it has. No room's id begins so."""
LOOK = 0
"""In a hint in place of a seq: some of this room's may have been missed."""
ASIDE = "!"
"""In a hint, between a room's id and a word that its people are told, and that is in no log: it has no seq."""


class Bus(Protocol):
    """Hints between nodes: room so-and-so is at seq n. A hint may be lost."""

    def publish(self, room: str, seq: int) -> None:
        """Tell the other nodes that follow this room, soon."""
        ...

    def follow(self, room: str) -> None:
        """Hear of this room from now on, or soon; where it is soon, callbacks are told `LOOK` then."""
        ...

    def unfollow(self, room: str) -> None:
        """Hear of this room no longer."""
        ...

    def subscribe(self, callback: Callable[[str, int], None]) -> Callable[[], None]:
        """Have `callback` told of hints to all and of rooms that are followed; returns what ends that.

        It is quick and runs on the event loop.
        """
        ...


class Clock(Protocol):
    """What time it is. A room never asks by itself."""

    def now(self) -> datetime:
        """Tell the time: aware, UTC."""
        ...
