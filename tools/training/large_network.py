"""Train the large network on hands from the fast simulator (fast_simulator.py). Needs numpy and a C compiler.

Each round is played with the weights of a few rounds before. So threads can play during training, and the result
depends only on the seed and the number of hands.
"""

import random
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from app.arena.random_rules import random_options
from app.bots.network.card_features import FEATURES, VERSION
from app.bots.network.two_layers import SCALE, PackedWeights
from app.bots.view.card_order import RuleSet
from app.bots.view.combinations import build_combination_table
from app.engine.base.options import Options
from app.engine.climbing.game import ClimbingGame
from app.engine.games import GAMES

from .fast_simulator import (
    SAMPLE_DTYPE,
    LargeNetworkTrainer,
    NetworkWeights,
    Numbers,
    PracticeSettings,
    RuleTables,
    TrainingError,
    TrainingResult,
    TrainingSamples,
    simulate_training_hands,
)
from .self_play import CALM, EASY, SWITCHES, rules_as_options

UNITS = (256, 32)
PLAYERS = 4
ROUND = 500
"""Number of hands in a round."""
AHEAD = 3
"""Number of rounds that are played ahead of training."""
BATCH = 512
AGAIN = 1
"""Number of times that each sample is used on average."""
KEPT = 400_000
"""Capacity of the replay buffer, in samples."""
FIRST = 20_000
"""Number of samples collected before training starts."""
FAST, SLOW = 1e-3, 1e-5
"""Learning rate at the beginning and at the end."""
HOT, COLD = 0.012, 0.003
"""Exploration noise at the beginning and at the end."""
TRUST = 0.5
"""Weight of the network's value of the next choice in a sample's target; the rest comes from later outcomes."""
_UNMOVED = 1 / 512
JUDGED = 4000
"""Number of hands for evaluating the network."""


class TrainingProgress(NamedTuple):
    """The progress of a training of the large network, for printing.

    `hands` and `choices` (samples) are counts so far; `error` is the recent mean squared error. `result` is that of
    evaluation hands against easy bots, `gain` that against the network with which training began, or None.
    """

    hands: int
    choices: int
    error: float
    result: TrainingResult
    """Result of the network against three easy bots, by the first rules."""
    gain: TrainingResult | None
    """Result against three copies of the starting network; None without starting weights."""


@dataclass(frozen=True)
class LargeTraining:
    """Settings of a training of the large network.

    `units`: sizes of the hidden layers. `most`: preferred presets, used in turn; if empty, the first preset. `besides`:
    options that differ from these presets. `switches`: share of rounds with random options. `easy`: share of hands
    against three easy bots. `begin`: weights to go on from, or None. `calm`: divisor for learning rate and exploration
    in that case.
    """

    game: str
    hands: int
    seed: int
    units: tuple[int, int] = UNITS
    most: tuple[str, ...] = ()
    """Preferred presets, used in turn; if empty, the first preset."""
    switches: float = SWITCHES
    """Share of rounds with random options. The other rounds use the preferred presets in turn."""
    besides: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Options for the preferred presets."""
    easy: float = EASY
    """Share of hands against three easy bots. A quarter of the other hands has one or two easy bots."""
    begin: PackedWeights | None = None
    """Weights to continue from, or None to start from random weights."""
    calm: float = CALM
    """Divisor for learning rate and exploration when training continues from weights."""

    @property
    def training_command(self) -> str:
        """The command line of this training, stored with the weights, after the commands that made those in `begin`."""
        how = rules_as_options(self.most, self.besides, self.switches)
        how += "" if self.easy == EASY else f" --easy {self.easy:g}"
        how += "" if self.units == UNITS else f" --units {self.units[0]} {self.units[1]}"
        before, on = ("", "") if self.begin is None else (f"{self.begin.made}; ", " --on")
        on += "" if self.calm == CALM or not on else f" --calm {self.calm:g}"
        return f"{before}python -m tools train {self.game} --wide --hands {self.hands} --seed {self.seed}{how}{on}"

    @property
    def easy_bot_shares(self) -> tuple[float, float, float]:
        """Cumulative shares of training hands with 0, at most 1 and at most 2 easy bots; the other hands have 3."""
        rest = 1 - self.easy
        return 0.75 * rest, 0.875 * rest, rest

    def rule_tables(self, round_number: int) -> RuleTables:
        """Return the rules for a round of training, as tables for the simulator; -1 means the first preferred preset.

        Random options are drawn until their settlement is zero-sum exactly if that of the preset is. Otherwise, values
        of hands would not be comparable. Raises `TrainingError` if the rules do not suit the simulator.
        """
        declared, chance = GAMES[self.game].option_schema, random.Random(f"{self.seed}/{round_number}")
        presets = self.most or (declared.presets[0].key,)
        usual = declared.resolve_options({"preset": presets[max(round_number, 0) % len(presets)], **self.besides})
        found = None
        if round_number >= 0 and chance.random() < self.switches:
            while found is None:
                drawn = random_options(GAMES[self.game], chance)
                if declared.is_zero_sum(drawn) == declared.is_zero_sum(usual):
                    found = build_rule_tables(self.game, drawn)
        found = found or build_rule_tables(self.game, usual)
        if found is None:
            raise TrainingError(f"it is for four players with one pack, which {self.game} is not played with so")
        return found


def build_rule_tables(game: str, options: Options) -> RuleTables | None:
    """Build the simulator's tables for a game with options; None if the large network can't play by these rules."""
    made: object = GAMES[game]
    assert isinstance(made, ClimbingGame)
    pack = build_combination_table(RuleSet(made, options), PLAYERS)
    return None if pack is None else RuleTables(pack, low_first=True)


def train_large_network(
    training: LargeTraining, threads: int, on_progress: Callable[[TrainingProgress], None], every: int
) -> PackedWeights:
    """Train a large network on simulated hands and return its packed weights for the file.

    Calls `on_progress` after each `every` rounds. `threads`: number of threads that simulate hands.
    """
    begin = None if training.begin is None else NetworkWeights.from_packed(training.begin)
    student = LargeNetworkTrainer(training.units, training.seed, begin)
    chance = np.random.default_rng(training.seed)
    kept, choices, due = np.zeros(KEPT, SAMPLE_DTYPE), 0, 0
    rounds = max(AHEAD, training.hands // ROUND)
    calm = 1 if begin is None else training.calm
    errors = deque([1.0], 2000)
    usual = training.rule_tables(-1)
    playing = deque[Future[TrainingSamples]]()

    def played(number: int, weights: Numbers) -> TrainingSamples:
        tables = training.rule_tables(number) if training.switches or len(training.most) > 1 else usual
        heat = (HOT + (COLD - HOT) * number / rounds) / calm
        practice = PracticeSettings(ROUND, training.seed * 1_000_003 + number, heat, TRUST, training.easy_bot_shares)
        return simulate_training_hands(tables, NetworkWeights(weights, training.units), practice)[0]

    with ThreadPoolExecutor(threads) as players:
        for number in range(AHEAD):
            playing.append(players.submit(played, number, student.weights.copy()))
        for number in range(rounds):
            lessons = playing.popleft().result()
            if number + AHEAD < rounds:
                playing.append(players.submit(played, number + AHEAD, student.weights.copy()))
            kept[(choices + np.arange(len(lessons))) % KEPT] = lessons
            choices += len(lessons)
            due += AGAIN * len(lessons)
            rate = FAST * (SLOW / FAST) ** (number / rounds) / calm
            while due >= BATCH and choices >= FIRST:
                due -= BATCH
                which = chance.integers(0, min(choices, KEPT), BATCH).astype(np.int32)
                errors.append(student.train_batch(kept, which, rate))
            if (number + 1) % every == 0 or number + 1 == rounds:
                now = NetworkWeights(student.mean_weights(), training.units)
                judged = PracticeSettings(JUDGED, 1 << 40, 0.0, 0.0, (0.0, 0.0, 0.0))
                result = simulate_training_hands(usual, now, judged)[1]
                gain = None if begin is None else simulate_training_hands(usual, now, judged, begin)[1]
                on_progress(TrainingProgress((number + 1) * ROUND, choices, sum(errors) / len(errors), result, gain))
    return pack_weights(student.mean_weights(), training)


def pack_weights(weights: Numbers, training: LargeTraining) -> PackedWeights:
    """Round a large network's weights to integers and pack them for the file.

    Rows that training did not move, for features that were never on, are set to 0, unless training continued from
    weights.
    """
    if training.begin is None:
        weights, rows = weights.copy(), FEATURES * training.units[0]
        began = LargeNetworkTrainer(training.units, training.seed).weights[:rows].reshape(FEATURES, -1)
        ended = weights[:rows].reshape(FEATURES, -1)
        ended[np.abs(ended - began).max(1) < _UNMOVED] = 0
    whole = np.clip(np.rint(weights * np.float32(SCALE)), -32768, 32767).astype(int)
    assert len(whole) > FEATURES * training.units[0]
    return PackedWeights.pack(VERSION, training.training_command, training.units, whole.tolist())
