"""The bus between nodes: hints about new log entries of a room, and messages for its people. Hints may be lost."""

from collections.abc import Callable
from typing import Protocol

ALL_NODES_PREFIX = "@"
"""First character of hints to all nodes. No room id starts with it."""
CHECK_LOG_SEQ = 0
"""Replaces the entry number in a hint: hints for this room may have been lost, so its log must be checked."""
SIDE_MESSAGE_MARK = "!"
"""In a hint, separates the room's id from a message to its people. Such messages are not in the log."""


class Bus(Protocol):
    """Sends hints between nodes: the log of a room has reached an entry number. Hints may be lost."""

    def publish(self, room: str, seq: int) -> None:
        """Send a hint to the other nodes that follow this room, soon."""
        ...

    def follow(self, room: str) -> None:
        """Receive hints for this room from now on, or soon. In that case callbacks get `CHECK_LOG_SEQ` at the start."""
        ...

    def unfollow(self, room: str) -> None:
        """Stop receiving hints for this room."""
        ...

    def subscribe(self, callback: Callable[[str, int], None]) -> Callable[[], None]:
        """Call `callback` for hints to all nodes and for followed rooms; return a function that ends this.

        The callback runs on the event loop and must return quickly.
        """
        ...


class MemoryBus:
    """A `Bus` among the registries of one process, for tests and single servers."""

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
        """See `Bus.follow`. All subscribers get all hints here."""

    def unfollow(self, room: str) -> None:
        """See `Bus.unfollow`."""
