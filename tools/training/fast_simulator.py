"""Simulate hands of a climbing game with tables instead of rules (`fast_simulator.c`, compiled on first use).

The rules are asked once for all combinations and what beats what (`CombinationTable`). After that, hands are played
without the rules, about fifty times as fast. Other options, such as bans, required plays and exchanges, are ignored:
the hands only serve for training, and in real play the rules list the legal actions. Needs numpy and a C compiler.
"""

import ctypes
import shutil
import subprocess
import tempfile
from ctypes import POINTER, Structure, byref, c_double, c_float, c_int32, c_int64, c_uint32, c_uint64, c_void_p
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.bots.network.card_features import FEATURES
from app.bots.network.two_layers import SCALE, PackedWeights
from app.bots.view.combinations import SORTS, CombinationTable

_SOURCE: Final = Path(__file__).with_name("fast_simulator.c")
# The same additions in the same order everywhere: a seed gives the same weights on every machine.
_FLAGS: Final = ("-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-shared", "-fPIC")
_TRUE: Final = 240
_LEARNERS, _TURNS = 4, 40
_WIDEST = 1024

SAMPLE_DTYPE: Final = np.dtype([("true", "i2", _TRUE), ("count", "i4"), ("worth", "f4")])
"""A training sample: the features of a choice, their number, and the target value."""
_KNOWN: Final = np.dtype(
    [("mask", "u8"), ("level", "i4"), ("sort", "i1"), ("size", "i1"), ("step", "i1"), ("grade", "i1")]
)

Numbers = NDArray[np.float32]
TrainingSamples = NDArray[np.void]


class TrainingError(Exception):
    """An error: the requested training is impossible on this machine or for this game; the message says why."""


class _Rules(Structure):
    _fields_ = (
        ("count", c_int32),
        ("low_first", c_int32),
        ("bars", c_int32),
        ("paid", c_int32),
        ("dear", c_int32),
        ("goes_on", c_uint32 * SORTS),
        ("from_", c_int32 * SORTS),
        ("to", c_int32 * SORTS),
        ("size", c_int32 * SORTS),
        ("cost", c_float * 14),
        ("all", c_void_p),
        ("highest", c_void_p),
    )


class _Net(Structure):
    _fields_ = (("first", c_int32), ("second", c_int32), ("weights", c_void_p))


class _Practice(Structure):
    _fields_ = (
        ("seed", c_uint64),
        ("hands", c_int32),
        ("heat", c_float),
        ("trust", c_float),
        ("others", c_float * 3),
    )


class _Result(Structure):
    _fields_ = (("seats", c_double), ("points", c_double), ("squares", c_double), ("won", c_double))


class _Memory(Structure):
    _fields_ = (("drift", c_void_p), ("size", c_void_p))


class _Step(Structure):
    _fields_ = (("rate", c_float), ("first", c_float), ("second", c_float))


class RuleTables:
    """The rules of a game as tables for the fast simulator, which is C code (`c_struct`)."""

    def __init__(self, pack: CombinationTable, *, low_first: bool) -> None:
        self.all = np.array([tuple(getattr(one, name) for name in _KNOWN.names or ()) for one in pack.all], _KNOWN)
        places = {one.mask: at for at, one in enumerate(pack.all)}
        highest = [places[one.mask] for some in pack.by_sort_strongest_first.values() for one in some]
        self._highest = np.array(highest, np.int32)
        rules = self.c_struct = _Rules(
            len(pack.all), low_first, pack.passing_bars, pack.is_zero_sum, pack.card_cost_steepness
        )
        at = 0
        for sort, some in pack.by_sort_strongest_first.items():
            rules.from_[sort], rules.to[sort], rules.size[sort] = at, at + len(some), pack.size_by_sort[sort]
            rules.goes_on[sort] = sum(1 << other for other in pack.playable_on[sort])
            at += len(some)
        rules.cost[:] = pack.costs
        rules.all, rules.highest = self.all.ctypes.data, self._highest.ctypes.data


class TrainingResult(NamedTuple):
    """The result of simulated hands, for the seats that the learning network had.

    `seats`: number of these seats, over all hands. `points`: the average per seat, with half of its 95 % interval;
    `win_share`: the share of hands won.
    """

    seats: int
    points: float
    """Average points in a hand."""
    confidence_interval: float
    """Half the width of the 95 % confidence interval of `points`."""
    win_share: float
    """Share of hands won."""


class PracticeSettings(NamedTuple):
    """Settings for simulating hands for training.

    `heat`: exploration noise; with 0 the action with the highest value is played. `trust`: weight, in a sample's
    target, of the network's value of the next choice. `others`: cumulative shares of hands with 0, at most 1 and at
    most 2 seats of the opponent; the other hands have 3.
    """

    hands: int
    seed: int
    heat: float
    """Exploration noise; 0 plays the action with the highest value."""
    trust: float
    """Weight of the network's value of the next choice in a sample's target; the rest comes from later outcomes."""
    others: tuple[float, float, float]
    """Cumulative shares of hands with 0, at most 1 and at most 2 seats of the opponent; the other hands have 3."""


@cache
def load_library() -> Any:
    """Compile and load the fast simulator, `fast_simulator.c`, once; return the loaded library.

    Raises `TrainingError` if that fails or its features don't match.
    """
    compiler = shutil.which("cc")
    if compiler is None:
        raise TrainingError("this wants a C compiler (cc)")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "quick.so"
        made = subprocess.run(  # noqa: S603
            [compiler, *_FLAGS, "-o", str(place), str(_SOURCE), "-lm"], capture_output=True, check=False
        )
        if made.returncode:
            raise TrainingError(f"{_SOURCE.name} can’t be compiled:\n{made.stderr.decode(errors='replace')}")
        found = ctypes.CDLL(str(place))
    if found.features() != FEATURES:
        raise TrainingError(f"{_SOURCE.name} has other features than card_features.py")
    found.practise.restype = c_int64
    found.practise.argtypes = (
        POINTER(_Rules), POINTER(_Net), POINTER(_Net), POINTER(_Practice), c_void_p, c_int64, POINTER(_Result),
    )  # fmt: skip
    found.learn.restype = c_double
    found.learn.argtypes = (
        POINTER(_Net), c_void_p, c_void_p, c_int32, _Memory, POINTER(_Step),
    )  # fmt: skip
    found.size_of_table.restype = ctypes.c_size_t
    return found


class NetworkWeights(NamedTuple):
    """The weights of a large network as an array of floats, with the sizes of its hidden layers (`units`)."""

    weights: Numbers
    units: tuple[int, int]

    @classmethod
    def from_packed(cls, packed: PackedWeights) -> "NetworkWeights":
        """Convert the weights from a network's file to floats, for training."""
        return cls(np.array(packed.unpack(), np.float32) / np.float32(SCALE), packed.units)

    @property
    def c_struct(self) -> _Net:
        """The network as the C code takes it; valid only while this object exists."""
        return _Net(*self.units, self.weights.ctypes.data)

    @property
    def layer_views(self) -> tuple[Numbers, Numbers, Numbers, Numbers, Numbers, Numbers]:
        """Views of the six parts of the network's weights, in the order of the file; writes change the network."""
        first, second = self.units
        sizes = FEATURES * first, first, first * second, second, second
        rows, begin, following, after, out, last = np.split(self.weights, np.cumsum(sizes))
        return rows.reshape(FEATURES, first), begin, following.reshape(first, second), after, out, last

    def widen_to(self, wider: "NetworkWeights") -> "NetworkWeights":
        """Return a network of the size of `wider` that computes the same values as this smaller one, to train it on.

        New units get the incoming weights of `wider`, but contribute nothing to the value yet.
        """
        (first, second), made = self.units, NetworkWeights(wider.weights.copy(), wider.units)
        mine, its = self.layer_views, made.layer_views
        its[0][~mine[0].any(1)] = 0
        its[0][:, :first], its[1][:first], its[2][:first, :second] = mine[:3]
        its[3][:second], its[4][:second], its[5][:] = mine[3:]
        its[2][first:, :second] = 0
        its[4][second:] = 0
        return made


class LargeNetworkTrainer:
    """A large network (two hidden layers) in training, with the state of its Adam optimizer."""

    def __init__(self, units: tuple[int, int], seed: int, begin: NetworkWeights | None = None) -> None:
        """Start from the network `begin`, which may have fewer units, or from random weights.

        `units`: sizes of the hidden layers, multiples of 8.
        """
        first, second = self.units = units
        if first % 8 or second % 8 or not 0 < second <= first <= _WIDEST:
            raise TrainingError(f"units are multiples of 8, at most {_WIDEST}, and fewer in the second layer")
        chance = np.random.default_rng(seed)
        parts = (
            chance.normal(size=FEATURES * first) * 0.05,
            np.zeros(first),
            chance.normal(size=first * second) * (2 / first) ** 0.5,
            np.zeros(second),
            chance.normal(size=second) * 0.3 * (1 / second) ** 0.5,
            np.zeros(1),
        )
        self.weights = np.concatenate(parts).astype(np.float32)
        if begin is not None:
            if begin.units[0] > first or begin.units[1] > second:
                raise TrainingError(f"what is known already has more units: {begin.units[0]} and {begin.units[1]}")
            self.weights = begin.widen_to(NetworkWeights(self.weights, units)).weights
        self._drift, self._size = (np.zeros_like(self.weights) for _ in range(2))
        self._mean = self.weights.copy()
        self._steps = 0

    def train_batch(self, lessons: TrainingSamples, indexes: NDArray[np.int32], rate: float) -> float:
        """Train the large network with one Adam step on the samples at `indexes` of `lessons`.

        `rate` is the learning rate. Returns the mean squared error before the step.
        """
        self._steps += 1
        step = _Step(rate, 1 - 0.9**self._steps, 1 - 0.999**self._steps)
        error: float = load_library().learn(
            byref(NetworkWeights(self.weights, self.units).c_struct),
            lessons.ctypes.data,
            indexes.ctypes.data,
            len(indexes),
            _Memory(self._drift.ctypes.data, self._size.ctypes.data),
            byref(step),
        )
        if self._steps % _MEAN_EVERY == 0:
            means = self._steps // _MEAN_EVERY
            share = np.float32(min(_MEAN_OF, means / (means + _MEAN_EVERY)))
            self._mean = share * self._mean + (1 - share) * self.weights
        return error / len(indexes)

    def mean_weights(self) -> Numbers:
        """Return a copy of the running mean of the weights, which is better than the latest ones."""
        return self._mean.copy()


_MEAN_EVERY, _MEAN_OF = 10, 0.995


def simulate_training_hands(
    tables: RuleTables, learner: NetworkWeights, practice: PracticeSettings, rival: NetworkWeights | None = None
) -> tuple[TrainingSamples, TrainingResult]:
    """Simulate hands with a large network; return training samples of its choices, and its results.

    `tables` are the rules, `learner` is the network, and `practice` sets the number of hands and the exploration. The
    opponent in other seats is the network `rival`, or an easy bot if there is none.
    """
    lessons = np.empty(practice.hands * _LEARNERS * _TURNS // 3, SAMPLE_DTYPE)
    result = _Result()
    asked = _Practice(practice.seed, practice.hands, practice.heat, practice.trust, (c_float * 3)(*practice.others))
    kept: int = load_library().practise(
        byref(tables.c_struct),
        byref(learner.c_struct),
        None if rival is None else byref(rival.c_struct),
        byref(asked),
        lessons.ctypes.data,
        len(lessons),
        byref(result),
    )
    mean = result.points / result.seats
    within = 1.96 * (max(0.0, result.squares / result.seats - mean**2) / result.seats) ** 0.5
    return lessons[:kept], TrainingResult(int(result.seats), mean, within, result.won / result.seats)
