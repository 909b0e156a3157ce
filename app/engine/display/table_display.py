"""What a table shows apart from its cards: types declared here, filled by each game, drawn by generic pages.

All texts are ready for players. Facts for programs are in the game's own keys of the view.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypedDict, cast

from app.engine.base.messages import TranslatableText, value_to_json

Icon = Literal["coin", "pack", "deck", "nothing"]
"""Pictures: a coin, a card face down, a whole deck, and an empty place for a deck."""


class SaidView(TypedDict):
    """A text by its key in the message catalogue, for translation."""

    key: Annotated[str, "The key of the text in the message catalogue."]
    values: Annotated[dict[str, Any], "Values of the placeholders, by name."]


class ListView(TypedDict):
    """Several texts in one sentence."""

    of: Annotated[list[Any], "The texts to join."]
    list: Annotated[Literal["and", "or", "unit", "space"], "The joiner between the texts."]


DisplayText: TypeAlias = str | SaidView | ListView
"""A text for players: plain, by key, or a list of texts."""


def text_to_json(words: TranslatableText) -> DisplayText:
    """Return a text as JSON for the table, by its key in the catalogue, so that the page can translate it."""
    return cast("DisplayText", value_to_json(words))


class Badge(NamedTuple):
    """A badge for an unusual state of the table that all players see: a revolution, a call, a lock."""

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

    def to_json(self) -> "SignView":
        """Return the badge as JSON for the table."""
        return {
            "key": self.key,
            "icon": self.icon,
            "text": text_to_json(self.text),
            "hot": self.hot,
            "short": self.short,
        }


class SignView(TypedDict):
    """An unusual condition that holds now."""

    key: Annotated[str, "The key of the sign, unique in the game."]
    icon: Annotated[str, "One character, as decoration."]
    text: Annotated[DisplayText, "The meaning in a few words."]
    hot: Annotated[bool, "Whether the condition changes which plays are legal."]
    short: Annotated[str, "A shorter text beside the icon; empty: use the whole text."]


class Line(TypedDict):
    """One line of a panel."""

    key: Annotated[str, "The key of the line, unique in the panel."]
    text: Annotated[DisplayText, "The text of the line."]
    state: Annotated[DisplayText | None, "The state in one word; null: none."]
    done: Annotated[bool, "Whether the line is completed."]
    icon: Annotated[Icon | None, "The icon, in a panel of icons; null: none."]


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
    """A list of texts or icons."""

    key: Annotated[str, "The key of the panel, unique in the game."]
    title: Annotated[DisplayText | None, "The title of the panel; null: none."]
    look: Annotated[Literal["list", "things"], "list: lines of text; things: icons with texts below."]
    lines: Annotated[list[Line], "The lines, in order."]


Felt: TypeAlias = Literal["green", "blue", "slate", "plum"]
"""A colour of the cloth."""


class Tally(TypedDict):
    """The items, such as lives, that a game counts instead of points."""

    name: Annotated[DisplayText, "The name of the counted items."]
    icon: Annotated[Icon, "The icon of one item."]
    each: Annotated[dict[str, int], "The count of each player, by name."]
    most: Annotated[int, "The count of each player at the start."]
    lost: Annotated[list[str], "Players who have just lost an item."]
    result_text: Annotated[DisplayText | None, "The result of the hand, as a sentence; null until it is over."]
    points: Annotated[bool, "Whether this hand also changed points."]


class Face(TypedDict):
    """The display of the table for everybody."""

    middle: Annotated[Literal["trick", "panels"], "The contents of the middle of the table."]
    panels: Annotated[list[Panel], "Panels in the middle, if it is not a trick."]
    signs: Annotated[list[SignView], "The unusual conditions of the table now."]
    prompt: Annotated[DisplayText | None, "The awaited action, as a sentence; null: a play, or obvious."]
    newcomers_text: Annotated[DisplayText | None, "When a newcomer plays, as a sentence; null: from the next hand on."]
    tally: Annotated[Tally | None, "The items that the game counts instead of points; null: only points."]


class Counter(TypedDict):
    """A number at a seat."""

    count: Annotated[int, "Number of items."]
    icon: Annotated[Icon, "The icon of one item."]
    text: Annotated[DisplayText, "The number in words."]


class AtSeat(TypedDict):
    """The display of one seat."""

    state: Annotated[
        Literal["passed", "out", "left", "waits"] | None,
        "passed: in this trick; out: finished this hand; left: out of this game; waits: plays from the next game;"
        " null: none of these.",
    ]
    counter: Annotated[Counter | None, "The number that the game shows at this seat; null: none."]
    table_card: Annotated[
        str | None, "The card on the table in front of the player; empty: face down; null: no such card."
    ]


class ActionLimits(TypedDict):
    """Limits for a value that an action needs."""

    least: Annotated[int, "Minimum number of cards, or lowest number."]
    most: Annotated[int | None, "Maximum number of cards, or highest number; null: no limit."]
    claim: Annotated[bool, "Whether the action also states what the cards are (`claim`), true or not."]


class OwnFace(TypedDict):
    """The display for one player only."""

    prompt: Annotated[
        DisplayText | None, "The question to the player, as a sentence; null: none, or only to play or give cards."
    ]
    labels: Annotated[dict[str, DisplayText], "Names of actions, by `do`, if they differ from the usual names."]
    action_limits: Annotated[dict[str, ActionLimits], "Limits for values of actions, by `do`."]
    panels: Annotated[list[Panel], "Panels that only this player may read."]


def player_display(question: TranslatableText | None = None) -> OwnFace:
    """Return an empty private display for a player, with a question for the player if `question` is given."""
    return {
        "prompt": None if question is None else text_to_json(question),
        "labels": {},
        "action_limits": {},
        "panels": [],
    }


def action_limits(least: int = 1, most: int | None = None, *, claim: bool = False) -> ActionLimits:
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
            all_of_it["prompt"] = all_of_it["prompt"] or each["prompt"]
            all_of_it["labels"] |= each["labels"]
            all_of_it["action_limits"] |= each["action_limits"]
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
