"""Train the small network on samples from self-play, to predict the outcome of a choice. Needs numpy.

Each round of a few hands is played with the weights of a few rounds before. So several processes can play while one
trains, and the result depends only on the seed and the number of hands. Samples stay in a replay buffer and are used
several times in random order. The final weights are a running mean, which fluctuates less than the latest weights.
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
from app.bots.network.one_layer import OneLayerNetwork, Weights
from app.engine.games import GAMES

from .self_play import SWITCHES, Rules, Sample, play_training_hands, rules_as_options

HIDDEN = 32
BATCH = 512
AGAIN = 10
"""Number of times that each sample is used on average."""
KEPT = 300_000
"""Capacity of the replay buffer, in samples."""
MOST = 112
"""Largest number of features stored per sample."""
ROUND = 16
"""Number of hands in a round."""
AHEAD = 4
"""Number of rounds that are played ahead of training."""
FAST, SLOW = 2e-3, 1e-4
"""Learning rate at the beginning and at the end."""
HOT, COLD = 0.04, 0.005
"""Exploration noise (`Learner`) at the beginning and at the end."""
OWN = 0.5
"""Weight of a feature's own parameters, compared with 1 for parameters shared with other features."""
CALMER = 2
"""Divisor for the learning rate when training continues from weights."""
SCALE = 1000

Numbers = NDArray[np.float32]


@dataclass
class SmallNetworkProgress:
    """The progress of a training of the small network: hands, samples, and recent mean squared error.

    `choices` is the number of samples.
    """

    hands: int
    choices: int
    error: float


def feature_sharing_matrix() -> Numbers:
    """Return the matrix by which features of the small network share learned parameters.

    It has a row per feature and a column per parameter. Each feature has a parameter of its own. In a group of steps,
    each threshold has a parameter that all higher steps share, so samples with three turns also teach about four. In a
    group of two numbers, this holds for both numbers. The network's rows are this matrix times the parameters; the
    network itself doesn't use the matrix.
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


class SmallNetworkTrainer:
    """A small network in training, with the state of its Adam optimizer and the running mean of its weights."""

    def __init__(self, seed: int, begin: Weights | None = None) -> None:
        """Start from the weights in `begin`, or from random weights."""
        self._chance = np.random.default_rng(seed)
        self._alike = feature_sharing_matrix()
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

    def train_batch(self, features: NDArray[np.int16], worth: Numbers, rate: float) -> float:
        """Train the small network with one Adam step on a batch; return the mean squared error before the step.

        `features` has the numbers of the features that are on, a row for each sample. `worth` are the outcomes to
        predict, and `rate` is the learning rate.
        """
        learnt, first, out = self._now
        rows = self._alike @ learnt
        given = np.zeros((len(worth), FEATURES + 1), np.float32)
        np.put_along_axis(given, features.astype(np.intp), np.float32(1), axis=1)
        given = given[:, :FEATURES]
        hidden = np.maximum(given @ rows + first, 0)
        wrong = hidden @ out - worth
        by_value = wrong * np.float32(2 / len(worth))
        by_hidden = np.outer(by_value, out) * (hidden > 0)
        self._apply_adam_step([self._alike.T @ (given.T @ by_hidden), by_hidden.sum(0), hidden.T @ by_value], rate)
        return float(np.mean(wrong**2))

    def _apply_adam_step(self, gradients: list[Numbers], rate: float) -> None:
        self._steps += 1
        for at, slope in enumerate(gradients):
            self._drift[at] = 0.9 * self._drift[at] + 0.1 * slope
            self._size[at] = 0.999 * self._size[at] + 0.001 * slope * slope
            drift = self._drift[at] / (1 - 0.9**self._steps)
            size = self._size[at] / (1 - 0.999**self._steps)
            self._now[at] = (self._now[at] - rate * drift / (np.sqrt(size) + 1e-7)).astype(np.float32)
            share = min(0.999, self._steps / (self._steps + 10))
            self._mean[at] = share * self._mean[at] + (1 - share) * self._now[at]

    def current_weights(self) -> Weights:
        """Return the small network's latest weights, with which the next rounds are played."""
        return self._to_weights(self._now, "")

    def mean_weights(self, made: str) -> Weights:
        """Return the running mean of the small network's weights, for the file. `made` tells how they were made."""
        return self._to_weights(self._mean, made)

    def _to_weights(self, parts: list[Numbers], made: str) -> Weights:
        rows, first, out = (
            [*np.rint(part * SCALE).astype(int).tolist()] for part in (self._alike @ parts[0], *parts[1:])
        )
        return Weights(features=VERSION, made=made, scale=SCALE, rows=rows, first=first, out=out)


@dataclass(frozen=True)
class Training:
    """Settings of a training of the small network.

    `most`: preferred presets; if empty, the first preset. `besides`: options that differ from these presets.
    `switches`: share of matches with random options. `begin`: weights to go on from, or None for random ones.
    """

    game: str
    hands: int
    seed: int
    most: tuple[str, ...] = ()
    """Preferred presets; if empty, the first preset."""
    switches: float = SWITCHES
    """Share of matches with random options."""
    begin: Weights | None = None
    """Weights to continue from, or None to start from random weights."""
    besides: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Options for the preferred presets."""

    @property
    def preset_rules(self) -> tuple[Rules, ...]:
        """The rules that this training prefers; empty means the first preset without changes."""
        presets = self.most or ((GAMES[self.game].option_schema.presets[0].key,) if self.besides else ())
        return tuple({"preset": preset, **self.besides} for preset in presets)

    @property
    def training_command(self) -> str:
        """The command line of this training, stored with the weights, after the commands that made those in `begin`."""
        rules = rules_as_options(self.most, self.besides, self.switches)
        before, on = ("", "") if self.begin is None else (f"{self.begin.made}; ", " --on")
        return f"{before}python -m tools train {self.game} --hands {self.hands} --seed {self.seed}{rules}{on}"


def train_small_network(
    training: Training, executor: Executor, on_progress: Callable[[SmallNetworkProgress, Weights], None]
) -> Weights:
    """Train a small network by self-play and return its final weights.

    Calls `on_progress` after each round with the mean weights. Rounds are played in the processes of `executor`.
    """
    hands, seed = training.hands, training.seed
    student, memory = SmallNetworkTrainer(seed, training.begin), _ReplayBuffer(seed)
    calm = 1 if training.begin is None else CALMER
    rounds = max(AHEAD, hands // ROUND)
    playing = deque[Future[list[Sample]]]()
    errors = deque([1.0], 400)

    def heat(number: int) -> float:
        return HOT + (COLD - HOT) * number / rounds

    def begin(number: int) -> None:
        chance = f"{seed}/{number}"
        rules = training.game, training.preset_rules, training.switches
        playing.append(executor.submit(play_round, rules, student.current_weights(), heat(number), chance))

    for number in range(AHEAD):
        begin(number)
    for number in range(rounds):
        memory.add_samples(playing.popleft().result())
        rate = (FAST + (SLOW - FAST) * number / rounds) / calm
        errors.extend(student.train_batch(*some, rate) for some in memory.due_batches())
        if number + AHEAD < rounds:
            begin(number + AHEAD)
        progress = SmallNetworkProgress((number + 1) * ROUND, memory.choices, sum(errors) / len(errors))
        on_progress(progress, student.mean_weights(""))
    return student.mean_weights(training.training_command)


def play_round(rules: tuple[str, tuple[Rules, ...], float], weights: Weights, heat: float, seed: str) -> list[Sample]:
    """Play one round of training hands, in any process, and return the samples.

    `rules`: game, preferred rules, share of random options. `heat`: amount of exploration.
    """
    game, most, switches = rules
    return play_training_hands(GAMES[game], OneLayerNetwork(weights), heat, random.Random(seed), ROUND, most, switches)


class _ReplayBuffer:
    """A ring buffer of the latest `KEPT` training samples, from which random batches are drawn."""

    def __init__(self, seed: int) -> None:
        self.choices = 0
        self._chance = np.random.default_rng(seed)
        self._features = np.full((KEPT, MOST), FEATURES, np.int16)
        self._worth = np.zeros(KEPT, np.float32)
        self._due = 0

    def add_samples(self, samples: list[Sample]) -> None:
        """Add training samples, and overwrite the oldest if the buffer is full; more batches become due."""
        for true, worth in samples:
            at = self.choices % KEPT
            self._worth[at] = worth
            self._features[at] = FEATURES
            self._features[at, : len(true)] = true[:MOST]
            self.choices += 1
        self._due += len(samples) * AGAIN

    def due_batches(self) -> Iterator[tuple[NDArray[np.int16], Numbers]]:
        """Yield random batches of training samples until each sample was used `AGAIN` times on average."""
        there = min(self.choices, KEPT)
        while self._due >= BATCH:
            self._due -= BATCH
            some = self._chance.integers(0, there, BATCH)
            yield self._features[some], self._worth[some]
