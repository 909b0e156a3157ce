"""What is said to people: each sentence is declared once, beside the rule that speaks it, to be said in any language.

>>> OWES = Sentence("example.owes", {"one": "You owe {to} a card.", "other": "You owe {to} {count} cards."})
>>> said = OWES(to="Ana", count=2)
>>> said
'You owe Ana 2 cards.'
>>> said.key, dict(said.values)
('example.owes', {'to': 'Ana', 'count': 2})

What is said *is* its English text, and remembers its key and its values, so that a catalogue of another language can
say it anew (`app/web/i18n/catalogues.py`, `static/js/lib/messages.js`). Values may be said things themselves, or lists
of them:

>>> Sentence("example.play", "Play {what}.")(what=either(["a pair", said]))
'Play a pair or You owe Ana 2 cards..'
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Self, TypeAlias

Joint = Literal["and", "or", "space"]
"""How the parts of a list stand together."""

_PLACE = re.compile(r"\{(\w+)\}")
_JOINTS: dict[Joint, str] = {"and": " and ", "or": " or ", "space": " "}


class Said(str):
    """A sentence with its values filled in, in English, that knows how to be said in another language."""

    __slots__ = ("key", "values")
    key: str
    values: "Mapping[str, Word]"

    def __new__(cls, text: str, key: str, values: "Mapping[str, Word]") -> Self:
        said = super().__new__(cls, text)
        said.key = key
        said.values = values
        return said

    def to_json(self) -> dict[str, object]:
        """`{"key": …, "values": {…}}`."""
        return {"key": self.key, "values": {name: plain(value) for name, value in self.values.items()}}


class Listed(str):
    """Several words as a sentence has them, in English, that knows its parts."""

    __slots__ = ("joint", "parts")
    parts: "Sequence[Word]"
    joint: Joint

    def __new__(cls, parts: "Iterable[Word]", joint: Joint) -> Self:
        kept = tuple(dict.fromkeys(parts)) if joint == "or" else tuple(parts)
        *most, last = (str(part) for part in kept) if kept else ("",)
        comma = " " if joint == "space" else ", "
        listed = super().__new__(cls, f"{comma.join(most)}{_JOINTS[joint]}{last}" if most else last)
        listed.parts = kept
        listed.joint = joint
        return listed

    def to_json(self) -> dict[str, object]:
        """`{"list": "and", "of": […]}`."""
        return {"list": self.joint, "of": [plain(part) for part in self.parts]}


Phrase: TypeAlias = Said | Listed
"""What is said to people: a text that can be said in another language."""

Word: TypeAlias = str | int
"""What fills a place: a number, a name as it is, or something `Said` or `Listed`, which are texts, too."""


def plain(word: Word) -> object:
    """A word as JSON has it."""
    return word.to_json() if isinstance(word, Said | Listed) else int(word) if isinstance(word, int) else str(word)


def both(words: Iterable[Word]) -> Listed:
    """All of them.

    >>> both(["Ana", "Bob", "Cat"])
    'Ana, Bob and Cat'
    """
    return Listed(words, "and")


def either(words: Iterable[Word]) -> Listed:
    """Alternatives, each once.

    >>> either(["a higher pair", "one two", "both jokers", "one two"])
    'a higher pair, one two or both jokers'
    """
    return Listed(words, "or")


def beside(words: Iterable[Word]) -> Listed:
    """One after the other, with nothing but a space: cards."""
    return Listed(words, "space")


class Sentence:
    """A sentence that can be said, or its plural forms; with `count` among the values the form goes by that number."""

    __slots__ = ("english", "key")

    def __init__(self, key: str, english: str | Mapping[str, str]) -> None:
        self.key = key
        self.english = english
        for full, text in self.texts().items():
            assert full not in _ENGLISH, f"two sentences have the key {full}: {_ENGLISH[full]!r} and {text!r}"
            _ENGLISH[full] = text

    def __call__(self, **values: Word) -> Said:
        """Say it."""
        text = self.english
        if not isinstance(text, str):
            text = text["one" if values.get("count") in (1, -1) and "one" in text else "other"]
        return Said(filled(text, values), self.key, values)

    def texts(self) -> dict[str, str]:
        """The English texts by their keys in a catalogue."""
        if isinstance(self.english, str):
            return {self.key: self.english}
        return {f"{self.key}.{form}": text for form, text in self.english.items()}


_ENGLISH: dict[str, str] = {}


def english() -> Mapping[str, str]:
    """The English texts of all that was declared, by key."""
    return _ENGLISH


def declare_titles(titles: Iterable[str]) -> None:
    """Declare what people are called by their place. A title is its own key, so several games may have the same."""
    _ENGLISH.update((f"title.{title}", title) for title in titles)


def filled(text: str, values: Mapping[str, object]) -> str:
    """A text with its places filled in; a place without a value stays as it is."""
    return _PLACE.sub(lambda found: str(values.get(found[1], found[0])), text)
