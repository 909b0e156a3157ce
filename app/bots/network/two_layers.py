"""A neural network with two hidden layers, in plain Python: it computes the value of a set of features.

As in one_layer.py, the first layer is a sum of rows, each packed into one long integer with a field for each hidden
unit. All numbers are integers until the last division. The second layer is a sum of rows as well: each positive unit of
the first layer adds its row, multiplied by the unit's value.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from importlib.resources import files
from struct import Struct as Layout
from zlib import compress, decompress

from msgspec import Struct, json

SCALE = 1024
"""Factor by which weights are multiplied and then rounded to integers."""
_PLACE = 8
"""Number of bytes for each hidden unit."""
_LIFT = 1 << 40
"""Offset added to each weight while a row is packed, so that no packed field is negative."""


class PackedWeights(Struct):
    """The weights of the large network as stored in its file: two-byte integers, compressed and base64-encoded."""

    features: int
    """The version of the features that it was trained with (card_features.py)."""
    made: str
    """How the network was made: the command and the training time."""
    units: tuple[int, int]
    """Numbers of units in the first and second hidden layer."""
    weights: str
    """All weights as text, in this order.

    First layer: a row for each feature, then the biases. Second layer: a row for each unit of the first layer, then the
    biases. Value: the weight of each unit of the second layer, then the bias.
    """

    @classmethod
    def pack(cls, features: int, made: str, units: tuple[int, int], weights: Sequence[int]) -> "PackedWeights":
        """Pack weights, which are already integers, for a file; their order stays.

        `features` is the version of the features, `units` the sizes of the hidden layers, and `made` tells how they
        were trained.
        """
        return cls(features, made, units, b64encode(compress(Layout(f"<{len(weights)}h").pack(*weights), 9)).decode())

    def unpack(self) -> tuple[int, ...]:
        """Return all weights of the network as integers, in the order in which they were packed."""
        unpacked = decompress(b64decode(self.weights))
        return Layout(f"<{len(unpacked) // 2}h").unpack(unpacked)


class TwoLayerNetwork:
    """A trained network with two hidden layers: it computes the value of an action from the features that are on.

    Rows of weights are packed into integers, so that one addition adds a whole row.
    """

    def __init__(self, packed: PackedWeights) -> None:
        self.version = packed.features
        weights, (first, second) = packed.unpack(), packed.units
        rest = first * (1 + second) + 2 * second + 1
        cuts = [len(weights) - rest]
        for size in (first, first * second, second, second):
            cuts.append(cuts[-1] + size)
        parts = [weights[at:to] for at, to in zip([0, *cuts], [*cuts, len(weights)], strict=True)]
        self._rows, self._next = _pack_rows(parts[0], first), _pack_rows(parts[2], second)
        self._first, self._second = _pack_rows(parts[1], first)[0], _pack_rows(parts[3], second)[0] * SCALE
        self.features = len(self._rows)
        """Number of features that the network was trained with."""
        self._out, self._begin = parts[4], parts[5][0] * SCALE
        self._layouts = Layout(f"<{first}q"), Layout(f"<{second}q")
        self._signs = [int.from_bytes(bytes((*[0] * (_PLACE - 1), 128)) * units, "little") for units in packed.units]

    def accumulate(self, features: Iterable[int]) -> int:
        """Sum the weights of the features that are on, plus the biases, packed into one integer.

        `value_with_features` starts from this sum for each action of a turn.
        """
        return sum([self._rows[feature] for feature in features], self._first)

    def value_with_features(self, accumulator: int, added_features: Iterable[int]) -> float:
        """Return the network's value if these features are on in addition to the accumulated ones: higher is better."""
        rows, sums = self._rows, self._second
        for feature in added_features:
            accumulator += rows[feature]
        for each, row in zip(self._unpack_units(accumulator, 0), self._next, strict=True):
            if each > 0:
                sums += each * row
        hidden = self._unpack_units(sums, 1)
        # The second layer was multiplied by SCALE twice.
        worth = sum([each // SCALE * out for each, out in zip(hidden, self._out, strict=True) if each > 0])
        return (self._begin + worth) / (SCALE * SCALE)

    def _unpack_units(self, sums: int, layer: int) -> tuple[int, ...]:
        # A negative unit borrows from the unit above. Adding the sign bit makes every unit positive.
        signs, layout = self._signs[layer], self._layouts[layer]
        return layout.unpack(((sums + signs) ^ signs).to_bytes(layout.size, "little"))


def _pack_rows(weights: Sequence[int], units: int) -> list[int]:
    """Split weights into rows of `units` numbers, and pack each row into one integer.

    Computing the network then takes one addition for a whole row.
    """
    layout = Layout(f"<{units}q")
    lift = int.from_bytes(layout.pack(*[_LIFT] * units), "little")
    return [
        int.from_bytes(layout.pack(*[each + _LIFT for each in weights[at : at + units]]), "little") - lift
        for at in range(0, len(weights), units)
    ]


def load_network(game: str) -> TwoLayerNetwork | None:
    """Load a game's large network from its weights file, or return None if the game has none."""
    place = files("app.bots") / "weights" / "wide" / f"{game}.json"
    return TwoLayerNetwork(json.decode(place.read_bytes(), type=PackedWeights)) if place.is_file() else None
