"""A section of what a room shows: its values, and when each of them changed last."""

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")


def _plain(value: object) -> str:
    """Encode a card as the text it is."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError


encode = msgspec.json.Encoder(enc_hook=_plain).encode
"""JSON without blanks. With `json` it was a tenth of all that an action costs the server."""


class Kept(Generic[T]):
    """What was last made of something."""

    __slots__ = ("_made", "_of")

    def __init__(self) -> None:
        self._of: tuple[object, ...] = ()
        self._made: T | None = None

    def made(self, make: Callable[[], T], of: tuple[object, ...]) -> T:
        """Make it, unless each of those that it is made `of`, which are all, is the same as the last time.

        Mappings are, in whatever order. Most are the very same, and seen to be without a look into them.
        """
        if self._made is None or of != self._of:
            self._of, self._made = of, make()
        return self._made


class KeptSection:
    """A mapping as it is shown, picture after picture; pictures are numbered from 1. Its values are never changed in
    place, so that what is the same can be told by comparing."""

    __slots__ = ("_changes", "_kept", "_newest", "_values", "whole")

    def __init__(self) -> None:
        self.whole = 0
        """Since which picture it has the keys that it has: whoever saw an older one needs all of it."""
        self._values: Mapping[str, object] = {}
        self._changes: dict[str, int] = {}
        """In which picture a value changed last, if it has since the whole was new; and the newest of these."""
        self._newest = 0
        self._kept = Kept[Mapping[str, object]]()

    def take(self, number: int, make: Callable[[], Mapping[str, object]], of: tuple[object, ...] | None = None) -> None:
        """Be as it is in this picture. `of` is all that it is made of: while each is the same as the last time, so is
        this, and nothing is made. None: it is made anew."""
        before, values = self._values, make() if of is None else self._kept.made(make, of)
        if not self.whole:
            self.whole = number
        elif values is before:
            return
        elif (changed := _changed(before, values)) is None:
            self._changes.clear()
            self.whole = number
        elif changed:
            self._changes.update(dict.fromkeys(changed, number))
        else:
            return
        self._values, self._newest = values, number

    def changed(self, after: int) -> bytes:
        """Give the members of a JSON object that have changed after this picture (0: all of them), without braces."""
        if self._newest <= after:
            return b""
        if self.whole > after:
            return encode(self._values)[1:-1]
        return encode({key: self._values[key] for key, number in self._changes.items() if number > after})[1:-1]


def _changed(before: Mapping[str, object], values: Mapping[str, object]) -> list[str] | None:
    """List the keys whose values are others now; None where the keys are."""
    if len(values) != len(before):
        return None
    try:
        return [key for key, value in values.items() if value is not (old := before[key]) and value != old]
    except KeyError:  # seldom, and so cheaper than comparing the keys of every picture
        return None
