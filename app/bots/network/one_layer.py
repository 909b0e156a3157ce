"""A network of one hidden layer that says what a set of features is worth, in plain Python.

A feature is there or not, so the first layer is a sum of rows, and nothing is multiplied. Most features are true of the
moment, whatever is done in it: their sum is made once (`at`), and each action adds the few that it changes (`value`).

A row is one long whole number that has a place of 64 bits for each hidden unit, so Python adds two rows at one go. All
is whole until the very end: every platform comes to the same.
"""

from collections.abc import Iterable, Sequence
from importlib.resources import files
from struct import Struct as Layout
from typing import NamedTuple

from msgspec import Struct, json

from app.bots.network.features import FEATURES

_PLACE = 64
"""Bits for each hidden unit."""


class Weights(Struct):
    """What is kept of a network, as a file has it."""

    features: int
    """The version of the features that it was trained with (features.py)."""
    made: str
    """How: the command, what was played and for how long."""
    scale: int
    """What the numbers below are divided by."""
    rows: list[list[int]]
    """For each feature, what it adds to each hidden unit; of those behind them the network thinks nothing."""
    first: list[int]
    """What each hidden unit begins with."""
    out: list[int]
    """What each hidden unit adds to the value."""


class Sums(NamedTuple):
    """The features of a moment, summed."""

    sums: int


class Net:
    """A trained network."""

    def __init__(self, weights: Weights) -> None:
        self.version = weights.features
        self.features = len(weights.rows)
        """How many features it knows."""
        self._rows = [_packed(row) for row in weights.rows] + [0] * (FEATURES - len(weights.rows))
        self._first = _packed(weights.first)
        self._out = weights.out
        self._scale = weights.scale * weights.scale
        units = len(weights.first)
        self._signs = _packed([1 << _PLACE - 1] * units)
        self._layout = Layout(f"<{units}q")

    @classmethod
    def read(cls, text: bytes) -> "Net":
        """The network that a file holds."""
        return cls(json.decode(text, type=Weights))

    def at(self, features: Iterable[int]) -> Sums:
        """A moment in which these features are true."""
        return Sums(sum([self._rows[feature] for feature in features], self._first))

    def value(self, moment: Sums, now: Iterable[int], gone: Iterable[int]) -> float:
        """What it is worth if these features come to those of the moment, and those go: higher is better."""
        rows, sums = self._rows, moment.sums
        for feature in now:
            sums += rows[feature]
        for feature in gone:
            sums -= rows[feature]
        # What is below zero has borrowed from the place above it: lifted by the sign's bit, no place is below zero.
        places = ((sums + self._signs) ^ self._signs).to_bytes(self._layout.size, "little")
        hidden = self._layout.unpack(places)
        worth: int = sum([each * out for each, out in zip(hidden, self._out, strict=True) if each > 0])
        return worth / self._scale


def _packed(row: Sequence[int]) -> int:
    """A row as one number."""
    return sum(number << _PLACE * at for at, number in enumerate(row))


def net_of(game: str) -> Net | None:
    """The network for a game; None if there is none."""
    place = files("app.bots") / "weights" / f"{game}.json"
    return Net.read(place.read_bytes()) if place.is_file() else None
