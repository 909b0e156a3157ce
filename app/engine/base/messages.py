"""Messages for players: each is declared once, next to the rule that uses it, and can be translated.

>>> OWES = MessageTemplate("example.owes", {"one": "You owe {to} a card.", "other": "You owe {to} {count} cards."})
>>> said = OWES(to="Ana", count=2)
>>> said
'You owe Ana 2 cards.'
>>> said.key, dict(said.values)
('example.owes', {'to': 'Ana', 'count': 2})

A message is a `str` with the English text. It also keeps its key and values, so that a catalogue can translate it
(`app/web/i18n/catalogues.py`, `static/js/lib/messages.js`). Values may be messages themselves, or lists of messages:

>>> MessageTemplate("example.play", "Play {what}.")(what=join_with_or(["a pair", said]))
'Play a pair or You owe Ana 2 cards..'
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Self, TypeAlias

ListJoiner = Literal["and", "or", "unit", "space"]
"""How the parts of a list are joined in a sentence; `unit` has no conjunction."""

_PLACE = re.compile(r"\{(\w+)\}")
_JOINTS: dict[ListJoiner, str] = {"and": " and ", "or": " or ", "unit": ", ", "space": " "}


class TranslatableMessage(str):
    """A sentence for players in English with its values filled in; it keeps key and values, so it can be translated.

    `key` names the text in the catalogues of all languages, and `values` fill its placeholders.
    """

    __slots__ = ("key", "values")
    key: str
    values: "Mapping[str, MessageValue]"

    def __new__(cls, text: str, key: str, values: "Mapping[str, MessageValue]") -> Self:
        said = super().__new__(cls, text)
        said.key = key
        said.values = values
        return said

    def to_json(self) -> dict[str, object]:
        """Return the message as JSON for translation in the page: `{"key": …, "values": {…}}`."""
        return {"key": self.key, "values": {name: value_to_json(value) for name, value in self.values.items()}}


class MessageList(str):
    """Several texts joined into one English text; it keeps the parts and the joiner, so that it can be translated.

    `joint` is the joiner. With "or", duplicates are dropped.
    """

    __slots__ = ("joint", "parts")
    parts: "Sequence[MessageValue]"
    joint: ListJoiner

    def __new__(cls, parts: "Iterable[MessageValue]", joint: ListJoiner) -> Self:
        unique = tuple(dict.fromkeys(parts)) if joint == "or" else tuple(parts)
        *most, last = (str(part) for part in unique) if unique else ("",)
        comma = " " if joint == "space" else ", "
        listed = super().__new__(cls, f"{comma.join(most)}{_JOINTS[joint]}{last}" if most else last)
        listed.parts = unique
        listed.joint = joint
        return listed

    def to_json(self) -> dict[str, object]:
        """Return the list as JSON for translation in the page: `{"list": "and", "of": […]}`."""
        return {"list": self.joint, "of": [value_to_json(part) for part in self.parts]}


TranslatableText: TypeAlias = TranslatableMessage | MessageList
"""A text for players that can be translated: one message or a list of texts."""

MessageValue: TypeAlias = str | int
"""A value for a placeholder: a number, a name, or a translatable text (which is a `str`, too)."""


def value_to_json(word: MessageValue) -> object:
    """Return a message's placeholder value as JSON: translatable texts as objects, others as a number or string."""
    return (
        word.to_json()
        if isinstance(word, TranslatableMessage | MessageList)
        else int(word)
        if isinstance(word, int)
        else str(word)
    )


def join_with_and(words: Iterable[MessageValue]) -> MessageList:
    """Join texts with commas and “and”, so that the list can be translated.

    >>> join_with_and(["Ana", "Bob", "Cat"])
    'Ana, Bob and Cat'
    """
    return MessageList(words, "and")


def join_with_or(words: Iterable[MessageValue]) -> MessageList:
    """Join alternatives with commas and “or”, each only once, so that the list can be translated.

    >>> join_with_or(["a higher pair", "one two", "both jokers", "one two"])
    'a higher pair, one two or both jokers'
    """
    return MessageList(words, "or")


def join_with_commas(words: Iterable[MessageValue]) -> MessageList:
    """Join texts with commas only, so that the list can be translated.

    >>> join_with_commas(["9", "10", "jack"])
    '9, 10, jack'
    """
    return MessageList(words, "unit")


def join_with_spaces(words: Iterable[MessageValue]) -> MessageList:
    """Join texts with spaces only, as in a list of cards."""
    return MessageList(words, "space")


class MessageTemplate:
    """A sentence for players with placeholders, or its plural forms, declared once under its key.

    Calling it with values gives the message. With plural forms, the value `count` decides which form is used. Two
    templates must not have the same key.
    """

    __slots__ = ("english", "key")

    def __init__(self, key: str, english: str | Mapping[str, str]) -> None:
        self.key = key
        self.english = english
        for full, text in self.texts_by_key().items():
            assert full not in _ENGLISH, f"two sentences have the key {full}: {_ENGLISH[full]!r} and {text!r}"
            _ENGLISH[full] = text

    def __call__(self, **values: MessageValue) -> TranslatableMessage:
        """Return the message with these values filled in."""
        text = self.english
        if not isinstance(text, str):
            text = text["one" if values.get("count") in (1, -1) and "one" in text else "other"]
        return TranslatableMessage(fill_placeholders(text, values), self.key, values)

    def texts_by_key(self) -> dict[str, str]:
        """Return the template's English texts by their catalogue keys; plural forms get a suffix such as `.one`."""
        if isinstance(self.english, str):
            return {self.key: self.english}
        return {f"{self.key}.{form}": text for form, text in self.english.items()}


_ENGLISH: dict[str, str] = {}


def english_texts() -> Mapping[str, str]:
    """Return the English texts of all messages and titles declared so far, by key."""
    return _ENGLISH


def declare_titles(titles: Iterable[str]) -> None:
    """Declare players' titles, such as President, as texts to translate.

    Each title is its own key, so games may share titles.
    """
    _ENGLISH.update((f"title.{title}", title) for title in titles)


def fill_placeholders(text: str, values: Mapping[str, object]) -> str:
    """Return a text with its placeholders filled in; a placeholder without a value is left unchanged.

    Placeholders are names in braces, such as `{name}`.
    """
    return _PLACE.sub(lambda found: str(values.get(found[1], found[0])), text)
