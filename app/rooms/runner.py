"""One room while it is awake: one task and one queue, which carry out what the room decides.

Whatever changes is in the log before anybody hears of it. If another process was faster, the runner reads what it
missed and lets the room decide again. Who has sockets here is in `attendance.py`, timers are in `alarms.py`.
"""

import asyncio
import logging
import random
from collections import OrderedDict, deque
from collections.abc import Sequence
from contextlib import suppress
from typing import TypeAlias

from app.bots import BOTS
from app.engine.cards import parse_cards
from app.engine.events import Event

from . import commands as ask
from . import pictures
from .alarms import TROUBLE_PAUSE, Alarms
from .attendance import Attendance, Connection, RoomClosed
from .clocks import wishes
from .decide import decide
from .fold import fold_stored
from .outcomes import Answer
from .ports import Bus, Clock, LogConflict, RoomLog
from .room import Draw, Room, milliseconds
from .updates import Update

logger = logging.getLogger(__name__)

ATTEMPTS = 20
"""How often a command is decided again because another process was faster."""
REFUSALS_KEPT = 512
"""Refusals remembered while the room is awake; accepted commands are remembered in the log."""
RECENT = 16
"""Changes whose events are told to whoever missed them."""
LONGEST_QUEUE = 1000
LAST_SEEN = 120.0
"""Seconds of silence after which a host, or who is to act, without a socket here is asked for on every node."""

UNAVAILABLE = Answer(False, None, "unavailable", "That could not be kept just now: try again.")


class _CatchUp:
    """Read what others appended."""


_Work: TypeAlias = tuple["ask.Command | _CatchUp", "asyncio.Future[Answer] | None"]


class Runner:
    """Carries out one room's outcomes: what is decided is recorded, and then told."""

    def __init__(
        self,
        room: Room,
        log: RoomLog,
        bus: Bus,
        clock: Clock,
        draw: Draw,
        *,
        rng: random.Random | None = None,
        blink: float = 1.0,
    ) -> None:
        self.room = room
        self.code = room.code
        self.last_used = 0.0
        """When something last happened, in the event loop's time."""
        self._log = log
        self._bus = bus
        self._clock = clock
        self._draw = draw
        self._rng = rng or random.Random()
        self._queue: asyncio.Queue[_Work] = asyncio.Queue()
        self._attendance = Attendance(blink, self._gone, self._show)
        self._alarms = Alarms(clock, self._rng, lambda: self._put(ask.TimerFired()), self._choose)
        self._woken = False
        """Whether there has been a socket."""
        self._recent: deque[tuple[int, Sequence[Event]]] = deque(maxlen=RECENT)
        self._update: Update | None = None
        self._refused: OrderedDict[tuple[str, str], Answer] = OrderedDict()
        self._heard = room.seq
        self._last_change = 0.0
        self._closed = False
        self._task: asyncio.Task[None] | None = None

    # For the world ---------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to work. Clocks and bots wait for the first socket: who only looks wakes nobody."""
        loop = asyncio.get_running_loop()
        self.last_used = self._last_change = loop.time()
        self._task = loop.create_task(self._run(), name=f"room {self.code}")

    async def handle(self, command: ask.Asked) -> Answer:
        """Answer a client's command, when what it led to is in the log."""
        if self._closed or self._queue.qsize() >= LONGEST_QUEUE:
            return UNAVAILABLE
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._put(command, future)
        return await future

    def connect(self, person: str | None = None) -> Connection:
        """Open a connection for this person's socket (None: for somebody unknown, who watches)."""
        if self._closed:
            raise RoomClosed
        connection = Connection(person, self._newest, self._disconnected)
        self._attendance.came(connection)
        if not self._woken:
            # Whoever the log says is here was here before a sleep or a restart; those who are will say so.
            self._woken = True
            self._put(ask.Woken())
        # Present has no effect for most; it arms the clocks for all.
        self._put(ask.Present(person or ""))
        self._crowd_changed(person)
        return connection

    def look(self, person: str | None, cards: str) -> list[dict[str, object]]:
        """List the actions that would play these own cards now. Changes nothing; `RuleError` if they are no cards."""
        return pictures.look(self.room, person, parse_cards(cards))

    def hint(self, seq: int) -> None:
        """Hear from another process that the log is at `seq`."""
        if seq > max(self.room.seq, self._heard):
            self._heard = seq
            self._put(_CatchUp())

    def reread(self) -> None:
        """Look at the log, in case a hint was lost; and see whether those whom all wait for are anywhere at all."""
        self._put(_CatchUp())
        silent = asyncio.get_running_loop().time() - self._last_change
        if silent < LAST_SEEN:
            return
        acting = () if self.room.match is None else self.room.match.to_act
        for name in {*acting, self.room.host or ""} & self.room.members.keys():
            member = self.room.members[name]
            if member.is_here and member.person is not None and member.person not in self._attendance.persons:
                self._put(ask.Absent(member.person))  # whoever has their socket says otherwise

    @property
    def connections(self) -> int:
        """How many sockets are open."""
        return len(self._attendance)

    @property
    def is_idle(self) -> bool:
        """Whether nobody would notice if this went to sleep."""
        return self._attendance.is_over and not self._queue.qsize()

    async def close(self) -> None:
        """Finish what is in the queue, then stop; connections are told."""
        if self._closed:
            return
        self._closed = True
        await self._queue.join()
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self._alarms.close()
        self._attendance.close()

    def _newest(self, person: str | None, since: int | None) -> tuple[int, bytes]:
        """Give the newest seq with its update, for a connection that has sent the one of `since`."""
        if self._update is None:
            named = {member.person for member in self.room.members.values()}
            watchers = self._attendance.watchers(named)
            self._update = Update(self.room, milliseconds(self._clock.now()), watchers, tuple(self._recent))
        return self.room.seq, self._update.frame(person, since)

    def _disconnected(self, connection: Connection) -> None:
        self._attendance.left(connection)
        self._crowd_changed(connection.person)

    # The task --------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            command, future = await self._queue.get()
            try:
                await self._carry_out(command, future)
            except Exception:
                logger.exception("room %s: %s failed", self.code, type(command).__name__)
                _answer(future, UNAVAILABLE)
                self._in_trouble(command)
            finally:
                self._queue.task_done()

    def _in_trouble(self, command: "ask.Command | _CatchUp") -> None:
        """Try once more, a little later, what nobody else would ask for again: the log could not be written."""
        match command:
            case ask.TimerFired() | ask.BotAct():
                self._alarms.retry(self._arm)
            case ask.Present() | ask.Absent() | ask.Woken():
                asyncio.get_running_loop().call_later(TROUBLE_PAUSE, self._put_if_true, command)
            case _:
                pass

    def _put_if_true(self, command: ask.Present | ask.Absent | ask.Woken) -> None:
        here = self._attendance.persons
        if isinstance(command, ask.Woken) or (command.by in here) == isinstance(command, ask.Present):
            self._put(command)

    async def _carry_out(self, command: "ask.Command | _CatchUp", future: "asyncio.Future[Answer] | None") -> None:
        if isinstance(command, _CatchUp):
            await self._catch_up()
            return
        if isinstance(command, ask.BotAct):
            self._alarms.answered(command.name)
        remembered = self._remembered(command)
        if remembered is not None:
            _answer(future, remembered)
            return
        for _ in range(ATTEMPTS):
            outcome = decide(self.room, command, self._clock.now(), self._draw)
            record = outcome.record
            if record is None:
                # Nothing is refused for what this process has not heard of yet.
                if not outcome.answer.ok and await self._catch_up():
                    continue
                self._remember(command, outcome.answer)
                _answer(future, outcome.answer)
                self._arm()
                return
            snapshot = None if record.snapshot is None else dict(record.snapshot)
            try:
                await self._log.append(self.code, self.room.seq, record.entries, record.facts, snapshot)
            except LogConflict:
                await self._catch_up()
                continue
            self._become(outcome.room, outcome.events)
            self._remember(command, outcome.answer)
            _answer(future, outcome.answer)
            if isinstance(command, ask.Woken):
                self._tell_presence()
            self._arm()
            with suppress(Exception):  # a hint may be lost
                await self._bus.publish(self.code, self.room.seq)
            return
        raise RuntimeError(f"room {self.code}: others were faster {ATTEMPTS} times")

    async def _catch_up(self) -> bool:
        """Fold what others appended; say whether there was anything."""
        entries = await self._log.read(self.code, self.room.seq)
        room, happened = self.room, list[Event]()
        for entry in entries:
            room, events = fold_stored(room, entry)
            happened += events
        if not entries:
            return False
        self._become(room, tuple(happened))
        self._tell_presence()
        self._arm()
        return True

    def _tell_presence(self) -> None:
        """Say that whoever has a socket here is here, whatever others believe."""
        for person in self._attendance.persons:
            member = self.room.member_of(person)
            if member is not None and not member.present:
                self._put(ask.Present(person))

    def _become(self, room: Room, events: Sequence[Event]) -> None:
        self.room = room
        self._recent.append((room.seq, events))
        self.last_used = self._last_change = asyncio.get_running_loop().time()
        self._show()

    def _show(self) -> None:
        self._update = None
        self._attendance.wake()

    # Remembering refusals --------------------------------------------------------------------------------------

    def _remembered(self, command: ask.Command) -> Answer | None:
        if isinstance(command, ask.Internal):
            return None
        return self._refused.get((command.by, command.id))

    def _remember(self, command: ask.Command, answer: Answer) -> None:
        if answer.ok or isinstance(command, ask.Internal):
            return
        self._refused[command.by, command.id] = answer
        if len(self._refused) > REFUSALS_KEPT:
            self._refused.popitem(last=False)

    # Who is here, timers and bots ------------------------------------------------------------------------------

    def _put(self, command: "ask.Command | _CatchUp", future: "asyncio.Future[Answer] | None" = None) -> None:
        if not self._closed:
            self._queue.put_nowait((command, future))
            self.last_used = asyncio.get_running_loop().time()

    def _gone(self, person: str) -> None:
        self._put(ask.Absent(person))

    def _crowd_changed(self, person: str | None) -> None:
        """Have an update tell how many watch, a little later: watchers without a name are in no log."""
        if self.room.member_of(person) is None:
            self._attendance.crowd_changed()

    def _arm(self) -> None:
        """See to what the room waits for. Without a socket here that is other processes' business, or nobody's."""
        if not self._closed:
            self._alarms.set(wishes(self.room) if len(self._attendance) else ())

    def _choose(self, name: str, bot: str) -> None:
        """Let a bot choose and queue what it chose. A view lists few actions, so this is soon done."""
        room = self.room
        if room.match is None or name not in room.match.to_act:
            self._alarms.answered(name)
            return
        try:
            action = BOTS[bot](pictures.for_bot(room, name), self._rng)
        except Exception:
            logger.exception("room %s: the bot %s could not choose", self.code, bot)
            action = {}  # the room does the least harmful thing
        self._put(ask.BotAct(name, room.turn, action))


def _answer(future: "asyncio.Future[Answer] | None", answer: Answer) -> None:
    if future is not None and not future.done():
        future.set_result(answer)
