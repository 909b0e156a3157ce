"""One room while it is awake: one command is under way, the others wait, and what the room decides is carried out.

Whatever changes is in the log before anybody hears of it. If another process was faster, the runner reads what it
missed and lets the room decide again. A room has no task: it is called with a command, and by the log when that is
kept; only what must first be read from the log is waited for. Who has sockets here is in `connections.py`, timers are
in `timers.py`.
"""

import asyncio
import logging
import random
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, ClassVar, Final, TypeAlias

from app.bots import kinds
from app.engine.base.messages import Sentence
from app.engine.cards.cards import parse_cards
from app.engine.display.events import Event
from app.engine.match import views
from app.rooms.bots import reactions
from app.rooms.handlers.dispatch import decide
from app.rooms.live.bot_turns import Choosing
from app.rooms.live.connections import Attendance, Connection, RoomClosed
from app.rooms.live.timers import TROUBLE_PAUSE, Alarms
from app.rooms.live.turn_alerts import Call, Calls, awaited
from app.rooms.log import event_texts
from app.rooms.log.deadlines import wishes
from app.rooms.log.reducer import fold_stored
from app.rooms.log.snapshots import from_log
from app.rooms.model import commands as ask
from app.rooms.model.decision import Outcome, Verdict
from app.rooms.model.events import Rewound, Rewritten, encode
from app.rooms.model.member import Members
from app.rooms.model.state import Draw, Room, milliseconds
from app.rooms.people.reactions import Reaction
from app.rooms.ports.bot_workers import Decided, Thinker
from app.rooms.ports.bus import Bus
from app.rooms.ports.clock import Clock
from app.rooms.ports.storage import AddressTaken, Kept, Loaded, LogConflict, LogStore, StoredEntry, Unavailable
from app.rooms.views import room_view
from app.rooms.views.delta import ForOne, Updates

logger = logging.getLogger(__name__)

ATTEMPTS = 20
"""How often a command is decided again because another process was faster."""
REFUSALS_KEPT = 512
"""Refusals remembered while the room is awake; accepted commands are remembered in the log."""
LONGEST_QUEUE = 1000
REJOIN_TRIES = 10
"""How often a lost deal waits `TROUBLE_PAUSE` for people whose node has not yet seen that entries are lost."""
REWRITTEN = encode(Rewritten())[0]
REWOUND = encode(Rewound(0))[0]

NOT_KEPT = Sentence("room.not_kept", "That could not be kept just now: try again.")
UNDONE = Sentence("room.undone", "The server lost the last moves. Look at the table and try again.")
UNAVAILABLE = Verdict(False, None, "unavailable", NOT_KEPT())


_CHANCE = random.Random()
"""For the bots of all rooms."""


class _CatchUp:
    """Read what others appended."""


def _nobody_minds() -> None:
    """Do nothing."""


def _not_counted(part: str) -> None:
    """Do nothing."""


def _nobody_looks(name: str, reaction: Reaction) -> None:
    """Do nothing."""


Answered: TypeAlias = Callable[[Verdict], None]
"""Is told the answer, once, and is soon done with it."""
_Work: TypeAlias = tuple["ask.Command | _CatchUp", Answered | None]


class Runner:
    """Carries out one room's outcomes: what is decided is recorded, and then told."""

    def __init__(
        self,
        room: Room,
        log: LogStore,
        bus: Bus,
        clock: Clock,
        draw: Draw,
        *,
        rng: random.Random | None = None,
        blink: float = 1.0,
        node: str = "",
        living: frozenset[str] = frozenset(),
        call: Callable[[Call], None] | None = None,
        thinker: Thinker | None = None,
        decided: Callable[[Decided], None] | None = None,
        failed: Callable[[str], None] = _not_counted,
        rewound: Callable[["Runner"], Awaitable[None]] | None = None,
    ) -> None:
        """`node`: this one among those that are `living`. `call` calls people back to the table; None: nobody does.

        `thinker` thinks for bots that want to think; None: they do without. `decided` is told of what bots choose.
        `failed` counts an unexpected error after a commit: it gets the name of the part that failed. `rewound` is
        called when the database has lost the last entries: it saves the people again who are connected here.
        """
        self.room = room
        self.id = room.id
        self.last_used = asyncio.get_running_loop().time()
        """When something last happened, in the event loop's time."""
        self._log = log
        self._bus = bus
        self._clock = clock
        self._draw = draw
        self._node = node
        self._bots = kinds(thinks=thinker is not None)
        self._living = living
        self._failed = failed
        self._rewound = rewound
        self._last: tuple[int, str, datetime] | None = None
        """Seq, kind and time of the newest entry known here; None: not known since the room was opened."""
        self._generation = log.generation
        self._rng = rng or _CHANCE
        self._waiting: deque[_Work] = deque()
        self._current: _Work | None = None
        """What is under way, and whom to answer, if that is still to be done."""
        self._attempts = 0
        self._reading: asyncio.Task[None] | None = None
        """Reads the log for what is under way."""
        self._done: asyncio.Future[None] | None = None
        """Whoever closes the room waits for it."""
        self._attendance = Attendance(blink, self._gone, self._tell_crowd)
        self._choosing = Choosing(lambda: self.room, self._rng, self._put, self._let_be, thinker, decided)
        self._alarms = Alarms(clock, self._rng, self._time_is_up, self._ask_bot, self._lag)
        self._calls = None if call is None else Calls(call, self._sees)
        self._woken = False
        """Whether there has been a socket."""
        self._updates = Updates()
        self._pictured: Room | None = None
        """What the newest picture shows; None: it is to be taken again."""
        self._watchers = 0
        """Who watch without a name, as the newest picture tells."""
        self._counted: tuple[Members, int] | None = None
        """The last count of spectators, and the members for whom it holds. None: connections have come or gone since.

        Counting for each picture takes 1.1 % more instructions for each command (docs/speed.md, 2026-11-27)."""
        self._refused: OrderedDict[tuple[str, str], Verdict] = OrderedDict()
        self._heard = room.seq
        self._closed = False
        self.match_over: Callable[[], None] = _nobody_minds
        """Called when a match that went on does so no more."""
        self.react: Callable[[str, Reaction], None] = _nobody_looks
        """Called with what a bot shows, which is in no log."""

    # For the world ---------------------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        """The time by the room's clock, in milliseconds since 1970."""
        return milliseconds(self._clock.now())

    def submit(self, command: ask.Asked, answered: Answered) -> None:
        """Take a client's command; `answered` is called when what it led to is in the log, perhaps at once."""
        if self._closed or len(self._waiting) >= LONGEST_QUEUE:
            answered(UNAVAILABLE)
        else:
            self._put(command, answered)

    async def handle(self, command: ask.Asked) -> Verdict:
        """Answer a command, as `submit` does, for whoever waits for it."""
        future: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
        self.submit(command, lambda verdict: None if future.done() else future.set_result(verdict))
        return await future

    def connect(self, person: str | None = None) -> Connection:
        """Open a connection for this person's socket (None: for somebody unknown, who watches)."""
        if self._closed:
            raise RoomClosed
        connection = Connection(person, self._newest, self._disconnected, self._looked)
        self._attendance.came(connection)
        self._looked(connection)
        self._counted = None
        if not self._woken:
            # Whoever the log says is here was here before a sleep or a restart; those who are will say so.
            self._woken = True
            self._put(ask.Woken(self._living))
        if person is not None and self.room.member_of(person) is not None:
            self._put(ask.Present(person))
        else:
            self._arm()  # there is somebody for whom the clocks go on
        self._crowd_changed(person)
        return connection

    def look(self, person: str | None, cards: str) -> list[dict[str, object]]:
        """List the actions that would play these own cards now. Changes nothing; `RuleError` if they are no cards."""
        return room_view.look(self.room, person, parse_cards(cards))

    def awaits(self, person: str) -> bool:
        """Whether it is this person's turn, or the table asks them something."""
        return any(each == person for each, _ in awaited(self.room))

    def tell(self, frame: bytes) -> None:
        """Tell everybody who has a socket here something that is no part of the room, and in no log."""
        self._attendance.tell(frame)

    def prospects(self, person: str | None, first: int) -> views.Foreseen:
        """List what somebody may play now and what each play would do, from this legal action on. Changes nothing."""
        return room_view.prospects(self.room, person, first)

    def hint(self, seq: int) -> None:
        """Hear from another process that the log is at `seq`."""
        if seq > max(self.room.seq, self._heard):
            self._heard = seq
            self._put(_CatchUp())

    def seen_at(self, seq: int | None) -> None:
        """Hear how far the log is, None: there is none. If it ends before what is known here, look into it."""
        if seq is None or seq < self.room.seq:
            self._put(_CatchUp())
        else:
            self.hint(seq)

    def living(self, nodes: frozenset[str]) -> None:
        """Hear which nodes live: nobody is at any other. A room without a socket here leaves it to those that have."""
        self._living = nodes
        if len(self._attendance) and not self.room.nodes <= nodes:
            self._put(ask.Living(nodes))

    @property
    def code(self) -> str:
        """The room's code now."""
        return self.room.code

    @property
    def is_closed(self) -> bool:
        """Whether it takes no commands any more: it sleeps, or there is no such room any more."""
        return self._closed

    @property
    def connections(self) -> int:
        """How many sockets are open."""
        return len(self._attendance)

    @property
    def is_idle(self) -> bool:
        """Whether nobody would notice if this went to sleep."""
        return self._attendance.is_over and not (self._current or self._waiting)

    async def close(self) -> None:
        """Finish what was asked for until now, then stop; connections are told."""
        if self._closed:
            return
        self._closed = True
        self._go_on()
        if self._current is not None:
            self._done = asyncio.get_running_loop().create_future()
            await self._done
        self._end_all()

    def _end_all(self) -> None:
        self._alarms.close()
        self._choosing.close()
        if self._calls is not None:
            self._calls.close()
        self._attendance.close()

    def _newest(self, person: str | None, shown: int) -> tuple[int, ForOne]:
        """Give the number of the newest picture with what a connection is told that was shown an older one."""
        if self._pictured is not self.room:
            self._take()
        return self._updates.number, self._updates.told(person, shown)

    def _take(self) -> None:
        """Take a picture of the room as it is."""
        self._watchers = self._watching(self.room)
        self._updates.take(self.room, self._now(), self._watchers)
        self._pictured = self.room

    def _now(self) -> int:
        return milliseconds(self._clock.now())

    def _disconnected(self, connection: Connection) -> None:
        self._attendance.left(connection)
        self._looked(connection)
        self._counted = None
        self._crowd_changed(connection.person)

    # One command after the other -------------------------------------------------------------------------------

    def _put(self, command: "ask.Command | _CatchUp", answered: Answered | None = None) -> None:
        if not self._closed:
            self._waiting.append((command, answered))
            self.last_used = asyncio.get_running_loop().time()
            if self._current is None:
                self._go_on()

    def _go_on(self) -> None:
        """Begin with what waits, as long as nothing is under way."""
        while self._current is None and self._waiting:
            self._current = self._waiting.popleft()
            self._attempts = 0
            try:
                self._begin(self._current[0])
            except Exception as error:
                self._fail(error)
        if self._done is not None and self._current is None and not self._done.done():
            self._done.set_result(None)

    def _begin(self, command: "ask.Command | _CatchUp") -> None:
        if isinstance(command, _CatchUp):
            self._read_first(self._only_catch_up())
            return
        if isinstance(command, ask.BotAct):
            self._alarms.answered(command.name)
        remembered = self._remembered(command)
        if remembered is not None:
            self._answer(remembered)
            self._current = None
        else:
            self._decide(command)

    def _decide(self, command: ask.Command) -> None:
        """Decide what is under way. What changes the room goes to the log, which calls `_written`."""
        self._attempts += 1
        if self._attempts > ATTEMPTS:
            raise RuntimeError(f"others were faster {ATTEMPTS} times")
        if self._generation != self._log.generation:
            # The connection was lost meanwhile: the log may be another server's, and end before what is known here.
            self._read_first(self._decide_again(command))
            return
        now = self._clock.now()
        outcome = decide(self.room, command, now, self._draw, self._node, self._bots)
        record = outcome.record
        if record is not None:
            snapshot = None if record.snapshot is None else dict(record.snapshot)
            written = partial(self._written, command, outcome, now)
            self._log.submit(self.id, self.room.seq, record.entries, written, facts=record.facts, snapshot=snapshot)
        elif outcome.answer.ok:
            self._answer(outcome.answer)
            self._end(command)
        else:
            self._read_first(self._refuse(command, outcome.answer))

    def _written(self, command: ask.Command, outcome: Outcome, decided: datetime, kept: Kept) -> None:
        """Continue after the log has accepted or refused the entries of a command."""
        if isinstance(kept, int):
            self._committed(command, outcome, decided)
        else:
            try:
                self._not_written(command, kept)
            except Exception as error:
                self._fail(error)
        self._go_on()

    def _committed(self, command: ask.Command, outcome: Outcome, decided: datetime) -> None:
        """Show a committed command, then answer it and set the timers.

        The command is done: no error from here on may lose its answer, the timers or the bots' turns. The picture
        comes before the answer.
        """
        assert outcome.record is not None
        newest = outcome.record.entries[-1]
        self._last = outcome.room.seq, newest.kind, newest.at
        try:
            self._show(outcome.room, outcome.events)
        finally:
            self._answer(outcome.answer)
            late = self._clock.now() - decided
            self._end(command, round(late.total_seconds() * 1000))
            self._attempt("hint", self._bus.publish, self.id, self.room.seq)

    def _not_written(self, command: ask.Command, error: Exception) -> None:
        match error:
            case LogConflict():
                self._read_first(self._decide_again(command))
            case AddressTaken():  # a random address that another room has: draw again
                self._decide(command)
            case _:
                self._fail(error)

    def _attempt(self, part: str, work: Callable[..., object], *given: object) -> bool:
        """Do one part of what follows a commit. An error is logged and counted; returns whether there was none."""
        try:
            work(*given)
        except Exception:
            logger.exception("room %s: an update failed in part: %s", self.id, part)
            self._failed(part)
            return False
        return True

    def _end(self, command: ask.Command, late: int = 0) -> None:
        """Finish the current command and set the timers. `late`: milliseconds since it was decided."""
        if isinstance(command, ask.Woken):
            self._tell_presence()
        self._arm(late)
        self._current = None

    def _answer(self, verdict: Verdict) -> None:
        """Tell whoever asked, once."""
        assert self._current is not None
        command, answered = self._current
        self._current = command, None
        self._tell(answered, verdict)

    def _fail(self, error: Exception) -> None:
        """Something is wrong, with the log or with us: what was not answered yet was not done."""
        if self._current is None:
            logger.error("room %s: something failed", self.id, exc_info=error)
            return
        command, answered = self._current
        self._current = None
        if not isinstance(error, Unavailable | RoomClosed):  # of those whoever keeps the log tells
            logger.error("room %s: %s failed", self.id, type(command).__name__, exc_info=error)
        self._in_trouble(command)
        self._tell(answered, UNAVAILABLE)

    def _tell(self, answered: Answered | None, verdict: Verdict) -> None:
        if answered is not None:
            self._attempt("answer", answered, verdict)

    # What the log must first be read for ------------------------------------------------------------------------

    def _read_first(self, work: Coroutine[Any, Any, None]) -> None:
        """Go on with what is under way by something that waits for the log."""
        self._reading = asyncio.get_running_loop().create_task(self._guarded(work), name=f"room {self.id}")

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception as error:
            self._fail(error)
        self._go_on()

    async def _only_catch_up(self) -> None:
        await self._catch_up()
        self._current = None

    async def _decide_again(self, command: ask.Command) -> None:
        rewinds = self.room.rewinds
        await self._catch_up()
        self._after_reading(command, rewinds)

    def _after_reading(self, command: ask.Command, rewinds: int) -> None:
        """Decide a command after others' entries were read; it waits for a `Rewind` that is to come first."""
        assert self._current is not None
        if self._rewinding or self.room.rewinds != rewinds:
            if isinstance(command, ask.Act):  # chosen for a position that is undone
                self._answer(Verdict(False, None, "not_now", UNDONE()))
                self._end(command)
                return
            if not isinstance(command, ask.Rewind):
                self._waiting.insert(1 if self._rewinding else 0, self._current)
                self._current = None
                return
        self._decide(command)

    async def _refuse(self, command: ask.Command, answer: Verdict) -> None:
        """Refuse nothing for what this process has not heard of yet."""
        rewinds = self.room.rewinds
        if await self._catch_up():
            self._after_reading(command, rewinds)
            return
        self._remember(command, answer)
        self._answer(answer)
        self._end(command)

    def _in_trouble(self, command: "ask.Command | _CatchUp") -> None:
        """Try once more, a little later, what nobody else would ask for again: the log could not be written."""
        if self._closed:
            return
        match command:
            case ask.TimerFired() | ask.BotAct():
                self._alarms.retry(self._arm)
            case _CatchUp():
                self._heard = self.room.seq  # the next hint may say the same again
            case ask.Present() | ask.Absent() | ask.Woken():
                asyncio.get_running_loop().call_later(TROUBLE_PAUSE, self._put_if_true, command)
            case _:
                pass

    def _put_if_true(self, command: ask.Present | ask.Absent | ask.Woken) -> None:
        here = self._attendance.persons
        if isinstance(command, ask.Woken) or (command.by in here) == isinstance(command, ask.Present):
            self._put(command)

    async def _catch_up(self) -> bool:
        """Fold what others appended; say whether there was anything.

        The newest entry that is known here is read, too: if it is missing or another one, the database lost entries.
        """
        generation = self._log.generation
        found = await self._log.read(self.id, self.room.seq - 1)
        if not found or found[0].seq != self.room.seq or not self._is_newest(found[0]):
            await self._reload(differs=bool(found) and found[0].seq == self.room.seq)
            self._generation = generation
            return True
        self._generation = generation
        entries, newest = found[1:], found[-1]
        self._last = newest.seq, newest.kind, newest.at
        if not entries:
            return False
        if any(entry.kind == REWRITTEN for entry in entries):
            await self._open_again()
        else:
            room, happened = self.room, list[Event]()
            for entry in entries:
                room, events = fold_stored(room, entry)
                happened += events
            self._show(room, happened)
        self._tell_presence()
        self._arm(milliseconds(self._clock.now()) - milliseconds(entries[-1].at))
        return True

    async def _open_again(self) -> None:
        """Take the room as its log has it now: what it had, and what was told of it, has other names there."""
        loaded = await self._log.load(self.id)
        if loaded is None:  # whoever runs the server has let go of it
            self._closed = True
            self._end_all()
            raise RoomClosed
        self._updates.forget()
        self._show(await asyncio.to_thread(from_log, loaded), ())

    async def _reload(self, *, differs: bool) -> None:
        """Take the room as the server that accepts writes has it. If its log lost entries, ask again for what they did.

        `differs` says that another entry was read in place of the newest one that is known here.
        """
        loaded = await self._log.load_confirmed(self.id)
        if loaded is None:
            self._closed = True
            self._end_all()
            raise RoomClosed
        before, room = self.room, await asyncio.to_thread(from_log, loaded)
        # A snapshot may be newer than all that is known here: then only the number of rewinds tells of a loss.
        if differs or room.seq < before.seq or room.rewinds > before.rewinds or not self._is_known(loaded):
            await self._rewind(before, room, loaded)
        elif room.seq > before.seq:  # the server that was read lags behind
            newest = loaded.entries[-1] if loaded.entries else None
            self._last = None if newest is None else (newest.seq, newest.kind, newest.at)
            self._updates.forget()
            self._show(room, ())
            self._tell_presence()
            self._arm()

    async def _rewind(self, before: Room, room: Room, loaded: Loaded) -> None:
        """Replace the room by the one of a log that lost entries.

        Ask again for what can be created again of the lost part: people, seats, bots, and the match or the deal.
        """
        moves = 0
        if room.rewinds > before.rewinds:  # another node noticed first, and its entry says how many moves are undone
            noted = [entry for entry in loaded.entries if entry.kind == REWOUND]
            if not noted:  # it is older than the snapshot
                noted = [entry for entry in await self._log.read(self.id, 0) if entry.kind == REWOUND]
            moves = noted[-1].data["moves"] if noted else 0
        logger.error("room %s: the database lost its last entries: from %d back to %d", self.id, before.seq, room.seq)
        self._failed("rewind")
        if self._rewound is not None:
            await self._rewound(self)
        self._last = None
        self._heard = room.seq
        self._refused.clear()
        self._updates.forget()
        self._show(room, [event_texts.REWOUND(None, count=moves)] if moves else ())
        if room.rewinds == before.rewinds:  # no other node has said so yet
            self._waiting.appendleft((ask.Rewind(room.rewinds, max(0, before.turn - room.turn)), None))
        self._ask_for_lost(before, room)
        self._tell_presence()
        self._arm()

    def _is_newest(self, entry: StoredEntry) -> bool:
        """Whether this is the newest entry that is known here, as far as can be told."""
        return self._last in (None, (entry.seq, entry.kind, entry.at))

    def _is_known(self, loaded: Loaded) -> bool:
        """Tell whether the newest entry known here is in a loaded log, or older than the entries that were loaded."""
        if self._last is None:
            return True
        known = [(entry.seq, entry.kind, entry.at) for entry in loaded.entries]
        return not known or known[0][0] > self._last[0] or self._last in known

    @property
    def _rewinding(self) -> bool:
        """Whether a `Rewind` is to be decided next."""
        return bool(self._waiting) and isinstance(self._waiting[0][0], ask.Rewind)

    def _ask_for_lost(self, before: Room, room: Room) -> None:
        """Ask again for seats, bots, the match and the deal of the lost part, for people who are connected here."""
        here = self._attendance.persons
        for member in before.members.values():
            if member.person in here and room.member_of(member.person) is None and member.person not in room.banned:
                assert member.person is not None
                self._put(ask.Join(member.person, f"again-{self._draw(8).hex()}", member.name, program=member.program))
        host = room.members.get(room.host or "")
        if host is None or host.person not in here or host.person is None:
            return
        for member in before.members.values():
            if member.bot is not None and member.name not in room.members:
                self._put(ask.AddBot(host.person, f"again-{self._draw(8).hex()}", member.bot, member.name))
        if before.phase == "playing" and room.phase != "playing":
            self._deal_again(before, host.person, REJOIN_TRIES)

    def _deal_again(self, before: Room, host: str, tries: int) -> None:
        """Ask for the deal that was lost, as soon as all who were here are members again, or after these tries."""
        if self._closed or self.room.phase == "playing":
            return
        here = [member.person for member in before.members.values() if member.is_here]
        if tries and any(self.room.member_of(person) is None for person in here):
            asyncio.get_running_loop().call_later(TROUBLE_PAUSE, self._deal_again, before, host, tries - 1)
            return
        command = ask.Next if self.room.phase == "pause" else ask.Start
        self._put(command(host, f"again-{self._draw(8).hex()}", self.room.chance.commitment))

    def _tell_presence(self) -> None:
        """Tell the log who has a socket here. After an error this is tried again later."""
        if not self._closed and not self._attempt("presence", self._put_presence):
            asyncio.get_running_loop().call_later(TROUBLE_PAUSE, self._tell_presence)

    def _put_presence(self) -> None:
        for person in self._attendance.persons:
            member = self.room.member_of(person)
            if member is not None and self._node not in member.nodes:
                self._put(ask.Present(person))

    def _show(self, room: Room, events: Sequence[Event]) -> None:
        """Replace the room by the one after these events, and show it by all `update_parts`.

        An error in one part is logged and counted, and the other parts go on.
        """
        before, self.room = self.room, room
        for name, part in self.update_parts.items():
            self._attempt(name, part, self, before, events)

    def _end_match(self, before: Room, events: Sequence[Event]) -> None:
        """Tell the web that a match is over."""
        if before.in_match and not self.room.in_match:
            self.match_over()

    def _keep_events(self, before: Room, events: Sequence[Event]) -> None:
        """Keep the events for the next picture."""
        self._updates.happened(events)

    def _take_picture(self, before: Room, events: Sequence[Event]) -> None:
        """Take the picture, if somebody looks."""
        if len(self._attendance) and self._pictured is not self.room:
            self._take()

    def _prepare_members(self, before: Room, events: Sequence[Event]) -> None:
        """Prepare the private part of each connected member."""
        if len(self._attendance) and self._pictured is self.room:
            self._updates.prepare(self._attendance.persons)

    def _wake_connections(self, before: Room, events: Sequence[Event]) -> None:
        """Tell every connection that there is a new picture."""
        self._attendance.wake()

    def _react_to(self, before: Room, events: Sequence[Event]) -> None:
        """Show a bot's reaction."""
        if (shown := reactions.shown(before, self.room, events)) is not None:
            self.react(*shown)

    update_parts: ClassVar[Mapping[str, Callable[["Runner", Room, Sequence[Event]], None]]] = {
        "match over": _end_match,
        "events": _keep_events,
        "picture": _take_picture,
        "own view": _prepare_members,
        "connections": _wake_connections,
        "reactions": _react_to,
    }
    """What shows a change, in order. Each part gets the runner, the room before and the events, and may fail alone."""

    # Remembering refusals --------------------------------------------------------------------------------------

    def _remembered(self, command: ask.Command) -> Verdict | None:
        if isinstance(command, ask.Internal):
            return None
        return self._refused.get((command.by, command.id))

    def _remember(self, command: ask.Command, answer: Verdict) -> None:
        if isinstance(command, ask.Internal):
            return
        self._refused[command.by, command.id] = answer
        if len(self._refused) > REFUSALS_KEPT:
            self._refused.popitem(last=False)

    # Who is here, timers and bots ------------------------------------------------------------------------------

    def _gone(self, person: str) -> None:
        self._put(ask.Absent(person))

    def _crowd_changed(self, person: str | None) -> None:
        """Have an update tell how many watch, a little later: watchers without a name are in no log."""
        if self.room.member_of(person) is None:
            self._attendance.crowd_changed()

    def _looked(self, connection: Connection) -> None:
        """A page has come in sight, or has gone."""
        if self._calls is not None and connection.person is not None:
            self._calls.looked(connection.person)

    def _sees(self, person: str) -> bool:
        """Whether somebody has a page in sight. Who is at another node alone is that node's business."""
        if person in self._attendance.persons:
            return self._attendance.sees(person)
        member = self.room.member_of(person)
        return member is not None and any(node != self._node for node in member.nodes)

    def _tell_crowd(self) -> None:
        if self._watching(self.room) != self._watchers:  # most who come have a name by now
            self._pictured = None
            self._attendance.wake()

    def _watching(self, room: Room) -> int:
        members = room.members
        if self._counted is None or self._counted[0] is not members:
            self._counted = members, self._attendance.watchers({member.person for member in members.values()})
        return self._counted[1]

    def _arm(self, late: int = 0) -> None:
        """Set the timers and let bots think. A node without a socket in this room leaves that to other nodes.

        `late`: milliseconds since this was decided. An error is logged and counted, and the timers are set again later.
        """
        if self._closed:
            return
        if not self._attempt("timers", self._set_alarms, late):
            self._alarms.retry(self._arm)
        if self._calls is not None:
            self._attempt("notifications", self._calls.look, self.room)

    def _set_alarms(self, late: int) -> None:
        wanted = wishes(self.room) if len(self._attendance) else ()
        self._attempt("bots", self._choosing.think, self.room, wanted)
        self._alarms.set(wanted, late)

    def _time_is_up(self, at: int) -> None:
        self._put(ask.TimerFired(at))

    def _ask_bot(self, name: str, bot: str) -> None:
        """Let a bot choose its action. After an error it is asked again a little later."""
        if not self._attempt("bots", self._choosing.due, name, bot):
            self._alarms.answered(name)
            self._alarms.retry(self._arm)

    def _let_be(self, name: str) -> None:
        """A bot was asked that has nothing to do: it is asked again when it is wished for."""
        self._alarms.answered(name)

    def _lag(self, at: int) -> float:
        """How many seconds the slowest line takes of those who are to act until then, as far as they are here."""
        members = (self.room.members.get(name) for name, until in self.room.clocks.turns.items() if until <= at)
        return self._attendance.lag({member.person for member in members if member is not None})


BESIDE_UPDATES: Final = ("answer", "hint", "presence", "timers", "bots", "notifications")
"""What else is done after a commit, and may fail alone."""
PARTS: Final = (*Runner.update_parts, *BESIDE_UPDATES, "rewind")
"""The names that `failed` may get; `rewind`: the database lost the last entries of a room."""
