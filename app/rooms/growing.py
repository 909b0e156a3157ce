"""What grows with each action, and is as it was for whoever holds it from before. Knows nothing of rooms.

A tuple or a dictionary that is one longer is a copy, for which each item is touched, and touched again when the shorter
one goes. That is soon counted, but in a server of many rooms none of them is in the processor's caches any more: a
tenth of all that had to be fetched for an action was this. Here those that were made of each other share what they
have, and each knows how much of it is its own.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, TypeVar, overload

Item = TypeVar("Item")


class Growing(Sequence[Item]):
    """A sequence that can be added to, which makes another and leaves this one as it is.

    >>> ab = Growing("ab")
    >>> abc, abd = ab.and_also("c"), ab.and_also("d")
    >>> tuple(ab), tuple(abc), tuple(abd), abd[1:], abc[-1]
    (('a', 'b'), ('a', 'b', 'c'), ('a', 'b', 'd'), ('b', 'd'), 'c')
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._items = [*items]
        """Shared, and only ever added to."""
        self._length = len(self._items)

    def and_also(self, *more: Item) -> "Growing[Item]":
        """Make one with these at its end. Who is the first to go on from here shares the items."""
        if not more:
            return self
        items = self._items
        if not items or self._length < len(items):
            items = [*self]
        items += more
        grown: Growing[Item] = Growing.__new__(Growing)
        grown._items, grown._length = items, len(items)
        return grown

    def __len__(self) -> int:
        """How many there are."""
        return self._length

    def __iter__(self) -> Iterator[Item]:
        """Give one after the other."""
        return islice(self._items, self._length)

    def __reversed__(self) -> Iterator[Item]:
        """Give one after the other from the end on."""
        return map(self._items.__getitem__, range(self._length - 1, -1, -1))

    @overload
    def __getitem__(self, at: int) -> Item: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Item, ...]: ...

    def __getitem__(self, at: int | slice) -> Item | tuple[Item, ...]:
        """Give one, or some as a tuple."""
        if isinstance(at, slice):
            return tuple([self._items[n] for n in range(*at.indices(self._length))])
        return self._items[range(self._length)[at]]

    def __eq__(self, other: object) -> bool:
        """Whether there is the same in both."""
        return [*self] == [*other] if isinstance(other, Growing) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """As it is made."""
        return f"Growing({[*self]})"


class Accepted:
    """The commands that were done, by their ids, each with the seq of its entry; this can be added to as well.

    >>> two = Accepted({"a": 3, "b": 5})
    >>> three, other = two.and_also("c", 8), two.and_also("d", 8)
    >>> two.get("c"), three.get("c"), other.get("c"), other.get("a"), dict(other.items())
    (None, 8, None, 3, {'a': 3, 'b': 5, 'd': 8})
    """

    __slots__ = ("_count", "_last", "_seqs")

    def __init__(self, seqs: Mapping[str, int] = {}) -> None:
        self._seqs = dict(seqs)
        """Shared, and only ever added to, by rising seqs: those beyond the last are others'."""
        self._count = len(self._seqs)
        self._last = max(self._seqs.values(), default=0)

    def __len__(self) -> int:
        """How many there are."""
        return self._count

    def get(self, command: str) -> int | None:
        """Find the seq of a command that was done; None if it was not, or long ago."""
        seq = self._seqs.get(command)
        return seq if seq is None or seq <= self._last else None

    def items(self) -> Iterator[tuple[str, int]]:
        """Give what was done, in that order."""
        return islice(self._seqs.items(), self._count)

    def and_also(self, command: str, seq: int) -> "Accepted":
        """Make one with this, too, which came after all others."""
        seqs = self._seqs
        if not 0 < self._count == len(seqs) or command in seqs:
            seqs = dict(self.items())
        seqs[command] = seq
        known = Accepted.__new__(Accepted)
        known._seqs, known._count, known._last = seqs, len(seqs), seq
        return known

    def __eq__(self, other: object) -> bool:
        """Whether the same was done."""
        return dict(self.items()) == dict(other.items()) if isinstance(other, Accepted) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


NONE_ACCEPTED: Final = Accepted()
