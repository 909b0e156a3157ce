"""The gate for text from strangers: its length is checked before anything else looks at it.

Some functions take time that grows with the square of the text: `unicodedata.normalize` needs hours for a few megabytes
of combining marks, and no other thread runs meanwhile. So they take `Bounded` text only, and `bounded` and `shortened`
are the only ways to get one. mypy refuses any other call, and ruff refuses `unicodedata.normalize` outside this file.

>>> normalize("NFC", bounded("Lu\\u0301", 20))
'Lú'
>>> bounded("x" * 21, 20)
Traceback (most recent call last):
    ...
app.text_limits.TooLong: at most 20 characters
>>> shortened("x" * 21, 3)
'xxx'
"""

import unicodedata
from typing import Final, Literal, NewType

LONGEST: Final = 1000
"""Characters in the longest text that a stranger can send as one value or key: the address of a push service."""

MOST_KEYS: Final = 200
"""Keys of a JSON object whose keys are not declared, such as a game's options."""

FREE_JSON: Final = {"x-longest-text": LONGEST}
"""Marks such an object in a schema: the reader holds every key and every text in it to this length."""

Bounded = NewType("Bounded", str)
"""Text of at most `LONGEST` characters. Made by `bounded` and `shortened` only."""


class TooLong(ValueError):
    """A text from a stranger is longer than it may be."""

    def __init__(self, most: int) -> None:
        super().__init__(f"at most {most} characters")
        self.most = most


def bounded(text: str, most: int = LONGEST) -> Bounded:
    """Return the text if it has at most `most` characters; raise `TooLong` otherwise."""
    if len(text) > min(most, LONGEST):
        raise TooLong(min(most, LONGEST))
    return Bounded(text)


def shortened(text: str, most: int) -> Bounded:
    """Return the first `most` characters, at most `LONGEST`, for quoting the text to the person who sent it."""
    return Bounded(text[: min(most, LONGEST)])


def normalize(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: Bounded) -> str:
    """Return this normal form of Unicode of the text. One character of it can become up to 18."""
    return unicodedata.normalize(form, text)


def caseless(text: Bounded) -> str:
    """Return the text as it is compared, whatever its case and however its letters are encoded (NFKC).

    >>> caseless(bounded("ﬁsh")) == caseless(bounded("FISH"))
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
