"""The answers that a rule may give when something has happened. The loop carries them out, in the order given.

A rule never edits the state: it says what follows, and names the switch it comes from.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

from app.engine.events import Event


@dataclass(frozen=True, slots=True)
class EndTrick:
    """The trick is over at once; the last play's owner leads."""


@dataclass(frozen=True, slots=True)
class Skip:
    """The next `count` players who could act lose this turn, as if they had passed on the last play."""

    count: int
    cause: str


@dataclass(frozen=True, slots=True)
class Invert:
    """Turn the ranks upside down, or back."""

    cause: str


@dataclass(frozen=True, slots=True)
class Reverse:
    """Turn the direction of play."""

    cause: str


@dataclass(frozen=True, slots=True)
class Sink:
    """This player lays their cards aside and finishes below everybody who is not sunk later."""

    player: str
    event: Event


@dataclass(frozen=True, slots=True)
class Rise:
    """This player lays their other cards aside and finishes above everybody, those who are out already included."""

    player: str
    event: Event


@dataclass(frozen=True, slots=True)
class Remember:
    """What the game itself keeps is now this."""

    memory: Any


@dataclass(frozen=True, slots=True)
class Tell:
    """Something notable happened."""

    event: Event


Effect: TypeAlias = EndTrick | Skip | Invert | Reverse | Sink | Rise | Remember | Tell
