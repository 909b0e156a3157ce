"""One loaded room: runs its commands one at a time, writes their events to the log, and shows the result.

Each change is in the log before it is shown. If another process appended first, the actor reads the missed entries
and lets the room decide again. A room has no asyncio task: it is called with a command, and by the log after a
write. Only reading the log needs a task. The connections are in `connections.py`, the timers in `timers.py`.
"""

import asyncio
import logging
import random
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, ClassVar, Final, TypeAlias

from msgspec.structs import replace

from app.bots import available_bots
from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate
from app.engine.cards.cards import parse_cards
from app.engine.display.events import GameEvent
from app.engine.match import views
from app.rooms.bots import reactions
from app.rooms.events import NamesRewritten, Rewound, encode, event_texts
from app.rooms.handlers.dispatch import handle_command
from app.rooms.live.bot_turns import BotTurns
from app.rooms.live.connections import Connection, ConnectionSet, RoomClosed
from app.rooms.live.timers import TROUBLE_PAUSE, RoomTimers
from app.rooms.live.turn_alerts import TurnAlert, TurnAlerts, awaited_persons
from app.rooms.log.deadlines import timer_requests
from app.rooms.log.reducer import apply_stored_event
from app.rooms.log.snapshots import load_room
from app.rooms.model import commands as ask
from app.rooms.model.decision import CommandReply, Decision
from app.rooms.model.state import RandomBytes, Room, to_milliseconds
from app.rooms.people.reactions import Reaction
from app.rooms.ports.bot_workers import BotDecision, BotWorkers
from app.rooms.ports.bus import Bus
from app.rooms.ports.clock import Clock
from app.rooms.ports.storage import (
    AddressTaken,
    AppendResult,
    LoadedLog,
    LogConflict,
    LogStore,
    StorageUnavailable,
    StoredEvent,
)
from app.rooms.views import room_view
from app.rooms.views.delta import ConnectionUpdate, UpdateBuilder

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 20
"""Number of times that a command is decided because another process appended first."""
REFUSALS_KEPT = 512
"""Refusals remembered while the room is loaded; accepted commands are remembered in the log."""
LONGEST_QUEUE = 1000
REJOIN_TRIES = 10
"""Retries of a lost deal, `TROUBLE_PAUSE` seconds apart, until people on slower nodes are members again."""
REWRITTEN = encode(NamesRewritten())[0]
REWOUND = encode(Rewound(0))[0]

NOT_KEPT = MessageTemplate("room.not_kept", "The server could not save that. Try again.")
UNDONE = MessageTemplate("room.undone", "The server lost the last moves. Look at the table and try again.")
UNAVAILABLE = CommandReply(False, None, "unavailable", NOT_KEPT())


_CHANCE = random.Random()
"""Random numbers for the bots of all rooms. Not secret."""


class _CatchUp:
    """An entry in a room's queue that makes it read the log entries that other processes have appended."""


def _do_nothing() -> None:
    """Do nothing: the default for a room's listener for the end of a match."""


def _ignore_failure(part: str) -> None:
    """Do nothing: the default for the function that counts failed steps (`part`) of a room."""


def _ignore_time(now: datetime) -> None:
    """Do nothing: the default for the function that looks for standstills of this process."""


def _ignore_reaction(name: str, reaction: Reaction) -> None:
    """Do nothing: the default for a room's listener for bots' reactions."""


AnswerCallback: TypeAlias = Callable[[CommandReply], None]
"""Gets the reply to a command, exactly once. It must return quickly."""
_QueuedCommand: TypeAlias = tuple["ask.Command | _CatchUp", AnswerCallback | None]


class RoomActor:
    """One loaded room: runs its commands one at a time, stores their events, and updates clients, timers and bots."""

    def __init__(
        self,
        room: Room,
        log: LogStore,
        bus: Bus,
        clock: Clock,
        random_bytes: RandomBytes,
        *,
        rng: random.Random | None = None,
        disconnect_grace: float = 1.0,
        node: str = "",
        live_nodes: frozenset[str] = frozenset(),
        send_alert: Callable[[TurnAlert], None] | None = None,
        bot_workers: BotWorkers | None = None,
        on_bot_decision: Callable[[BotDecision], None] | None = None,
        count_failure: Callable[[str], None] = _ignore_failure,
        check_standstill: Callable[[datetime], None] = _ignore_time,
        on_rewound: Callable[["RoomActor"], Awaitable[None]] | None = None,
    ) -> None:
        """Store the services of a loaded room.

        `node`: this process, one of `live_nodes`. `send_alert`: gets the people to notify; None: no notifications.
        `bot_workers`: the workers of hard bots; None: no hard bots. `on_bot_decision`: gets each choice of a bot.
        `count_failure`: counts an unexpected error after a commit, by the name of the part that failed.
        `check_standstill`: gets the time before each decision, and calls `on_standstill` of all rooms if this process
        stood still until now.
        `on_rewound`: called when the database has lost the last entries; saves the people again who are connected
        here.
        """
        self.room = room
        self.id = room.id
        self.last_used = asyncio.get_running_loop().time()
        """When the room was last used, in seconds of the event loop's clock."""
        self._log = log
        self._bus = bus
        self._clock = clock
        self._random_bytes = random_bytes
        self._node = node
        self._bots = available_bots(with_workers=bot_workers is not None)
        self._live_nodes = live_nodes
        self._count_failure = count_failure
        self._check_standstill = check_standstill
        self._standstill_ms = 0
        """How long this process stood still, in milliseconds, until that is in the log; 0: it did not."""
        self._on_rewound = on_rewound
        self._newest_event: tuple[int, str, datetime] | None = None
        """Number, kind and time of the newest log entry known here; None: not known since the room was loaded."""
        self._generation = log.generation
        self._rng = rng or _CHANCE
        self._queue: deque[_QueuedCommand] = deque()
        self._current: _QueuedCommand | None = None
        """The current command, and the callback for its reply, which is None after the reply."""
        self._attempts = 0
        self._appended_bytes = 0
        """Bytes of the entries that the current command has sent to the log."""
        self._reading: asyncio.Task[None] | None = None
        """The task that reads the log for the current command."""
        self._queue_drained: asyncio.Future[None] | None = None
        """`close` waits for it."""
        self._connections = ConnectionSet(disconnect_grace, self._on_person_gone, self._refresh_spectator_count)
        self._bot_turns = BotTurns(
            lambda: self.room, self._rng, self._enqueue, self._on_bot_idle, bot_workers, on_bot_decision
        )
        self._timers = RoomTimers(clock, self._rng, self._on_deadline, self._ask_bot, self._max_round_trip)
        self._turn_alerts = None if send_alert is None else TurnAlerts(send_alert, self._has_visible_page)
        self._has_had_connection = False
        """Whether there has been a connection since the room was loaded."""
        self._update_builder = UpdateBuilder()
        self._viewed_room: Room | None = None
        """The room that the newest view shows; None: the view must be built again."""
        self._shown_spectators = (0, 0)
        """The number of spectators in the newest view, and of those who may join."""
        self._refusals: OrderedDict[tuple[str, str], CommandReply] = OrderedDict()
        self._newest_hint = room.seq
        self._closed = False
        self.on_match_over: Callable[[], None] = _do_nothing
        """Called when a running match is over."""
        self.on_reaction: Callable[[str, Reaction], None] = _ignore_reaction
        """Called with a bot's name and its reaction. Reactions are not in the log."""

    # Public methods --------------------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        """The current time by the room's clock, in milliseconds since 1970."""
        return to_milliseconds(self._clock.now())

    def submit(self, command: ask.ClientCommand, on_answer: AnswerCallback) -> None:
        """Queue a client's command to the room.

        `on_answer` gets the reply once the result is stored, perhaps at once. If the room is closed or its queue is
        full, the reply is "unavailable".
        """
        if self._closed or len(self._queue) >= LONGEST_QUEUE:
            on_answer(UNAVAILABLE)
        else:
            self._enqueue(command, on_answer)

    async def handle(self, command: ask.ClientCommand) -> CommandReply:
        """Run a client's command in the room and return its reply: accepted, refused, or "unavailable"."""
        future: asyncio.Future[CommandReply] = asyncio.get_running_loop().create_future()
        self.submit(command, lambda verdict: None if future.done() else future.set_result(verdict))
        return await future

    def connect(self, person: str | None = None) -> Connection:
        """Open a connection to the room for a socket of this person (None: an unknown spectator).

        Members are recorded as connected, and timers start. Raises `RoomClosed` if the room was unloaded.
        """
        if self._closed:
            raise RoomClosed
        connection = Connection(person, self._newest_update, self._on_disconnect, self._on_page_changed)
        self._connections.add(connection)
        self._on_visibility_changed(connection)
        if not self._has_had_connection:
            # The log may list people as connected from before the room was unloaded or the server restarted. Reset
            # this; connected people are reported again.
            self._has_had_connection = True
            self._enqueue(ask.RoomLoaded(self._live_nodes))
        if person is not None and self.room.find_member(person) is not None:
            self._enqueue(ask.PersonConnected(person))
        else:
            self._update_timers()  # timers run only while there is a connection
        self._on_spectators_changed(person)
        return connection

    def preview_cards(self, person: str | None, cards: str) -> tuple[list[dict[str, object]], RuleError | None]:
        """Return, as JSON, the legal actions that would play exactly these cards from the person's hand now.

        If the rules refuse these cards, also returns the reason. Raises `RuleError` if `cards` can't be parsed.
        """
        return room_view.preview_cards(self.room, person, parse_cards(cards))

    def is_awaiting_person(self, person: str) -> bool:
        """Return whether the room waits for this person: it is their turn, or a vote needs their answer."""
        return any(each == person for each, _ in awaited_persons(self.room))

    def broadcast(self, frame: bytes) -> None:
        """Send an encoded message, such as a chat line, to all connections of the room in this process.

        It is not stored, and slow clients miss it.
        """
        self._connections.broadcast(frame)

    def preview_plays(self, person: str | None, first: int) -> views.PreviewPage:
        """Return this person's legal plays with the effect of each, starting at number `first` in the list.

        Empty for people who don't play. The page shows it while the player chooses cards.
        """
        return room_view.preview_plays(self.room, person, first)

    def on_log_hint(self, seq: int) -> None:
        """Queue reading the log, if another process reports an entry `seq` that this room does not know yet."""
        if seq > max(self.room.seq, self._newest_hint):
            self._newest_hint = seq
            self._enqueue(_CatchUp())

    def on_log_head(self, seq: int | None) -> None:
        """Compare this room with the last entry number of its stored log (None if the log was deleted).

        The log is read if it is longer or shorter: shorter means that the database lost entries, or the room was
        deleted.
        """
        if seq is None or seq < self.room.seq:
            self._enqueue(_CatchUp())
        else:
            self.on_log_hint(seq)

    def on_standstill(self, ms: int) -> None:
        """Move the room's clocks, because this process stood still for `ms` milliseconds; before any other command.

        A room without a connection here leaves that to the other nodes.
        """
        if len(self._connections):
            self._standstill_ms += ms
            self._process_queue()

    def set_live_nodes(self, nodes: frozenset[str]) -> None:
        """Take the set of nodes (server processes) that are alive; members no longer count as connected at others.

        A room without a connection here leaves recording that to the other nodes.
        """
        self._live_nodes = nodes
        if len(self._connections) and not self.room.connected_nodes <= nodes:
            self._enqueue(ask.LiveNodesChanged(nodes))

    @property
    def code(self) -> str:
        """The room's current code, the short part of its address."""
        return self.room.code

    @property
    def connection_count(self) -> int:
        """The number of open connections to this room in this process."""
        return len(self._connections)

    @property
    def is_idle(self) -> bool:
        """Whether the room can be unloaded: no connections, nobody who may be back in a moment, and no commands."""
        return self._connections.is_abandoned and not (self._current or self._queue)

    async def close(self) -> None:
        """Finish the room's queued commands, then stop its timers and bots and close its connections."""
        if self._closed:
            return
        self._closed = True
        self._process_queue()
        if self._current is not None:
            self._queue_drained = asyncio.get_running_loop().create_future()
            await self._queue_drained
        self._close_components()

    def _close_components(self) -> None:
        self._timers.close()
        self._bot_turns.close()
        if self._turn_alerts is not None:
            self._turn_alerts.close()
        self._connections.close()

    def _newest_update(self, person: str | None, last_shown: int) -> tuple[int, ConnectionUpdate]:
        """Return (newest view's number, update) for a person whose connection last got view number `last_shown`.

        Builds the view of the room first, if the room has changed.
        """
        if self._viewed_room is not self.room:
            self._build_view()
        return self._update_builder.version, self._update_builder.build_update_for(person, last_shown)

    def _build_view(self) -> None:
        """Build a new numbered view of the room's current state, from which connections get their updates."""
        self._shown_spectators = self._count_spectators(self.room)
        self._update_builder.update_view(self.room, self._now(), *self._shown_spectators)
        self._viewed_room = self.room

    def _now(self) -> int:
        return to_milliseconds(self._clock.now())

    def _on_disconnect(self, connection: Connection) -> None:
        self._connections.remove(connection)
        self._on_visibility_changed(connection)
        self._on_spectators_changed(connection.person)

    # Command queue ---------------------------------------------------------------------------------------------

    def _enqueue(self, command: "ask.Command | _CatchUp", on_answer: AnswerCallback | None = None) -> None:
        if not self._closed:
            self._queue.append((command, on_answer))
            self.last_used = asyncio.get_running_loop().time()
            if self._current is None:
                self._process_queue()

    def _process_queue(self) -> None:
        """Run the room's queued commands in order, until one has to wait for the log or the queue is empty."""
        while self._current is None and (self._queue or self._standstill_ms):
            if self._standstill_ms:
                self._current = ask.StandstillNoticed(self._standstill_ms, self.room.seq), None
                self._standstill_ms = 0
            else:
                self._current = self._queue.popleft()
            self._attempts = 0
            try:
                self._start_command(self._current[0])
            except Exception as error:
                self._fail_current_command(error)
        if self._queue_drained is not None and self._current is None and not self._queue_drained.done():
            self._queue_drained.set_result(None)

    def _start_command(self, command: "ask.Command | _CatchUp") -> None:
        if isinstance(command, _CatchUp):
            self._start_log_read(self._finish_catch_up())
            return
        if isinstance(command, ask.BotAct):
            self._timers.bot_finished(command.name)
        remembered = self._remembered_refusal(command)
        if remembered is not None:
            self._answer_current_command(remembered)
            self._current = None
        else:
            self._execute_command(command)

    def _execute_command(self, command: ask.Command) -> None:
        """Decide a command and send its events to the log; `_on_append_result` continues once they are stored.

        Without events, the command is answered at once. Before a refusal the log is read, because this room may be
        outdated. Raises `RuntimeError` after 20 attempts.
        """
        self._attempts += 1
        if self._attempts > MAX_ATTEMPTS:
            raise RuntimeError(f"others were faster {MAX_ATTEMPTS} times")
        if self._generation != self._log.generation:
            # The connection to the database was lost meanwhile. The log may now be on another server, and lack
            # entries that are known here.
            self._start_log_read(self._catch_up_and_retry(command))
            return
        now = self._clock.now()
        self._check_standstill(now)
        if self._standstill_ms and not isinstance(command, ask.StandstillNoticed):
            assert self._current is not None
            self._queue.appendleft(self._current)
            self._current = None
            return
        outcome = handle_command(self.room, command, now, self._random_bytes, self._node, self._bots)
        record = outcome.append_request
        if record is not None:
            snapshot = None if record.snapshot is None else dict(record.snapshot)
            written = partial(self._on_append_result, command, outcome, now)
            self._appended_bytes = self._log.submit(
                self.id, self.room.seq, record.new_events, written, facts=record.facts, snapshot=snapshot
            )
        elif outcome.reply.ok:
            self._answer_current_command(outcome.reply)
            self._finish_command(command)
        else:
            self._start_log_read(self._refuse_unless_outdated(command, outcome.reply))

    def _on_append_result(
        self, command: ask.Command, outcome: Decision, decided_at: datetime, result: AppendResult
    ) -> None:
        """Continue a command after the log has stored its events or failed; then run the next queued commands."""
        if isinstance(result, int):
            self._on_committed(command, outcome, decided_at)
        else:
            try:
                self._on_append_failed(command, result)
            except Exception as error:
                self._fail_current_command(error)
        self._process_queue()

    def _on_committed(self, command: ask.Command, outcome: Decision, decided_at: datetime) -> None:
        """Show the result of a stored command to clients, answer it, set the timers, and tell other processes.

        An error in one of these steps does not stop the others, because the command is committed. The view is sent
        before the answer.
        """
        assert outcome.append_request is not None
        newest = outcome.append_request.new_events[-1]
        self._newest_event = outcome.room.seq, newest.kind, newest.at
        try:
            self._show_new_room(outcome.room, outcome.game_events)
        finally:
            self._answer_current_command(replace(outcome.reply, log_bytes=self._appended_bytes))
            late = self._clock.now() - decided_at
            self._finish_command(command, round(late.total_seconds() * 1000))
            self._attempt("hint", self._bus.publish, self.id, self.room.seq)

    def _on_append_failed(self, command: ask.Command, error: Exception) -> None:
        match error:
            case LogConflict():
                self._start_log_read(self._catch_up_and_retry(command))
            case AddressTaken():  # another room has this random code: draw another
                self._execute_command(command)
            case _:
                self._fail_current_command(error)

    def _attempt(self, part: str, work: Callable[..., object], *args: object) -> bool:
        """Do one step after a commit, such as setting timers, and return whether it succeeded.

        Errors are logged and counted under the name `part` and not raised, so that later steps still run.
        """
        try:
            work(*args)
        except Exception:
            logger.exception("room %s: part of an update failed: %s", self.id, part)
            self._count_failure(part)
            return False
        return True

    def _finish_command(self, command: ask.Command, late_ms: int = 0) -> None:
        """End the current command and set the room's timers.

        `late_ms`: milliseconds since the command was decided.
        """
        if isinstance(command, ask.RoomLoaded):
            self._report_presence()
        self._update_timers(late_ms)
        self._current = None

    def _answer_current_command(self, verdict: CommandReply) -> None:
        """Call the reply callback of the current command with this reply, unless it was called before."""
        assert self._current is not None
        command, answered = self._current
        self._current = command, None
        self._call_answer_callback(answered, verdict)

    def _fail_current_command(self, error: Exception) -> None:
        """Log an error in the current command, answer "unavailable" unless it was answered, and end it.

        Commands that no client would send again, such as timers, are scheduled again.
        """
        if self._current is None:
            logger.error("room %s: unexpected error", self.id, exc_info=error)
            return
        command, answered = self._current
        self._current = None
        if not isinstance(error, StorageUnavailable | RoomClosed):  # the log and the registry report these
            logger.error("room %s: %s failed", self.id, type(command).__name__, exc_info=error)
        self._schedule_retry(command)
        self._call_answer_callback(answered, UNAVAILABLE)

    def _call_answer_callback(self, on_answer: AnswerCallback | None, verdict: CommandReply) -> None:
        if on_answer is not None:
            self._attempt("answer", on_answer, verdict)

    # Reading the log, and lost entries --------------------------------------------------------------------------

    def _start_log_read(self, work: Coroutine[Any, Any, None]) -> None:
        """Continue the current command in a task that reads the log; the queue waits until the task has ended."""
        self._reading = asyncio.get_running_loop().create_task(self._read_then_continue(work), name=f"room {self.id}")

    async def _read_then_continue(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception as error:
            self._fail_current_command(error)
        self._process_queue()

    async def _finish_catch_up(self) -> None:
        await self._apply_missed_events()
        self._current = None

    async def _catch_up_and_retry(self, command: ask.Command) -> None:
        rewinds = self.room.rewinds
        await self._apply_missed_events()
        self._retry_after_reading(command, rewinds)

    def _retry_after_reading(self, command: ask.Command, rewinds: int) -> None:
        """Decide a command again after the entries of other processes were read.

        If the database has lost entries, an action chosen for the lost position is refused, and other commands wait
        until the loss is recorded.
        """
        assert self._current is not None
        if self._rewind_is_next or self.room.rewinds != rewinds:
            if isinstance(command, ask.Act):  # chosen for a lost position
                self._answer_current_command(CommandReply(False, None, "not_now", UNDONE()))
                self._finish_command(command)
                return
            if not isinstance(command, ask.Rewind):
                self._queue.insert(1 if self._rewind_is_next else 0, self._current)
                self._current = None
                return
        self._execute_command(command)

    async def _refuse_unless_outdated(self, command: ask.Command, answer: CommandReply) -> None:
        """Answer a command with a refusal, unless the log has new entries: then decide the command again.

        The refusal is remembered, so that the same command gets the same answer if it is sent twice.
        """
        rewinds = self.room.rewinds
        if await self._apply_missed_events():
            self._retry_after_reading(command, rewinds)
            return
        self._remember_refusal(command, answer)
        self._answer_current_command(answer)
        self._finish_command(command)

    def _schedule_retry(self, command: "ask.Command | _CatchUp") -> None:
        """Schedule a failed command again, if no client would repeat it: timers, bots' actions, and connections.

        Does nothing for commands of clients, who got the answer "unavailable".
        """
        if self._closed:
            return
        match command:
            case ask.TimerFired() | ask.BotAct():
                self._timers.retry_later(self._update_timers)
            case _CatchUp():
                self._newest_hint = self.room.seq  # so that the next hint is not ignored
            case ask.StandstillNoticed(ms):
                # A deadline in the queue was due during the standstill.
                self._queue = deque(each for each in self._queue if not isinstance(each[0], ask.TimerFired))
                asyncio.get_running_loop().call_later(TROUBLE_PAUSE, self.on_standstill, ms)
            case ask.PersonConnected() | ask.PersonDisconnected() | ask.RoomLoaded():
                asyncio.get_running_loop().call_later(TROUBLE_PAUSE, self._enqueue_if_still_true, command)
            case _:
                pass

    def _enqueue_if_still_true(self, command: ask.PersonConnected | ask.PersonDisconnected | ask.RoomLoaded) -> None:
        here = self._connections.persons
        if isinstance(command, ask.RoomLoaded) or (command.by in here) == isinstance(command, ask.PersonConnected):
            self._enqueue(command)

    async def _apply_missed_events(self) -> bool:
        """Apply the log entries that other processes appended, and return whether the room has changed.

        Also compares the newest entry known here. If it is missing or different, the database lost entries, and the
        room is loaded again.
        """
        self._check_standstill(self._clock.now())
        generation = self._log.generation
        found = await self._log.read(self.id, self.room.seq - 1)
        if not found or found[0].seq != self.room.seq or not self._is_newest_known_event(found[0]):
            await self._reload_from_primary(differs=bool(found) and found[0].seq == self.room.seq)
            self._generation = generation
            return True
        self._generation = generation
        entries, newest = found[1:], found[-1]
        self._newest_event = newest.seq, newest.kind, newest.at
        if not entries:
            return False
        self._standstill_ms = 0  # the room went on at another node
        if any(entry.kind == REWRITTEN for entry in entries):
            await self._reload_after_name_rewrite()
        else:
            room, happened = self.room, list[GameEvent]()
            for entry in entries:
                room, events = apply_stored_event(room, entry)
                happened += events
            self._show_new_room(room, happened)
        self._report_presence()
        self._update_timers(to_milliseconds(self._clock.now()) - to_milliseconds(entries[-1].at))
        return True

    async def _reload_after_name_rewrite(self) -> None:
        """Load the room again after names were replaced in its log, because a person's data was deleted.

        Drops game events with the old names. If the room was deleted, it is closed and `RoomClosed` raised.
        """
        loaded = await self._log.load(self.id)
        if loaded is None:  # the room was deleted
            self._closed = True
            self._close_components()
            raise RoomClosed
        self._update_builder.forget_game_events()
        self._show_new_room(await asyncio.to_thread(load_room, loaded), ())

    async def _reload_from_primary(self, *, differs: bool) -> None:
        """Load the room again from the database server that accepts writes, because its log looks shortened.

        If entries are lost, the room continues from the stored state. `differs`: another entry has the newest known
        number. Raises `RoomClosed` if the room was deleted.
        """
        loaded = await self._log.load_confirmed(self.id)
        if loaded is None:
            self._closed = True
            self._close_components()
            raise RoomClosed
        before, room = self.room, await asyncio.to_thread(load_room, loaded)
        # A snapshot may be newer than everything known here. Then only the number of rewinds tells of a loss.
        if (
            differs
            or room.seq < before.seq
            or room.rewinds > before.rewinds
            or not self._contains_newest_known_event(loaded)
        ):
            await self._handle_lost_events(before, room, loaded)
        elif room.seq > before.seq:  # the server that was read lags behind
            newest = loaded.entries[-1] if loaded.entries else None
            self._newest_event = None if newest is None else (newest.seq, newest.kind, newest.at)
            self._update_builder.forget_game_events()
            self._show_new_room(room, ())
            self._report_presence()
            self._update_timers()

    async def _handle_lost_events(self, before: Room, room: Room, loaded: LoadedLog) -> None:
        """Replace the room's state by the one in a log that has lost entries, and tell the players.

        Then queue commands that bring back members, bots, and the match or the deal.
        """
        moves = 0
        if room.rewinds > before.rewinds:  # another node noticed first; its entry has the count
            noted = [entry for entry in loaded.entries if entry.kind == REWOUND]
            if not noted:  # it is older than the snapshot
                noted = [entry for entry in await self._log.read(self.id, 0) if entry.kind == REWOUND]
            moves = noted[-1].data["moves"] if noted else 0
        logger.error(
            "room %s: the database lost its last entries: rewound from entry %d to entry %d",
            self.id,
            before.seq,
            room.seq,
        )
        self._count_failure("rewind")
        if self._on_rewound is not None:
            await self._on_rewound(self)
        self._newest_event = None
        self._newest_hint = room.seq
        self._refusals.clear()
        self._update_builder.forget_game_events()
        self._show_new_room(room, [event_texts.REWOUND(None, count=moves)] if moves else ())
        if room.rewinds <= before.rewinds:  # no other node has said so yet
            same_deal = room.phase == "playing" and room.chance.closed == before.chance.closed
            lost = None if same_deal or before.chance.closed is None else before.cancelled_deal("lost_entries")
            moves = max(0, before.turn - room.turn)
            self._queue.appendleft((ask.Rewind(room.rewinds, moves, lost, before.rewinds), None))
        self._recreate_lost_state(before, room)
        self._report_presence()
        self._update_timers()

    def _is_newest_known_event(self, entry: StoredEvent) -> bool:
        """Return whether this log entry is the newest one that the room remembers. True if it remembers none.

        If not, the database has lost entries.
        """
        return self._newest_event in (None, (entry.seq, entry.kind, entry.at))

    def _contains_newest_known_event(self, loaded: LoadedLog) -> bool:
        """Return whether a loaded log contains the newest entry that the room remembers, or begins after it.

        If not, the database has lost entries.
        """
        if self._newest_event is None:
            return True
        known = [(entry.seq, entry.kind, entry.at) for entry in loaded.entries]
        return not known or known[0][0] > self._newest_event[0] or self._newest_event in known

    @property
    def _rewind_is_next(self) -> bool:
        """Whether the next command in the room's queue is a `Rewind`, which records that entries were lost."""
        return bool(self._queue) and isinstance(self._queue[0][0], ask.Rewind)

    def _recreate_lost_state(self, before: Room, room: Room) -> None:
        """Queue commands that restore what the database has lost: members connected here, bots, match or deal.

        `before`: the room as remembered, `room`: as stored. Bots and deal are requested only if the host is connected
        here.
        """
        here = self._connections.persons
        for member in before.members.values():
            if member.person in here and room.find_member(member.person) is None and member.person not in room.banned:
                assert member.person is not None
                command_id = f"again-{self._random_bytes(8).hex()}"
                self._enqueue(
                    ask.Join(member.person, command_id, member.name, member.program, member.bird, member.colour)
                )
        host = room.members.get(room.host or "")
        if host is None or host.person not in here or host.person is None:
            return
        for member in before.members.values():
            if member.bot is not None and member.name not in room.members:
                self._enqueue(ask.AddBot(host.person, f"again-{self._random_bytes(8).hex()}", member.bot, member.name))
        if before.phase == "playing" and room.phase != "playing":
            self._redeal_when_members_are_back(before, host.person, REJOIN_TRIES)

    def _redeal_when_members_are_back(self, before: Room, host: str, tries: int) -> None:
        """Ask again for a deal that the database lost, as soon as all connected players are members again.

        Checks every second, and asks anyway when no `tries` are left. `host`: the person who asks.
        """
        if self._closed or self.room.phase == "playing":
            return
        here = [member.person for member in before.members.values() if member.is_connected_person]
        if tries and any(self.room.find_member(person) is None for person in here):
            asyncio.get_running_loop().call_later(
                TROUBLE_PAUSE, self._redeal_when_members_are_back, before, host, tries - 1
            )
            return
        command = ask.DealNext if self.room.phase == "between_hands" else ask.Start
        self._enqueue(command(host, f"again-{self._random_bytes(8).hex()}", self.room.chance.commitment))

    def _report_presence(self) -> None:
        """Record in the log all members who are connected here but are not listed so. Retries after an error."""
        if not self._closed and not self._attempt("presence", self._enqueue_presence):
            asyncio.get_running_loop().call_later(TROUBLE_PAUSE, self._report_presence)

    def _enqueue_presence(self) -> None:
        for person in self._connections.persons:
            member = self.room.find_member(person)
            if member is not None and self._node not in member.nodes:
                self._enqueue(ask.PersonConnected(person))

    def _show_new_room(self, room: Room, events: Sequence[GameEvent]) -> None:
        """Replace the room's state and run all steps that show the change, such as notifying the clients.

        `events`: the game events that led to it. An error in one step is logged and counted; the other steps still
        run.
        """
        before, self.room = self.room, room
        if room.members is not before.members:
            self._report_presence()  # a person whose browser is connected may have got a seat
        for name, part in self.update_parts.items():
            self._attempt(name, part, self, before, events)

    def _notify_match_over(self, before: Room, events: Sequence[GameEvent]) -> None:
        """Call the `on_match_over` listener if the match was running in the state `before` and is over now."""
        if before.in_match and not self.room.in_match:
            self.on_match_over()

    def _record_game_events(self, before: Room, events: Sequence[GameEvent]) -> None:
        """Add the game events of a change to the next view, so that clients get them."""
        self._update_builder.add_game_events(events)

    def _build_view_if_connected(self, before: Room, events: Sequence[GameEvent]) -> None:
        """Build the view of the new state of the room, if anybody is connected here to see it."""
        if len(self._connections) and self._viewed_room is not self.room:
            self._build_view()

    def _prepare_own_views(self, before: Room, events: Sequence[GameEvent]) -> None:
        """Build the private view of each connected member in advance, before their updates are requested."""
        if len(self._connections) and self._viewed_room is self.room:
            self._update_builder.prepare_own_views(self._connections.persons)

    def _notify_connections(self, before: Room, events: Sequence[GameEvent]) -> None:
        """Tell every connection that the room has a new view to fetch."""
        self._connections.notify_all()

    def _show_bot_reaction(self, before: Room, events: Sequence[GameEvent]) -> None:
        """Pass a bot's reaction to these game events to the `on_reaction` listener, if a bot reacts."""
        if (shown := reactions.choose_bot_reaction(before, self.room, events)) is not None:
            self.on_reaction(*shown)

    update_parts: ClassVar[Mapping[str, Callable[["RoomActor", Room, Sequence[GameEvent]], None]]] = {
        "match over": _notify_match_over,
        "events": _record_game_events,
        "picture": _build_view_if_connected,
        "own view": _prepare_own_views,
        "connections": _notify_connections,
        "reactions": _show_bot_reaction,
    }
    """The steps that show a change, in order.

    Each gets the actor, the room before and the events, and may fail alone.
    """

    # Remembered refusals ---------------------------------------------------------------------------------------

    def _remembered_refusal(self, command: ask.Command) -> CommandReply | None:
        if isinstance(command, ask.InternalCommand):
            return None
        return self._refusals.get((command.by, command.id))

    def _remember_refusal(self, command: ask.Command, answer: CommandReply) -> None:
        if isinstance(command, ask.InternalCommand):
            return
        self._refusals[command.by, command.id] = answer
        if len(self._refusals) > REFUSALS_KEPT:
            self._refusals.popitem(last=False)

    # Presence, timers and bots ---------------------------------------------------------------------------------

    def _on_person_gone(self, person: str) -> None:
        self._enqueue(ask.PersonDisconnected(person))

    def _on_spectators_changed(self, person: str | None) -> None:
        """Schedule an update of the number of spectators after a connection of `person` opened or closed.

        Does nothing for members. Spectators are not in the log.
        """
        if self.room.find_member(person) is None:
            self._connections.schedule_spectator_update()

    def _on_page_changed(self, connection: Connection) -> None:
        """Handle that a page became visible or hidden, or began or stopped to only watch."""
        self._on_visibility_changed(connection)
        self._spectator_count_cache = None
        self._on_spectators_changed(connection.person)

    def _on_visibility_changed(self, connection: Connection) -> None:
        """Tell the notifications that a page of a person became visible or hidden, or that a connection ended."""
        if self._turn_alerts is not None and connection.person is not None:
            self._turn_alerts.on_visibility_changed(connection.person)

    def _has_visible_page(self, person: str) -> bool:
        """Return whether a person sees the room: with a visible page here, or a connection at another node.

        Then no notification is sent.
        """
        if person in self._connections.persons:
            return self._connections.has_visible_page(person)
        member = self.room.find_member(person)
        return member is not None and any(node != self._node for node in member.nodes)

    def _refresh_spectator_count(self) -> None:
        if self._count_spectators(self.room) != self._shown_spectators:  # most new connections belong to members
            self._viewed_room = None
            self._connections.notify_all()

    def _count_spectators(self, room: Room) -> tuple[int, int]:
        return self._connections.count_spectators({member.person for member in room.members.values()})

    def _update_timers(self, late_ms: int = 0) -> None:
        """Set the room's timers, bot requests and notifications to what its current state needs.

        Without a connection here, all timers stop, because other nodes run them. `late_ms`: milliseconds since the
        change was decided. After an error this is tried again.
        """
        if self._closed:
            return
        if not self._attempt("timers", self._set_timers_and_bots, late_ms):
            self._timers.retry_later(self._update_timers)
        if self._turn_alerts is not None:
            self._attempt("notifications", self._turn_alerts.update_room, self.room)

    def _set_timers_and_bots(self, late_ms: int) -> None:
        wanted = timer_requests(self.room) if len(self._connections) else ()
        self._attempt("bots", self._bot_turns.update_jobs, self.room, wanted)
        self._timers.set_timers(wanted, late_ms)

    def _on_deadline(self, at: int) -> None:
        self._enqueue(ask.TimerFired(at))

    def _ask_bot(self, name: str, bot: str) -> None:
        """Let the bot of this seat choose its action; called when its bot delay is over.

        Repeated after an error.
        """
        if not self._attempt("bots", self._bot_turns.choose_action, name, bot):
            self._timers.bot_finished(name)
            self._timers.retry_later(self._update_timers)

    def _on_bot_idle(self, name: str) -> None:
        """Forget the request to a bot that has nothing to do now. The next request starts a new bot delay."""
        self._timers.bot_finished(name)

    def _max_round_trip(self, at: int) -> float:
        """Return the longest round-trip time, in seconds, of players whose turn ends by `at` (ms since 1970).

        Their deadline is postponed by it.
        """
        members = (self.room.members.get(name) for name, until in self.room.clocks.turns.items() if until <= at)
        return self._connections.max_round_trip({member.person for member in members if member is not None})


OTHER_PARTS: Final = ("answer", "hint", "presence", "timers", "bots", "notifications")
"""Other steps after a commit that may fail alone."""
FAILURE_PARTS: Final = (*RoomActor.update_parts, *OTHER_PARTS, "rewind")
"""The names that `count_failure` may get; "rewind" means that the database lost the last entries of a room."""
