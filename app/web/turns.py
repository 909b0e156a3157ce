"""Whoever has more to be worked on than fits into one go stands in line; together they get a little of each turn.

So the work that many connections bring at once is spread over many turns of the event loop, and whoever asks for one
thing now and then never stands in line at all.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

AT_ONCE: Final = 8
"""Who gets something done in one turn of the loop, of all who stand in line."""


class Turns:
    """First come, first served; who then wants more stands at the end again."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()
        self._called = False

    def join(self, go_on: Callable[[], None]) -> None:
        """Have something called in a turn to come: something short."""
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
