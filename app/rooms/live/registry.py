"""From addresses to rooms: opening, finding, putting to sleep, and waking with what the log says.

A registry owns nothing: every process may have the same room awake, and the log decides who was first.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from app.bots import kinds
from app.engine.base.messages import Sentence
from app.rooms.errors import RoomError
from app.rooms.handlers.dispatch import opening
from app.rooms.handlers.room_codes import CODE_LENGTH, new_address, new_id
from app.rooms.live.room_actor import Runner
from app.rooms.live.turn_alerts import Call
from app.rooms.log import snapshots
from app.rooms.model.commands import Visitor
from app.rooms.model.decision import Outcome
from app.rooms.model.settings import RoomSettings
from app.rooms.model.state import Draw, KnownDeals, Room
from app.rooms.people import names
from app.rooms.ports.addresses import Address, Lead
from app.rooms.ports.bot_workers import Decided, Thinker
from app.rooms.ports.bus import LOOK, Bus
from app.rooms.ports.clock import Clock
from app.rooms.ports.storage import AddressTaken, LogStore, Unavailable
from app.rooms.recorded import variations
from app.rooms.recorded.positions import Position

logger = logging.getLogger(__name__)

FOLDED_AT_ONCE = 300
"""Entries; a room with more since its last snapshot is folded in a thread, and nobody else has to wait for it."""
_KEYS = frozenset({"game", "options", "clock", "bots_delay", "ranks", "stake", "bots"})


class SystemClock:
    """A `Clock`: the computer's."""

    def now(self) -> datetime:
        """Tell the time: aware, UTC."""
        return datetime.now(UTC)


ROOM_HAS_NO = Sentence("room.room_has_no", "A room has no “{field}”.")


class Registry:
    """The rooms that are awake in this process."""

    def __init__(
        self,
        log: LogStore,
        bus: Bus,
        clock: Clock,
        draw: Draw,
        *,
        idle: float = 60.0,
        reread: float | None = None,
        blink: float = 1.0,
        rng: random.Random | None = None,
        node: str = "",
        living: frozenset[str] = frozenset(),
        call: Callable[[Call], None] | None = None,
        thinker: Thinker | None = None,
        decided: Callable[[Decided], None] | None = None,
        failed: Callable[[str], None] = lambda part: None,
        rewound: Callable[[Runner], Awaitable[None]] | None = None,
    ) -> None:
        """`draw` gives random bytes fit for secrets. A room sleeps after `idle` seconds without sockets.

        `reread`: seconds between looks at the logs of rooms with sockets, in case a hint was lost; None where there is
        one process only. `blink`: seconds that a socket may be gone before anybody hears of it.
        `node`: this process among those `living` that share the log; empty where there is one only.
        `call` is told of people who are to be called back to a table; None: nobody calls. `thinker` thinks for bots
        that want to think; None: there are none of these. `decided` is told of what bots choose.
        `failed` counts unexpected errors after a commit, by the part that failed.
        `rewound` is called with a room whose last entries the database has lost; see `Runner`.
        """
        self._log = log
        self._bus = bus
        self._clock = clock
        self._draw = draw
        self._idle = idle
        self._reread = reread
        self._blink = blink
        self._rng = rng
        self._node = node
        self._living = living | {node}
        self._call = call
        self._thinker = thinker
        self._decided = decided
        self._failed = failed
        self.rewound = rewound
        """As above; it may be set before the first room is opened."""
        self._runners: dict[str, Runner] = {}
        self._opening: dict[str, asyncio.Task[Runner | None]] = {}
        self._unsure: set[str] = set()
        """Rooms of whose hints some may have been missed."""
        self._looking: asyncio.Task[None] | None = None
        self._unsubscribe = bus.subscribe(self.hint)
        self._keeper: asyncio.Task[None] | None = None
        self._closed = False

    async def create(
        self,
        host: Visitor,
        settings: Mapping[str, Any] | None = None,
        deals: KnownDeals | None = None,
        *,
        starts: bool = False,
    ) -> Room:
        """Open a room with its host and bots seated, in the middle of its first hand if it `starts` at once.

        `RoomError` or `RuleError` if it can't be.
        """
        asked = dict(settings or {})
        if asked.keys() - _KEYS:
            raise RoomError("bad_setting", ROOM_HAS_NO(field=next(iter(asked.keys() - _KEYS))[:30]))
        bots, there_are = _kinds(asked.pop("bots", ())), kinds(thinks=self._thinker is not None)
        made = RoomSettings.make(asked)
        names.clean(host.name)
        return await self._create(
            lambda room, address: opening(
                room,
                address,
                host,
                made,
                bots,
                self._clock.now(),
                self._draw,
                deals,
                starts=starts,
                there_are=there_are,
            ),
            host,
        )

    async def resume(self, host: Visitor, chair: str, position: Position, *, friends: bool) -> Room:
        """Open a room that goes on from a position, with its host in this chair: see `variations.opening`."""
        return await self._create(
            lambda room, address: variations.opening(
                room, address, host, chair, position, friends, self._clock.now(), self._draw
            ),
            host,
        )

    async def _create(self, opened: Callable[[str, Address], Outcome], host: Visitor) -> Room:
        while True:
            room, address = new_id(self._draw), new_address(self._draw)
            outcome = opened(room, address)
            assert outcome.record is not None
            stays = self._is_alone  # its host is here in a moment; with several processes, perhaps elsewhere
            if stays:
                self._bus.follow(room)  # before there is anything to be heard, so that nothing is missed
            try:
                await self._log.create(room, address, outcome.record.entries, outcome.record.facts, host=host.id)
                logger.info("room %s opened: %s", room, outcome.room.settings.game.key)
                if stays and not self._closed:
                    self._run(outcome.room)
                return outcome.room
            except AddressTaken:
                continue
            finally:
                if stays and room not in self._runners:
                    self._bus.unfollow(room)

    async def find(self, code: str) -> Runner | None:
        """Find the room that this code leads to now, and wake it if it slept; None if there is none."""
        lead = await self.by_code(code)
        return await self.wake(lead.room) if lead is not None and lead.current else None

    async def wake(self, room: str) -> Runner | None:
        """Find the room with this id, and wake it if it slept; None if there is none."""
        runner = self._runners.get(room)
        if runner is None and not self._closed:
            task = self._opening.get(room)
            if task is None:
                task = self._opening[room] = asyncio.create_task(self._open(room))
                task.add_done_callback(lambda _: self._opened(room))
            runner = await asyncio.shield(task)
        if runner is not None:
            runner.last_used = asyncio.get_running_loop().time()
        return runner

    def here(self, room: str) -> Runner | None:
        """Give the room with this id, if it is awake here."""
        return self._runners.get(room)

    async def by_code(self, code: str) -> Lead | None:
        """Find where this code leads, or once led."""
        if not 0 < len(code) <= 2 * CODE_LENGTH:
            return None
        return await self._log.by_code(code.upper())

    async def by_invite(self, invite: str) -> Lead | None:
        """Find where this invitation leads, or once led."""
        return await self._log.by_invite(invite)

    @property
    def _is_alone(self) -> bool:
        """Whether no other process lives. Of one that has just begun this may not know, but is told of what it does."""
        return self._living == {self._node}

    def living(self, nodes: frozenset[str]) -> None:
        """Hear which nodes live just now: whoever has been at another is not there any more."""
        self._living = nodes | {self._node}
        for runner in self._runners.values():
            runner.living(self._living)

    def awake(self) -> Sequence[Runner]:
        """List the rooms that are awake here."""
        return tuple(self._runners.values())

    async def close(self) -> None:
        """Finish what is under way in every room, then stop."""
        self._closed = True
        self._unsubscribe()
        if self._keeper is not None:
            self._keeper.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeper
        if self._looking is not None:
            self._looking.cancel()
        await asyncio.gather(*self._opening.values(), return_exceptions=True)
        await asyncio.gather(*(runner.close() for runner in self._runners.values()))
        self._runners.clear()

    async def sleep_idle(self) -> None:
        """Put rooms to sleep that have had no sockets for a while."""
        now = asyncio.get_running_loop().time()
        for room, runner in tuple(self._runners.items()):
            if runner.is_idle and now - runner.last_used >= self._idle:
                del self._runners[room]
                self._bus.unfollow(room)
                await runner.close()
                logger.info("room %s sleeps", room)

    # Inside ----------------------------------------------------------------------------------------------------

    async def _open(self, room: str) -> Runner | None:
        self._bus.follow(room)
        loaded = await self._log.load(room)
        if loaded is None:
            return None
        if len(loaded.entries) <= FOLDED_AT_ONCE:
            opened = snapshots.from_log(loaded)
        else:
            opened = await asyncio.to_thread(snapshots.from_log, loaded)
        logger.info("room %s is awake", room)
        return self._run(opened)

    def _run(self, room: Room) -> Runner:
        runner = Runner(
            room,
            self._log,
            self._bus,
            self._clock,
            self._draw,
            rng=self._rng,
            blink=self._blink,
            node=self._node,
            living=self._living,
            call=self._call,
            thinker=self._thinker,
            decided=self._decided,
            failed=self._failed,
            rewound=self.rewound,
        )
        self._runners[room.id] = runner
        if self._keeper is None:
            self._keeper = asyncio.create_task(self._keep(), name="rooms")
        return runner

    def _opened(self, room: str) -> None:
        del self._opening[room]
        if room not in self._runners:
            self._bus.unfollow(room)
            self._unsure.discard(room)
        self._look_soon()

    def hint(self, room: str, seq: int) -> None:
        """Hear that a room's log is at `seq`, from whoever appended to it; if it sleeps, that is nothing to it."""
        runner = self._runners.get(room)
        if runner is not None and seq != LOOK:
            runner.hint(seq)
        elif runner is not None or room in self._opening:
            self._unsure.add(room)
            self._look_soon()

    def _look_soon(self) -> None:
        if self._looking is None and not self._closed and self._unsure & self._runners.keys():
            self._looking = asyncio.create_task(self._look(), name="rooms: look")
            self._looking.add_done_callback(self._looked)

    async def _look(self) -> None:
        """See how far the logs are of rooms that may have missed a hint: one question for all of them."""
        awake = self._unsure & self._runners.keys()
        self._unsure -= awake
        heads = await self._log.heads(awake)
        for room in awake:
            if (runner := self._runners.get(room)) is not None:
                runner.seen_at(heads.get(room))

    def _looked(self, task: asyncio.Task[None]) -> None:
        self._looking = None
        if not task.cancelled() and (error := task.exception()) is not None:
            if isinstance(error, Unavailable):  # logged once for the whole outage
                logger.debug("looking for missed entries failed: %s", error)
            else:
                logger.error("looking for missed entries failed", exc_info=error)
        self._look_soon()

    async def _keep(self) -> None:
        beat = max(0.05, min(self._idle / 4, self._reread or 15.0, 15.0))
        last = asyncio.get_running_loop().time()
        while True:
            await asyncio.sleep(beat)
            try:
                await self.sleep_idle()
            except Exception:
                logger.exception("putting rooms to sleep failed")
            now = asyncio.get_running_loop().time()
            if self._reread is not None and now - last >= self._reread:
                last = now
                for room, runner in self._runners.items():
                    if runner.connections:
                        self._unsure.add(room)
                self._look_soon()


BOTS_ARE_A_LIST = Sentence("room.bots_are_a_list", "“bots” is a list of kinds of bots.")


def _kinds(given: object) -> list[str]:
    if isinstance(given, list | tuple) and all(isinstance(kind, str) for kind in given):
        return list(given)
    raise RoomError("bad_setting", BOTS_ARE_A_LIST())
