"""Reads what other processes appended to a room's log, and notices when the database has lost entries."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.engine.display.events import GameEvent
from app.rooms.events import NamesRewritten, Rewound, event_texts
from app.rooms.live.connections import RoomClosed
from app.rooms.log.reducer import apply_stored_event
from app.rooms.log.snapshots import load_room
from app.rooms.model.state import Room
from app.rooms.ports.storage import LoadedLog, LogStore, StoredEvent

REWRITTEN, REWOUND = NamesRewritten().kind, Rewound(0).kind


@dataclass(frozen=True, slots=True)
class LogNews:
    """What a room has read in its log. `LogReader.accept` must follow when the room shows it."""

    room: Room
    """The room after all entries; the same object as before if nothing has changed."""
    newest: StoredEvent | None
    """The newest entry; None: unknown."""
    generation: int
    events: Sequence[GameEvent] = ()
    went_on: bool = False
    """Whether the room went on at another node."""
    reloaded: bool = False
    """Whether the room was loaded again, so that earlier game events don't fit it."""
    lost: bool = False
    """Whether the database has lost the last entries that the room knew."""


class LogReader:
    """Reads the log of one room, and remembers the newest entry known here."""

    def __init__(self, room_id: str, log: LogStore) -> None:
        """Start with a room that was just loaded."""
        self._id = room_id
        self._log = log
        self._generation = log.generation
        self._newest_event: tuple[int, str, datetime] | None = None
        """Number, kind and time of the newest log entry known here; None: not known since the room was loaded."""

    @property
    def must_read(self) -> bool:
        """Whether the connection to the database was lost since the last reading.

        The log may now be on another server, and lack entries that are known here.
        """
        return self._generation != self._log.generation

    def set_newest_event(self, seq: int, kind: str, at: datetime) -> None:
        """Remember an entry that this process appended."""
        self._newest_event = seq, kind, at

    def accept(self, news: LogNews) -> None:
        """Remember that the room has what was read."""
        self._generation, newest = news.generation, news.newest
        if newest is not None and not news.lost:
            self._newest_event = newest.seq, newest.kind, newest.at
        elif news.reloaded:
            self._newest_event = None

    async def read(self, room: Room) -> LogNews:
        """Return the room after the log entries that other processes appended.

        Also compares the newest entry known here. If it is missing or different, the database lost entries, and the
        room is loaded again. Raises `RoomClosed` if the room was deleted.
        """
        generation = self._log.generation
        found = await self._log.read(self._id, room.seq - 1)
        if not found or found[0].seq != room.seq or not self._is_newest_known_event(found[0]):
            return await self._read_from_primary(room, generation, differs=bool(found) and found[0].seq == room.seq)
        entries, newest = found[1:], found[-1]
        if any(entry.kind == REWRITTEN for entry in entries):
            # A person's data was deleted, so earlier game events may have the old names.
            loaded = await self._log.load(self._id)
            room = await _load(loaded)
            return LogNews(room, newest, generation, went_on=True, reloaded=True)
        happened: list[GameEvent] = []
        for entry in entries:
            room, events = apply_stored_event(room, entry)
            happened += events
        return LogNews(room, newest, generation, happened, went_on=bool(entries))

    async def _read_from_primary(self, before: Room, generation: int, *, differs: bool) -> LogNews:
        """Load the room again from the database server that accepts writes, because its log looks shortened.

        `differs`: another entry has the newest known number.
        """
        loaded = await self._log.load_confirmed(self._id)
        room = await _load(loaded)
        assert loaded is not None
        newest = loaded.entries[-1] if loaded.entries else None
        # A snapshot may be newer than everything known here. Then only the number of rewinds tells of a loss.
        if (
            differs
            or room.seq < before.seq
            or room.rewinds > before.rewinds
            or not self._contains_newest_known_event(loaded)
        ):
            events = await self._lost_moves(before, room, loaded)
            return LogNews(room, newest, generation, events, reloaded=True, lost=True)
        if room.seq > before.seq:  # the server that was read lags behind
            return LogNews(room, newest, generation, reloaded=True)
        return LogNews(before, None, generation)

    async def _lost_moves(self, before: Room, room: Room, loaded: LoadedLog) -> Sequence[GameEvent]:
        """Return the event that tells how many moves are lost, if another node noticed first and noted it."""
        if room.rewinds <= before.rewinds:
            return ()
        noted = [entry for entry in loaded.entries if entry.kind == REWOUND]
        if not noted:  # it is older than the snapshot
            noted = [entry for entry in await self._log.read(self._id, 0) if entry.kind == REWOUND]
        moves = noted[-1].data["moves"] if noted else 0
        return [event_texts.REWOUND(None, count=moves)] if moves else ()

    def _is_newest_known_event(self, entry: StoredEvent) -> bool:
        """Return whether this log entry is the newest one that the room remembers. True if it remembers none."""
        return self._newest_event in (None, (entry.seq, entry.kind, entry.at))

    def _contains_newest_known_event(self, loaded: LoadedLog) -> bool:
        """Return whether a loaded log contains the newest entry that the room remembers, or begins after it."""
        if self._newest_event is None:
            return True
        known = [(entry.seq, entry.kind, entry.at) for entry in loaded.entries]
        return not known or known[0][0] > self._newest_event[0] or self._newest_event in known


async def _load(loaded: LoadedLog | None) -> Room:
    if loaded is None:  # the room was deleted
        raise RoomClosed
    return await asyncio.to_thread(load_room, loaded)
