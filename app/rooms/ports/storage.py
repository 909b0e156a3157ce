"""Storage of rooms: the interface of the event log, its values and its errors.

`app/store` implements it with databases, and tests implement it in memory. This module contains no SQL, and
implementations don't interpret events: an event is a kind with JSON data.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from app.rooms.ports.addresses import Address, AddressLookup
from app.rooms.ports.facts import Fact


class NewEvent(Struct, frozen=True):
    """An event to be appended to a room's log. Its entry number is assigned when it is stored."""

    kind: str
    data: dict[str, Any]
    """A JSON object."""
    at: datetime
    """Aware, UTC."""


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One stored entry of a room's log, with its number, as the reducer reads it."""

    seq: int
    """The entry's number in the room's log, from 1 without gaps."""
    at: datetime
    """Aware, UTC."""
    kind: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class LoadedLog:
    """The stored data from which a room is loaded: a snapshot, and the log entries after it."""

    snapshot: tuple[int, dict[str, Any]] | None
    """(seq, state): the room after entry `seq`, as JSON; None if the room has no usable snapshot."""
    entries: Sequence[StoredEvent]
    """All entries after the snapshot, or all entries, in order."""


class LogConflict(Exception):
    """Raised if a room's log has other entries than the writer expected: another process appended first."""

    def __init__(self, expected: int, found: int) -> None:
        super().__init__(f"expected the log at {expected}, found it at {found}")
        self.expected = expected
        self.found = found


class AddressTaken(Exception):
    """Raised on storing a room's address: another room uses this code or invitation, or used it before."""


class StorageUnavailable(Exception):
    """Raised if the database can't be reached or written now.

    The requested change may or may not be stored. The implementation logs this once for the whole outage.
    """


class NewerLog(StorageUnavailable):
    """A room's log was written by a newer version of the program, so this node can't open the room.

    The message names what this version does not know. People get the same answer as during an outage.
    """


class DamagedRoom(Exception):
    """Raised if a room can't be opened because its stored data can't be read or contradicts itself.

    Other rooms are not affected. `pecking-order check` finds the damaged rows.
    """


AppendResult: TypeAlias = int | Exception
"""The result of appending: the new last entry number after the commit, or the error."""


class LogStore(Protocol):
    """The event logs of all rooms in the database. Methods may be called concurrently by many tasks."""

    async def create(
        self,
        room: str,
        address: Address,
        first: Sequence[NewEvent],
        facts: Sequence[Fact] = (),
        *,
        host: str | None = None,
    ) -> int:
        """Store a new room with its first log entries, numbered from 1, and the facts that follow from them.

        Returns the bytes of entries and facts, roughly. Raises `AddressTaken` if another room has this id, code or
        invitation. `host`: the person who created the room, stored as one of its visitors.
        """
        ...

    def submit(
        self,
        room: str,
        expected: int,
        entries: Sequence[NewEvent],
        on_done: Callable[[AppendResult], None],
        *,
        facts: Sequence[Fact] = (),
        snapshot: dict[str, Any] | None = None,
    ) -> int:
        """Queue events to be appended to a room's log after entry `expected`, the last one known to the writer.

        Returns the bytes that events and facts add to the database, roughly.

        `on_done` is called once, later, on the event loop. It gets the new last entry number after the commit, or an
        error: `LogConflict` if the log has other entries, `AddressTaken` if an event sets an address of another room.
        `snapshot`: the room at `expected`, before these events. `facts` are stored in the same transaction. Invalid
        events raise an error at once.
        """
        ...

    @property
    def generation(self) -> int:
        """A number that grows when the connection to the database was lost. The next may lack the last entries."""
        ...

    async def load_confirmed(self, room: str) -> LoadedLog | None:
        """Load a room as `load` does, but only from a server that confirms by a commit that it accepts writes.

        So an outdated copy of the database is never read. Raises `StorageUnavailable` if no server accepts writes now.
        """
        ...

    async def load(self, room: str, *, at_most: int | None = None) -> LoadedLog | None:
        """Load the newest snapshot of a room and the later entries; None if the room does not exist.

        A snapshot in an older format is ignored and the whole log is read, unless the log's first entries were deleted.
        A snapshot in a newer format raises `NewerLog`. With `at_most`, any snapshot is used, and only that many entries
        after it are read. The state may then be older, so use this only for reading.
        """
        ...

    async def read(self, room: str, after: int) -> list[StoredEvent]:
        """Return all entries of this room's log after entry number `after`, in order."""
        ...

    async def read_last_seqs(self, rooms: Collection[str]) -> dict[str, int]:
        """Return the last entry number of each of these rooms that exists, in one query."""
        ...

    async def by_code(self, code: str) -> AddressLookup | None:
        """Return the room to which a code leads, and whether the code is current or was replaced; None if unknown."""
        ...

    async def by_invite(self, invite: str) -> AddressLookup | None:
        """Return the room to which an invitation leads, and whether it is current or was replaced; None if unknown."""
        ...
