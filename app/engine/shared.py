"""What is found once: what is made of a value, for all who use it; what a value answers. Knows nothing of cards."""

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar, cast
from weakref import WeakMethod, WeakValueDictionary

Asked = TypeVar("Asked", bound=Hashable)
Made = TypeVar("Made")
P = ParamSpec("P")

SPARE = 16
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


def kept(most: int, method: Callable[P, Made]) -> Callable[P, Made]:
    """Give a value's method that remembers its last `most` answers and does not hold the value.

    If it did, the value would hold what holds it, and be gone only once the collector has looked for such circles.
    Whoever calls it holds the value.
    """
    weak = WeakMethod(method)

    def found(*asked: P.args, **more: P.kwargs) -> Made:
        whole = weak()
        assert whole is not None
        return whole(*asked, **more)

    return cast("Callable[P, Made]", lru_cache(most)(found))
