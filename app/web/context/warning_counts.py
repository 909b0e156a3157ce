"""Count the warnings and errors of the last day by kind, so that an operator sees what repeats."""

import logging
import time
from collections import Counter
from collections.abc import Callable
from typing import Final

from msgspec import Struct

MOST_KINDS: Final = 200
"""Number of kinds that are counted apart in an hour. Later ones count as `OTHER`."""
OTHER: Final = "other lines"
HOUR_SECONDS: Final = 3600.0
HOURS: Final = 24


class WarningCount(Struct, frozen=True):
    """How often a warning or an error was logged in the last day."""

    kind: str
    """The text of the line without its values: it contains no name and no address."""
    level: str
    """warning, error or critical."""
    count: int


class WarningCounts(logging.Handler):
    """A handler of the log that counts lines at `warning` and above by kind, for each hour of the last day."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        """`clock` returns seconds."""
        super().__init__(logging.WARNING)
        self._clock = clock
        self._hours: dict[int, Counter[tuple[str, str]]] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Count one line. structlog hands over a dictionary, other loggers a text with gaps for its values."""
        event = record.msg.get("event") if isinstance(record.msg, dict) else record.msg
        hour = int(self._clock() // HOUR_SECONDS)
        counts = self._hours.setdefault(hour, Counter())
        kind = (str(event), record.levelname.lower())
        counts[kind if kind in counts or len(counts) < MOST_KINDS else (OTHER, kind[1])] += 1
        for old in [each for each in self._hours if each <= hour - HOURS]:
            del self._hours[old]

    def last_day(self) -> tuple[WarningCount, ...]:
        """Return the counts of the last 24 hours, the most frequent first."""
        now = int(self._clock() // HOUR_SECONDS)
        total = Counter[tuple[str, str]]()
        self.acquire()
        try:
            for hour, counts in self._hours.items():
                total.update(counts if hour > now - HOURS else {})
        finally:
            self.release()
        return tuple(WarningCount(kind, level, count) for (kind, level), count in total.most_common())
