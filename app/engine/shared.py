"""What is found once: what is made of a value, for all who use it; what a value answers. Knows nothing of cards.

How much is remembered is bounded in all, whoever asks and by however many rules, and what a process may remember it has
soon: memory that grows for a day until every cache is full can't be told from memory that leaks.
"""

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import Any, Generic, ParamSpec, TypeVar, cast
from weakref import WeakMethod, WeakValueDictionary

Asked = TypeVar("Asked", bound=Hashable)
Made = TypeVar("Made")
P = ParamSpec("P")

SPARE = 8
"""Made for nobody who is there any more, and kept: hosts choose the same few presets again and again."""


def shared(make: Callable[[Asked], Made]) -> Callable[[Asked], Made]:
    """Make something of a value once, for as long as anybody holds what was made; and of the last few values asked for.

    Rules remember megabytes of cards that were read by them. Were they kept by hundreds, a server would grow for weeks,
    with every set of house rules that somebody tries for an evening.

    >>> made = shared(lambda number: {number})
    >>> made(1) is made(1)
    True
    """
    held: WeakValueDictionary[Asked, Made] = WeakValueDictionary()

    @lru_cache(SPARE)
    @wraps(make)
    def found(asked: Asked) -> Made:
        known = held.get(asked)
        if known is None:
            known = held[asked] = make(asked)
        return known

    return found


def weakly(method: Callable[P, Made]) -> Callable[P, Made]:
    """Give a value's method that does not hold the value, for the value to keep with what is remembered.

    If it did, the value would hold what holds it, and be gone only once the collector has looked for such circles.
    Whoever calls it holds the value.
    """
    weak = WeakMethod(method)

    def found(*asked: P.args, **more: P.kwargs) -> Made:
        whole = weak()
        assert whole is not None
        return whole(*asked, **more)

    return found


def kept(most: int, method: Callable[P, Made]) -> Callable[P, Made]:
    """Give a value's method that remembers its last `most` answers and does not hold the value."""
    return cast("Callable[P, Made]", lru_cache(most)(weakly(method)))


class Memory:
    """What is remembered by many who share one bound: answers that were wanted not long ago, whoever wanted them.

    Answers are kept in two generations. One that is asked for again moves to the young; when so many are young, they
    become the old, and the old ones are forgotten. So the last `most` different questions are always known, and never
    more than twice as many. A least recently used cache in C answers a little faster, but knows of its own bound only.

    >>> memory = Memory(2)
    >>> squares = memory.of(lambda number: number**2)
    >>> cubes = memory.of(lambda number: number**3)
    >>> [squares(2), cubes(2), squares(3), cubes(3), cubes(4)], memory.size
    ([4, 8, 9, 27, 64], 3)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._young = 0
        self._all: WeakValueDictionary[int, _Answers[Any, Any]] = WeakValueDictionary()

    @property
    def size(self) -> int:
        """How many answers are remembered."""
        return sum(len(answers.young) + len(answers.old) for answers in self._those_there())

    def of(self, find: Callable[[Asked], Made]) -> Callable[[Asked], Made]:
        """Give a function that remembers what it found, which is never None, for as long as the function is there."""
        answers: _Answers[Asked, Made] = _Answers()
        self._all[id(answers)] = answers

        def known(asked: Asked) -> Made:
            answer = answers.young.get(asked)
            if answer is not None:
                return answer
            answer = answers.old.pop(asked, None)
            if answer is None:
                answer = find(asked)
            answers.young[asked] = answer
            self._young += 1
            if self._young >= self._most:
                self._turn()
            return answer

        return known

    def _turn(self) -> None:
        self._young = 0
        for answers in self._those_there():
            answers.old, answers.young = answers.young, {}

    def _those_there(self) -> "list[_Answers[Any, Any]]":
        """Listed at one go: other threads may bring theirs meanwhile."""
        return [answers for there in self._all.valuerefs() if (answers := there()) is not None]


class _Answers(Generic[Asked, Made]):
    """Of one function, by what was asked."""

    __slots__ = ("__weakref__", "old", "young")

    def __init__(self) -> None:
        self.young: dict[Asked, Made] = {}
        self.old: dict[Asked, Made] = {}
