"""What is seen to move as something happens: cards that go from somewhere to somewhere, and how it is celebrated.

An event's declaration says it, and every page that draws the table goes by it, whatever the game.
"""

from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

Where: TypeAlias = Literal["by", "to", "all", "table", "deck"]
"""Where cards are: with whom the event names so, with everybody at the table, in the middle of it, in the pack."""

Way: TypeAlias = tuple[Where, Where]
"""From where to where."""

Celebration: TypeAlias = Literal[
    "flare", "turn", "flip", "reverse", "blast", "launch", "cut", "lock", "crown", "bow", "fall", "triumph"
]
"""How it is celebrated for a moment: the cloth flares up; the table turns over; ranks turn, or the direction; something
bursts, or is shot there and bursts; the trick is cut off, or locked; a crown comes down, a head is bowed, a crown
falls; feathers fly."""


class Movement(TypedDict):
    """What is seen to move as something happens."""

    ways: NotRequired[Annotated[tuple[Way, ...], "The ways of cards, each from where to where."]]
    celebrated: NotRequired[Annotated[Celebration, "How it is celebrated."]]
