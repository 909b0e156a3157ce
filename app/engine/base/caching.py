"""Caches for rules: one shared object per set of options, and methods that remember their results.

Caches are small, so the memory of a process reaches its limit soon. Slow growth over a day would look like a leak.
"""

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar, cast
from weakref import WeakMethod, WeakValueDictionary

Argument = TypeVar("Argument", bound=Hashable)
Result = TypeVar("Result")
P = ParamSpec("P")

RECENT_RESULTS = 8
"""Number of recent results kept alive although no caller holds them: hosts choose the same few presets repeatedly."""


def weakly_memoized(factory: Callable[[Argument], Result]) -> Callable[[Argument], Result]:
    """Return a version of `factory` that reuses a result while a caller holds it, and the last few results.

    Results are found by their argument. Rules objects cache the cards they have read: 0.6 MB after 30 hands of
    President, 1.3 MB of Big Two. Keeping hundreds of rules objects would make a server grow for weeks, because every
    set of house rules adds one.

    docs/measurements/server.md says what new rules for each hand would cost.

    >>> made = weakly_memoized(lambda number: {number})
    >>> made(1) is made(1)
    True
    """
    held: WeakValueDictionary[Argument, Result] = WeakValueDictionary()

    @lru_cache(RECENT_RESULTS)
    @wraps(factory)
    def found(argument: Argument) -> Result:
        known = held.get(argument)
        if known is None:
            known = held[argument] = factory(argument)
        return known

    return found


def weak_cached_method(max_size: int, method: Callable[P, Result]) -> Callable[P, Result]:
    """Return a bound method that caches its last `max_size` results and holds its object only weakly.

    The object keeps the returned function as an attribute. A strong reference back would form a cycle, and only the
    garbage collector could free both. The caller must keep the object alive.
    """
    weak = WeakMethod(method)

    @lru_cache(max_size)
    def found(*arguments: P.args, **more: P.kwargs) -> Result:
        whole = weak()
        assert whole is not None
        return whole(*arguments, **more)

    return cast("Callable[P, Result]", found)
