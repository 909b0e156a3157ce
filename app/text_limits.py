"""Check the length of text from clients before any other function uses it.

The time of some functions grows with the square of the text: `unicodedata.normalize` needs hours for a few megabytes
of combining marks, and blocks all other threads. So they take `Bounded` text only, and only `check_length` and
`truncate` create it. mypy refuses any other call, and ruff refuses `unicodedata.normalize` outside this file.

>>> normalize("NFC", check_length("Lu\\u0301", 20))
'Lú'
>>> check_length("x" * 21, 20)
Traceback (most recent call last):
    ...
app.text_limits.TooLong: at most 20 characters
>>> truncate("x" * 21, 3)
'xxx'
"""

import unicodedata
from typing import Final, Literal, NewType

MAX_TEXT_LENGTH: Final = 1000
"""Largest number of characters in one value or key from a client; the longest is the address of a push service."""

MOST_KEYS: Final = 200
"""Largest number of keys in a JSON object with undeclared keys, such as a game's options."""

FREE_JSON: Final = {"x-longest-text": MAX_TEXT_LENGTH}
"""Schema mark for objects with undeclared keys: the reader limits all their keys and texts to this length."""

Bounded = NewType("Bounded", str)
"""Text of at most `MAX_TEXT_LENGTH` characters, created only by `check_length` and `truncate`."""


class TooLong(ValueError):
    """Raised when a text from a client is longer than allowed; `max_length` is the limit in characters."""

    def __init__(self, max_length: int) -> None:
        super().__init__(f"at most {max_length} characters")
        self.max_length = max_length


def check_length(text: str, max_length: int = MAX_TEXT_LENGTH) -> Bounded:
    """Return a client's text as `Bounded` if it has at most `max_length` characters; raise `TooLong` otherwise.

    The limit is never above `MAX_TEXT_LENGTH`. Slow functions accept only checked text.
    """
    if len(text) > min(max_length, MAX_TEXT_LENGTH):
        raise TooLong(min(max_length, MAX_TEXT_LENGTH))
    return Bounded(text)


def truncate(text: str, max_length: int) -> Bounded:
    """Return the first `max_length` characters of a text as `Bounded`, so that slow functions accept it.

    The limit is never above `MAX_TEXT_LENGTH`.
    """
    return Bounded(text[: min(max_length, MAX_TEXT_LENGTH)])


def normalize(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: Bounded) -> str:
    """Return a text of limited length in the Unicode normal form `form`.

    One character can become up to 18.
    """
    return unicodedata.normalize(form, text)


def caseless_key(text: Bounded) -> str:
    """Return a text in a form for comparing: texts that differ only in case or encoding of letters give the same.

    >>> caseless_key(check_length("ﬁsh")) == caseless_key(check_length("FISH"))
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
