"""What a table shows besides its cards: declared here, said by each game, drawn by a browser that knows no game."""

from typing import Annotated, Any, NamedTuple, NotRequired, TypedDict

from .words import Said


class Sign(NamedTuple):
    """Something out of the ordinary that holds now, for all to see: a revolution, a call, a lock."""

    key: str
    """Its own in this game, so that the same sign stays the same element."""
    icon: str
    """One character that every font has, for the eye alone."""
    text: str
    """What it says, in a few words; as something said, in any language."""
    hot: bool = True
    """Whether it changes what may be played, and so has to be noticed."""

    def to_json(self) -> "SignShown":
        """As the table lists it."""
        shown: SignShown = {"key": self.key, "icon": self.icon, "text": self.text, "hot": self.hot}
        if isinstance(self.text, Said):
            shown["said"] = self.text.to_json()
        return shown


class SignShown(TypedDict):
    """Something out of the ordinary that holds now."""

    key: Annotated[str, "Its own in this game."]
    icon: Annotated[str, "One character, for the eye alone."]
    text: Annotated[str, "What it says, in a few words."]
    hot: Annotated[bool, "Whether it changes what may be played."]
    said: NotRequired[Annotated[dict[str, Any], "The key of the text in the catalogue, and what fills its places."]]
