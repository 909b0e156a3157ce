"""The bus of a server that is alone: hints go to the registries of this process."""

from collections.abc import Callable


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
