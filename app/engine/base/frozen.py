"""Frozen values and their changed copies, and what is found about one only once. Knows nothing of cards."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, overload

from msgspec import Struct

Found = TypeVar("Found")


class Value(Struct, frozen=True, eq=False):
    """A frozen value with many parts, of which each action makes a few changed copies.

    What is `apart` is copied along, and is no part of the value otherwise: it is neither compared nor kept.

    >>> class Hen(Value, frozen=True):
    ...     apart = frozenset({"heard"})
    ...     name: str
    ...     eggs: int = 0
    ...     heard: int = 0
    >>> ana = Hen("Ana", heard=3)
    >>> ana.but(eggs=2), ana == Hen("Ana"), Hen.parts()
    (Hen(name='Ana', eggs=2, heard=3), True, ('name', 'eggs'))
    """

    apart: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def parts(cls) -> tuple[str, ...]:
        """The names of the fields that make up the value."""
        return tuple([name for name in cls.__struct_fields__ if name not in cls.apart])

    if TYPE_CHECKING:

        def but(self, **changes: Any) -> Self:
            """A copy with some fields changed."""
            ...
    else:
        but = Struct.__replace__  # without a step between: each action makes a few changed copies

    def __eq__(self, other: object) -> bool:
        """Whether all parts are the same."""
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.parts())

    __hash__ = None  # type: ignore[assignment]


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
