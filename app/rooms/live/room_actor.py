"""One loaded room: runs its commands one at a time, writes their events to the log, and shows the result.

Each change is in the log before it is shown: `_decide`, `_store` and `_show` are the path of every command. If another
process appended first, the actor reads the missed entries and lets the room decide again. A room has no asyncio task:
it is called with a command, and by the log after a write. Only reading the log needs a task.

Beside this module:

- `command_queue.py`: the queue, and closing
- `log_reader.py`, `rewinds.py`: reading the log, and lost entries
- `room_display.py`, `timers.py`: connections and views, and timers
"""

import asyncio
import logging
import random
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import datetime
from typing import Final

from msgspec.structs import replace

from app.bots import available_bots
from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate
from app.engine.cards.cards import parse_cards
from app.engine.display.events import GameEvent
from app.engine.match import views
from app.rooms.handlers.dispatch import handle_command
from app.rooms.live import rewinds
from app.rooms.live.bot_turns import BotTurns
from app.rooms.live.command_queue import CatchUp, CommandQueue, QueueEntry
from app.rooms.live.connections import Connection, RoomClosed
from app.rooms.live.failures import FailureCounter
from app.rooms.live.guests import LIST_LASTS, NodeGuests, encode_hint
from app.rooms.live.log_reader import LogNews, LogReader
from app.rooms.live.room_display import RoomDisplay
from app.rooms.live.timers import TROUBLE_PAUSE, RoomTimers
from app.rooms.live.turn_alerts import TurnAlert, awaited_persons
from app.rooms.log.deadlines import timer_requests
from app.rooms.model import commands as ask
from app.rooms.model.decision import CommandReply, Decision
from app.rooms.model.state import RandomBytes, Room, to_milliseconds
from app.rooms.ports.bot_workers import BotDecision, BotWorkers
from app.rooms.ports.bus import Bus
from app.rooms.ports.clock import Clock
from app.rooms.ports.storage import AddressTaken, AppendResult, LogConflict, LogStore
from app.rooms.views import room_view

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 20
"""Number of times that a command is decided because another process appended first."""
REFUSALS_KEPT = 512
"""Refusals remembered while the room is loaded; accepted commands are remembered in the log."""
REJOIN_TRIES = 10
"""Retries of a lost deal, `TROUBLE_PAUSE` seconds apart, until people on slower nodes are members again."""

UNDONE = MessageTemplate("room.undone", "The server lost the last moves. Look at the table and try again.")

_CHANCE = random.Random()
"""Random numbers for the bots of all rooms. Not secret."""


def _ignore_failure(part: str) -> None:
    """Do nothing: the default for the function that counts failed steps (`part`) of a room."""


def _ignore_time(now: datetime) -> None:
    """Do nothing: the default for the function that looks for standstills of this process."""


class RoomActor(CommandQueue):
    """One loaded room: decides its commands, stores their events, and updates clients, timers and bots."""

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
        failures = FailureCounter(room.id, count_failure)
        super().__init__(room.id, failures.attempt)
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
        self._reader = LogReader(room.id, log)
        self._attempts = 0
        """Number of times that the current command was decided."""
        self._appended_bytes = 0
        """Bytes of the entries that the current command has sent to the log."""
        self.display = RoomDisplay(
            room,
            clock,
            failures.attempt,
            disconnect_grace,
            self._on_person_gone,
            send_alert,
            node,
            random_bytes,
            self.tell_guests,
        )
        self._connections = self.display.connections
        self._bot_turns = BotTurns(
            lambda: self.room, rng or _CHANCE, self._enqueue, self._on_bot_idle, bot_workers, on_bot_decision
        )
        self._timers = RoomTimers(clock, rng or _CHANCE, self._on_deadline, self._ask_bot, self._max_round_trip)
        self._has_had_connection = False
        """Whether there has been a connection since the room was loaded."""
        self._refusals: OrderedDict[tuple[str, str], CommandReply] = OrderedDict()
        self._newest_hint = room.seq

    # Decide, store, show ---------------------------------------------------------------------------------------

    def _decide(self, command: ask.Command) -> None:
        """Decide a command. Its events are stored, then shown; without events, the command is answered at once.

        Before a refusal the log is read, because this room may be outdated. Raises `RuntimeError` after 20 attempts.
        """
        self._attempts += 1
        if self._attempts > MAX_ATTEMPTS:
            raise RuntimeError(f"others were faster {MAX_ATTEMPTS} times")
        if self._reader.must_read:
            self._continue_in_task(self._catch_up_and_retry(command))
            return
        now = self._clock.now()
        self._check_standstill(now)
        if self._standstill_ms and not isinstance(command, ask.StandstillNoticed):
            self._postpone_current_command()
            return
        decision = handle_command(
            self.room, command, now, self._random_bytes, self._node, self._bots, self.display.guests.persons
        )
        if decision.append_request is not None:
            self._store(command, decision, now)
        elif decision.reply.ok:
            self._answer_current_command(decision.reply)
            self._finish_command(command)
        else:
            self._continue_in_task(self._refuse_unless_outdated(command, decision.reply))

    def _store(self, command: ask.Command, decision: Decision, decided_at: datetime) -> None:
        """Send the events of a decision to the log. If they can't follow the stored ones, decide again."""

        def on_result(result: AppendResult) -> None:
            try:
                match result:
                    case int():
                        self._show(command, decision, decided_at)
                    case LogConflict():
                        self._continue_in_task(self._catch_up_and_retry(command))
                    case AddressTaken():  # another room has this random code: draw another
                        self._decide(command)
                    case _:
                        self._fail_current_command(result)
            except Exception as error:
                self._fail_current_command(error)
            self._process_queue()

        record = decision.append_request
        assert record is not None
        snapshot = None if record.snapshot is None else dict(record.snapshot)
        self._appended_bytes = self._log.submit(
            self.id, self.room.seq, record.new_events, on_result, facts=record.facts, snapshot=snapshot
        )

    def _show(self, command: ask.Command, decision: Decision, decided_at: datetime) -> None:
        """Show the result of a stored command to clients, answer it, set the timers, and tell other processes.

        An error in one of these steps does not stop the others, because the command is committed. The view is sent
        before the answer.
        """
        assert decision.append_request is not None
        newest = decision.append_request.new_events[-1]
        self._reader.set_newest_event(decision.room.seq, newest.kind, newest.at)
        try:
            self._show_room(decision.room, decision.game_events)
        finally:
            self._answer_current_command(replace(decision.reply, log_bytes=self._appended_bytes))
            late = self._clock.now() - decided_at
            self._finish_command(command, round(late.total_seconds() * 1000))
            self._attempt("hint", self._bus.publish, self.id, self.room.seq)

    # Public methods --------------------------------------------------------------------------------------------

    @property
    def room(self) -> Room:
        """The newest state of the room, which is in the log."""
        return self.display.room

    @property
    def now(self) -> int:
        """The current time by the room's clock, in milliseconds since 1970."""
        return to_milliseconds(self._clock.now())

    def connect(self, person: str, *, is_screen: bool = False) -> Connection:
        """Open a connection to the room for a socket of this person.

        Members are recorded as connected, and timers start. `is_screen`: the connection can't act, does not make the
        person present, and shows only what any spectator may see. Raises `RoomClosed` if the room was unloaded.
        """
        if self._closed:
            raise RoomClosed
        connection = self.display.connect(person, is_screen=is_screen)
        if not self._has_had_connection:
            # The log may list people as connected from before the room was unloaded or the server restarted. Reset
            # this; connected people are reported again.
            self._has_had_connection = True
            self._enqueue(ask.RoomLoaded(self._live_nodes))
            self.tell_guests(asks=True)
        if not is_screen and self.room.find_member(person) is not None:
            self._enqueue(ask.PersonConnected(person))
        else:
            self._update_timers()  # timers run only while there is a connection
        self.display.on_spectators_changed(person)
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
            self._enqueue(CatchUp())

    def on_log_head(self, seq: int | None) -> None:
        """Compare this room with the last entry number of its stored log (None if the log was deleted).

        The log is read if it is longer or shorter: shorter means that the database lost entries, or the room was
        deleted.
        """
        if seq is None or seq < self.room.seq:
            self._enqueue(CatchUp())
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
        self._drop_lost_guests()
        if len(self._connections) and not self.room.connected_nodes <= nodes:
            self._enqueue(ask.LiveNodesChanged(nodes))

    def tell_guests(self, *, asks: bool = False) -> None:
        """Tell the other nodes (server processes) which people without a name watch here. `asks`: they tell theirs."""
        self._bus.publish(encode_hint(self.id, replace(self.display.guests.here, asks=asks)), 1)

    def repeat_guests(self) -> None:
        """Tell the guests here again, because hints may be lost, and forget those of nodes that don't do the same."""
        if self.display.guests.here.listed:
            self.tell_guests()
        self._drop_lost_guests()

    def _drop_lost_guests(self) -> None:
        if self.display.guests.drop_lists(self._live_nodes, asyncio.get_running_loop().time() - LIST_LASTS):
            self.display.show_guests()

    def on_guests_elsewhere(self, news: NodeGuests) -> None:
        """Show the guests at another node, and tell it those here if it asks."""
        if news.node == self._node:
            return
        self.display.guests.accept(news, asyncio.get_running_loop().time())
        self.display.show_guests()
        if news.asks:
            self.tell_guests()

    @property
    def code(self) -> str:
        """The room's current code, the short part of its address."""
        return self.room.code

    @property
    def connection_count(self) -> int:
        """The number of open connections to this room in this process."""
        return len(self._connections)

    @property
    def connected_people(self) -> Collection[str]:
        """The ids of the people who have a connection to this room in this process."""
        return self._connections.persons

    @property
    def is_idle(self) -> bool:
        """Whether the room can be unloaded: no connections, nobody who may be back in a moment, and no commands."""
        return self._connections.is_abandoned and not (self._current or self._queue)

    # Starting and ending a command -----------------------------------------------------------------------------

    def _next_urgent_command(self) -> ask.Command | None:
        if not self._standstill_ms:
            return None
        command = ask.StandstillNoticed(self._standstill_ms, self.room.seq)
        self._standstill_ms = 0
        return command

    def _start_command(self, command: QueueEntry) -> None:
        """Start a command. Answer it at once if the same command was refused before."""
        self._attempts = 0
        if isinstance(command, CatchUp):
            self._continue_in_task(self._catch_up_and_finish())
            return
        if isinstance(command, ask.BotAct):
            self._timers.bot_finished(command.name)
        remembered = None if isinstance(command, ask.InternalCommand) else self._refusals.get((command.by, command.id))
        if remembered is not None:
            self._answer_current_command(remembered)
            self._current = None
        else:
            self._decide(command)

    def _finish_command(self, command: ask.Command, late_ms: int = 0) -> None:
        """End the current command and set the room's timers.

        `late_ms`: milliseconds since the command was decided.
        """
        if isinstance(command, ask.RoomLoaded):
            self._report_presence()
        self._update_timers(late_ms)
        self._current = None

    def _schedule_retry(self, command: QueueEntry) -> None:
        """Schedule a failed command again, if no client would repeat it: timers, bots' actions, and connections.

        Does nothing for commands of clients, who got the answer "unavailable".
        """
        if self._closed:
            return
        match command:
            case ask.TimerFired() | ask.BotAct():
                self._timers.retry_later(self._update_timers)
            case CatchUp():
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

    def _close_components(self) -> None:
        self._timers.close()
        self._bot_turns.close()
        self.display.close()

    # After reading the log -------------------------------------------------------------------------------------

    async def _catch_up_and_finish(self) -> None:
        await self._catch_up()
        self._current = None

    async def _catch_up_and_retry(self, command: ask.Command) -> None:
        rewinds_before = self.room.rewinds
        await self._catch_up()
        self._retry_after_reading(command, rewinds_before)

    async def _refuse_unless_outdated(self, command: ask.Command, refusal: CommandReply) -> None:
        """Answer a command with a refusal, unless the log has new entries: then decide the command again.

        The refusal is remembered, so that the same command gets the same answer if it is sent twice.
        """
        rewinds_before = self.room.rewinds
        if await self._catch_up():
            self._retry_after_reading(command, rewinds_before)
            return
        if not isinstance(command, ask.InternalCommand):
            self._refusals[command.by, command.id] = refusal
            if len(self._refusals) > REFUSALS_KEPT:
                self._refusals.popitem(last=False)
        self._answer_current_command(refusal)
        self._finish_command(command)

    def _retry_after_reading(self, command: ask.Command, rewinds_before: int) -> None:
        """Decide a command again after the entries of other processes were read.

        If the database has lost entries, an action chosen for the lost position is refused, and other commands wait
        until the loss is recorded.
        """
        if self._rewind_is_next or self.room.rewinds != rewinds_before:
            if isinstance(command, ask.Act):  # chosen for a lost position
                self._answer_current_command(CommandReply(False, None, "not_now", UNDONE()))
                self._finish_command(command)
                return
            if not isinstance(command, ask.Rewind):
                self._postpone_current_command(1 if self._rewind_is_next else 0)
                return
        self._decide(command)

    @property
    def _rewind_is_next(self) -> bool:
        """Whether the next command in the room's queue is a `Rewind`, which records that entries were lost."""
        return bool(self._queue) and isinstance(self._queue[0][0], ask.Rewind)

    async def _catch_up(self) -> bool:
        """Show what other processes appended to the log, and return whether the room must decide again.

        Raises `RoomClosed` if the room was deleted.
        """
        self._check_standstill(self._clock.now())
        before = self.room
        try:
            news = await self._reader.read(before)
        except RoomClosed:
            self._closed = True
            self._close_components()
            raise
        if news.lost:
            await self._report_loss(news)
        self._reader.accept(news)
        if news.room is before:
            return news.newest is None  # nothing was found: the server that was read lags behind
        if news.went_on:
            self._standstill_ms = 0
        if news.reloaded:
            self.display.forget_game_events()
        self._show_room(news.room, news.events)
        if news.lost:
            self._restore_lost_state(before)
        self._report_presence()
        self._update_timers(self.now - to_milliseconds(news.newest.at) if news.went_on and news.newest else 0)
        return True

    async def _report_loss(self, news: LogNews) -> None:
        """Log that the database has lost entries, and drop what depends on them. People are saved again."""
        before, room = self.room, news.room
        logger.error(
            "room %s: the database lost its last entries: rewound from entry %d to entry %d",
            self.id,
            before.seq,
            room.seq,
        )
        self._count_failure("rewind")
        if self._on_rewound is not None:
            await self._on_rewound(self)
        self._newest_hint = room.seq
        self._refusals.clear()

    def _restore_lost_state(self, before: Room) -> None:
        """Queue commands that record the loss and bring back members, bots, and the match or the deal."""
        room, here = self.room, self._connections.persons
        rewind = rewinds.command_to_record_loss(before, room)
        if rewind is not None:
            self._queue.appendleft((rewind, None, self.last_used))
        for command in rewinds.commands_to_restore_members(before, room, here, self._random_bytes):
            self._enqueue(command)
        host = rewinds.host_here(room, here)
        if host is not None and before.phase == "playing" and room.phase != "playing":
            self._redeal_when_members_are_back(before, host, REJOIN_TRIES)

    def _redeal_when_members_are_back(self, before: Room, host: str, tries: int) -> None:
        """Ask again for a deal that the database lost, as soon as all connected players are members again.

        Checks every second, and asks anyway when no `tries` are left. `host`: the person who asks.
        """
        if self._closed or self.room.phase == "playing":
            return
        if tries and rewinds.is_member_missing(before, self.room):
            asyncio.get_running_loop().call_later(
                TROUBLE_PAUSE, self._redeal_when_members_are_back, before, host, tries - 1
            )
        else:
            self._enqueue(rewinds.command_to_redeal(self.room, host, self._random_bytes))

    # Presence, timers and bots ---------------------------------------------------------------------------------

    def _show_room(self, room: Room, events: Sequence[GameEvent]) -> None:
        """Show a new state of the room, after these game events."""
        before = self.room
        self.display.show(room, events)
        if room.members is not before.members:
            self._report_presence()  # a person whose browser is connected may have got a seat

    def _report_presence(self) -> None:
        """Record in the log all members who are connected here but are not listed so. Retries after an error."""
        if not self._closed and not self._attempt("presence", self._enqueue_presence):
            asyncio.get_running_loop().call_later(TROUBLE_PAUSE, self._report_presence)

    def _enqueue_presence(self) -> None:
        for person in self._connections.persons:
            member = self.room.find_member(person)
            if member is not None and self._node not in member.nodes:
                self._enqueue(ask.PersonConnected(person))

    def _on_person_gone(self, person: str) -> None:
        self._enqueue(ask.PersonDisconnected(person))

    def _update_timers(self, late_ms: int = 0) -> None:
        """Set the room's timers, bot requests and notifications to what its current state needs.

        Without a connection here, all timers stop, because other nodes run them. `late_ms`: milliseconds since the
        change was decided. After an error this is tried again.
        """
        if self._closed:
            return
        if not self._attempt("timers", self._set_timers_and_bots, late_ms):
            self._timers.retry_later(self._update_timers)
        if self.display.turn_alerts is not None:
            self._attempt("notifications", self.display.turn_alerts.update_room, self.room)

    def _set_timers_and_bots(self, late_ms: int) -> None:
        timers = timer_requests(self.room) if len(self._connections) else ()
        self._attempt("bots", self._bot_turns.update_jobs, self.room, timers)
        self._timers.set_timers(timers, late_ms)

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
FAILURE_PARTS: Final = (*RoomDisplay.update_parts, *OTHER_PARTS, "rewind")
"""The names that `count_failure` may get; "rewind" means that the database lost the last entries of a room."""
