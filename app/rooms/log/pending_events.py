"""Events that a command adds, before they are in a room's log.

`PendingEvents` applies each event at once, so the next decision sees its effect. An action is validated only once.
Nothing takes effect before the room actor has written the events to the log.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from app.bots import BOTS
from app.engine.display.events import GameEvent
from app.rooms import events as entries
from app.rooms.events import LogEvent
from app.rooms.log import snapshots
from app.rooms.log.history_facts import build_facts
from app.rooms.log.reducer import apply_event
from app.rooms.model.decision import AppendRequest, CommandReply, Decision
from app.rooms.model.shuffle_proof import SECRET_BYTES
from app.rooms.model.state import MatchRun, RandomBytes, Room, to_milliseconds
from app.rooms.ports.facts import Fact
from app.rooms.ports.storage import NewEvent

NO_GUESTS: Mapping[int, str] = MappingProxyType({})
SNAPSHOT_AFTER = 200
"""Entries without a deal after which a snapshot is stored."""


class PendingEvents(Struct, eq=False):
    """The draft of a decision: the log events that a command has added so far, and the room that results from them.

    Nothing is stored yet.
    """

    initial_room: Room
    room: Room
    at: datetime
    now_ms: int
    random_bytes: RandomBytes
    node: str
    """The node that decides this, where the person's connection is."""
    available_bots: Collection[str]
    """The kinds of bots on this node."""
    guests: Mapping[int, str] = NO_GUESTS
    """The persons without a name who watch, by their numbers."""
    new_events: tuple[NewEvent, ...] = ()
    facts: tuple[Fact, ...] = ()
    game_events: tuple[GameEvent, ...] = ()
    has_deal: bool = False
    _cmd: tuple[str, str] | None = None
    """The command (person, id) that the next answering event carries."""
    _answered: int | None = None
    """Number of the log entry that carries the command's id."""

    @classmethod
    def begin(
        cls,
        room: Room,
        now: datetime,
        random_bytes: RandomBytes,
        node: str = "",
        available_bots: Collection[str] = BOTS,
        guests: Mapping[int, str] = NO_GUESTS,
    ) -> "PendingEvents":
        """Return an empty draft of events that starts from this room. `now` is rounded down to milliseconds.

        `node`: the server process that decides. `available_bots`: the kinds of bots there. `guests`: the persons
        without a name who watch, by their numbers.
        """
        # Every store returns whole milliseconds unchanged.
        at = now.replace(microsecond=now.microsecond // 1000 * 1000)
        return cls(room, room, at, to_milliseconds(at), random_bytes, node, available_bots, guests)

    @property
    def run(self) -> MatchRun:
        """The match of the room that results from these events. Fails an assertion in the waiting room."""
        assert self.room.run is not None, "in the waiting room nobody asks for the match"
        return self.room.run

    def fork(self, cmd: tuple[str, str] | None = None) -> "PendingEvents":
        """Copy this draft to try further events.

        The original stays unchanged, so a refused command leaves no trace. `cmd` is the command (person, id) that the
        copy answers.
        """
        return replace(self, _cmd=cmd)

    def add(self, entry: LogEvent, *, answers_command: bool = True) -> None:
        """Apply a log event to the draft's room and append it, with the history facts that follow from it.

        Raises `RuleError` if the game refuses an action; then nothing is added. The first event with `answers_command`
        carries the command's id; use False for events that only prepare the answer.
        """
        cmd = self._cmd if answers_command else None
        room, events = apply_event(self.room, entry, self.now_ms, cmd)
        kind, data = entries.encode(entry, cmd)
        self.new_events += (NewEvent(kind, data, self.at),)
        self.facts += tuple(build_facts(self.room, entry, room, self.at))
        if cmd is not None:
            self._answered, self._cmd = room.seq, None
        self.room = room
        self.game_events += events

    def add_new_secret(self, *, answers_command: bool = True) -> None:
        """Draw a random secret for the next deal and add it as an event.

        Its hash becomes the room's commitment. `answers_command`: whether the event may carry the command's id, as in
        `add`.
        """
        self.add(entries.SecretCommitted(self.random_bytes(SECRET_BYTES).hex()), answers_command=answers_command)

    def finish_answer(self) -> int:
        """Return the number of the log entry that answers the client's command, which its reply reports.

        If none does, the last entry's number. Later events no longer carry the command's id.
        """
        self._cmd = None
        return self._answered or self.room.seq

    def build_decision(self, answer: CommandReply) -> Decision:
        """Return the finished decision: this reply, all events and facts, and the resulting room.

        Adds a snapshot of the room before the events if one is due. Without events, nothing is to be stored.
        """
        if not self.new_events:
            return Decision(answer, None, self.room)
        start = self.initial_room
        due = self.has_deal or (start.since >= SNAPSHOT_AFTER and snapshots.can_save(start))
        snapshot = snapshots.room_to_json(start) if due and start.seq else None
        record = AppendRequest(self.new_events, self.facts, snapshot)
        room = self.room if snapshot is None else self.room.replace(since=len(self.new_events))
        return Decision(answer, record, room, self.game_events)
