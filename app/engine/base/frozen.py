"""Frozen values, changed copies of them, and properties that are computed once. Independent of cards."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, overload

from msgspec import Struct

Found = TypeVar("Found")


class FrozenState(Struct, frozen=True, eq=False):
    """A frozen value with many fields; each action makes a few changed copies of it.

    Fields named in `transient_fields` are copied along. They are ignored when values are compared, and are not saved.

    >>> class Hen(FrozenState, frozen=True):
    ...     transient_fields = frozenset({"heard"})
    ...     name: str
    ...     eggs: int = 0
    ...     heard: int = 0
    >>> ana = Hen("Ana", heard=3)
    >>> ana.replace(eggs=2), ana == Hen("Ana"), Hen.persistent_fields()
    (Hen(name='Ana', eggs=2, heard=3), True, ('name', 'eggs'))
    """

    transient_fields: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def persistent_fields(cls) -> tuple[str, ...]:
        """Return the names of the value's fields that are compared and saved: all but the transient ones."""
        return tuple([name for name in cls.__struct_fields__ if name not in cls.transient_fields])

    if TYPE_CHECKING:

        def replace(self, **changes: Any) -> Self:
            """Return a copy of this frozen value with some fields changed."""
            ...
    else:
        replace = Struct.__replace__  # direct alias for speed: each action makes a few changed copies

    def __eq__(self, other: object) -> bool:
        """Return whether the types and all persistent fields are equal."""
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.persistent_fields())

    __hash__ = None  # type: ignore[assignment]


class lazy_property(Generic[Found]):  # noqa: N801 (a decorator, used like `property`)
    """A property of a frozen value that is computed at its first use and then stored.

    `functools.cached_property` takes a lock first, which costs more here than computing most values.
    """

    def __init__(self, find: Callable[[Any], Found]) -> None:
        self._find = find
        self.__doc__ = find.__doc__

    @overload
    def __get__(self, value: None, owner: type) -> "lazy_property[Found]": ...

    @overload
    def __get__(self, value: object, owner: type) -> Found: ...

    def __get__(self, value: object | None, owner: type) -> "lazy_property[Found] | Found":
        """Compute the value and store it in the instance's `__dict__`, where Python finds it next time."""
        if value is None:
            return self
        found = vars(value)[self._find.__name__] = self._find(value)
        return found
