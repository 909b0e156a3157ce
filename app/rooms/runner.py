"""One room while it is awake: one task and one queue, which carry out what the room decides.

Whatever changes is in the log before anybody hears of it. If another process was faster, the runner reads what it
missed and lets the room decide again. Connections hold no pictures, only what they have sent: a slow one gets the
newest when it is ready, and memory stays bounded.
"""

import asyncio
import logging
import random
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeAlias

from app.bots import BOTS
from app.engine.cards import parse_cards
from app.engine.events import Event

from . import commands as ask
from . import pictures
from .clocks import wishes
from .decide import decide
from .fold import fold_stored
from .outcomes import Answer, AskBot, Schedule
from .ports import Bus, Clock, Conflict, RoomLog
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
TROUBLE_PAUSE = 1.0
"""Seconds until a timer is tried again when the log could not be written."""
CROWD_PAUSE = 0.2
"""Seconds in which watchers who come and go make one update."""
LAST_SEEN = 120.0
"""Seconds of silence after which a host, or who is to act, without a socket here is asked for on every node."""

UNAVAILABLE = Answer(False, None, "unavailable", "That could not be kept just now: try again.")


class RoomClosed(Exception):
    """The runner has stopped: find the room again."""


class _CatchUp:
    """Read what others appended."""


_Work: TypeAlias = tuple["ask.Command | _CatchUp", "asyncio.Future[Answer] | None"]


class Connection:
    """One socket's view of a room: `next` waits for the newest update not yet sent."""

    def __init__(self, runner: "Runner", person: str | None) -> None:
        self.person = person
        self._runner = runner
        self._sent: int | None = None
        self._has_news = True
        self._waiting: asyncio.Future[None] | None = None
        self._closed = False

    async def next(self) -> bytes:
        """The newest update, as soon as one was not sent; the first says it all. `RoomClosed` at the end."""
        if not self._has_news:
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
        if self._closed:
            raise RoomClosed
        self._has_news = False
        frame = self._runner.frame(self.person, self._sent)
        self._sent = self._runner.room.seq
        return frame

    def close(self) -> None:
        """The socket is gone."""
        if not self._closed:
            self._closed = True
            self._runner.disconnected(self)
        self.wake()

    def wake(self) -> None:
        """There is news."""
        self._has_news = True
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


class Runner:
    """Carries out one room's outcomes."""

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
        self._blink = blink
        self._queue: asyncio.Queue[_Work] = asyncio.Queue()
        self._connections: set[Connection] = set()
        self._woken = False
        """Whether there has been a socket."""
        self._persons: Counter[str] = Counter()
        self._recent: deque[tuple[int, Sequence[Event]]] = deque(maxlen=RECENT)
        self._update: Update | None = None
        self._refused: OrderedDict[tuple[str, str], Answer] = OrderedDict()
        self._timer: asyncio.TimerHandle | None = None
        self._bots: dict[str, asyncio.TimerHandle] = {}
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        self._crowd: asyncio.TimerHandle | None = None
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
        """The answer to a client's command, given when what it led to is in the log."""
        if self._closed or self._queue.qsize() >= LONGEST_QUEUE:
            return UNAVAILABLE
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._put(command, future)
        return await future

    def connect(self, person: str | None = None) -> Connection:
        """A socket of this person (None: of somebody unknown, who watches)."""
        if self._closed:
            raise RoomClosed
        connection = Connection(self, person)
        self._connections.add(connection)
        if not self._woken:
            # Whoever the log says is here was here before a sleep or a restart; those who are will say so.
            self._woken = True
            self._put(ask.Woken())
        if person is not None:
            self._persons[person] += 1
            leaving = self._leaving.pop(person, None)
            if leaving is not None:
                leaving.cancel()
        # Present has no effect for most; it arms the clocks for all.
        self._put(ask.Present(person or ""))
        self._crowd_changed(person)
        return connection

    def disconnected(self, connection: Connection) -> None:
        """`Connection.close` calls this."""
        self._connections.discard(connection)
        person = connection.person
        if person is not None:
            self._persons[person] -= 1
            if self._persons[person] <= 0:
                del self._persons[person]
                # A page that is loaded again is gone for a blink only: nobody needs to hear of it.
                self._later(self._leaving, person, self._blink, lambda: self._gone(person))
        self._crowd_changed(person)

    def look(self, person: str | None, cards: str) -> list[dict[str, object]]:
        """How these own cards could be played now. Changes nothing; `RuleError` if they are no cards."""
        return pictures.look(self.room, person, parse_cards(cards))

    def hint(self, seq: int) -> None:
        """Another process says that the log is at `seq`."""
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
            if member.is_here and member.person is not None and member.person not in self._persons:
                self._put(ask.Absent(member.person))  # whoever has their socket says otherwise

    @property
    def connections(self) -> int:
        """Open sockets."""
        return len(self._connections)

    @property
    def is_idle(self) -> bool:
        """Whether nobody would notice if this went to sleep."""
        return not (self._connections or self._leaving or self._queue.qsize())

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
        for handle in (self._timer, self._crowd, *self._bots.values(), *self._leaving.values()):
            if handle is not None:
                handle.cancel()
        for connection in tuple(self._connections):
            connection.close()
        for handle in self._leaving.values():
            handle.cancel()

    def frame(self, person: str | None, since: int | None) -> bytes:
        """The newest update for a connection that has sent the one of `since`."""
        if self._update is None:
            nameless = self._persons.keys() - {member.person for member in self.room.members.values()}
            watchers = len(nameless) + len(self._connections) - self._persons.total()
            self._update = Update(self.room, milliseconds(self._clock.now()), watchers, tuple(self._recent))
        return self._update.frame(person, since)

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
        """The log could not be written: what nobody else would ask for again is tried once more, a little later."""
        match command:
            case ask.TimerFired() | ask.BotAct():
                self._stop_timer()
                self._timer = asyncio.get_running_loop().call_later(TROUBLE_PAUSE, self._arm)
            case ask.Present() | ask.Absent() | ask.Woken():
                asyncio.get_running_loop().call_later(TROUBLE_PAUSE, self._put_if_true, command)
            case _:
                pass

    def _put_if_true(self, command: ask.Present | ask.Absent | ask.Woken) -> None:
        if isinstance(command, ask.Woken) or (command.by in self._persons) == isinstance(command, ask.Present):
            self._put(command)

    async def _carry_out(self, command: "ask.Command | _CatchUp", future: "asyncio.Future[Answer] | None") -> None:
        if isinstance(command, _CatchUp):
            await self._catch_up()
            return
        if isinstance(command, ask.BotAct):
            self._bots.pop(command.name, None)
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
            except Conflict:
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
        """Fold what others appended; whether there was anything."""
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
        """Whoever has a socket here is here, whatever others believe."""
        for person in self._persons:
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
        for connection in self._connections:
            connection.wake()

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

    # Timers and bots -------------------------------------------------------------------------------------------

    def _put(self, command: "ask.Command | _CatchUp", future: "asyncio.Future[Answer] | None" = None) -> None:
        if not self._closed:
            self._queue.put_nowait((command, future))
            self.last_used = asyncio.get_running_loop().time()

    def _later(self, kept: dict[str, asyncio.TimerHandle], key: str, delay: float, do: Callable[[], None]) -> None:
        kept[key] = asyncio.get_running_loop().call_later(delay, do)

    def _gone(self, person: str) -> None:
        self._leaving.pop(person, None)
        if person not in self._persons:
            self._put(ask.Absent(person))

    def _crowd_changed(self, person: str | None) -> None:
        """Watchers without a name are in no log: an update tells how many, a little later."""
        if self._crowd is None and not self._closed and self.room.member_of(person) is None:
            self._crowd = asyncio.get_running_loop().call_later(CROWD_PAUSE, self._crowd_shown)

    def _crowd_shown(self) -> None:
        self._crowd = None
        self._show()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self) -> None:
        """See to what the room waits for. Without a socket here that is other processes' business, or nobody's."""
        self._stop_timer()
        if self._closed:
            return
        loop, wanted = asyncio.get_running_loop(), set[str]()
        for wish in wishes(self.room) if self._connections else ():
            match wish:
                case Schedule(at):
                    delay = max(0, at - milliseconds(self._clock.now())) / 1000
                    self._timer = loop.call_later(delay + 0.002, self._put, ask.TimerFired())
                case AskBot(name, bot, seconds):
                    wanted.add(name)
                    if name not in self._bots:
                        delay = seconds * self._rng.uniform(0.6, 1.4)
                        self._bots[name] = loop.call_later(delay, self._choose, name, bot)
        for name in self._bots.keys() - wanted:
            self._bots.pop(name).cancel()

    def _choose(self, name: str, bot: str) -> None:
        """Let a bot choose and queue what it chose. A view lists few actions, so this is soon done."""
        room = self.room
        if room.match is None or name not in room.match.to_act:
            self._bots.pop(name, None)
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
