"""A section of what a room shows: its values, and when each of them changed last."""

from collections.abc import Callable, Mapping
from operator import is_

import msgspec


def _plain(value: object) -> str:
    """Encode a card as the text it is."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError


encode = msgspec.json.Encoder(enc_hook=_plain).encode
"""JSON without blanks. With `json` it was a tenth of all that an action costs the server."""


class KeptSection:
    """A mapping as it is shown, picture after picture; pictures are numbered from 1. Its values are never changed in
    place, so that what is the same can be told by comparing."""

    __slots__ = ("_changes", "_kept", "_newest", "_of", "_values", "whole")

    def __init__(self) -> None:
        self.whole = 0
        """Since which picture it has the keys that it has: whoever saw an older one needs all of it."""
        self._values: Mapping[str, object] = {}
        self._changes: dict[str, int] = {}
        """In which picture a value changed last, if it has since the whole was new; and the newest of these."""
        self._newest = 0
        self._of: tuple[object, ...] = ()
        self._kept: Mapping[str, object] | None = None
        """What was last made of something that is known, and of what."""

    def take(self, number: int, make: Callable[[], Mapping[str, object]], of: tuple[object, ...] | None = None) -> None:
        """Be as it is in this picture. `of` is all that it is made of: while each is the very same as the last time, so
        is this, and nothing is made. None: it is made anew."""
        before, values = self._values, self._made(make, of)
        if self.whole and (values is before or values == before):
            return
        if self.whole and values.keys() == before.keys():
            self._changes.update([(key, number) for key, value in values.items() if value != before[key]])
        else:
            self._changes.clear()
            self.whole = number
        self._values, self._newest = values, number

    def _made(self, make: Callable[[], Mapping[str, object]], of: tuple[object, ...] | None) -> Mapping[str, object]:
        if of is None:
            return make()
        if self._kept is None or len(of) != len(self._of) or not all(map(is_, of, self._of)):
            self._of, self._kept = of, make()
        return self._kept

    def changed(self, after: int) -> bytes:
        """Give the members of a JSON object that have changed after this picture (0: all of them), without braces."""
        if self._newest <= after:
            return b""
        if self.whole > after:
            return encode(self._values)[1:-1]
        return encode({key: self._values[key] for key, number in self._changes.items() if number > after})[1:-1]
