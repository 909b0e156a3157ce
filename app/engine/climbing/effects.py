"""The answers that a rule may give when something has happened. The loop carries them out, in the order given.

A rule never edits the state: it says what follows, and names the switch it comes from.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from app.engine.display.events import Event


class EndTrick(Struct, frozen=True):
    """The trick is over at once; the last play's owner leads."""

    event: Event | None = None
    """What is told of it, if it does not go without saying."""


class Skip(Struct, frozen=True):
    """The next `count` players who could act lose this turn, as if they had passed on the last play."""

    count: int
    cause: str


class Invert(Struct, frozen=True):
    """Turn the ranks upside down, or back."""

    cause: str


class Turn(Struct, frozen=True):
    """Turn the ranks upside down, or back, until the trick ends."""

    event: Event


class Reverse(Struct, frozen=True):
    """Turn the direction of play."""

    cause: str


class Sink(Struct, frozen=True):
    """This player lays their cards aside and finishes below everybody who is not sunk later, out or not."""

    player: str
    event: Event


class Rise(Struct, frozen=True):
    """This player lays their other cards aside and finishes above everybody, those who are out already included."""

    player: str
    event: Event


Choosing: TypeAlias = Literal["give", "discard", "bomb"]
"""What may have to be chosen in mid-trick: cards for the next player, cards to lay aside, ranks that all lay aside."""


class Choose(Struct, frozen=True):
    """Whoever has just played, and still has cards, chooses before the turn moves on: up to so many, or exactly."""

    do: Choosing
    count: int
    exactly: bool
    cause: str


class Remember(Struct, frozen=True):
    """What the game itself keeps is now this."""

    memory: object


class Tell(Struct, frozen=True):
    """Something notable happened."""

    event: Event


Effect: TypeAlias = EndTrick | Skip | Invert | Turn | Reverse | Sink | Rise | Choose | Remember | Tell
