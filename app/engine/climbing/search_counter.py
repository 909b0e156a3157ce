"""Count the combinations that the engine looks at to say what a refused player could do instead.

Nobody pays for the count unless somebody asks for it: the soak does, and holds every refusal to a limit.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class Looks:
    """How many combinations were looked at."""

    count: int = 0


_looks: ContextVar[Looks | None] = ContextVar("looks", default=None)


@contextmanager
def counting() -> Iterator[Looks]:
    """Count what is looked at in this block."""
    looks = Looks()
    token = _looks.set(looks)
    try:
        yield looks
    finally:
        _looks.reset(token)


def look() -> None:
    """Count one more."""
    looks = _looks.get()
    if looks is not None:
        looks.count += 1


def looked_at(some: Iterable[T]) -> Iterator[T]:
    """Pass these on one by one, and count each."""
    for one in some:
        look()
        yield one
