"""How server and worker tell one message from the next: its length before it, four bytes."""

from collections.abc import Iterator

_LENGTH = 4


def framed(message: bytes) -> bytes:
    """A message as it is sent."""
    return len(message).to_bytes(_LENGTH, "big") + message


class Frames:
    """What has arrived, message by message."""

    def __init__(self) -> None:
        self._arrived = bytearray()

    def take(self, data: bytes) -> Iterator[bytes]:
        """The messages that are complete with these bytes.

        >>> frames = Frames()
        >>> list(frames.take(framed(b"one") + framed(b"two")[:5]))
        [b'one']
        >>> list(frames.take(framed(b"two")[5:]))
        [b'two']
        """
        self._arrived += data
        while len(self._arrived) >= _LENGTH:
            end = _LENGTH + int.from_bytes(self._arrived[:_LENGTH], "big")
            if len(self._arrived) < end:
                return
            message = bytes(self._arrived[_LENGTH:end])
            del self._arrived[:end]
            yield message
