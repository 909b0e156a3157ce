"""Changed copies of frozen dataclasses. Knows nothing of cards."""

from typing import Any, TypeVar

T = TypeVar("T")


def but(value: T, **changes: Any) -> T:
    """A copy with some fields changed, as `dataclasses.replace` makes it, in a tenth of the time.

    States have many fields and change several times with each action, so this counts. It is for classes without slots
    that keep nothing besides their fields: a cached property would be copied along.
    """
    fields = vars(value)
    assert changes.keys() <= fields.keys(), f"no such fields: {changes.keys() - fields.keys()}"
    copy = object.__new__(type(value))
    vars(copy).update(fields, **changes)
    return copy
