"""What a table shows besides its cards: declared here, said by each game, drawn by a browser that knows no game.

Everything in words is said as people read it. A game's facts, for programs, stand in its own keys beside this.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypedDict, cast

from app.engine.base.messages import Phrase, plain

Icon = Literal["coin", "pack", "deck", "nothing"]
"""Things to be drawn: a coin, a card face down, a whole deck, and the place where a pack has been."""


class SaidShown(TypedDict):
    """A sentence by its key in the catalogue, to be said in any language."""

    key: Annotated[str, "Its key."]
    values: Annotated[dict[str, Any], "What fills its places, by name."]


class ListShown(TypedDict):
    """Several texts as a sentence has them."""

    of: Annotated[list[Any], "Each a text again."]
    list: Annotated[Literal["and", "or", "space"], "How they stand together."]


Text: TypeAlias = str | SaidShown | ListShown
"""Something to be read: as it stands, or by key, or several of them."""


def text(words: Phrase) -> Text:
    """Words as a table has them: by key, if they were said (messages.py)."""
    return cast("Text", plain(words))


class Sign(NamedTuple):
    """Something out of the ordinary that holds now, for all to see: a revolution, a call, a lock."""

    key: str
    """Its own in this game, so that the same sign stays the same element."""
    icon: str
    """One character that every font has, for the eye alone."""
    text: Phrase
    """What it says, in a few words."""
    hot: bool = True
    """Whether it changes what may be played, and so has to be noticed."""
    short: str = ""
    """What stands beside the icon where many signs have little room, for the eye alone; empty: all it says."""

    def to_json(self) -> "SignShown":
        """As the table lists it."""
        return {"key": self.key, "icon": self.icon, "text": text(self.text), "hot": self.hot, "short": self.short}


class SignShown(TypedDict):
    """Something out of the ordinary that holds now."""

    key: Annotated[str, "Its own in this game."]
    icon: Annotated[str, "One character, for the eye alone."]
    text: Annotated[Text, "What it says, in a few words."]
    hot: Annotated[bool, "Whether it changes what may be played."]
    short: Annotated[str, "What stands beside the icon where there is little room; empty: all it says."]


class Line(TypedDict):
    """One thing that a panel tells."""

    key: Annotated[str, "Its own in this panel."]
    text: Annotated[Text, "What it says."]
    state: Annotated[Text | None, "How far it is, in a word."]
    done: Annotated[bool, "Whether it is over and done with."]
    icon: Annotated[Icon | None, "What stands for it in a picture."]


def line(key: str, says: Phrase, state: Phrase | None = None, *, done: bool = False, icon: Icon | None = None) -> Line:
    """A line of a panel."""
    state_shown = None if state is None else text(state)
    return {"key": key, "text": text(says), "state": state_shown, "done": done, "icon": icon}


class Panel(TypedDict):
    """Several things that belong together, to be read or seen."""

    key: Annotated[str, "Its own in this game."]
    title: Annotated[Text | None, "What it is about."]
    look: Annotated[Literal["list", "things"], "list: lines of text; things: their icons, and the text below."]
    lines: Annotated[list[Line], "In order."]


class Tally(TypedDict):
    """What a game counts instead of points, for a result that anybody can read."""

    name: Annotated[Text, "What is counted."]
    icon: Annotated[Icon, "What one of it looks like."]
    each: Annotated[dict[str, int], "How many everybody has, by name."]
    most: Annotated[int, "How many everybody began with."]
    lost: Annotated[list[str], "Who has just lost one."]
    told: Annotated[Text | None, "What came of the hand, in a sentence; null until it is over."]
    points: Annotated[bool, "Whether this hand brought points, too."]


class Face(TypedDict):
    """What the table shows, to be drawn as it stands."""

    middle: Annotated[Literal["trick", "panels"], "What lies in the middle of the table."]
    panels: Annotated[list[Panel], "What is to be told there, where it is no trick."]
    signs: Annotated[list[SignShown], "What is out of the ordinary now."]
    asked: Annotated[Text | None, "What all wait for, in a sentence; null where it is a play, or goes without saying."]
    late: Annotated[Text | None, "When a newcomer plays, in a sentence; null: from the next hand."]
    tally: Annotated[Tally | None, "What is counted instead of points; null where points are all there is."]


class Counter(TypedDict):
    """How many of something a player has."""

    count: Annotated[int, "How many."]
    icon: Annotated[Icon, "What one of it looks like."]
    text: Annotated[Text, "The same in words."]


class AtSeat(TypedDict):
    """What there is to see at one seat."""

    state: Annotated[
        Literal["passed", "out", "left", "waits"] | None,
        "passed: they passed on this trick; out: they have a place in this hand; left: they play no more in this game;"
        " waits: they play from the next game.",
    ]
    counter: Annotated[Counter | None, "What this game counts at the seats."]
    lies: Annotated[
        str | None, "What lies before them, in a game that is not played from a hand: a card, or empty if face down."
    ]


class Particulars(TypedDict):
    """What has to be said with an action that is listed without it."""

    least: Annotated[int, "The fewest cards, or the lowest number."]
    most: Annotated[int | None, "The most cards, or the highest number; null: any."]
    claim: Annotated[bool, "Whether it says what the cards are (`claim`), truly or not."]


class OwnFace(TypedDict):
    """What only this player is shown besides their cards."""

    asked: Annotated[Text | None, "What is asked of them now, in a sentence; null where it is a play or a gift."]
    labels: Annotated[dict[str, Text], "What their actions are called now, by `do`, where it is not as always."]
    particulars: Annotated[dict[str, Particulars], "By `do`."]
    panels: Annotated[list[Panel], "What only they may read."]


def own_face(asked: Phrase | None = None) -> OwnFace:
    """Nothing of one's own to see but, perhaps, what is asked."""
    return {"asked": None if asked is None else text(asked), "labels": {}, "particulars": {}, "panels": []}


def particulars(least: int = 1, most: int | None = None, *, claim: bool = False) -> Particulars:
    """What has to be said with an action."""
    return {"least": least, "most": most, "claim": claim}


def together(faces: Iterable[OwnFace | None]) -> OwnFace:
    """What several have to show to one player, as one: of several questions the first is asked."""
    all_of_it = own_face()
    for each in faces:
        if each is not None:
            all_of_it["asked"] = all_of_it["asked"] or each["asked"]
            all_of_it["labels"] |= each["labels"]
            all_of_it["particulars"] |= each["particulars"]
            all_of_it["panels"] += each["panels"]
    return all_of_it


def things(key: str, lines: Sequence[Line]) -> Panel:
    """A panel of things to be seen."""
    return {"key": key, "title": None, "look": "things", "lines": list(lines)}


def listed(key: str, title: Phrase, lines: Sequence[Line]) -> Panel:
    """A panel of lines to be read."""
    return {"key": key, "title": text(title), "look": "list", "lines": list(lines)}
