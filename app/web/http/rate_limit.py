"""Rate limits by key: one number for each key, a bounded number of keys, exact in time.

The generic cell rate algorithm: for each key, store the time at which it is idle again. Idle keys are deleted when the
table has doubled since the last cleanup, so that cleanup stays cheap. Limits are local to this process. With several
nodes, each person is connected to one node.
"""

import time
from collections.abc import Callable

MAX_KEYS = 20_000
FEW_KEYS = 256
"""Below this number of keys, idle keys are not looked for."""


class RateLimiter:
    """Limits how often something may happen, by key: `burst` events at once, `count` per `seconds` in the long run.

    >>> clock = iter([0.0, 0.0, 0.0, 9.0]).__next__
    >>> pace = RateLimiter(2, 10, clock=clock)
    >>> [pace.seconds_until_allowed("ann") for _ in range(4)]
    [0.0, 0.0, 5.0, 0.0]
    >>> bytes_a_day = RateLimiter(1000, 86400, clock=lambda: 0.0)
    >>> [bytes_a_day.seconds_until_allowed("ann", count=count) == 0 for count in (600, 600, 400, 1)]
    [True, False, True, False]
    >>> bytes_a_day.count("bob", 5000), round(bytes_a_day.seconds_until_allowed("bob"))
    (None, 86400)
    """

    def __init__(
        self,
        count: float,
        seconds: float,
        *,
        burst: int | None = None,
        most_keys: int = MAX_KEYS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._seconds = seconds
        self._every = seconds / count
        self._slack = self._every * ((burst if burst is not None else int(count)) - 1)
        self._most_keys = most_keys
        self._clock = clock
        self._idle_at: dict[str, float] = {}
        self._full_at = min(FEW_KEYS, most_keys)
        """Number of keys at which idle keys are deleted."""

    def seconds_until_allowed(self, key: str, *, consume: bool = True, count: float = 1) -> float:
        """Return 0 if an event of this key is allowed now, else the seconds until it is allowed.

        An allowed event is counted, unless `consume` is False. `count` is its weight, such as a number of bytes. A
        `key` names the client or person that is limited; a new key may use the whole burst.
        """
        now = self._clock()
        idle_at = max(self._idle_at.get(key, now), now)
        early = idle_at - now - self._slack + self._every * (count - 1)
        if early > 1e-9:
            return early
        if consume:
            self._set_idle_at(key, idle_at + self._every * count, now)
        return 0.0

    def count(self, key: str, count: float = 1) -> None:
        """Count an event that has happened, even above the limit. No event is delayed by more than `seconds`."""
        now = self._clock()
        idle_at = max(self._idle_at.get(key, now), now) + self._every * count
        self._set_idle_at(key, min(idle_at, now + self._slack + self._seconds), now)

    def _set_idle_at(self, key: str, idle_at: float, now: float) -> None:
        if key not in self._idle_at and len(self._idle_at) >= self._full_at:
            self._evict_idle_keys(now)
        self._idle_at[key] = idle_at

    def _evict_idle_keys(self, now: float) -> None:
        self._idle_at = {key: at for key, at in self._idle_at.items() if at > now}
        while len(self._idle_at) >= self._most_keys:
            # All keys are busy: a client may use many addresses. Forget the oldest key, which then starts afresh.
            del self._idle_at[next(iter(self._idle_at))]
        self._full_at = min(max(FEW_KEYS, 2 * len(self._idle_at)), self._most_keys)
