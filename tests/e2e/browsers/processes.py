"""Start programs for a test, each with its own home folder, and wait for them."""

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
"""Seconds to wait."""


@contextmanager
def program(command: list[str], folder: Path, log: str, **environment: str) -> Iterator[None]:
    """Run a program with its own home folder, and kill it and its children at the end."""
    with (folder / log).open("ab") as out:
        mine = {**os.environ, "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "NO_AT_BRIDGE": "1", **environment}
        started = subprocess.Popen(command, cwd=folder, env=mine, stdout=out, stderr=out, start_new_session=True)
        try:
            yield
        finally:
            os.killpg(started.pid, signal.SIGKILL)
            started.wait(PATIENCE)


def patiently(attempt: Callable[[], T], *failures: type[Exception]) -> T:
    """Call a function again until it no longer fails, and return its result."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return attempt()
        except failures:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
