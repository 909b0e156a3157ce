"""Run a server that tests can change while it runs: `python -m tests.e2e.server_with_changes FILE serve ...`.

The file has the change as JSON: `seconds` by which the clock of the rooms is ahead, or the name of a `cheat`. The
server reads it on the signal SIGUSR2, and removes it.
"""

import json
import signal
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from app import main as program
from app.cli import main
from app.rooms.live.registry import SystemClock
from tests.web.fair_deals import cheating_servers


class AheadClock(SystemClock):
    """The computer's clock, plus some seconds."""

    ahead = timedelta()

    def now(self) -> datetime:
        return super().now() + self.ahead


_patch = pytest.MonkeyPatch()


def _change(*_: object) -> None:
    file = Path(sys.argv[1])
    change: dict[str, Any] = json.loads(file.read_text())
    if "seconds" in change:
        AheadClock.ahead = timedelta(seconds=change["seconds"])
    else:
        _patch.undo()
        if change["cheat"] is not None:
            getattr(cheating_servers, change["cheat"])(_patch)
    file.unlink()


if __name__ == "__main__":
    signal.signal(signal.SIGUSR2, _change)
    pytest.MonkeyPatch().setattr(program, "SystemClock", AheadClock)
    main(sys.argv[2:])
