"""A network of two hidden layers that says what a set of features is worth, in plain Python.

As in one_layer.py the first layer is a sum of rows, each a long whole number with a place for each hidden unit, and all
is whole until the very end. The second is one, too: each unit of the first that is above zero adds its row so many
times.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from importlib.resources import files
from struct import Struct as Layout
from zlib import compress, decompress

from msgspec import Struct, json

SCALE = 1024
"""What weights are multiplied by to be whole."""
_PLACE = 8
"""Bytes for each hidden unit."""
_LIFT = 1 << 40
"""So much is added to each place while a row is packed, lest it be below zero."""


class Packed(Struct):
    """What is kept of a network, as a file has it: whole numbers of two bytes, compressed, as text."""

    features: int
    """The version of the features that it was trained with (card_features.py)."""
    made: str
    """How: the command, and for how long."""
    units: tuple[int, int]
    """Of the hidden layers."""
    weights: str
    """A row for each feature, what the first units begin with, a row for each of these, what the second begin with,
    what each of these adds to the value, and what that begins with."""

    @classmethod
    def of(cls, features: int, made: str, units: tuple[int, int], weights: Sequence[int]) -> "Packed":
        """From weights that are whole already."""
        return cls(features, made, units, b64encode(compress(Layout(f"<{len(weights)}h").pack(*weights), 9)).decode())

    def read(self) -> tuple[int, ...]:
        """The weights, one after the other."""
        kept = decompress(b64decode(self.weights))
        return Layout(f"<{len(kept) // 2}h").unpack(kept)


class Deep:
    """A trained network."""

    def __init__(self, packed: Packed) -> None:
        self.version = packed.features
        weights, (first, second) = packed.read(), packed.units
        rest = first * (1 + second) + 2 * second + 1
        cuts = [len(weights) - rest]
        for size in (first, first * second, second, second):
            cuts.append(cuts[-1] + size)
        parts = [weights[at:to] for at, to in zip([0, *cuts], [*cuts, len(weights)], strict=True)]
        self._rows, self._next = _rows(parts[0], first), _rows(parts[2], second)
        self._first, self._second = _rows(parts[1], first)[0], _rows(parts[3], second)[0] * SCALE
        self.features = len(self._rows)
        """How many features it knows."""
        self._out, self._begin = parts[4], parts[5][0] * SCALE
        self._layouts = Layout(f"<{first}q"), Layout(f"<{second}q")
        self._signs = [int.from_bytes(bytes((*[0] * (_PLACE - 1), 128)) * units, "little") for units in packed.units]

    def at(self, features: Iterable[int]) -> int:
        """A moment in which these features are true."""
        return sum([self._rows[feature] for feature in features], self._first)

    def value(self, moment: int, now: Iterable[int]) -> float:
        """What it is worth if these features are true besides: higher is better."""
        rows, sums = self._rows, self._second
        for feature in now:
            moment += rows[feature]
        for each, row in zip(self._units(moment, 0), self._next, strict=True):
            if each > 0:
                sums += each * row
        hidden = self._units(sums, 1)
        # The second layer has been multiplied twice.
        worth = sum([each // SCALE * out for each, out in zip(hidden, self._out, strict=True) if each > 0])
        return (self._begin + worth) / (SCALE * SCALE)

    def _units(self, sums: int, layer: int) -> tuple[int, ...]:
        # What is below zero has borrowed from the place above it: lifted by the sign's bit, no place is below zero.
        signs, layout = self._signs[layer], self._layouts[layer]
        return layout.unpack(((sums + signs) ^ signs).to_bytes(layout.size, "little"))


def _rows(weights: Sequence[int], units: int) -> list[int]:
    """Rows of so many weights, each as one number."""
    layout = Layout(f"<{units}q")
    lift = int.from_bytes(layout.pack(*[_LIFT] * units), "little")
    return [
        int.from_bytes(layout.pack(*[each + _LIFT for each in weights[at : at + units]]), "little") - lift
        for at in range(0, len(weights), units)
    ]


def deep_of(game: str) -> Deep | None:
    """The wide network for a game; None if there is none."""
    place = files("app.bots") / "weights" / "wide" / f"{game}.json"
    return Deep(json.decode(place.read_bytes(), type=Packed)) if place.is_file() else None
