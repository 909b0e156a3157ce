"""Count the combinations that the engine examines to suggest alternatives to a refused player.

Counting is off unless a caller turns it on. The soak test does, and checks every refusal against a limit.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class SearchCount:
    """The number of combinations that the engine examined while it was counted."""

    count: int = 0


_active_count: ContextVar[SearchCount | None] = ContextVar("looks", default=None)


@contextmanager
def count_searches() -> Iterator[SearchCount]:
    """Count the combinations examined within this `with` block; yields the count, which grows meanwhile.

    Checks use it to see that suggestions after a refusal are cheap.
    """
    looks = SearchCount()
    token = _active_count.set(looks)
    try:
        yield looks
    finally:
        _active_count.reset(token)


def increment_search_count() -> None:
    """Add 1 to the count of examined combinations, if a count is active; else do nothing."""
    looks = _active_count.get()
    if looks is not None:
        looks.count += 1


def count_each(items: Iterable[T]) -> Iterator[T]:
    """Yield these items unchanged, and count each as an examined combination."""
    for one in items:
        increment_search_count()
        yield one
