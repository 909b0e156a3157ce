"""A fair queue: connections with more work than fits into one turn of the event loop take turns.

The work that many connections bring at once is spread over several turns of the event loop. A client with a single
request never queues. The queue protects the server; it does not make it faster.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

CALLBACKS_PER_TURN: Final = 8
"""Queued callbacks that run in one turn of the event loop."""


class FairQueue:
    """A first-in, first-out queue of callbacks that shares the event loop fairly among busy connections.

    Only a few run in one turn of the loop. A connection with more work queues again at the end.
    """

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()
        self._called = False

    def schedule(self, callback: Callable[[], None]) -> None:
        """Call a short function in a later turn of the event loop, after those that already wait.

        A connection schedules its next piece of work in this way.
        """
        self._waiting.append(callback)
        if not self._called:
            self._called = True
            asyncio.get_running_loop().call_soon(self._run_batch)

    def _run_batch(self) -> None:
        self._called = False
        for _ in range(min(CALLBACKS_PER_TURN, len(self._waiting))):
            self._waiting.popleft()()
        if self._waiting and not self._called:
            self._called = True
            asyncio.get_running_loop().call_soon(self._run_batch)
