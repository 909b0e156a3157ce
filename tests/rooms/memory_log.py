"""A log in memory, for tests.

Values go through JSON as in a real store, so that tests notice values that a database can't hold.
"""

import asyncio
import json
from collections.abc import Callable, Collection, Sequence
from typing import Any

from app.rooms.ports.addresses import Address, AddressLookup
from app.rooms.ports.facts import AddressChanged, Fact
from app.rooms.ports.storage import AddressTaken, AppendResult, LoadedLog, LogConflict, NewEvent, StoredEvent


def size_of(entries: Sequence[NewEvent]) -> int:
    """Return the bytes of these entries as JSON."""
    return sum(len(json.dumps(entry.data)) for entry in entries)


class MemoryLog:
    """A `LogStore` in memory."""

    def __init__(self) -> None:
        self.entries: dict[str, list[StoredEvent]] = {}
        self.snapshots: dict[str, tuple[int, str]] = {}
        self.addresses: dict[str, list[Address]] = {}
        """The addresses of each room, the current one last."""
        self.facts: list[Fact] = []
        self.generation = 0

    async def create(
        self,
        room: str,
        address: Address,
        first: Sequence[NewEvent],
        facts: Sequence[Fact] = (),
        *,
        host: str | None = None,
    ) -> int:
        """See `LogStore.create`."""
        if room in self.entries:
            raise AddressTaken(room)
        self._check_free(address)
        self.entries[room] = []
        self.addresses[room] = [address]
        self._keep(room, first)
        self.facts += facts
        return size_of(first)

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
        """See `LogStore.submit`."""
        try:
            kept: AppendResult = self.append(room, expected, entries, facts, snapshot)
        except Exception as error:
            kept = error
        asyncio.get_running_loop().call_soon(on_done, kept)
        return size_of(entries)

    def append(
        self,
        room: str,
        expected: int,
        entries: Sequence[NewEvent],
        facts: Sequence[Fact] = (),
        snapshot: dict[str, Any] | None = None,
    ) -> int:
        """Append the entries, and return the last seq."""
        found = len(self.entries[room])
        if found != expected:
            raise LogConflict(expected, found)
        for fact in facts:
            if isinstance(fact, AddressChanged):
                self._check_free(fact.address)
                self.addresses[room].append(fact.address)
        if snapshot is not None:
            self.snapshots[room] = (expected, json.dumps(snapshot))
        self._keep(room, entries)
        self.facts += facts
        return len(self.entries[room])

    async def load_confirmed(self, room: str) -> LoadedLog | None:
        """See `LogStore.load_confirmed`."""
        return await self.load(room)

    def cut(self, room: str, seq: int) -> None:
        """Delete all entries after this one, as if a lagging replica had been promoted."""
        del self.entries[room][seq:]
        if self.snapshots.get(room, (0, ""))[0] > seq:
            del self.snapshots[room]

    async def load(self, room: str, *, at_most: int | None = None) -> LoadedLog | None:
        """See `LogStore.load`."""
        if room not in self.entries:
            return None
        seq, state = self.snapshots.get(room, (0, ""))
        last = None if at_most is None else seq + at_most
        return LoadedLog((seq, json.loads(state)) if state else None, tuple(self.entries[room][seq:last]))

    async def read(self, room: str, after: int) -> list[StoredEvent]:
        """See `LogStore.read`."""
        return self.entries[room][after:]

    async def read_last_seqs(self, rooms: Collection[str]) -> dict[str, int]:
        """See `LogStore.heads`."""
        return {room: len(self.entries[room]) for room in rooms if room in self.entries}

    async def by_code(self, code: str) -> AddressLookup | None:
        """See `LogStore.by_code`."""
        return self._lead(lambda address: address.code == code)

    async def by_invite(self, invite: str) -> AddressLookup | None:
        """See `LogStore.by_invite`."""
        return self._lead(lambda address: address.invite == invite)

    def _lead(self, asked: Callable[[Address], bool]) -> AddressLookup | None:
        for room, known in self.addresses.items():
            for address in filter(asked, known):
                return AddressLookup(room, known[-1].code, address is known[-1])
        return None

    def _check_free(self, address: Address) -> None:
        taken = (known for all_of_one in self.addresses.values() for known in all_of_one)
        if any(known.code == address.code or known.invite == address.invite for known in taken):
            raise AddressTaken(address.code)

    def _keep(self, room: str, entries: Sequence[NewEvent]) -> None:
        log = self.entries[room]
        for entry in entries:
            data = json.loads(json.dumps(entry.data))
            log.append(StoredEvent(len(log) + 1, entry.at, entry.kind, data))
