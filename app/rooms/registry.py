"""From codes to rooms: opening, finding, putting to sleep, and waking with what the log says.

A registry owns nothing: every process may have the same room awake, and the log decides who was first.
"""

import asyncio
import base64
import logging
import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from app.engine.words import Sentence

from . import keeping, names
from .commands import Person
from .decide import opening
from .errors import RoomError
from .ports import Bus, Clock, CodeTaken, RoomLog
from .room import Draw
from .runner import Runner
from .settings import RoomSettings

logger = logging.getLogger(__name__)

LETTERS = "23456789BCDFGHJKMNPQRSTVWXZ"
"""Of room codes: none that look alike, and no words."""
CODE_LENGTH = 6
FOLDED_AT_ONCE = 300
"""Entries; a room with more since its last snapshot is folded in a thread, and nobody else has to wait for it."""
_KEYS = frozenset({"game", "options", "clock", "bots_delay", "bots"})


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
        log: RoomLog,
        bus: Bus,
        clock: Clock,
        draw: Draw,
        *,
        idle: float = 60.0,
        reread: float | None = None,
        blink: float = 1.0,
        rng: random.Random | None = None,
    ) -> None:
        """`draw` gives random bytes fit for secrets. A room sleeps after `idle` seconds without sockets.

        `reread`: seconds between looks at the log of rooms with sockets, in case a hint was lost; None where there is
        one process only. `blink`: seconds that a socket may be gone before anybody hears of it.
        """
        self._log = log
        self._bus = bus
        self._clock = clock
        self._draw = draw
        self._idle = idle
        self._reread = reread
        self._blink = blink
        self._rng = rng
        self._runners: dict[str, Runner] = {}
        self._opening: dict[str, asyncio.Task[Runner | None]] = {}
        self._unsubscribe = bus.subscribe(self._heard)
        self._keeper: asyncio.Task[None] | None = None
        self._closed = False

    async def create(self, host: Person, settings: Mapping[str, Any] | None = None) -> tuple[str, str]:
        """Open a room with its host and bots seated: (code, invitation). `RoomError` or `RuleError` if it can't be."""
        asked = dict(settings or {})
        if asked.keys() - _KEYS:
            raise RoomError("bad_setting", ROOM_HAS_NO(field=next(iter(asked.keys() - _KEYS))[:30]))
        kinds = _kinds(asked.pop("bots", ()))
        made = RoomSettings.make(asked)
        names.clean(host.name)
        while True:
            code, invite = self._code(), base64.urlsafe_b64encode(self._draw(16)).rstrip(b"=").decode()
            outcome = opening(code, invite, host, made, kinds, self._clock.now(), self._draw)
            assert outcome.record is not None
            try:
                await self._log.create(code, invite, outcome.record.entries)
            except CodeTaken:
                continue
            logger.info("room %s opened: %s", code, made.game.key)
            return code, invite

    async def find(self, code: str) -> Runner | None:
        """Find the room with this code, and wake it if it slept; None if there is none."""
        code = code.upper()
        runner = self._runners.get(code)
        if runner is None and not self._closed:
            task = self._opening.get(code)
            if task is None:
                task = self._opening[code] = asyncio.create_task(self._open(code))
                task.add_done_callback(lambda _: self._opening.pop(code, None))
            runner = await asyncio.shield(task)
        if runner is not None:
            runner.last_used = asyncio.get_running_loop().time()
        return runner

    async def by_invite(self, invite: str) -> str | None:
        """Find the code of the room that this invitation opens."""
        return await self._log.by_invite(invite)

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
        await asyncio.gather(*self._opening.values(), return_exceptions=True)
        await asyncio.gather(*(runner.close() for runner in self._runners.values()))
        self._runners.clear()

    async def sleep_idle(self) -> None:
        """Put rooms to sleep that have had no sockets for a while."""
        now = asyncio.get_running_loop().time()
        for code, runner in tuple(self._runners.items()):
            if runner.is_idle and now - runner.last_used >= self._idle:
                del self._runners[code]
                await runner.close()
                logger.info("room %s sleeps", code)

    # Inside ----------------------------------------------------------------------------------------------------

    async def _open(self, code: str) -> Runner | None:
        if not 0 < len(code) <= 2 * CODE_LENGTH:
            return None
        loaded = await self._log.load(code)
        if loaded is None:
            return None
        if len(loaded.entries) <= FOLDED_AT_ONCE:
            room = keeping.from_log(loaded)
        else:
            room = await asyncio.to_thread(keeping.from_log, loaded)
        runner = Runner(room, self._log, self._bus, self._clock, self._draw, rng=self._rng, blink=self._blink)
        self._runners[code] = runner
        runner.start()
        logger.info("room %s is awake", code)
        if self._keeper is None:
            self._keeper = asyncio.create_task(self._keep(), name="rooms")
        return runner

    def _heard(self, code: str, seq: int) -> None:
        runner = self._runners.get(code)
        if runner is not None:
            runner.hint(seq)

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
                for runner in self._runners.values():
                    if runner.connections:
                        runner.reread()

    def _code(self) -> str:
        number = int.from_bytes(self._draw(8))
        letters = []
        for _ in range(CODE_LENGTH):
            number, letter = divmod(number, len(LETTERS))
            letters.append(LETTERS[letter])
        return "".join(letters)


BOTS_ARE_A_LIST = Sentence("room.bots_are_a_list", "“bots” is a list of kinds of bots.")


def _kinds(given: object) -> list[str]:
    if isinstance(given, list | tuple) and all(isinstance(kind, str) for kind in given):
        return list(given)
    raise RoomError("bad_setting", BOTS_ARE_A_LIST())
