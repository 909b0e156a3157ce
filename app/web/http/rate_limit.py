"""How often somebody may do something: one number per key, bounded in all, exact to the moment.

The generic cell rate algorithm: each key keeps the time at which it would be idle again. Those that are idle go when
the table has twice as many as were busy the last time, so that each costs a moment, once. It lives in this process
alone: behind several nodes, a person meets one.
"""

import time
from collections.abc import Callable

MOST_KEYS = 20_000
FEW_KEYS = 256
"""Keys that may be idle: nobody looks through fewer."""


class Pace:
    """At most `at_once` in a burst, and `count` every `seconds` in the long run.

    >>> clock = iter([0.0, 0.0, 0.0, 9.0]).__next__
    >>> pace = Pace(2, 10, clock=clock)
    >>> pace.wait("ann"), pace.wait("ann"), pace.wait("ann"), pace.wait("ann")
    (0.0, 0.0, 5.0, 0.0)
    >>> bytes_a_day = Pace(1000, 86400, clock=lambda: 0.0)
    >>> [bytes_a_day.wait("ann", count=count) == 0 for count in (600, 600, 400, 1)]
    [True, False, True, False]
    """

    def __init__(
        self,
        count: float,
        seconds: float,
        *,
        at_once: int | None = None,
        most_keys: int = MOST_KEYS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._every = seconds / count
        self._slack = self._every * ((at_once if at_once is not None else int(count)) - 1)
        self._most_keys = most_keys
        self._clock = clock
        self._idle_at: dict[str, float] = {}
        self._full_at = min(FEW_KEYS, most_keys)
        """With how many keys it is time to look for idle ones."""

    def wait(self, key: str, *, take: bool = True, count: float = 1) -> float:
        """Return 0 if it may happen now, else the seconds until it may.

        If it may, it counts, unless `take` is False; as `count`, such as bytes, if that is given.
        """
        now = self._clock()
        idle_at = max(self._idle_at.get(key, now), now)
        early = idle_at - now - self._slack + self._every * (count - 1)
        if early > 1e-9:
            return early
        if take:
            if key not in self._idle_at and len(self._idle_at) >= self._full_at:
                self._make_room(now)
            self._idle_at[key] = idle_at + self._every * count
        return 0.0

    def _make_room(self, now: float) -> None:
        self._idle_at = {key: at for key, at in self._idle_at.items() if at > now}
        while len(self._idle_at) >= self._most_keys:
            # Full of the busy ones: somebody uses many addresses. The oldest of them starts afresh.
            del self._idle_at[next(iter(self._idle_at))]
        self._full_at = min(max(FEW_KEYS, 2 * len(self._idle_at)), self._most_keys)
