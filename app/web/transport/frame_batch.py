"""Writes frames for many sockets one after the other, once all of them are made.

Writing wakes the process that reads, a proxy or a browser on this machine. It is still awake for what comes right
after, but falls asleep while the next frame is made, and waking it again costs the kernel more than the write itself.
Without this an action takes 8 % more CPU (4.4 instead of 4.1 s for 10,000 actions: median of three alternating runs of
`python -m tests.load sat ours --rooms 50`, busy machine, 2026-11-27).
"""

from types import TracebackType
from typing import Protocol


class Way(Protocol):
    """Takes bytes, as a transport does."""

    def write(self, data: bytes, /) -> None:
        """Send bytes."""
        ...


class Outbox:
    """Sends at once what it is given; within its `with` block, at the end of the block and in the same order.

    Never wait within the block: what others send meanwhile would be held back, too.
    """

    def __init__(self) -> None:
        self._gathers = False
        self._letters: list[tuple[Way, bytes]] = []

    def send(self, way: Way, data: bytes) -> None:
        """Send bytes, at once or at the end of the block."""
        if self._gathers:
            self._letters.append((way, data))
        else:
            way.write(data)

    def __enter__(self) -> None:
        """Hold back what is sent from now on."""
        self._gathers = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Send what was held back."""
        self._gathers, letters, self._letters = False, self._letters, []
        for way, data in letters:
            way.write(data)
