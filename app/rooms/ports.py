"""What a room needs from outside, as protocols, and the values that go through them.

Implementations live in `app/store` (databases) and in `memory.py` (tests, one process). Nothing here knows SQL,
and nothing behind these protocols knows the rules of a room: entries are kinds with JSON.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, TypeAlias


@dataclass(frozen=True, slots=True)
class NewEntry:
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
class MatchStarted:
    """The first hand of a match is about to be dealt."""

    match_id: str
    room: str
    """The room's code."""
    game: str
    options: dict[str, Any]
    """As resolved, with the preset."""
    players: tuple[tuple[str | None, str], ...]
    """(person, name), as seated; None for bots."""
    at: datetime


@dataclass(frozen=True, slots=True)
class PlayerCame:
    """Somebody joined a match that had begun."""

    match_id: str
    person_id: str | None
    """None for bots."""
    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class HandEnded:
    """A hand is over."""

    match_id: str
    number: int
    """From 0."""
    record: dict[str, Any]
    """One element of a record's `hands`: dealer, cards, stock, seed, actions, between; `fair` proves the deal."""
    events: list[dict[str, Any]]
    """The public events as they happened, for replay; `n` is 0 at the deal, k at the k-th action."""
    result: Mapping[str, Any]
    """dealer, standing, titles, ledger, events."""
    totals: dict[str, int]
    at: datetime
    amended: bool = False
    """Told once more: what was done before the next deal changed how it ended. It replaces what was told."""


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


Fact: TypeAlias = MatchStarted | PlayerCame | HandEnded | MatchEnded


class LogConflict(Exception):
    """Somebody else appended first: the log is not where the writer thought."""

    def __init__(self, expected: int, found: int) -> None:
        super().__init__(f"expected the log at {expected}, found it at {found}")
        self.expected = expected
        self.found = found


class CodeTaken(Exception):
    """Another room has this code (or invitation) already."""


class RoomLog(Protocol):
    """Where rooms are kept. Every call may be made by many tasks at once."""

    async def create(self, code: str, invite: str, first: Sequence[NewEntry]) -> None:
        """Keep a new room with its first entries, seq 1 to n; `CodeTaken` if the code or the invitation is in use."""
        ...

    async def append(
        self,
        code: str,
        expected: int,
        entries: Sequence[NewEntry],
        facts: Sequence[Fact] = (),
        snapshot: dict[str, Any] | None = None,
    ) -> int:
        """Append after `expected`, the last seq the writer knows; returns the new last seq, only after the commit.

        `LogConflict` if the log has moved on. `snapshot` is the room as it was at `expected`, before these entries.
        Facts go in the same transaction.
        """
        ...

    async def load(self, code: str, *, at_most: int | None = None) -> Loaded | None:
        """Read the newest snapshot and what came after it (`at_most` so much); None if there is no such room."""
        ...

    async def read(self, code: str, after: int) -> list[StoredEntry]:
        """Read every entry after `after`, in order."""
        ...

    async def by_invite(self, invite: str) -> str | None:
        """Find the code of the room that this invitation opens."""
        ...


class Bus(Protocol):
    """Hints between nodes: room so-and-so is at seq n. A hint may be lost."""

    async def publish(self, code: str, seq: int) -> None:
        """Tell all other nodes."""
        ...

    def subscribe(self, callback: Callable[[str, int], None]) -> Callable[[], None]:
        """Have `callback` told of every hint; returns what ends that. It is quick and runs on the event loop."""
        ...


class Clock(Protocol):
    """What time it is. A room never asks by itself."""

    def now(self) -> datetime:
        """Tell the time: aware, UTC."""
        ...
