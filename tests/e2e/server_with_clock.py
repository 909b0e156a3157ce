"""Run the server with a clock that tests can move: `python -m tests.e2e.server_with_clock FILE serve ...`.

The file has the seconds by which the clock is ahead. The server reads it on the signal SIGUSR1.
"""

import signal
import sys
from datetime import datetime, timedelta
from pathlib import Path

from app import main as program
from app.cli import main
from app.rooms.live.registry import SystemClock


class AheadClock(SystemClock):
    """The computer's clock, plus the seconds in the file."""

    def __init__(self) -> None:
        self._file = Path(sys.argv[1])
        self._ahead = timedelta()
        signal.signal(signal.SIGUSR1, self._read)

    def now(self) -> datetime:
        return super().now() + self._ahead

    def _read(self, *_: object) -> None:
        self._ahead = timedelta(seconds=float(self._file.read_text()))
        self._file.unlink()


if __name__ == "__main__":
    program.SystemClock = AheadClock  # type: ignore[misc]
    main(sys.argv[2:])
