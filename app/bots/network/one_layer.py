"""A neural network with one hidden layer, in plain Python: it computes the value of a set of features.

Features are on or off, so the first layer is a sum of rows without multiplication. Most features don't depend on the
action. Their sum is computed once (`accumulate`), and each action adds the few that change (`value_after_changes`).

A row is one long integer with 64 bits for each hidden unit, so that Python adds two rows in one operation. All numbers
are integers until the last division, so the results are the same on every platform.
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
    """The weights of the small network, as stored in its file."""

    features: int
    """The version of the features that it was trained with (features.py)."""
    made: str
    """How the network was made: the command, the games played, and the training time."""
    scale: int
    """Divisor for the weights below."""
    rows: list[list[int]]
    """For each feature, what it adds to each hidden unit. Features without a row are ignored."""
    first: list[int]
    """The bias of each hidden unit."""
    out: list[int]
    """The weight of each hidden unit in the value."""


class Accumulator(NamedTuple):
    """The sums of the network's hidden units for a set of features, packed into one integer (`packed_sums`).

    They are computed once for a turn; each action adds and removes a few features.
    """

    packed_sums: int


class OneLayerNetwork:
    """A trained network with one hidden layer: it computes the value of an action from the features that are on.

    The weights of a feature are packed into one integer, so that one addition adds them all.
    """

    def __init__(self, weights: Weights) -> None:
        self.version = weights.features
        self.features = len(weights.rows)
        """Number of features that the network was trained with."""
        self._rows = [_pack_row(row) for row in weights.rows] + [0] * (FEATURES - len(weights.rows))
        self._first = _pack_row(weights.first)
        self._out = weights.out
        self._scale = weights.scale * weights.scale
        units = len(weights.first)
        self._signs = _pack_row([1 << _PLACE - 1] * units)
        self._layout = Layout(f"<{units}q")

    @classmethod
    def from_json(cls, text: bytes) -> "OneLayerNetwork":
        """Create a small network from the JSON text of its weights file."""
        return cls(json.decode(text, type=Weights))

    def accumulate(self, features: Iterable[int]) -> Accumulator:
        """Sum the weights of the features that are on, plus the biases.

        `value_after_changes` starts from this sum for each action of a turn.
        """
        return Accumulator(sum([self._rows[feature] for feature in features], self._first))

    def value_after_changes(
        self, accumulator: Accumulator, added_features: Iterable[int], removed_features: Iterable[int]
    ) -> float:
        """Return the network's value after features are added to the accumulator and removed from it: higher is better.

        The accumulator itself stays as it is, so that each action can be valued from the same one.
        """
        rows, sums = self._rows, accumulator.packed_sums
        for feature in added_features:
            sums += rows[feature]
        for feature in removed_features:
            sums -= rows[feature]
        # A negative unit borrows from the unit above. Adding the sign bit makes every unit positive.
        places = ((sums + self._signs) ^ self._signs).to_bytes(self._layout.size, "little")
        hidden = self._layout.unpack(places)
        worth: int = sum([each * out for each, out in zip(hidden, self._out, strict=True) if each > 0])
        return worth / self._scale


def _pack_row(row: Sequence[int]) -> int:
    """Pack a row of weights into one integer, with `_PLACE` bits for each, so that one addition adds whole rows."""
    return sum(number << _PLACE * at for at, number in enumerate(row))


def load_network(game: str) -> OneLayerNetwork | None:
    """Load a game's small network from its weights file, or return None if the game has none."""
    place = files("app.bots") / "weights" / f"{game}.json"
    return OneLayerNetwork.from_json(place.read_bytes()) if place.is_file() else None
