"""Play hands of a climbing game very quickly, by tables instead of rules (`fast_simulator.c`, compiled when needed).

The rules are asked once what there is in a pack and what beats what (`Pack`); from then on a hand is played without
them, some fifty times as many a second. What a switch says besides, of bans, duties and gifts, such hands do not know:
they are to learn from, and whoever plays by what was learnt is told by the rules what is legal. Wants numpy, and a C
compiler.
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
from app.bots.network.two_layers import SCALE, Packed
from app.bots.view.combinations import SORTS, Pack

_SOURCE: Final = Path(__file__).with_name("fast_simulator.c")
# The same additions in the same order everywhere: a seed gives the same weights on every machine.
_FLAGS: Final = ("-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-shared", "-fPIC")
_TRUE: Final = 240
_LEARNERS, _TURNS = 4, 40
_WIDEST = 1024

LESSON: Final = np.dtype([("true", "i2", _TRUE), ("count", "i4"), ("worth", "f4")])
"""A choice: what was true of it, and what came of it."""
_KNOWN: Final = np.dtype(
    [("mask", "u8"), ("level", "i4"), ("sort", "i1"), ("size", "i1"), ("step", "i1"), ("grade", "i1")]
)

Numbers = NDArray[np.float32]
Lessons = NDArray[np.void]


class CannotLearn(Exception):
    """What is asked for can't be learnt here, and why."""


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


class Tables:
    """The rules as tables."""

    def __init__(self, pack: Pack, *, low_first: bool) -> None:
        self.all = np.array([tuple(getattr(one, name) for name in _KNOWN.names or ()) for one in pack.all], _KNOWN)
        places = {one.mask: at for at, one in enumerate(pack.all)}
        highest = [places[one.mask] for some in pack.highest.values() for one in some]
        self._highest = np.array(highest, np.int32)
        rules = self.c = _Rules(len(pack.all), low_first, pack.bars, pack.paid, pack.dear)
        at = 0
        for sort, some in pack.highest.items():
            rules.from_[sort], rules.to[sort], rules.size[sort] = at, at + len(some), pack.sizes[sort]
            rules.goes_on[sort] = sum(1 << other for other in pack.goes_on[sort])
            at += len(some)
        rules.cost[:] = pack.costs
        rules.all, rules.highest = self.all.ctypes.data, self._highest.ctypes.data


class Result(NamedTuple):
    """What came of hands for those who learn."""

    seats: int
    points: float
    """A hand, on the average."""
    within: float
    """So far to either side of that it may be, with 95 % certainty."""
    won: float
    """The share that they won."""


class Practice(NamedTuple):
    """How hands are played to learn from."""

    hands: int
    seed: int
    heat: float
    """How much is tried besides what is thought best."""
    trust: float
    """How much a choice is judged by what was thought of the next one, and not by the end."""
    others: tuple[float, float, float]
    """Below these shares no, one and two seats are somebody else's; else three."""


@cache
def library() -> Any:
    """`fast_simulator.c`, compiled; `CannotLearn` where that can't be done."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise CannotLearn("this wants a C compiler (cc)")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "quick.so"
        made = subprocess.run(  # noqa: S603
            [compiler, *_FLAGS, "-o", str(place), str(_SOURCE), "-lm"], capture_output=True, check=False
        )
        if made.returncode:
            raise CannotLearn(f"{_SOURCE.name} can’t be compiled:\n{made.stderr.decode(errors='replace')}")
        found = ctypes.CDLL(str(place))
    if found.features() != FEATURES:
        raise CannotLearn(f"{_SOURCE.name} has other features than card_features.py")
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


class Brain(NamedTuple):
    """A network as numbers."""

    weights: Numbers
    units: tuple[int, int]

    @classmethod
    def of(cls, packed: Packed) -> "Brain":
        """As it is kept."""
        return cls(np.array(packed.read(), np.float32) / np.float32(SCALE), packed.units)

    @property
    def c(self) -> _Net:
        """As C has it, as long as this is there."""
        return _Net(*self.units, self.weights.ctypes.data)

    @property
    def parts(self) -> tuple[Numbers, Numbers, Numbers, Numbers, Numbers, Numbers]:
        """As `Packed` names them, one after the other; changing them changes it."""
        first, second = self.units
        sizes = FEATURES * first, first, first * second, second, second
        rows, begin, following, after, out, last = np.split(self.weights, np.cumsum(sizes))
        return rows.reshape(FEATURES, first), begin, following.reshape(first, second), after, out, last

    def widened(self, wider: "Brain") -> "Brain":
        """One with the units of a wider one, which says the same as this: what is new there adds nothing yet."""
        (first, second), made = self.units, Brain(wider.weights.copy(), wider.units)
        mine, its = self.parts, made.parts
        its[0][~mine[0].any(1)] = 0
        its[0][:, :first], its[1][:first], its[2][:first, :second] = mine[:3]
        its[3][:second], its[4][:second], its[5][:] = mine[3:]
        its[2][first:, :second] = 0
        its[4][second:] = 0
        return made


class Pupil:
    """A network of two hidden layers that learns, by Adam."""

    def __init__(self, units: tuple[int, int], seed: int, begin: Brain | None = None) -> None:
        """`units`: of the hidden layers, multiples of 8. It knows what `begin` does, which may have fewer; else
        nothing."""
        first, second = self.units = units
        if first % 8 or second % 8 or not 0 < second <= first <= _WIDEST:
            raise CannotLearn(f"units are multiples of 8, at most {_WIDEST}, and fewer in the second layer")
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
                raise CannotLearn(f"what is known already has more units: {begin.units[0]} and {begin.units[1]}")
            self.weights = begin.widened(Brain(self.weights, units)).weights
        self._drift, self._size = (np.zeros_like(self.weights) for _ in range(2))
        self._mean = self.weights.copy()
        self._steps = 0

    def lesson(self, lessons: Lessons, which: NDArray[np.int32], rate: float) -> float:
        """Learn from some choices: the mean squared error before it."""
        self._steps += 1
        step = _Step(rate, 1 - 0.9**self._steps, 1 - 0.999**self._steps)
        error: float = library().learn(
            byref(Brain(self.weights, self.units).c),
            lessons.ctypes.data,
            which.ctypes.data,
            len(which),
            _Memory(self._drift.ctypes.data, self._size.ctypes.data),
            byref(step),
        )
        if self._steps % _MEAN_EVERY == 0:
            means = self._steps // _MEAN_EVERY
            share = np.float32(min(_MEAN_OF, means / (means + _MEAN_EVERY)))
            self._mean = share * self._mean + (1 - share) * self.weights
        return error / len(which)

    def mean(self) -> Numbers:
        """The mean of the last weights."""
        return self._mean.copy()


_MEAN_EVERY, _MEAN_OF = 10, 0.995


def practise(tables: Tables, learner: Brain, practice: Practice, rival: Brain | None = None) -> tuple[Lessons, Result]:
    """Play hands by a network: the learners' choices, and what came of them. Somebody else is the greedy bot, or
    another network."""
    lessons = np.empty(practice.hands * _LEARNERS * _TURNS // 3, LESSON)
    result = _Result()
    asked = _Practice(practice.seed, practice.hands, practice.heat, practice.trust, (c_float * 3)(*practice.others))
    kept: int = library().practise(
        byref(tables.c),
        byref(learner.c),
        None if rival is None else byref(rival.c),
        byref(asked),
        lessons.ctypes.data,
        len(lessons),
        byref(result),
    )
    mean = result.points / result.seats
    within = 1.96 * (max(0.0, result.squares / result.seats - mean**2) / result.seats) ** 0.5
    return lessons[:kept], Result(int(result.seats), mean, within, result.won / result.seats)
