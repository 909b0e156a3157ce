"""Background tasks that go on for as long as the process does."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Literal, TypeAlias

logger = logging.getLogger(__name__)

PAUSES: Final = (1.0, 5.0, 30.0, 60.0)
"""Seconds before a task starts again after an unexpected error; the last for all that follow."""

TaskName: TypeAlias = Literal[
    "heartbeat",
    "bus listener",
    "bus sender",
    "log writer",
    "people writer",
    "event loop lag",
    "deleting people",
    "daily cleanup",
    "filling in starts of hands",
]
Failed: TypeAlias = Callable[[TaskName], None]
"""Counts an unexpected error of the background task with this name."""


def not_counted(name: TaskName) -> None:
    """Count nothing."""


async def supervise(
    name: TaskName,
    work: Callable[[], Awaitable[object]],
    failed: Failed = not_counted,
    pauses: Sequence[float] = PAUSES,
) -> None:
    """Run a background task until it returns, and start it again whenever it fails.

    An error is logged with its traceback and counted by `failed`. The next start follows after one of `pauses`, in
    seconds, which grow until the task has run for longer than the longest of them.
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
            failed(name)
        if loop.time() - began > pauses[-1]:
            tries = 0
        await asyncio.sleep(pauses[min(tries, len(pauses) - 1)] * random.uniform(0.5, 1.5))
        tries += 1
