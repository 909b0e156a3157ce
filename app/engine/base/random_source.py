"""The random source that callers pass to the engine; `random.Random` satisfies the protocol."""

from collections.abc import MutableSequence, Sequence
from typing import Any, Protocol, TypeVar

One = TypeVar("One")


class RandomSource(Protocol):
    """A source of random numbers, passed to the engine by the caller, so that the engine itself is deterministic."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Shuffle this sequence in place."""
        ...

    def choice(self, seq: Sequence[One]) -> One:
        """Return a random element of this sequence."""
        ...

    def getrandbits(self, k: int, /) -> int:
        """Return a random number of `k` bits."""
        ...
