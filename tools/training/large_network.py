"""How the wide network learns: from very many hands, played quickly (fast_simulator.py). Wants numpy, and a C compiler.

Rounds are played by the network as it was a few rounds before, so that some play while one learns, and what comes out
hangs on the seed and the number of hands alone.
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
from app.bots.network.two_layers import SCALE, Packed
from app.bots.view.card_order import RulesInForce
from app.bots.view.combinations import pack_of
from app.engine.base.options import Options
from app.engine.climbing.game import ClimbingGame
from app.engine.games import GAMES

from .fast_simulator import LESSON, Brain, CannotLearn, Lessons, Numbers, Practice, Pupil, Result, Tables, practise
from .self_play import CALM, EASY, SWITCHES, said

UNITS = (256, 32)
PLAYERS = 4
ROUND = 500
"""Hands of a round."""
AHEAD = 3
"""Rounds that are played before one is learnt from."""
BATCH = 512
AGAIN = 1
"""How often a choice is told."""
KEPT = 400_000
"""Choices that may be told again."""
FIRST = 20_000
"""Choices before anything is learnt."""
FAST, SLOW = 1e-3, 1e-5
"""How far a lesson goes, at the beginning and at the end."""
HOT, COLD = 0.012, 0.003
"""How much is tried, likewise."""
TRUST = 0.5
"""How much a choice is judged by what the network thought of the next one, and not by the end."""
_UNMOVED = 1 / 512
JUDGED = 4000
"""Hands by which it is told how far one is."""


class SoFar(NamedTuple):
    """How far it is."""

    hands: int
    choices: int
    error: float
    result: Result
    """Of a seat among three of the greedy bot, by the first rules."""
    gain: Result | None
    """Of a seat among three that know what was known already; None where nothing was."""


@dataclass(frozen=True)
class Deepening:
    """What is to be learnt."""

    game: str
    hands: int
    seed: int
    units: tuple[int, int] = UNITS
    most: tuple[str, ...] = ()
    """The presets that are played most; none: the first."""
    switches: float = SWITCHES
    """How often random switches are played; of the rest those presets in turn."""
    besides: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Switches that those presets are played with."""
    easy: float = EASY
    """How often one plays among three greedy bots; of the other hands one or two of these are in a quarter."""
    begin: Packed | None = None
    """What is known already."""
    calm: float = CALM
    """How many times smaller steps are if something is, and how much less is tried."""

    @property
    def made(self) -> str:
        """The command that takes it, behind the one that led to what is known already."""
        how = said(self.most, self.besides, self.switches)
        how += "" if self.easy == EASY else f" --easy {self.easy:g}"
        how += "" if self.units == UNITS else f" --units {self.units[0]} {self.units[1]}"
        before, on = ("", "") if self.begin is None else (f"{self.begin.made}; ", " --on")
        on += "" if self.calm == CALM or not on else f" --calm {self.calm:g}"
        return f"{before}python -m tools train {self.game} --wide --hands {self.hands} --seed {self.seed}{how}{on}"

    @property
    def greedy(self) -> tuple[float, float, float]:
        """Below these shares of hands no, one and two seats are the greedy bot's; else three."""
        rest = 1 - self.easy
        return 0.75 * rest, 0.875 * rest, rest

    def rules(self, number: int) -> Tables:
        """What is played in a round; -1: the first of those presets. Of random switches those are taken that say alike
        whether losers pay the winner: else a hand is worth something else."""
        declared, chance = GAMES[self.game].declared, random.Random(f"{self.seed}/{number}")
        presets = self.most or (declared.presets[0].key,)
        usual = declared.resolve({"preset": presets[max(number, 0) % len(presets)], **self.besides})
        found = None
        if number >= 0 and chance.random() < self.switches:
            while found is None:
                drawn = random_options(GAMES[self.game], chance)
                if declared.is_zero_sum(drawn) == declared.is_zero_sum(usual):
                    found = tables_of(self.game, drawn)
        found = found or tables_of(self.game, usual)
        if found is None:
            raise CannotLearn(f"it is for four players with one pack, which {self.game} is not played with so")
        return found


def tables_of(game: str, options: Options) -> Tables | None:
    """The tables of some rules; None where the wide network can't play by them."""
    made: object = GAMES[game]
    assert isinstance(made, ClimbingGame)
    pack = pack_of(RulesInForce(made, options), PLAYERS)
    return None if pack is None else Tables(pack, low_first=True)


def deepen(training: Deepening, threads: int, told: Callable[[SoFar], None], every: int) -> Packed:
    """Play hands of a game, and learn from them; `told` hears each so many rounds how far it is."""
    begin = None if training.begin is None else Brain.of(training.begin)
    student = Pupil(training.units, training.seed, begin)
    chance = np.random.default_rng(training.seed)
    kept, choices, due = np.zeros(KEPT, LESSON), 0, 0
    rounds = max(AHEAD, training.hands // ROUND)
    calm = 1 if begin is None else training.calm
    errors = deque([1.0], 2000)
    usual = training.rules(-1)
    playing = deque[Future[Lessons]]()

    def played(number: int, weights: Numbers) -> Lessons:
        tables = training.rules(number) if training.switches or len(training.most) > 1 else usual
        heat = (HOT + (COLD - HOT) * number / rounds) / calm
        practice = Practice(ROUND, training.seed * 1_000_003 + number, heat, TRUST, training.greedy)
        return practise(tables, Brain(weights, training.units), practice)[0]

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
                errors.append(student.lesson(kept, which, rate))
            if (number + 1) % every == 0 or number + 1 == rounds:
                now = Brain(student.mean(), training.units)
                judged = Practice(JUDGED, 1 << 40, 0.0, 0.0, (0.0, 0.0, 0.0))
                result = practise(usual, now, judged)[1]
                gain = None if begin is None else practise(usual, now, judged, begin)[1]
                told(SoFar((number + 1) * ROUND, choices, sum(errors) / len(errors), result, gain))
    return packed(student.mean(), training)


def packed(weights: Numbers, training: Deepening) -> Packed:
    """Weights to be kept, made whole. Of features that were never true nothing was learnt, and nothing is thought."""
    if training.begin is None:
        weights, rows = weights.copy(), FEATURES * training.units[0]
        began = Pupil(training.units, training.seed).weights[:rows].reshape(FEATURES, -1)
        ended = weights[:rows].reshape(FEATURES, -1)
        ended[np.abs(ended - began).max(1) < _UNMOVED] = 0
    whole = np.clip(np.rint(weights * np.float32(SCALE)), -32768, 32767).astype(int)
    assert len(whole) > FEATURES * training.units[0]
    return Packed.of(VERSION, training.made, training.units, whole.tolist())
