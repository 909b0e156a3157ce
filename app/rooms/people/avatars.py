"""The birds and colours that players choose for their seats. The page draws them in `ui/birds.js`."""

from dataclasses import dataclass

from app.engine.base.messages import MessageTemplate, join_with_and
from app.rooms.errors import RoomError

BIRDS = ("sparrow", "robin", "jay", "crow", "owl", "puffin", "magpie", "heron")
"""Birds that people can choose. The birds that stand for ranks in the hierarchy are different."""
COLOURS = ("straw", "sage", "clay", "sky", "lilac", "moss", "peach", "sea")
"""Colours that people can choose, in the order of the page's hues."""


@dataclass(frozen=True, slots=True)
class PlayerFace:
    """A bird in a colour: how pages show a player of a room."""

    bird: str
    colour: str

    @property
    def hue(self) -> int:
        """The number of the colour, which pages use."""
        return COLOURS.index(self.colour)


NO_SUCH_BIRD = MessageTemplate("room.no_such_bird", "The bird “{bird}” does not exist. Birds: {names}.")
NO_SUCH_COLOUR = MessageTemplate("room.no_such_colour", "The colour “{colour}” does not exist. Colours: {names}.")


def check_avatar(bird: str | None, colour: str | None) -> None:
    """Raise `RoomError` `bad_setting` unless people can choose this bird and this colour.

    None passes: the person chooses none, so the room decides.
    """
    if bird is not None and bird not in BIRDS:
        raise RoomError("bad_setting", NO_SUCH_BIRD(bird=bird[:30], names=join_with_and(BIRDS)))
    if colour is not None and colour not in COLOURS:
        raise RoomError("bad_setting", NO_SUCH_COLOUR(colour=colour[:30], names=join_with_and(COLOURS)))
