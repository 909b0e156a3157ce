"""A network of one hidden layer that says what a set of features is worth, in plain Python.

A feature is there or not, so the first layer is a sum of rows, and nothing is multiplied. Most features are true of the
moment, whatever is done in it: their sum is made once (`at`), and each action adds the few that it changes (`value`).
Sums are made in a fixed order, so every platform comes to the same.
"""

from collections.abc import Iterable, Sequence
from importlib.resources import files
from operator import add, mul, sub
from typing import NamedTuple

from msgspec import Struct, json

Row = Sequence[float]


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
        scale = weights.scale
        self.version = weights.features
        self._rows = [[number / scale for number in row] for row in weights.rows]
        self._first = [number / scale for number in weights.first]
        self._out = [number / scale for number in weights.out]

    @classmethod
    def read(cls, text: bytes) -> "Net":
        """The network that a file holds."""
        return cls(json.decode(text, type=Weights))

    def at(self, features: Iterable[int]) -> Sums:
        """A moment in which these features are true."""
        rows = self._rows
        return Sums(list(map(sum, zip(self._first, *[rows[feature] for feature in features], strict=True))))

    def value(self, moment: Sums, now: Iterable[int], gone: Iterable[int]) -> float:
        """What it is worth if these features come to those of the moment, and those go: higher is better."""
        rows, sums = self._rows, moment.sums
        for feature in now:
            sums = list(map(add, sums, rows[feature]))
        for feature in gone:
            sums = list(map(sub, sums, rows[feature]))
        return sum(map(mul, [each if each > 0.0 else 0.0 for each in sums], self._out), 0.0)  # noqa: FURB136 (quicker)


def net_of(game: str) -> Net | None:
    """The network for a game; None if there is none."""
    place = files(__package__) / "weights" / f"{game}.json"
    return Net.read(place.read_bytes()) if place.is_file() else None
