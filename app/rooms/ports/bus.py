"""The bus between nodes: hints about new log entries of a room, and messages for its people. Hints may be lost."""

import base64
from collections.abc import Callable
from typing import Protocol, TypeVar

import msgspec

T = TypeVar("T")

ALL_NODES_PREFIX = "@"
"""First character of hints to all nodes. No room id starts with it."""
CHECK_LOG_SEQ = 0
"""Replaces the entry number in a hint: hints for this room may have been lost, so its log must be checked."""
SIDE_MESSAGE_MARK = "!"
"""In a hint, separates the room's id from a message to its people. Such messages are not in the log."""


def encode_for_hint(value: object) -> str:
    """Encode a value as JSON for a hint, without spaces, colons and dots."""
    return base64.urlsafe_b64encode(msgspec.json.encode(value)).decode()


def decode_from_hint(text: str, kind: type[T]) -> T:
    """Decode a value from `encode_for_hint`. Raises `ValueError` or `MsgspecError` for another text."""
    return msgspec.json.decode(base64.urlsafe_b64decode(text), type=kind)


class Bus(Protocol):
    """Sends hints between server processes that a room's log has new entries, so that others read them.

    Hints may be lost.
    """

    def publish(self, room: str, seq: int) -> None:
        """Tell the other server processes that follow this room, soon, that its log has reached entry `seq`.

        The hint may be lost. `room` may also be a key that carries a chat line, a reaction or a message to all nodes;
        receivers then ignore `seq`.
        """
        ...

    def follow(self, room: str) -> None:
        """Receive hints for this room from now on, because it is loaded here.

        If this takes a while, subscribers then get `CHECK_LOG_SEQ`, because hints may have been missed.
        """
        ...

    def unfollow(self, room: str) -> None:
        """Stop receiving hints for this room, because it is not loaded here any more."""
        ...

    def subscribe(self, callback: Callable[[str, int], None]) -> Callable[[], None]:
        """Call `callback(room, seq)` for hints to all nodes and for followed rooms; return a function that ends this.

        A hint says that the room's log has reached `seq`, or `CHECK_LOG_SEQ`: hints may have been lost. For a key that
        carries a message in place of a room, ignore `seq`. The callback runs on the event loop and must return quickly.
        """
        ...


class MemoryBus:
    """Passes hints about new log entries on within one process: for a single server, and for tests."""

    def __init__(self) -> None:
        self._callbacks: dict[object, Callable[[str, int], None]] = {}

    def publish(self, room: str, seq: int) -> None:
        """Pass a hint that this room's log has reached entry `seq` to all subscribers at once."""
        for callback in tuple(self._callbacks.values()):
            callback(room, seq)

    def subscribe(self, callback: Callable[[str, int], None]) -> Callable[[], None]:
        """Call `callback(room, seq)` for every hint from now on; return a function that ends this."""
        mark = object()
        self._callbacks[mark] = callback
        return lambda: self._callbacks.pop(mark, None) and None

    def follow(self, room: str) -> None:
        """Do nothing: within one process all subscribers get the hints of all rooms."""

    def unfollow(self, room: str) -> None:
        """Do nothing: within one process all subscribers get the hints of all rooms."""
