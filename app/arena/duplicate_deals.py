"""Two bots against each other, measured: duplicate deals, seats turned, pairs won.

A deal is played once for each turn of the table, so that both bots have held the same cards in the same places. In a
game with a society people have ranks before it, the same in each turn, so gifts count, too. A *pair* is one of each
bot at the same table: it is won by the better place, and half by a shared one. What takes several hands to decide is
played until it is decided.
"""

import gc
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp2, inf, log2
from statistics import mean, stdev
from typing import Any

from msgspec import Struct

from app.arena.random_rules import NAMES, random_count, random_options
from app.bots import THINKING, Action, Choose, View
from app.engine.base.errors import RuleError
from app.engine.base.options import Options
from app.engine.match.game import AnyGame
from app.engine.match.hand import Standing
from app.engine.match.match import Match

from .bot_table import Player, play

SETS_OF = 3
"""Deals that are played with the same random switches."""
USUAL = 4
"""How many play, where the rules and the table leave it open."""
MOST_HANDS = 80
"""In which something has to be decided."""
STEPS = 8
"""Of a doubling, in which times are counted."""
CERTAIN = 1.96
"""So many standard errors to either side are 95 %."""


@dataclass(frozen=True)
class Bout:
    """What is played: by whom, and by which rules. `switches` None: random ones."""

    game: AnyGame
    preset: str
    switches: Mapping[str, Any] | None
    one: str
    other: str
    turns: str = "abab"
    """Who sits where: `a` the one bot, `b` the other."""
    seed: str = "arena"
    budget: str = ""
    """Of those who think ahead, in words: what a file has of another is another bout."""

    @property
    def rules(self) -> str:
        """The rules in a word or two."""
        if self.switches is None:
            return f"{self.game.key} random"
        return " ".join([self.game.key, self.preset, *(f"{key}={value}" for key, value in self.switches.items())])

    @property
    def key(self) -> str:
        """What a file knows it by."""
        key = f"{self.rules}/{self.one}/{self.other}/{self.turns}/{self.seed}"
        return f"{key}/{self.budget}" if THINKING.intersection((self.one, self.other)) else key

    def match(self, deal: int) -> Match:
        """The match before this deal, people with ranks."""
        rng = self._chance(deal // SETS_OF if self.switches is None else deal, "rules")
        options = self._options(rng)
        low, high = self.game.players(options)
        count: int | None = min(max(len(self.turns), low), high)
        if self.switches is None and not low <= len(self.turns) <= high:
            count = random_count(self.game, options, rng)
        names = NAMES[: count or len(self.turns)]
        return Match.start(self.game, options, names, tuple(self._chance(deal, "ranks").sample(names, len(names))))

    def _kind(self, letter: str) -> str:
        return self.one if letter == "a" else self.other

    def _options(self, rng: random.Random) -> Options:
        if self.switches is None:
            return random_options(self.game, rng)
        return self.game.declared.resolve({"preset": self.preset, **self.switches})

    def _chance(self, deal: int, what: str) -> random.Random:
        return random.Random(f"{self.seed}/{deal}/{what}")

    def play(self, deal: int, bots: Mapping[str, Choose]) -> "Duplicate":
        """Play one deal in every turn of the table. `RuleError` if too many play, or a bot does what it may not."""
        # As in a server, nobody is timed who thinks while Python looks for circles: it does so between deals.
        gc.disable()
        try:
            return self._played(deal, bots)
        finally:
            gc.enable()

    def _played(self, deal: int, bots: Mapping[str, Choose]) -> "Duplicate":
        played = Duplicate(self.key, deal)
        try:
            start = self.match(deal)
        except RuleError:
            if self.switches is not None:
                raise
            return played  # so many can't play by rules that chance has chosen
        for turn in _turns(self.turns, len(start.seats)):
            sits = dict(zip(start.seats, turn, strict=True))
            timed = {"a": _Timed(bots[self.one]), "b": _Timed(bots[self.other])}
            players = {
                name: Player(
                    timed[sits[name]].choose, self._chance(deal, f"{turn}/{name}"), self._kind(sits[name]) in THINKING
                )
                for name in start.seats
            }
            places, points, hands = _until_decided(start, players, self._chance(deal, "cards"))
            played.add(sits, places, points, hands)
            played.times_one = dict(timed["a"].counted + Counter(played.times_one))
            played.times_other = dict(timed["b"].counted + Counter(played.times_other))
        return played


class Duplicate(Struct):
    """What one deal came to, in all turns of the table; one line of a file."""

    key: str
    deal: int
    pairs: int = 0
    won: float = 0.0
    hands: int = 0
    points_one: int = 0
    points_other: int = 0
    seats_one: int = 0
    seats_other: int = 0
    times_one: dict[int, int] = {}
    """How many decisions took how long: by the logarithm of milliseconds, in steps of an eighth of a doubling."""
    times_other: dict[int, int] = {}

    def add(self, sits: Mapping[str, str], places: Mapping[str, float], points: Mapping[str, int], hands: int) -> None:
        """One turn of the table: who sat where, and what came of it."""
        ones = [name for name, who in sits.items() if who == "a"]
        others = [name for name, who in sits.items() if who == "b"]
        self.hands += hands
        self.pairs += len(ones) * len(others)
        for one in ones:
            for other in others:
                self.won += 1.0 if places[one] < places[other] else 0.5 if places[one] == places[other] else 0.0
        self.points_one += sum(points[name] for name in ones)
        self.points_other += sum(points[name] for name in others)
        self.seats_one += len(ones) * hands
        self.seats_other += len(others) * hands


class Score(Struct):
    """What many deals come to."""

    deals: int
    hands: int
    won: float
    """The share of pairs that the one bot won."""
    within: float
    """So far to either side the share may be, with 95 % certainty, over deals."""
    points_one: float
    """A hand, for each seat."""
    points_other: float
    points_within: tuple[float, float]
    """So far to either side each of these may be, likewise."""
    times_one: tuple[float, float]
    """Milliseconds a decision: median, and the 99th of a hundred."""
    times_other: tuple[float, float]

    @property
    def lowest(self) -> float:
        """The lower end."""
        return self.won - self.within


def score(played: Sequence[Duplicate]) -> Score:
    """Add up deals, of which there is at least one."""
    some = [deal for deal in played if deal.pairs]
    shares = [deal.won / deal.pairs for deal in some]
    ones = [deal.points_one / deal.seats_one for deal in some]
    others = [deal.points_other / deal.seats_other for deal in some]
    times = [
        sum((Counter[int](getattr(deal, side)) for deal in some), Counter[int]())
        for side in ("times_one", "times_other")
    ]
    return Score(
        deals=len(some),
        hands=sum(deal.hands for deal in some),
        won=mean(shares) if shares else 0.5,
        within=min(1.0, _within(shares)),
        points_one=sum(deal.points_one for deal in some) / max(1, sum(deal.seats_one for deal in some)),
        points_other=sum(deal.points_other for deal in some) / max(1, sum(deal.seats_other for deal in some)),
        points_within=(_within(ones), _within(others)),
        times_one=(_percentile(times[0], 0.5), _percentile(times[0], 0.99)),
        times_other=(_percentile(times[1], 0.5), _percentile(times[1], 0.99)),
    )


def _within(each: Sequence[float]) -> float:
    """How far from the mean of so many deals what it stands for may be; nobody knows of a single one."""
    return CERTAIN * stdev(each) / len(each) ** 0.5 if len(each) > 1 else inf


class _Timed:
    """A bot with a watch: what it takes of the processor, whatever else the machine does."""

    def __init__(self, choose: Choose, clock: Callable[[], float] = time.thread_time) -> None:
        self._choose, self._clock = choose, clock
        self.counted = Counter[int]()

    def choose(self, view: View, rng: random.Random) -> Action:
        """Choose, and count."""
        began = self._clock()
        action = self._choose(view, rng)
        took = max(self._clock() - began, 1e-6)
        self.counted[round(STEPS * log2(1000 * took))] += 1
        return action


def _percentile(times: Counter[int], share: float) -> float:
    left = share * times.total()
    for step in sorted(times):
        left -= times[step]
        if left <= 0:
            return exp2(step / STEPS)
    return 0.0


def _turns(turns: str, count: int) -> Iterator[str]:
    """Every different turn of the table, each once, for so many seats."""
    table = (turns * count)[:count]
    return iter(sorted({table[at:] + table[:at] for at in range(count)}))


def _until_decided(
    match: Match, players: Mapping[str, Player], cards: random.Random
) -> tuple[dict[str, float], dict[str, int], int]:
    """Hands until everybody has a place, or no more can be dealt: places, points, and how many hands."""
    names, points = match.seats, Counter[str]()
    places, hands = dict[str, float](), 0
    while len(places) < len(names) and hands < MOST_HANDS and not match.over:
        hands += 1
        match = play(match, players, cards)
        assert match.last is not None
        points.update(match.last.ledger)
        places = _places(match.last.standing)
    last = (len(places) + 1 + len(names)) / 2
    return {name: places.get(name, last) for name in names}, {name: points[name] for name in names}, hands


def _places(standing: Standing) -> dict[str, float]:
    places, at = dict[str, float](), 1
    for place in standing:
        group = place if isinstance(place, tuple) else (place,)
        for name in group:
            places[name] = at + (len(group) - 1) / 2
        at += len(group)
    return places
