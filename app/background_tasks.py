"""Run background tasks that last until the process ends, and restart them after errors."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Literal, TypeAlias

logger = logging.getLogger(__name__)

RESTART_DELAYS: Final = (1.0, 5.0, 30.0, 60.0)
"""Seconds before each restart of a task after an unexpected error; the last value repeats."""

TaskName: TypeAlias = Literal[
    "heartbeat",
    "bus listener",
    "bus sender",
    "log writer",
    "people writer",
    "event loop lag",
    "deleting people",
    "daily cleanup",
    "changes of operators",
    "filling in starts of hands",
    "storing static files",
]
CountFailure: TypeAlias = Callable[[TaskName], None]
"""Counts an unexpected error of the background task with this name."""


def ignore_failure(name: TaskName) -> None:
    """Do nothing: the default for who counts failures of background tasks, used without metrics."""


async def run_with_restarts(
    name: TaskName,
    work: Callable[[], Awaitable[object]],
    count_failure: CountFailure = ignore_failure,
    pauses: Sequence[float] = RESTART_DELAYS,
) -> None:
    """Run a background task until it returns, and restart it whenever it fails.

    Each error is logged with its traceback and counted by `count_failure`. The restart follows after one of `pauses`
    in seconds, varied by up to half. The pauses grow until the task has run for longer than the longest pause.
    """
    loop = asyncio.get_running_loop()
    tries = 0
    while True:
        began = loop.time()
        try:
            await work()
            return
        except Exception:
            logger.exception("background task failed: %s", name)
            count_failure(name)
        if loop.time() - began > pauses[-1]:
            tries = 0
        await asyncio.sleep(pauses[min(tries, len(pauses) - 1)] * random.uniform(0.5, 1.5))
        tries += 1
