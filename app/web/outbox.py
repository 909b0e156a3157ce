"""What goes out together: frames for many sockets, made one after the other and then written one after the other.

Where somebody on the same machine reads, a proxy or a browser, writing wakes them, and that is dear: a processor that
sleeps is called by another. Who has just been woken is still awake for what comes right after; between two frames that
are made in between they fall asleep again. With the answers to 18 commands in one go an action took an eighth less.
"""

from types import TracebackType
from typing import Protocol


class Way(Protocol):
    """Where bytes go out, as a transport does it."""

    def write(self, data: bytes, /) -> None:
        """Send them."""
        ...


class Outbox:
    """Sends at once what it is given; within a `with` of it, when that ends, in the order in which it came.

    That is for one call in which much is said, and never for a wait: nobody else gets a turn before all of it is sent.
    """

    def __init__(self) -> None:
        self._gathers = False
        self._letters: list[tuple[Way, bytes]] = []

    def send(self, way: Way, data: bytes) -> None:
        """Send this, now or with the rest."""
        if self._gathers:
            self._letters.append((way, data))
        else:
            way.write(data)

    def __enter__(self) -> None:
        """Gather what comes from now on."""
        self._gathers = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Send it."""
        self._gathers, letters, self._letters = False, self._letters, []
        for way, data in letters:
            way.write(data)
