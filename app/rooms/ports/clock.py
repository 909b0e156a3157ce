"""The clock of rooms."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """What time it is. A room never asks by itself."""

    def now(self) -> datetime:
        """Tell the time: aware, UTC."""
        ...
