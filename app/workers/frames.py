"""Frames between server and worker: each message follows its length, in four bytes."""

from collections.abc import Iterator

_LENGTH = 4


def add_length_prefix(message: bytes) -> bytes:
    """Return a message as a frame for a pipe between server and worker: its length in four bytes, then the message."""
    return len(message).to_bytes(_LENGTH, "big") + message


class FrameDecoder:
    """Splits the bytes that a pipe between server and worker delivers, in pieces of any size, into messages."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Add bytes received from a pipe and yield each message that is now complete; keep an incomplete rest.

        >>> frames = FrameDecoder()
        >>> list(frames.feed(add_length_prefix(b"one") + add_length_prefix(b"two")[:5]))
        [b'one']
        >>> list(frames.feed(add_length_prefix(b"two")[5:]))
        [b'two']
        """
        self._buffer += data
        while len(self._buffer) >= _LENGTH:
            end = _LENGTH + int.from_bytes(self._buffer[:_LENGTH], "big")
            if len(self._buffer) < end:
                return
            message = bytes(self._buffer[_LENGTH:end])
            del self._buffer[:end]
            yield message
