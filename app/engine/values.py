"""Changed copies of frozen dataclasses, and what is found about one only once. Knows nothing of cards."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")
Found = TypeVar("Found")


def but(value: T, **changes: Any) -> T:
    """A copy with some fields changed, as `dataclasses.replace` makes it, in a tenth of the time.

    States have many fields and change several times with each action, so this counts. It is for classes without slots
    that keep nothing besides their fields: a cached property would be copied along.
    """
    before = vars(value)
    copy = object.__new__(type(value))
    own = vars(copy)  # filled, and not replaced by another: so Python 3.13 goes on finding what is in it in one step
    own.update(before)
    own.update(changes)
    assert len(own) == len(before), f"no such fields: {changes.keys() - before.keys()}"
    return copy


def lean(cls: type[T]) -> type[T]:
    """Take a dataclass's defaults from the class: every instance has them, or what it was given instead.

    Python 3.12 and later look for an attribute in the slow way wherever the class has one of the same name.
    """
    for name in [each.name for each in fields(cls) if each.name in vars(cls)]:  # type: ignore[arg-type]
        delattr(cls, name)
    return cls


class once(Generic[Found]):  # noqa: N801 (a decorator, used like `property`)
    """A property of a frozen value that is found when it is first asked for, and kept.

    `functools.cached_property` takes a lock first, which here costs more than most of what is kept.
    """

    def __init__(self, find: Callable[[Any], Found]) -> None:
        self._find = find
        self.__doc__ = find.__doc__

    @overload
    def __get__(self, value: None, owner: type) -> "once[Found]": ...

    @overload
    def __get__(self, value: object, owner: type) -> Found: ...

    def __get__(self, value: object | None, owner: type) -> "once[Found] | Found":
        """Find it, and put it where Python looks before it asks here again."""
        if value is None:
            return self
        found = vars(value)[self._find.__name__] = self._find(value)
        return found
