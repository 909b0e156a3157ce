"""Changed copies of frozen dataclasses. Knows nothing of cards."""

from typing import Any, TypeVar

T = TypeVar("T")


def but(value: T, **changes: Any) -> T:
    """A copy with some fields changed, as `dataclasses.replace` makes it, in a tenth of the time.

    States have many fields and change several times with each action, so this counts. It is for classes without slots
    that keep nothing besides their fields: a cached property would be copied along.
    """
    before = vars(value)
    fields = before | changes
    assert len(fields) == len(before), f"no such fields: {changes.keys() - before.keys()}"
    copy = object.__new__(type(value))
    object.__setattr__(copy, "__dict__", fields)  # the class's own refuses, being frozen
    return copy
