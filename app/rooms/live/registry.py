"""The registry of loaded rooms in this process: creating, finding, loading and unloading them.

Rooms are not assigned to processes: several processes may have the same room loaded. The log decides whose entries
came first.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from app.bots import available_bots
from app.engine.base.messages import MessageTemplate
from app.rooms.errors import RoomError
from app.rooms.handlers.dispatch import build_new_room
from app.rooms.handlers.room_codes import CODE_LENGTH, new_address, new_id
from app.rooms.live.guests import decode_hint
from app.rooms.live.room_actor import RoomActor
from app.rooms.live.standstill import TICK_SECONDS, StandstillWatch
from app.rooms.live.turn_alerts import TurnAlert
from app.rooms.log import snapshots
from app.rooms.model.commands import Visitor
from app.rooms.model.decision import Decision
from app.rooms.model.settings import RoomSettings
from app.rooms.model.state import KnownDeals, RandomBytes, Room
from app.rooms.people import names
from app.rooms.ports.addresses import Address, AddressLookup
from app.rooms.ports.bot_workers import BotDecision, BotWorkers
from app.rooms.ports.bus import CHECK_LOG_SEQ, SIDE_MESSAGE_MARK, Bus
from app.rooms.ports.clock import Clock
from app.rooms.ports.storage import AddressTaken, DamagedRoom, LogStore, NewerLog, StorageUnavailable
from app.rooms.recorded import variations
from app.rooms.recorded.positions import Position

logger = logging.getLogger(__name__)

MAX_EVENTS_ON_LOOP = 300
"""Log entries. A room with more since its last snapshot is loaded in a thread, to keep the event loop free."""
_KEYS = frozenset({"game", "options", "clock", "bots_delay", "carry_titles", "stake", "bots"})


class SystemClock:
    """The computer's clock, for use as the rooms' `Clock`; tests use a clock that they can set."""

    def now(self) -> datetime:
        """Return the current time of the computer as an aware UTC datetime."""
        return datetime.now(UTC)


ROOM_HAS_NO = MessageTemplate("room.room_has_no", "A room has no “{field}”.")


class Registry:
    """The rooms that are loaded in this process, by id. Loads rooms on demand and unloads idle rooms."""

    def __init__(
        self,
        log: LogStore,
        bus: Bus,
        clock: Clock,
        random_bytes: RandomBytes,
        *,
        idle_seconds: float = 60.0,
        log_check_interval: float | None = None,
        disconnect_grace: float = 1.0,
        rng: random.Random | None = None,
        node: str = "",
        live_nodes: frozenset[str] = frozenset(),
        send_alert: Callable[[TurnAlert], None] | None = None,
        bot_workers: BotWorkers | None = None,
        on_bot_decision: Callable[[BotDecision], None] | None = None,
        count_failure: Callable[[str], None] = lambda part: None,
        on_rewound: Callable[[RoomActor], Awaitable[None]] | None = None,
    ) -> None:
        """Store the services, and subscribe to hints about new log entries.

        `random_bytes`: cryptographically secure. `idle_seconds`: unload a room after this time without connections.
        `log_check_interval`: seconds between checks of the logs of rooms with connections, in case a hint was lost;
        None with a single process. `disconnect_grace`: seconds that a person may be without a connection before
        this is recorded. `node`: this process, one of `live_nodes` that share the log; empty with a single process.
        `send_alert`: gets the people to notify; None: no notifications. `bot_workers`: the workers of hard bots;
        None: no hard bots. `on_bot_decision`: gets each choice of a bot. `count_failure`: counts unexpected errors
        after a commit, by failed part. `on_rewound`: called with a room whose last log entries the database has
        lost; see `RoomActor`.
        """
        self._log = log
        self._bus = bus
        self._clock = clock
        self._random_bytes = random_bytes
        self._idle = idle_seconds
        self._log_check_interval = log_check_interval
        self._disconnect_grace = disconnect_grace
        self._rng = rng
        self._node = node
        self._live_nodes = live_nodes | {node}
        self._send_alert = send_alert
        self._bot_workers = bot_workers
        self._on_bot_decision = on_bot_decision
        self._count_failure = count_failure
        self.on_rewound = on_rewound
        """See `__init__`. It may be set before the first room is created."""
        self._actors: dict[str, RoomActor] = {}
        self._loading: dict[str, asyncio.Task[RoomActor | None]] = {}
        self._damaged: set[str] = set()
        """Ids of damaged rooms that were logged."""
        self._rooms_to_check: set[str] = set()
        """Ids of rooms that may have missed hints about new log entries."""
        self._log_check: asyncio.Task[None] | None = None
        self._unsubscribe = bus.subscribe(self.on_hint)
        self._housekeeping: asyncio.Task[None] | None = None
        self._standstill: StandstillWatch | None = None
        """Looks for standstills of this process, from the first loaded room on."""
        self._ticker: asyncio.TimerHandle | None = None
        self._closed = False

    async def create(
        self,
        host: Visitor,
        settings: Mapping[str, Any] | None = None,
        deals: KnownDeals | None = None,
        *,
        start_match: bool = False,
        count_bytes: Callable[[int], None] = lambda size: None,
    ) -> Room:
        """Create and store a room with this host and return its state.

        `count_bytes` gets the bytes of its log.
        With `start_match`, the first hand is dealt. `settings`: JSON of the room's settings, and `bots`, a list of
        kinds. `deals`: known cards for the first match. Raises `RoomError` or `RuleError` for wrong names or settings.
        """
        requested = dict(settings or {})
        if requested.keys() - _KEYS:
            raise RoomError("bad_setting", ROOM_HAS_NO(field=next(iter(requested.keys() - _KEYS))[:30]))
        bots, there_are = (
            _parse_bot_kinds(requested.pop("bots", ())),
            available_bots(with_workers=self._bot_workers is not None),
        )
        parsed = RoomSettings.parse(requested)
        names.clean_name(host.name)
        return await self._create_with_free_address(
            lambda room, address: build_new_room(
                room,
                address,
                host,
                parsed,
                bots,
                self._clock.now(),
                self._random_bytes,
                deals,
                start_match=start_match,
                available_bots=there_are,
            ),
            host,
            count_bytes,
        )

    async def create_from_position(
        self,
        host: Visitor,
        seat: str,
        position: Position,
        *,
        friends: bool,
        count_bytes: Callable[[int], None] = lambda size: None,
    ) -> Room:
        """Create a room that continues a recorded hand from this position, with its host in this seat.

        With `friends`, the other seats wait a while for people before bots play them. Raises `RoomError` if there is
        no such seat, or the hand is over.
        """
        return await self._create_with_free_address(
            lambda room, address: variations.build_variation_room(
                room, address, host, seat, position, friends, self._clock.now(), self._random_bytes
            ),
            host,
            count_bytes,
        )

    async def _create_with_free_address(
        self, build_room: Callable[[str, Address], Decision], host: Visitor, count_bytes: Callable[[int], None]
    ) -> Room:
        while True:
            room, address = new_id(self._random_bytes), new_address(self._random_bytes)
            decision = build_room(room, address)
            assert decision.append_request is not None
            stays = self._is_only_node  # load the room now: with one process, its host connects here in a moment
            if stays:
                self._bus.follow(room)  # before the room is stored, so that no hint is missed
            try:
                size = await self._log.create(
                    room, address, decision.append_request.new_events, decision.append_request.facts, host=host.id
                )
                count_bytes(size)
                logger.info("room %s opened: %s", room, decision.room.settings.game.key)
                if stays and not self._closed:
                    self._start_actor(decision.room)
                return decision.room
            except AddressTaken:
                continue
            finally:
                if stays and room not in self._actors:
                    self._bus.unfollow(room)

    async def find_by_code(self, code: str) -> RoomActor | None:
        """Return the loaded room with this current code, loading it if needed.

        None if the code is unknown, or was replaced by another.
        """
        lead = await self.by_code(code)
        return await self.get_or_load(lead.room) if lead is not None and lead.is_current else None

    async def get_or_load(self, room: str) -> RoomActor | None:
        """Return the loaded room with this id, loading it from the log if needed, and mark it as just used.

        None if no such room exists or the registry is closed. Concurrent calls share one loading. Raises `DamagedRoom`
        if its stored data is damaged.
        """
        actor = self._actors.get(room)
        if actor is None and not self._closed:
            task = self._loading.get(room)
            if task is None:
                task = self._loading[room] = asyncio.create_task(self._load_room(room))
                task.add_done_callback(lambda _: self._on_load_finished(room))
            actor = await asyncio.shield(task)
        if actor is not None:
            actor.last_used = asyncio.get_running_loop().time()
        return actor

    def get_loaded(self, room: str) -> RoomActor | None:
        """Return the room with this id if it is loaded in this process, else None. Never loads a room."""
        return self._actors.get(room)

    def report_damage(self, room: str, error: Exception) -> None:
        """Log that the stored data of the room with this id is damaged; reading it raised `error`.

        Each room is logged once until it can be loaded again.
        """
        if room not in self._damaged:
            self._damaged.add(room)
            logger.error("room %s is damaged. Run “pecking-order check” to find the rows", room, exc_info=error)

    async def by_code(self, code: str) -> AddressLookup | None:
        """Look up in the database which room a code leads to; the result tells whether the code is still current.

        None if the code is unknown. Small letters are accepted.
        """
        if not 0 < len(code) <= 2 * CODE_LENGTH:
            return None
        return await self._log.by_code(code.upper())

    async def by_invite(self, invite: str) -> AddressLookup | None:
        """Look up in the database which room an invitation leads to; the result tells whether it is still current.

        None if the invitation is unknown.
        """
        return await self._log.by_invite(invite)

    @property
    def _is_only_node(self) -> bool:
        """Whether this process knows of no other one.

        A process that just started may be unknown, but its hints arrive. Then a new room stays loaded here, because
        its host will connect here.
        """
        return self._live_nodes == {self._node}

    def set_live_nodes(self, nodes: frozenset[str]) -> None:
        """Tell all loaded rooms which nodes (server processes) are alive; called when this set changes.

        Rooms then count people as disconnected from all other nodes.
        """
        self._live_nodes = nodes | {self._node}
        for actor in self._actors.values():
            actor.set_live_nodes(self._live_nodes)

    def loaded_rooms(self) -> Sequence[RoomActor]:
        """Return all rooms that are loaded in this process now."""
        return tuple(self._actors.values())

    async def close(self) -> None:
        """Shut down: let all rooms finish their current commands, then unload them.

        No room is loaded afterwards.
        """
        self._closed = True
        self._unsubscribe()
        if self._housekeeping is not None:
            self._housekeeping.cancel()
            with suppress(asyncio.CancelledError):
                await self._housekeeping
        if self._ticker is not None:
            self._ticker.cancel()
        if self._log_check is not None:
            self._log_check.cancel()
        await asyncio.gather(*self._loading.values(), return_exceptions=True)
        await asyncio.gather(*(actor.close() for actor in self._actors.values()))
        self._actors.clear()

    async def unload_idle_rooms(self) -> None:
        """Unload the rooms that have had no connection and no command for `idle_seconds`, to free memory."""
        now = asyncio.get_running_loop().time()
        for room, actor in tuple(self._actors.items()):
            if actor.is_idle and now - actor.last_used >= self._idle:
                del self._actors[room]
                self._bus.unfollow(room)
                await actor.close()
                logger.info("room %s unloaded", room)

    # Internals -------------------------------------------------------------------------------------------------

    async def _load_room(self, room: str) -> RoomActor | None:
        self._bus.follow(room)
        try:
            loaded = await self._log.load(room)
            if loaded is None:
                return None
            if len(loaded.entries) <= MAX_EVENTS_ON_LOOP:
                opened = snapshots.load_room(loaded)
            else:
                opened = await asyncio.to_thread(snapshots.load_room, loaded)
        except NewerLog as error:
            logger.error("room %s can't be opened: %s", room, error)
            raise
        except StorageUnavailable:
            raise
        except Exception as error:  # damaged data can cause any error
            self.report_damage(room, error)
            raise DamagedRoom(room) from error
        self._damaged.discard(room)
        logger.info("room %s loaded", room)
        return self._start_actor(opened)

    def _start_actor(self, room: Room) -> RoomActor:
        actor = RoomActor(
            room,
            self._log,
            self._bus,
            self._clock,
            self._random_bytes,
            rng=self._rng,
            disconnect_grace=self._disconnect_grace,
            node=self._node,
            live_nodes=self._live_nodes,
            send_alert=self._send_alert,
            bot_workers=self._bot_workers,
            on_bot_decision=self._on_bot_decision,
            count_failure=self._count_failure,
            check_standstill=self._check_standstill,
            on_rewound=self.on_rewound,
        )
        self._actors[room.id] = actor
        if self._housekeeping is None:
            self._housekeeping = asyncio.create_task(self._run_housekeeping(), name="rooms")
            self._tick()
        return actor

    def _tick(self) -> None:
        self._ticker = asyncio.get_running_loop().call_later(TICK_SECONDS, self._tick)
        self._check_standstill(self._clock.now())

    def _check_standstill(self, now: datetime) -> None:
        """Tell all rooms if this process stood still until `now`. Called at each tick and before each decision."""
        loop_seconds = asyncio.get_running_loop().time()
        if self._standstill is None:
            self._standstill = StandstillWatch(now, loop_seconds)
        elif seconds := self._standstill.tick(now, loop_seconds):
            logger.warning("the server stood still for %.1f s", seconds)
            for actor in self.loaded_rooms():
                actor.on_standstill(round(1000 * seconds))

    def _on_load_finished(self, room: str) -> None:
        del self._loading[room]
        if room not in self._actors:
            self._bus.unfollow(room)
            self._rooms_to_check.discard(room)
        self._schedule_log_check()

    def on_hint(self, room: str, seq: int) -> None:
        """Process a hint from another process that a room's log has reached entry `seq`, so that the room catches up.

        Hints for rooms that are not loaded are ignored. For `CHECK_LOG_SEQ` the number is unknown, so the log is
        checked. `room` may also be a message about the guests of a room.
        """
        if SIDE_MESSAGE_MARK in room:
            self._on_side_message(room)
            return
        actor = self._actors.get(room)
        if actor is not None and seq != CHECK_LOG_SEQ:
            actor.on_log_hint(seq)
        elif actor is not None or room in self._loading:
            self._rooms_to_check.add(room)
            self._schedule_log_check()

    def _on_side_message(self, hint: str) -> None:
        found = decode_hint(hint)
        actor = None if found is None else self._actors.get(found[0])
        if actor is not None and found is not None:
            actor.on_guests_elsewhere(found[1])

    def _schedule_log_check(self) -> None:
        if self._log_check is None and not self._closed and self._rooms_to_check & self._actors.keys():
            self._log_check = asyncio.create_task(self._check_logs(), name="rooms: look")
            self._log_check.add_done_callback(self._on_log_check_done)

    async def _check_logs(self) -> None:
        """Read the last entry numbers of all rooms that may have missed a hint, in one query, and tell the rooms.

        A room that is behind, or ahead because the database lost entries, then reads its log.
        """
        loaded = self._rooms_to_check & self._actors.keys()
        self._rooms_to_check -= loaded
        heads = await self._log.read_last_seqs(loaded)
        for room in loaded:
            if (actor := self._actors.get(room)) is not None:
                actor.on_log_head(heads.get(room))

    def _on_log_check_done(self, task: asyncio.Task[None]) -> None:
        self._log_check = None
        if not task.cancelled() and (error := task.exception()) is not None:
            if isinstance(error, StorageUnavailable):  # logged once for the whole outage
                logger.debug("looking for missed entries failed: %s", error)
            else:
                logger.error("looking for missed entries failed", exc_info=error)
        self._schedule_log_check()

    async def _run_housekeeping(self) -> None:
        beat = max(0.05, min(self._idle / 4, self._log_check_interval or 15.0, 15.0))
        last = asyncio.get_running_loop().time()
        while True:
            await asyncio.sleep(beat)
            try:
                await self.unload_idle_rooms()
            except Exception:
                logger.exception("unloading rooms failed")
            now = asyncio.get_running_loop().time()
            if self._log_check_interval is not None and now - last >= self._log_check_interval:
                last = now
                for room, actor in self._actors.items():
                    if actor.connection_count:
                        self._rooms_to_check.add(room)
                        actor.repeat_guests()
                self._schedule_log_check()


BOTS_ARE_A_LIST = MessageTemplate("room.bots_are_a_list", "“bots” must be a list of bot levels.")


def _parse_bot_kinds(given: object) -> list[str]:
    if isinstance(given, list | tuple) and all(isinstance(kind, str) for kind in given):
        return list(given)
    raise RoomError("bad_setting", BOTS_ARE_A_LIST())
