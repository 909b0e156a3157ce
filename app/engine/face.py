"""What a table shows besides its cards: declared here, said by each game, drawn by a browser that knows no game."""

from typing import Annotated, NamedTuple, TypedDict


class Sign(NamedTuple):
    """Something out of the ordinary that holds now, for all to see: a revolution, a call, a lock."""

    key: str
    """Its own in this game, so that the same sign stays the same element."""
    icon: str
    """One character that every font has, for the eye alone."""
    text: str
    """What it says, in a few words."""
    hot: bool = True
    """Whether it changes what may be played, and so has to be noticed."""

    def to_json(self) -> "SignShown":
        """As the table lists it."""
        return {"key": self.key, "icon": self.icon, "text": self.text, "hot": self.hot}


class SignShown(TypedDict):
    """Something out of the ordinary that holds now."""

    key: Annotated[str, "Its own in this game."]
    icon: Annotated[str, "One character, for the eye alone."]
    text: Annotated[str, "What it says, in a few words."]
    hot: Annotated[bool, "Whether it changes what may be played."]
