"""A section of a view: its values, and the version in which each changed last."""

from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from operator import ne
from typing import Any, TypeVar

import msgspec

Shown = TypeVar("Shown")


def _encode_card(value: object) -> str:
    """Return a card as text, for the JSON encoder; raise `NotImplementedError` for any other unknown type."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError


encode = msgspec.json.Encoder(enc_hook=_encode_card).encode
"""Encodes JSON without blanks, faster than Python's `json`."""


def encode_without_brackets(value: Mapping[str, object] | Sequence[object]) -> bytes:
    """Encode a value as JSON without its outer brackets, so that it can be part of several messages."""
    return encode(value)[1:-1]


class VersionedSection:
    """The values of one section of a room's view, with the version in which each changed last.

    Versions are numbered from 1. Values must never be changed in place, because changes are found by comparing.
    """

    __slots__ = ("_cached_values", "_changes", "_earlier", "_latest", "_of", "_of_each", "_values", "newest", "whole")

    def __init__(self) -> None:
        self.whole = 0
        """The version since which its keys are the same. Clients with an older version need the whole section."""
        self._values: Mapping[str, object] = {}
        self._changes: dict[str, int] = {}
        """The version of each value's last change, if it has changed since `whole`."""
        self.newest = 0
        """The version of the last change."""
        self._latest: Mapping[str, object] = {}
        self._earlier = 0
        """The values changed last, and the version of the change before it. Most clients need only these."""
        self._of: tuple[object, ...] | None = None
        self._cached_values: Mapping[str, object] = {}
        """The last inputs and the last result of `update_memoized`."""
        self._of_each: Mapping[str, tuple[Any, ...]] = {}
        """The last inputs of each value, for `update_each`."""

    def update(self, number: int, values: Mapping[str, object]) -> None:
        """Set the section's values as of version `number`, and note which of them have changed.

        The order of keys does not matter. The same object is accepted without comparing its values.
        """
        if values is not self._values:
            self._store(number, values, _changed_values(self._values, values))

    def update_memoized(
        self, number: int, of: tuple[object, ...] | None, make: Callable[..., Mapping[str, object]], *arguments: object
    ) -> None:
        """Set the section's values to `make(*told)` as of version `number`; skip the call if the inputs are the same.

        `of`: all inputs, compared with those of the last call; None: always call `make`. The saving is documented in
        `room_view.stable_view_inputs`.
        """
        if of is None:
            values = make(*arguments)
        elif of == self._of:
            values = self._cached_values
        else:
            self._of, self._cached_values = of, (values := make(*arguments))
        self.update(number, values)

    def update_each(self, number: int, of: Mapping[str, tuple[Any, ...]], make: Callable[..., object]) -> None:
        """Set each value of the section to `make(*inputs)` as of version `number`; `of` holds the inputs by key.

        Only values with changed inputs are computed again.
        """
        others = _changed_values(self._of_each, of)
        if others is None:
            self._store(number, {key: make(*parts) for key, parts in of.items()}, None)
        else:
            changed = {key: make(*parts) for key, parts in others.items()}
            self._store(number, {**self._values, **changed}, changed)
        self._of_each = of  # set last: after an error, the next version computes these values again

    def _store(self, number: int, values: Mapping[str, object], changed: Mapping[str, object] | None) -> None:
        """Store the section's values as of version `number`.

        `changed`: those that differ; None: the keys have changed. After that, clients need the whole section.
        """
        if changed is None or not self.whole:
            self._changes.clear()
            self.whole = number
        elif changed:
            self._changes.update(dict.fromkeys(changed, number))
            self._latest, self._earlier = changed, self.newest
        else:
            return
        self._values, self.newest = values, number

    def changed_since(self, after: int) -> Mapping[str, object]:
        """Return the section's values that have changed after version `after`, by key; 0 returns all."""
        if self.newest <= after:
            return {}
        if self.whole > after:
            return self._values
        if self._earlier <= after:
            return self._latest
        return {key: self._values[key] for key, number in self._changes.items() if number > after}


def _changed_values(before: Mapping[str, Shown], values: Mapping[str, Shown]) -> Mapping[str, Shown] | None:
    """Return the values that differ from those in `before`, by key; None if the two have different keys."""
    if [*values] == [*before]:  # nearly always true
        return dict(compress(values.items(), map(ne, values.values(), before.values())))
    if values.keys() != before.keys():
        return None
    return {key: value for key, value in values.items() if value != before[key]}
