"""What a table shows apart from its cards: types declared here, filled by each game, drawn by generic pages.

All texts are ready for players. Facts for programs are in the game's own keys of the view.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypedDict, cast

from app.engine.base.messages import TranslatableText, value_to_json

Icon = Literal["coin", "pack", "deck", "nothing"]
"""Pictures: a coin, a card face down, a whole deck, and an empty place for a deck."""


class SaidShown(TypedDict):
    """A sentence by its key in the catalogue, so that a page can say it in any language."""

    key: Annotated[str, "Its key."]
    values: Annotated[dict[str, Any], "What fills its places, by name."]


class ListShown(TypedDict):
    """Several texts joined in a sentence, as JSON."""

    of: Annotated[list[Any], "Each a text again."]
    list: Annotated[Literal["and", "or", "space"], "How they stand together."]


DisplayText: TypeAlias = str | SaidShown | ListShown
"""A text for players: plain, by key, or a list of texts."""


def text_to_json(words: TranslatableText) -> DisplayText:
    """Return a text as JSON for the table, by its key in the catalogue, so that the page can translate it."""
    return cast("DisplayText", value_to_json(words))


class Badge(NamedTuple):
    """A badge for an unusual state of the table that all players see: a revolution, a call, a lock.

    `key` is unique in the game, and `text` says what holds. `hot`: it changes which plays are legal. `short` is a
    shorter text for small screens, or empty; `icon` is one character.
    """

    key: str
    """Unique in the game, so that a page can keep the element of the same badge."""
    icon: str
    """One character that every font has; decoration only."""
    text: TranslatableText
    """The meaning in a few words."""
    hot: bool = True
    """Whether it changes which plays are legal and must be noticed."""
    short: str = ""
    """A shorter text beside the icon when space is short; decoration only. Empty: use the full text."""

    def to_json(self) -> "SignShown":
        """Return the badge as JSON for the table."""
        return {
            "key": self.key,
            "icon": self.icon,
            "text": text_to_json(self.text),
            "hot": self.hot,
            "short": self.short,
        }


class SignShown(TypedDict):
    """A badge: something out of the ordinary that holds at the table now."""

    key: Annotated[str, "Its own in this game."]
    icon: Annotated[str, "One character, for the eye alone."]
    text: Annotated[DisplayText, "What it says, in a few words."]
    hot: Annotated[bool, "Whether it changes what may be played."]
    short: Annotated[str, "What stands beside the icon where there is little room; empty: all it says."]


class Line(TypedDict):
    """One line of a panel in the middle of the table."""

    key: Annotated[str, "Its own in this panel."]
    text: Annotated[DisplayText, "What it says."]
    state: Annotated[DisplayText | None, "How far it is, in a word."]
    done: Annotated[bool, "Whether it is over and done with."]
    icon: Annotated[Icon | None, "What stands for it in a picture."]


def panel_line(
    key: str,
    says: TranslatableText,
    state: TranslatableText | None = None,
    *,
    done: bool = False,
    icon: Icon | None = None,
) -> Line:
    """Return one line of a panel as JSON: what it says, its state in a word, whether it is done, an icon.

    `key` is unique in the panel, so that a page can keep the line's element.
    """
    state_shown = None if state is None else text_to_json(state)
    return {"key": key, "text": text_to_json(says), "state": state_shown, "done": done, "icon": icon}


class Panel(TypedDict):
    """A panel: several lines that belong together, shown in the middle of the table or to one player."""

    key: Annotated[str, "Its own in this game."]
    title: Annotated[DisplayText | None, "What it is about."]
    look: Annotated[Literal["list", "things"], "list: lines of text; things: their icons, and the text below."]
    lines: Annotated[list[Line], "In order."]


class Tally(TypedDict):
    """What a game counts instead of points, for a result that anybody can read."""

    name: Annotated[DisplayText, "What is counted."]
    icon: Annotated[Icon, "What one of it looks like."]
    each: Annotated[dict[str, int], "How many everybody has, by name."]
    most: Annotated[int, "How many everybody began with."]
    lost: Annotated[list[str], "Who has just lost one."]
    told: Annotated[DisplayText | None, "What came of the hand, in a sentence; null until it is over."]
    points: Annotated[bool, "Whether this hand brought points, too."]


class Face(TypedDict):
    """What the table shows apart from its cards; a page draws it as it is."""

    middle: Annotated[Literal["trick", "panels"], "What lies in the middle of the table."]
    panels: Annotated[list[Panel], "What is to be told there, where it is no trick."]
    signs: Annotated[list[SignShown], "What is out of the ordinary now."]
    asked: Annotated[
        DisplayText | None, "What all wait for, in a sentence; null where it is a play, or goes without saying."
    ]
    late: Annotated[DisplayText | None, "When a newcomer plays, in a sentence; null: from the next hand."]
    tally: Annotated[Tally | None, "What is counted instead of points; null where points are all there is."]


class Counter(TypedDict):
    """How many of something a player has, such as lives."""

    count: Annotated[int, "How many."]
    icon: Annotated[Icon, "What one of it looks like."]
    text: Annotated[DisplayText, "The same in words."]


class AtSeat(TypedDict):
    """What is shown at a player's seat."""

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
    """What a player has to say with an action that is listed without it."""

    least: Annotated[int, "The fewest cards, or the lowest number."]
    most: Annotated[int | None, "The most cards, or the highest number; null: any."]
    claim: Annotated[bool, "Whether it says what the cards are (`claim`), truly or not."]


class OwnFace(TypedDict):
    """What only this player is shown or asked, apart from their cards."""

    asked: Annotated[DisplayText | None, "What is asked of them now, in a sentence; null where it is a play or a gift."]
    labels: Annotated[dict[str, DisplayText], "What their actions are called now, by `do`, where it is not as always."]
    particulars: Annotated[dict[str, Particulars], "By `do`."]
    panels: Annotated[list[Panel], "What only they may read."]


def player_display(asked: TranslatableText | None = None) -> OwnFace:
    """Return an empty private display for a player, with a question for the player if `asked` is given."""
    return {"asked": None if asked is None else text_to_json(asked), "labels": {}, "particulars": {}, "panels": []}


def action_limits(least: int = 1, most: int | None = None, *, claim: bool = False) -> Particulars:
    """Return, for a player's form, the number of cards (or the numbers) that an action may have.

    `least` is the lowest and `most` the highest number; None allows any. `claim`: the player must also say what the
    cards are.
    """
    return {"least": least, "most": most, "claim": claim}


def merge_player_displays(faces: Iterable[OwnFace | None]) -> OwnFace:
    """Merge what several rules show to one player into one display; the first question is used. None is skipped."""
    all_of_it = player_display()
    for each in faces:
        if each is not None:
            all_of_it["asked"] = all_of_it["asked"] or each["asked"]
            all_of_it["labels"] |= each["labels"]
            all_of_it["particulars"] |= each["particulars"]
            all_of_it["panels"] += each["panels"]
    return all_of_it


def icon_panel(key: str, lines: Sequence[Line]) -> Panel:
    """Return a panel of icons without a title for the middle of the table, from lines with icons.

    `key` names the panel in its game.
    """
    return {"key": key, "title": None, "look": "things", "lines": list(lines)}


def text_panel(key: str, title: TranslatableText, lines: Sequence[Line]) -> Panel:
    """Return a panel of text lines with a title, for the middle of the table or for one player.

    `key` names the panel in its game.
    """
    return {"key": key, "title": text_to_json(title), "look": "list", "lines": list(lines)}
