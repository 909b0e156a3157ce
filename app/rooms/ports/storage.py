"""Storage of rooms: the interface of the event log, its values and its errors.

`app/store` implements it on databases, tests in memory. Nothing here knows SQL, and no implementation knows the rules
of a room: an entry is a kind with JSON.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from app.rooms.ports.addresses import Address, Lead
from app.rooms.ports.facts import Fact


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
        done: Callable[[Kept], None],
        *,
        facts: Sequence[Fact] = (),
        snapshot: dict[str, Any] | None = None,
    ) -> None:
        """Append after `expected`, the last seq the writer knows; `done` is called later, once, on the event loop.

        It gets the new last seq, only after the commit, or an error: `LogConflict` if the log has moved on. `snapshot`
        is the room as it was at `expected`, before these entries. Facts go in the same transaction; `AddressTaken` if
        one gives the room an address that another has. Raises what is wrong with the entries themselves.
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
