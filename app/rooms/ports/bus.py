"""The bus between nodes: hints that a room has new events, or news for its people. A hint may be lost."""

from collections.abc import Callable
from typing import Protocol

TO_ALL = "@"
"""Begins hints that every node hears, whatever rooms it has. No room's id begins so."""
LOOK = 0
"""In a hint in place of a seq: some of this room's may have been missed."""
ASIDE = "!"
"""In a hint, between a room's id and a word that its people are told, and that is in no log: it has no seq."""


class Bus(Protocol):
    """Hints between nodes: room so-and-so is at seq n. A hint may be lost."""

    def publish(self, room: str, seq: int) -> None:
        """Tell the other nodes that follow this room, soon."""
        ...

    def follow(self, room: str) -> None:
        """Hear of this room from now on, or soon; where it is soon, callbacks are told `LOOK` then."""
        ...

    def unfollow(self, room: str) -> None:
        """Hear of this room no longer."""
        ...

    def subscribe(self, callback: Callable[[str, int], None]) -> Callable[[], None]:
        """Have `callback` told of hints to all and of rooms that are followed; returns what ends that.

        It is quick and runs on the event loop.
        """
        ...


class MemoryBus:
    """A `Bus` among the registries of one process."""

    def __init__(self) -> None:
        self._callbacks: dict[object, Callable[[str, int], None]] = {}

    def publish(self, room: str, seq: int) -> None:
        """See `Bus.publish`."""
        for callback in tuple(self._callbacks.values()):
            callback(room, seq)

    def subscribe(self, callback: Callable[[str, int], None]) -> Callable[[], None]:
        """See `Bus.subscribe`."""
        mark = object()
        self._callbacks[mark] = callback
        return lambda: self._callbacks.pop(mark, None) and None

    def follow(self, room: str) -> None:
        """See `Bus.follow`: here everybody hears everything."""

    def unfollow(self, room: str) -> None:
        """See `Bus.unfollow`."""
