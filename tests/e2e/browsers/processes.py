"""Programs that a test starts, each with a home of its own, and waiting for what they open."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 30
"""Seconds."""


@contextmanager
def program(command: list[str], folder: Path, log: str, **environment: str) -> Iterator[None]:
    """A program with a home of its own, which ends with all that it has started."""
    with (folder / log).open("ab") as out:
        mine = {**os.environ, "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "NO_AT_BRIDGE": "1", **environment}
        started = subprocess.Popen(command, cwd=folder, env=mine, stdout=out, stderr=out, start_new_session=True)
        try:
            yield
        finally:
            os.killpg(started.pid, signal.SIGKILL)
            started.wait(PATIENCE)


def patiently(attempt: Callable[[], T], *failures: type[Exception]) -> T:
    """What comes of it as soon as it does not fail."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return attempt()
        except failures:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
