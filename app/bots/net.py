"""A network of one hidden layer that says what a set of features is worth, in plain Python.

A feature is there or not, so the first layer is a sum of rows, and nothing is multiplied. Most features are true of the
moment, whatever is done in it: their sum is made once (`at`), and each action adds the few that it changes (`value`).
All of it is whole numbers until the very end, so every platform comes to the same.
"""

from collections.abc import Iterable, Sequence
from importlib.resources import files
from operator import mul, neg
from typing import NamedTuple

from msgspec import Struct, json

Row = Sequence[int]


class Weights(Struct):
    """What is kept of a network, as a file has it."""

    features: int
    """The version of the features that it was trained with (sight.py)."""
    made: str
    """How: the command, what was played and for how long."""
    scale: int
    """What the numbers below are divided by."""
    rows: list[list[int]]
    """For each feature, what it adds to each hidden unit."""
    first: list[int]
    """What each hidden unit begins with."""
    out: list[int]
    """What each hidden unit adds to the value."""


class Sums(NamedTuple):
    """The features of a moment, summed."""

    sums: Row


class Net:
    """A trained network."""

    def __init__(self, weights: Weights) -> None:
        self.version = weights.features
        self._rows = weights.rows
        self._less = [list(map(neg, row)) for row in weights.rows]
        self._first = weights.first
        self._out = weights.out
        self._scale = weights.scale * weights.scale

    @classmethod
    def read(cls, text: bytes) -> "Net":
        """The network that a file holds."""
        return cls(json.decode(text, type=Weights))

    def at(self, features: Iterable[int]) -> Sums:
        """A moment in which these features are true."""
        return Sums(_added(self._first, [self._rows[feature] for feature in features]))

    def value(self, moment: Sums, now: Iterable[int], gone: Iterable[int]) -> float:
        """What it is worth if these features come to those of the moment, and those go: higher is better."""
        rows, less = self._rows, self._less
        sums = _added(moment.sums, [*[rows[feature] for feature in now], *[less[feature] for feature in gone]])
        worth: int = sum(map(mul, [each if each > 0 else 0 for each in sums], self._out))  # noqa: FURB136 (quicker)
        return worth / self._scale


def _added(row: Row, rows: Iterable[Row]) -> list[int]:
    return list(map(sum, zip(row, *rows, strict=True)))


def net_of(game: str) -> Net | None:
    """The network for a game; None if there is none."""
    place = files(__package__) / "weights" / f"{game}.json"
    return Net.read(place.read_bytes()) if place.is_file() else None
