"""What a room waits for, while it is awake: one timer for the first of its deadlines, and one for each bot that thinks.

Nothing here decides anything: a timer that fires is a command, and the room looks what is due. But nobody's time is up
before what they said in time could be heard: each deadline is put off once, when it is found to be kept late or when
the line of those who are to act is slow.
"""

import asyncio
import random
from collections.abc import Callable, Iterable
from typing import Final

from app.rooms.model.decision import Schedule, Thought, Wish
from app.rooms.model.state import milliseconds
from app.rooms.ports.clock import Clock

TROUBLE_PAUSE = 1.0
"""Seconds until a timer is tried again when the log could not be written."""
LATE: Final = 500
"""Milliseconds by which everything may be late and still be called on time."""
MOST_GRACE: Final = 1000
"""Milliseconds that a slow line is worth. After a pause of the whole process it is what others have to be heard in:
what they sent meanwhile waits to be read."""


class Alarms:
    """The timers of one room."""

    def __init__(
        self,
        clock: Clock,
        rng: random.Random,
        due: Callable[[int], None],
        choose: Callable[[str, str], None],
        lag: Callable[[int], float],
    ) -> None:
        """`due` is called with a deadline that has come, `choose` with a seat and its kind of bot when it has thought.

        `lag` says of a deadline how many seconds the lines take of those whose time it ends.
        """
        self._clock = clock
        self._rng = rng
        self._due = due
        self._choose = choose
        self._lag = lag
        self._timer: asyncio.TimerHandle | None = None
        self._bots: dict[str, tuple[Thought, asyncio.TimerHandle]] = {}
        """The bots that think, or have thought and do nothing, with what was wished of them."""
        self._put_off: tuple[int, int] | None = None
        """The deadline that was put off last, and until when."""

    def set(self, wishes: Iterable[Wish], late: int = 0) -> None:
        """Wait for these and for nothing else; bots that think already go on, unless something else is wished now.

        `late`: so many milliseconds after it was decided that these are wished for anybody could hear of it.
        """
        self._stop_timer()
        loop = asyncio.get_running_loop()
        wanted: set[str] = set()
        for wish in wishes:
            match wish:
                case Schedule(at):
                    if late > LATE and not self._was_put_off(at):
                        self._put_off = at, at + late
                    self._wait_until(at)
                case _:
                    wanted.add(wish.name)
                    thinks = self._bots.get(wish.name)
                    if thinks is not None and thinks[0] != wish:
                        thinks[1].cancel()
                        thinks = None
                    if thinks is None:
                        delay = wish.delay * self._rng.uniform(0.6, 1.4)
                        self._bots[wish.name] = wish, loop.call_later(delay, self._choose, wish.name, wish.bot)
        for name in self._bots.keys() - wanted:
            self._bots.pop(name)[1].cancel()

    def answered(self, name: str) -> None:
        """Ask the bot of this seat again when it is wished for: what it chose has been dealt with."""
        self._bots.pop(name, None)

    def retry(self, again: Callable[[], None]) -> None:
        """Put off the deadline: the log could not be written. `again` is called a little later."""
        self._stop_timer()
        self._timer = asyncio.get_running_loop().call_later(TROUBLE_PAUSE, again)

    def close(self) -> None:
        """Wait for nothing any more, and hold on to nobody: whoever set these alarms holds them."""
        self.set(())
        self._due, self._choose, self._lag = _nobody, _nobody, _no_lag

    def _was_put_off(self, at: int) -> bool:
        return self._put_off is not None and self._put_off[0] == at

    def _wait_until(self, at: int) -> None:
        """Wait for a deadline, or for the moment to which it was put off."""
        until = self._put_off[1] if self._put_off is not None and self._put_off[0] == at else at
        delay = max(0, until - milliseconds(self._clock.now())) / 1000
        self._timer = asyncio.get_running_loop().call_later(delay + 0.002, self._fired, at)

    def _fired(self, at: int) -> None:
        """A deadline has come: put it off if there is a reason and it was not put off before, else say so."""
        now = milliseconds(self._clock.now())
        grace = MOST_GRACE if now - at > LATE else min(MOST_GRACE, round(1000 * self._lag(at)))
        if grace > 0 and not self._was_put_off(at):
            self._put_off = at, now + grace
            self._wait_until(at)
        else:
            self._due(at)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _nobody(*_: object) -> None:
    """Do nothing: the room is closed."""


def _no_lag(at: int) -> float:
    """Know of no line: the room is closed."""
    return 0.0
