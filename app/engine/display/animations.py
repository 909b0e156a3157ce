"""Animations of events: which cards move where, and which scene celebrates the event.

They are part of the event's declaration. Every page that draws the table uses them, for any game.
"""

from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

CardLocation: TypeAlias = Literal["by", "to", "all", "table", "deck"]
"""A place of cards: the player in the event's `by` or `to`, all players, the middle of the table, the deck."""

CardPath: TypeAlias = tuple[CardLocation, CardLocation]
"""A movement: from where to where."""

Celebration: TypeAlias = Literal[
    "flare",
    "turn",
    "flip",
    "reverse",
    "blast",
    "launch",
    "cut",
    "lock",
    "crown",
    "bow",
    "fall",
    "triumph",
    "exchange",
]
"""The scene of an event: a visual effect of at most 1.5 seconds, which any press ends.

`flare`: the cloth flares up. `turn`: the table turns over. `flip`: ranks turn. `reverse`: the direction turns.
`blast`: a burst. `launch`: a shot that bursts. `cut`: the trick is cut off. `lock`: the trick is locked. `crown`: a
crown comes down. `bow`: a head is bowed. `fall`: a crown falls. `triumph`: feathers fall. `exchange`: two birds face
each other and hand over their cards; all such events of one moment are one scene.
"""


Remark: TypeAlias = Literal["fall", "passes", "undone"]
"""What a page may remark on with a dry sentence, chosen from several. `fall`: a player falls from first place.
`passes`: the player passes, which deserves a remark when it happens often in a row. `undone`: a revolution fails."""


class Movement(TypedDict):
    """The animation of an event."""

    paths: NotRequired[Annotated[tuple[CardPath, ...], "The paths of moving cards, each with its start and end."]]
    celebration: NotRequired[Annotated[Celebration, "The scene."]]
    remark: NotRequired[Annotated[Remark, "What a page may remark on."]]
    takes_piles: NotRequired[Annotated[bool, "Whether each player gets the pile with the card in `cards`, as dealt."]]
