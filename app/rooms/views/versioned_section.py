"""A section of what a room shows: its values, and when each of them changed last."""

from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from operator import ne
from typing import Any, TypeVar

import msgspec

Shown = TypeVar("Shown")


def _plain(value: object) -> str:
    """Encode a card as the text it is."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError


encode = msgspec.json.Encoder(enc_hook=_plain).encode
"""Encode JSON without blanks: 0.5 µs for an object of 140 bytes, with Python's `json` 4.0 µs (2026-11-27)."""


def inside(value: Mapping[str, object] | Sequence[object]) -> bytes:
    """Encode what goes into several texts, without its brackets."""
    return encode(value)[1:-1]


class KeptSection:
    """A mapping as it is shown, picture after picture; pictures are numbered from 1. Its values are never changed in
    place, so that what is the same can be told by comparing."""

    __slots__ = ("_changes", "_earlier", "_latest", "_made", "_of", "_of_each", "_values", "newest", "whole")

    def __init__(self) -> None:
        self.whole = 0
        """Since which picture it has the keys that it has: whoever saw an older one needs all of it."""
        self._values: Mapping[str, object] = {}
        self._changes: dict[str, int] = {}
        """In which picture a value changed last, if it has since the whole was new."""
        self.newest = 0
        """Since which picture all of it is as it is."""
        self._latest: Mapping[str, object] = {}
        self._earlier = 0
        """What changed last, and when something had before that: mostly there is nothing else to be told."""
        self._of: tuple[object, ...] | None = None
        self._made: Mapping[str, object] = {}
        """What was made last of what was told, and of what."""
        self._of_each: Mapping[str, tuple[Any, ...]] = {}
        """Of what each value was made, where that is told of each."""

    def take(self, number: int, values: Mapping[str, object]) -> None:
        """Be this in this picture.

        Mappings are the same in whatever order. Most are the very same, and seen to be without a look into them.
        """
        if values is not self._values:
            self._become(number, values, _changed(self._values, values))

    def take_made(
        self, number: int, of: tuple[object, ...] | None, make: Callable[..., Mapping[str, object]], *told: object
    ) -> None:
        """Take `make(*told)` as the values. If `of`, all inputs, equals the last one, take the last values instead.

        `of` None: always call `make`. What this saves is in `room_view.lasting`.
        """
        if of is None:
            values = make(*told)
        elif of == self._of:
            values = self._made
        else:
            self._of, self._made = of, (values := make(*told))
        self.take(number, values)

    def take_each(self, number: int, of: Mapping[str, tuple[Any, ...]], make: Callable[..., object]) -> None:
        """Be what is made for each key of what `of` says, where that is another than the last time."""
        others = _changed(self._of_each, of)
        if others is None:
            self._become(number, {key: make(*parts) for key, parts in of.items()}, None)
        else:
            changed = {key: make(*parts) for key, parts in others.items()}
            self._become(number, {**self._values, **changed}, changed)
        self._of_each = of  # last: if an error stops this, the next picture makes the same values

    def _become(self, number: int, values: Mapping[str, object], changed: Mapping[str, object] | None) -> None:
        """Be this, of which that has changed. None: the keys have."""
        if changed is None or not self.whole:
            self._changes.clear()
            self.whole = number
        elif changed:
            self._changes.update(dict.fromkeys(changed, number))
            self._latest, self._earlier = changed, self.newest
        else:
            return
        self._values, self.newest = values, number

    def changed(self, after: int) -> Mapping[str, object]:
        """Give the values that have changed after this picture, by their keys; 0: all of them."""
        if self.newest <= after:
            return {}
        if self.whole > after:
            return self._values
        if self._earlier <= after:
            return self._latest
        return {key: self._values[key] for key, number in self._changes.items() if number > after}


def _changed(before: Mapping[str, Shown], values: Mapping[str, Shown]) -> Mapping[str, Shown] | None:
    """Give those values that are others now, by their keys; None where the keys are."""
    if [*values] == [*before]:  # as nearly always, in the same order
        return dict(compress(values.items(), map(ne, values.values(), before.values())))
    if values.keys() != before.keys():
        return None
    return {key: value for key, value in values.items() if value != before[key]}
