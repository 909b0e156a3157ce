"""The timers of a loaded room: one for its next deadline, and one for each bot whose bot delay is running.

A timer decides nothing: when it fires, a command goes to the room, which checks what is due. Players get time for
messages that are still under way. Each deadline is postponed once, if this process is late by a moment or if the
connections of the players who are to act are slow. After a standstill of seconds the room itself moves its deadlines
(`standstill.py`).
"""

import asyncio
import random
from collections.abc import Callable, Iterable
from typing import Final

from app.rooms.model.decision import BotRequest, ScheduleDeadline, TimerRequest
from app.rooms.model.state import to_milliseconds
from app.rooms.ports.clock import Clock

TROUBLE_PAUSE = 1.0
"""Seconds until a timer is tried again after the log could not be written."""
LATE_MS: Final = 500
"""Delay in milliseconds that still counts as on time."""
MOST_GRACE: Final = 1000
"""Longest time in milliseconds by which a slow connection postpones a deadline.

If the whole process is late, each deadline gets this time, so that messages that wait in the sockets are read first.
"""


class RoomTimers:
    """The timers of one loaded room: one for its next deadline, and one for each bot that waits to act."""

    def __init__(
        self,
        clock: Clock,
        rng: random.Random,
        on_deadline: Callable[[int], None],
        ask_bot: Callable[[str, str], None],
        max_round_trip: Callable[[int], float],
    ) -> None:
        """Store the callbacks.

        `on_deadline` gets a deadline that has passed, in milliseconds since 1970. `ask_bot` gets a seat and its
        kind of bot when the bot delay is over. `max_round_trip` gets a deadline and returns the slowest round-trip
        time, in seconds, of the players whose time ends then.
        """
        self._clock = clock
        self._rng = rng
        self._on_deadline = on_deadline
        self._ask_bot = ask_bot
        self._max_round_trip = max_round_trip
        self._timer: asyncio.TimerHandle | None = None
        self._bots: dict[str, tuple[BotRequest, asyncio.TimerHandle]] = {}
        """The bots whose bot delay runs or is over, by seat, with the request that they are for."""
        self._postponed: tuple[int, int] | None = None
        """The deadline that was postponed last, and until when."""

    def set_timers(self, timer_requests: Iterable[TimerRequest], late_ms: int = 0) -> None:
        """Replace the room's timers by those requested; a bot delay that runs for the same request continues.

        `late_ms`: milliseconds between the decision that led to these timers and now. If this is more than `LATE_MS`,
        the deadline is postponed by it.
        """
        self._stop_timer()
        loop = asyncio.get_running_loop()
        keys: set[str] = set()
        for wish in timer_requests:
            match wish:
                case ScheduleDeadline(at):
                    if late_ms > LATE_MS and not self._was_postponed(at):
                        self._postponed = at, at + late_ms
                    self._wait_until(at)
                case _:
                    keys.add(wish.name)
                    thinks = self._bots.get(wish.name)
                    if thinks is not None and thinks[0] != wish:
                        thinks[1].cancel()
                        thinks = None
                    if thinks is None:
                        delay = wish.delay * self._rng.uniform(0.6, 1.4)
                        self._bots[wish.name] = wish, loop.call_later(delay, self._ask_bot, wish.name, wish.bot)
        for name in self._bots.keys() - keys:
            self._bots.pop(name)[1].cancel()

    def bot_finished(self, name: str) -> None:
        """Forget the running or expired bot delay of this seat, because the bot's choice was handled.

        The next request to the bot starts a new delay.
        """
        self._bots.pop(name, None)

    def retry_later(self, again: Callable[[], None]) -> None:
        """Call `again` in a second, in place of the deadline's timer, because a write or another step failed."""
        self._stop_timer()
        self._timer = asyncio.get_running_loop().call_later(TROUBLE_PAUSE, again)

    def close(self) -> None:
        """Stop all timers of a room that closes, and drop the callbacks, so that the room can be freed."""
        self.set_timers(())
        self._on_deadline, self._ask_bot, self._max_round_trip = _do_nothing, _do_nothing, _zero_round_trip

    def _was_postponed(self, at: int) -> bool:
        return self._postponed is not None and self._postponed[0] == at

    def _wait_until(self, at: int) -> None:
        """Start the timer for a deadline (milliseconds since 1970), or for the time to which it was postponed."""
        until = self._postponed[1] if self._postponed is not None and self._postponed[0] == at else at
        delay = max(0, until - to_milliseconds(self._clock.now())) / 1000
        self._timer = asyncio.get_running_loop().call_later(delay + 0.002, self._on_timer, at)

    def _on_timer(self, at: int) -> None:
        """Report a deadline that has passed; or postpone it once, if this process or the players' clients are slow."""
        now = to_milliseconds(self._clock.now())
        grace = MOST_GRACE if now - at > LATE_MS else min(MOST_GRACE, round(1000 * self._max_round_trip(at)))
        if grace > 0 and not self._was_postponed(at):
            self._postponed = at, now + grace
            self._wait_until(at)
        else:
            self._on_deadline(at)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _do_nothing(*_: object) -> None:
    """Do nothing. Replaces the callbacks of a room's timers after closing."""


def _zero_round_trip(at: int) -> float:
    """Return 0. Replaces the callback for players' round-trip times after a room's timers were closed."""
    return 0.0
