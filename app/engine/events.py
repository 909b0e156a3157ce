"""What happened: facts, in the past tense, that the table hears.

Events are for animation, the log in words and the screen reader; the state never depends on them.
Those that a record lists under `events` are *notable* (the lists stand at the end of each rules page).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """One fact. `to` names who may know it; None means everybody at the table, watchers included."""

    name: str
    by: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    cause: str | None = None
    """Id of the switch that made it happen, such as `PRES-21`."""
    notable: bool = False
    """Whether a record lists it."""
    to: tuple[str, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        """`{"e": name, "by": …, "cause": …, …data}`, leaving out what is not there."""
        out: dict[str, Any] = {"e": self.name}
        if self.by is not None:
            out["by"] = self.by
        if self.cause is not None:
            out["cause"] = self.cause
        out.update(self.data)
        return out


def notable(name: str, by: str | None = None, cause: str | None = None, **data: Any) -> Event:
    """An event that records list."""
    return Event(name, by, data, cause, notable=True)


def told(name: str, by: str | None = None, **data: Any) -> Event:
    """An event that everybody sees but records leave out."""
    return Event(name, by, data)
