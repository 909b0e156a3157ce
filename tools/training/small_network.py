"""How the network learns: what a choice came to, told to the features that were true of it. Needs numpy.

Rounds of a few hands are played by the network as it was a few rounds before, so that several processes may play while
one learns, and what comes out hangs on the seed and the number of hands alone, not on how many play or how fast. What
was learnt from is kept for a while and told again in another order. What is kept in the end is the mean of the last
weights, which jump less than the weights do.
"""

import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.bots.network.features import BLOCKS, FEATURES, VERSION
from app.bots.network.one_layer import Net, Weights
from app.engine.games import GAMES

from .self_play import SWITCHES, Rules, Sample, lesson, said

HIDDEN = 32
BATCH = 512
AGAIN = 10
"""How often a choice is told."""
KEPT = 300_000
"""Choices that may be told again."""
MOST = 112
"""Features that are true of a choice, at most."""
ROUND = 16
"""Hands of a round."""
AHEAD = 4
"""Rounds that are played before one is learnt from."""
FAST, SLOW = 2e-3, 1e-4
"""How far a lesson goes, at the beginning and at the end."""
HOT, COLD = 0.04, 0.005
"""How much is tried, likewise."""
OWN = 0.5
"""How much of what a feature is worth is its own, beside what it shares with others."""
CALMER = 2
"""Who knows something already takes steps so many times smaller."""
SCALE = 1000

Numbers = NDArray[np.float32]


@dataclass
class Progress:
    """How far it is."""

    hands: int
    choices: int
    error: float


def likeness() -> Numbers:
    """What features have in common, as a matrix: a row for each feature, a column for each thing that is learnt.

    Each feature has something of its own. In a group of steps it shares with those of as many steps and more, so that
    what three turns are worth says something of four; where two numbers stand together, with those that have one of
    them alike. What is learnt of columns is added up to the rows of the network, which knows nothing of this.
    """
    columns = [np.eye(FEATURES, dtype=np.float32) * np.float32(OWN)]
    for block in BLOCKS:
        count, places = block.rows * block.steps, slice(block.first, block.first + block.rows * block.steps)
        row, step = np.divmod(np.arange(count), block.steps)
        for number, of in ((row, block.rows), (step, block.steps)):
            column = np.zeros((FEATURES, max(0, of - 1)), np.float32)
            column[places] = number[:, None] > np.arange(of - 1)
            columns.append(column)
        both = np.zeros((FEATURES, 3), np.float32)
        across, along = row / max(1, block.rows - 1), step / max(1, block.steps - 1)
        both[places] = np.stack([across, along, across * along], 1)
        columns.append(both)
    return np.concatenate(columns, 1)


class Student:
    """A network that learns."""

    def __init__(self, seed: int, begin: Weights | None = None) -> None:
        """It knows what is in `begin`; else nothing."""
        self._chance = np.random.default_rng(seed)
        self._alike = likeness()
        learnt = self._chance.normal(size=(self._alike.shape[1], HIDDEN)) * 0.05
        first, out = np.zeros(HIDDEN), self._chance.normal(size=HIDDEN) * 0.1
        if begin is not None:
            rows, first, out = (np.array(each) / begin.scale for each in (begin.rows, begin.first, begin.out))
            learnt = np.zeros((self._alike.shape[1], len(first)))
            learnt[: len(rows)] = rows / OWN
        self._now: list[Numbers] = [each.astype(np.float32) for each in (learnt, first, out)]
        self._mean = [each.copy() for each in self._now]
        self._drift = [np.zeros_like(each) for each in self._now]
        self._size = [np.zeros_like(each) for each in self._now]
        self._steps = 0

    def lesson(self, features: NDArray[np.int16], worth: Numbers, rate: float) -> float:
        """Learn from some choices by Adam: the mean squared error before it."""
        learnt, first, out = self._now
        rows = self._alike @ learnt
        given = np.zeros((len(worth), FEATURES + 1), np.float32)
        np.put_along_axis(given, features.astype(np.intp), np.float32(1), axis=1)
        given = given[:, :FEATURES]
        hidden = np.maximum(given @ rows + first, 0)
        wrong = hidden @ out - worth
        by_value = wrong * np.float32(2 / len(worth))
        by_hidden = np.outer(by_value, out) * (hidden > 0)
        self._step([self._alike.T @ (given.T @ by_hidden), by_hidden.sum(0), hidden.T @ by_value], rate)
        return float(np.mean(wrong**2))

    def _step(self, slopes: list[Numbers], rate: float) -> None:
        self._steps += 1
        for at, slope in enumerate(slopes):
            self._drift[at] = 0.9 * self._drift[at] + 0.1 * slope
            self._size[at] = 0.999 * self._size[at] + 0.001 * slope * slope
            drift = self._drift[at] / (1 - 0.9**self._steps)
            size = self._size[at] / (1 - 0.999**self._steps)
            self._now[at] = (self._now[at] - rate * drift / (np.sqrt(size) + 1e-7)).astype(np.float32)
            share = min(0.999, self._steps / (self._steps + 10))
            self._mean[at] = share * self._mean[at] + (1 - share) * self._now[at]

    def now(self) -> Weights:
        """The weights as they are now, to play with."""
        return self._weights(self._now, "")

    def weights(self, made: str) -> Weights:
        """The mean of the last weights, to be kept."""
        return self._weights(self._mean, made)

    def _weights(self, parts: list[Numbers], made: str) -> Weights:
        rows, first, out = (
            [*np.rint(part * SCALE).astype(int).tolist()] for part in (self._alike @ parts[0], *parts[1:])
        )
        return Weights(features=VERSION, made=made, scale=SCALE, rows=rows, first=first, out=out)


@dataclass(frozen=True)
class Training:
    """What is to be learnt."""

    game: str
    hands: int
    seed: int
    most: tuple[str, ...] = ()
    """The presets that are played most; none: the first."""
    switches: float = SWITCHES
    """How often random switches are played."""
    begin: Weights | None = None
    """What is known already."""
    besides: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Switches that those presets are played with."""

    @property
    def rules(self) -> tuple[Rules, ...]:
        """What is played most; none: the first preset as it is."""
        presets = self.most or ((GAMES[self.game].declared.presets[0].key,) if self.besides else ())
        return tuple({"preset": preset, **self.besides} for preset in presets)

    @property
    def made(self) -> str:
        """The command that takes it, behind the one that led to what is known already."""
        rules = said(self.most, self.besides, self.switches)
        before, on = ("", "") if self.begin is None else (f"{self.begin.made}; ", " --on")
        return f"{before}python -m tools train {self.game} --hands {self.hands} --seed {self.seed}{rules}{on}"


def learn(training: Training, players: Executor, told: Callable[[Progress, Weights], None]) -> Weights:
    """Play hands of a game, and learn from them; `told` hears of each round, and gets the weights so far."""
    hands, seed = training.hands, training.seed
    student, memory = Student(seed, training.begin), _Memory(seed)
    calm = 1 if training.begin is None else CALMER
    rounds = max(AHEAD, hands // ROUND)
    playing = deque[Future[list[Sample]]]()
    errors = deque([1.0], 400)

    def heat(number: int) -> float:
        return HOT + (COLD - HOT) * number / rounds

    def begin(number: int) -> None:
        chance = f"{seed}/{number}"
        rules = training.game, training.rules, training.switches
        playing.append(players.submit(play_round, rules, student.now(), heat(number), chance))

    for number in range(AHEAD):
        begin(number)
    for number in range(rounds):
        memory.keep(playing.popleft().result())
        rate = (FAST + (SLOW - FAST) * number / rounds) / calm
        errors.extend(student.lesson(*some, rate) for some in memory.some())
        if number + AHEAD < rounds:
            begin(number + AHEAD)
        progress = Progress((number + 1) * ROUND, memory.choices, sum(errors) / len(errors))
        told(progress, student.weights(""))
    return student.weights(training.made)


def play_round(rules: tuple[str, tuple[Rules, ...], float], weights: Weights, heat: float, seed: str) -> list[Sample]:
    """What a round teaches: played wherever there is time."""
    game, most, switches = rules
    return lesson(GAMES[game], Net(weights), heat, random.Random(seed), ROUND, most, switches)


class _Memory:
    """The choices that may be told again."""

    def __init__(self, seed: int) -> None:
        self.choices = 0
        self._chance = np.random.default_rng(seed)
        self._features = np.full((KEPT, MOST), FEATURES, np.int16)
        self._worth = np.zeros(KEPT, np.float32)
        self._due = 0

    def keep(self, samples: list[Sample]) -> None:
        """Add some, in the place of the oldest."""
        for true, worth in samples:
            at = self.choices % KEPT
            self._worth[at] = worth
            self._features[at] = FEATURES
            self._features[at, : len(true)] = true[:MOST]
            self.choices += 1
        self._due += len(samples) * AGAIN

    def some(self) -> Iterator[tuple[NDArray[np.int16], Numbers]]:
        """As many batches as are due."""
        there = min(self.choices, KEPT)
        while self._due >= BATCH:
            self._due -= BATCH
            some = self._chance.integers(0, there, BATCH)
            yield self._features[some], self._worth[some]
