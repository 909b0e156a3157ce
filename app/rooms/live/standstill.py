"""Notice that this process stood still: a laptop that slept, a virtual machine or a process that was paused.

While a computer sleeps, the event loop's clock stands still and only the wall clock goes on. While a process is
paused, both go on.
"""

from datetime import datetime
from typing import Final

TICK_SECONDS: Final = 0.5
"""Seconds between two ticks."""
SHORTEST_STANDSTILL: Final = 2.0
"""Seconds by which a tick must be late to count as a standstill."""


class StandstillWatch:
    """Compares the times of successive ticks. Commands may come between the ticks and count like them."""

    def __init__(self, now: datetime, loop_seconds: float) -> None:
        """Store the current time by the wall clock and by the event loop's clock."""
        self._last = now, loop_seconds

    def tick(self, now: datetime, loop_seconds: float) -> float:
        """Return the seconds for which the process stood still since the last tick; 0 if it did not.

        Takes the current times as in `__init__`. The clock that moved further counts; a clock that was set back does
        not matter.
        """
        last_now, last_loop = self._last
        self._last = now, loop_seconds
        passed = max((now - last_now).total_seconds(), loop_seconds - last_loop)
        return passed if passed >= TICK_SECONDS + SHORTEST_STANDSTILL else 0
