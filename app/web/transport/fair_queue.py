"""A fair queue: connections that have more work than fits into one go get a little of each turn of the event loop.

So the work that many connections bring at once is spread over many turns. A client that asks for one thing now and then
never queues. This is protection and not speed.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

AT_ONCE: Final = 8
"""Queued callbacks that run in one turn of the event loop."""


class Turns:
    """First come, first served. A connection with more work queues again at the end."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()
        self._called = False

    def join(self, go_on: Callable[[], None]) -> None:
        """Call something short in a later turn."""
        self._waiting.append(go_on)
        if not self._called:
            self._called = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        self._called = False
        for _ in range(min(AT_ONCE, len(self._waiting))):
            self._waiting.popleft()()
        if self._waiting and not self._called:
            self._called = True
            asyncio.get_running_loop().call_soon(self._turn)
