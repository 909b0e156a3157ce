"""The interface of the clock that rooms use."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The source of the current time. The pure part of a room gets it as an argument."""

    def now(self) -> datetime:
        """Return the current time: aware, UTC."""
        ...
