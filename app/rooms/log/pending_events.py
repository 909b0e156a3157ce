"""Entries on their way into a room's log.

A `Draft` collects entries and folds each at once, so the next decision sees what the last one led to, and an action is
judged exactly once. Nothing is real before the runner has the record in the log.
"""

from collections.abc import Collection
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from app.bots import BOTS
from app.engine.display.events import Event
from app.rooms.log import snapshots
from app.rooms.log.history_facts import facts_of
from app.rooms.log.reducer import fold
from app.rooms.model import events as entries
from app.rooms.model.decision import Outcome, Record, Verdict
from app.rooms.model.events import Entry
from app.rooms.model.shuffle_proof import SECRET_BYTES
from app.rooms.model.state import Draw, Room, Run, milliseconds
from app.rooms.ports.facts import Fact
from app.rooms.ports.storage import NewEntry

SNAPSHOT_AFTER = 200
"""Entries without a deal, after which the room is kept whole again."""


class Draft(Struct, eq=False):
    """Entries on their way, and the room as it will be."""

    start: Room
    room: Room
    at: datetime
    ms: int
    draw: Draw
    node: str
    """Where this is decided, and whoever asks has their socket."""
    bots: Collection[str]
    """The kinds that there are there."""
    entries: tuple[NewEntry, ...] = ()
    facts: tuple[Fact, ...] = ()
    events: tuple[Event, ...] = ()
    dealing: bool = False
    _cmd: tuple[str, str] | None = None
    """Goes with the next entry that answers."""
    _answered: int | None = None
    """The seq of the entry that the command's id went with."""

    @classmethod
    def of(cls, room: Room, now: datetime, draw: Draw, node: str = "", bots: Collection[str] = BOTS) -> "Draft":
        """Begin with this room."""
        # Whole milliseconds, so that any store gives back the very same.
        at = now.replace(microsecond=now.microsecond // 1000 * 1000)
        return cls(room, room, at, milliseconds(at), draw, node, bots)

    @property
    def run(self) -> Run:
        """The match as it will be; to be asked only where there is one."""
        assert self.room.run is not None, "in the waiting room nobody asks for the match"
        return self.room.run

    def fork(self, cmd: tuple[str, str] | None = None) -> "Draft":
        """Make a draft that begins with what is in this one, to try something: this one stays as it is.

        `cmd` is the command (person, id) that the fork is to answer.
        """
        return replace(self, _cmd=cmd)

    def add(self, entry: Entry, *, answers: bool = True) -> None:
        """Add one more entry; `RuleError` if the game refuses an action, and then it is not added.

        The first entry that `answers` carries the command's id; one that only prepares it does not.
        """
        cmd = self._cmd if answers else None
        room, events = fold(self.room, entry, self.ms, cmd)
        kind, data = entries.encode(entry, cmd)
        self.entries += (NewEntry(kind, data, self.at),)
        self.facts += tuple(facts_of(self.room, entry, room, self.at))
        if cmd is not None:
            self._answered, self._cmd = room.seq, None
        self.room = room
        self.events += events

    def new_secret(self, *, answers: bool = True) -> None:
        """Add a fresh secret, and with it the room's commitment for the next deal. `answers`: as of `add`."""
        self.add(entries.Committed(self.draw(SECRET_BYTES).hex()), answers=answers)

    def settle(self) -> int:
        """Give the seq that answers the command; what is added from now on only follows from it."""
        self._cmd = None
        return self._answered or self.room.seq

    def outcome(self, answer: Verdict) -> Outcome:
        """Give all of it, with the answer to whoever asked."""
        if not self.entries:
            return Outcome(answer, None, self.room)
        start = self.start
        due = self.dealing or (start.since >= SNAPSHOT_AFTER and snapshots.can_save(start))
        snapshot = snapshots.save(start) if due and start.seq else None
        record = Record(self.entries, self.facts, snapshot)
        room = self.room if snapshot is None else self.room.but(since=len(self.entries))
        return Outcome(answer, record, room, self.events)
