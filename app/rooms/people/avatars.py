"""The birds and colours that players choose for their seats. The page draws them (`static/js/ui/bird_avatars.js`)."""

from app.engine.base.messages import Sentence, both
from app.rooms.errors import RoomError

BIRDS = ("sparrow", "robin", "jay", "crow", "owl", "puffin", "magpie", "heron")
"""Birds that are nobody's place in the hierarchy: those say who pecks whom."""
COLOURS = ("straw", "sage", "clay", "sky", "lilac", "moss", "peach", "sea")
"""In the order of the page's hues."""

NO_SUCH_BIRD = Sentence("room.no_such_bird", "There is no bird “{bird}” to choose; there are: {names}.")
NO_SUCH_COLOUR = Sentence("room.no_such_colour", "There is no colour “{colour}” to choose; there are: {names}.")


def check(bird: str | None, colour: str | None) -> None:
    """Raise `bad_setting` unless these can be chosen. None: whatever the table gives."""
    if bird is not None and bird not in BIRDS:
        raise RoomError("bad_setting", NO_SUCH_BIRD(bird=bird[:30], names=both(BIRDS)))
    if colour is not None and colour not in COLOURS:
        raise RoomError("bad_setting", NO_SUCH_COLOUR(colour=colour[:30], names=both(COLOURS)))
