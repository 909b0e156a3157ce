"""What a room waits for, while it is awake: one timer for the first of its deadlines, and one for each bot that thinks.

Nothing here decides anything: a timer that fires is a command, and the room looks what is due.
"""

import asyncio
import random
from collections.abc import Callable, Iterable

from .outcomes import AskBot, Schedule, Wish
from .ports import Clock
from .room import milliseconds

TROUBLE_PAUSE = 1.0
"""Seconds until a timer is tried again when the log could not be written."""


class Alarms:
    """The timers of one room."""

    def __init__(
        self, clock: Clock, rng: random.Random, due: Callable[[], None], choose: Callable[[str, str], None]
    ) -> None:
        """`due` is called when a deadline has come, `choose` with a seat and its kind of bot when that has thought."""
        self._clock = clock
        self._rng = rng
        self._due = due
        self._choose = choose
        self._timer: asyncio.TimerHandle | None = None
        self._bots: dict[str, asyncio.TimerHandle] = {}

    def set(self, wishes: Iterable[Wish]) -> None:
        """Wait for these and for nothing else; bots that think already go on."""
        self._stop_timer()
        loop, wanted = asyncio.get_running_loop(), set[str]()
        for wish in wishes:
            match wish:
                case Schedule(at):
                    delay = max(0, at - milliseconds(self._clock.now())) / 1000
                    self._timer = loop.call_later(delay + 0.002, self._due)
                case AskBot(name, bot, seconds):
                    wanted.add(name)
                    if name not in self._bots:
                        delay = seconds * self._rng.uniform(0.6, 1.4)
                        self._bots[name] = loop.call_later(delay, self._choose, name, bot)
        for name in self._bots.keys() - wanted:
            self._bots.pop(name).cancel()

    def answered(self, name: str) -> None:
        """Ask the bot of this seat again when it is wished for: what it chose has been dealt with."""
        self._bots.pop(name, None)

    def retry(self, again: Callable[[], None]) -> None:
        """Put off the deadline: the log could not be written. `again` is called a little later."""
        self._stop_timer()
        self._timer = asyncio.get_running_loop().call_later(TROUBLE_PAUSE, again)

    def close(self) -> None:
        """Wait for nothing any more."""
        self.set(())

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
