"""What the engine asks of chance, which is always handed in: `random.Random` answers it."""

from collections.abc import MutableSequence, Sequence
from typing import Any, Protocol, TypeVar

One = TypeVar("One")


class Dice(Protocol):
    """A source of chance."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Put these in any order."""
        ...

    def choice(self, seq: Sequence[One]) -> One:
        """One of these."""
        ...

    def getrandbits(self, k: int, /) -> int:
        """A number of so many bits."""
        ...
