"""A log and a bus in memory: for tests, and for trying things without a database. They keep nothing.

Values go through JSON, as in a real store, so that nothing slips through that a database could not hold.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from .ports import CodeTaken, Fact, Loaded, LogConflict, NewEntry, StoredEntry


class MemoryLog:
    """A `RoomLog`."""

    def __init__(self) -> None:
        self.entries: dict[str, list[StoredEntry]] = {}
        self.snapshots: dict[str, tuple[int, str]] = {}
        self.invites: dict[str, str] = {}
        self.facts: list[Fact] = []

    async def create(self, code: str, invite: str, first: Sequence[NewEntry]) -> None:
        """See `RoomLog.create`."""
        if code in self.entries or invite in self.invites:
            raise CodeTaken(code)
        self.entries[code] = []
        self.invites[invite] = code
        self._keep(code, first)

    async def append(
        self,
        code: str,
        expected: int,
        entries: Sequence[NewEntry],
        facts: Sequence[Fact] = (),
        snapshot: dict[str, Any] | None = None,
    ) -> int:
        """See `RoomLog.append`."""
        found = len(self.entries[code])
        if found != expected:
            raise LogConflict(expected, found)
        if snapshot is not None:
            self.snapshots[code] = (expected, json.dumps(snapshot))
        self._keep(code, entries)
        self.facts += facts
        return len(self.entries[code])

    async def load(self, code: str, *, at_most: int | None = None) -> Loaded | None:
        """See `RoomLog.load`."""
        if code not in self.entries:
            return None
        seq, state = self.snapshots.get(code, (0, ""))
        last = None if at_most is None else seq + at_most
        return Loaded((seq, json.loads(state)) if state else None, tuple(self.entries[code][seq:last]))

    async def read(self, code: str, after: int) -> list[StoredEntry]:
        """See `RoomLog.read`."""
        return self.entries[code][after:]

    async def by_invite(self, invite: str) -> str | None:
        """See `RoomLog.by_invite`."""
        return self.invites.get(invite)

    def _keep(self, code: str, entries: Sequence[NewEntry]) -> None:
        log = self.entries[code]
        for entry in entries:
            data = json.loads(json.dumps(entry.data))
            log.append(StoredEntry(len(log) + 1, entry.at, entry.kind, data))


class MemoryBus:
    """A `Bus` among the registries of one process."""

    def __init__(self) -> None:
        self._callbacks: dict[object, Callable[[str, int], None]] = {}

    async def publish(self, code: str, seq: int) -> None:
        """See `Bus.publish`."""
        for callback in tuple(self._callbacks.values()):
            callback(code, seq)

    def subscribe(self, callback: Callable[[str, int], None]) -> Callable[[], None]:
        """See `Bus.subscribe`."""
        mark = object()
        self._callbacks[mark] = callback
        return lambda: self._callbacks.pop(mark, None) and None
