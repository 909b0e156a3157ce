"""Compare two bots with duplicate deals: the same cards in every seat, and a count of the pairs won.

A deal is played once for each rotation of the seats, so that both bots hold the same cards in the same positions. In a
game with a hierarchy, players have the same ranks before each of these hands, so the card exchange counts too. A *pair*
is one seat of each bot at the same table. The better place wins it, and a shared place gives half. If a hand does not
decide all places, further hands are played.
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

from app.arena.random_rules import PLAYER_NAMES, random_options, random_player_count
from app.bots import SEARCHING_BOTS, Action, ChooseAction, View
from app.engine.base.errors import RuleError
from app.engine.base.options import Options
from app.engine.match.game import AnyGame
from app.engine.match.hand import Standing
from app.engine.match.match import Match

from .bot_table import BotPlayer, play_hand

DEALS_PER_OPTIONS = 3
"""Number of deals played with the same random options."""
USUAL = 4
"""Default number of players, if the rules and the table leave it open."""
MAX_HANDS = 80
"""Largest number of hands played to decide all places."""
STEPS_PER_DOUBLING = 8
"""Number of duration classes for each doubling of the time."""
Z_95 = 1.96
"""Standard errors on either side of the mean in a 95 % interval."""


@dataclass(frozen=True)
class BotComparison:
    """A comparison of two bots by duplicate deals (the same cards, with seats rotated) under given rules.

    `preset` and `switches` are the options; None for `switches` means random ones. `one` and `other` name the bots.
    `seed` fixes cards, options and ranks.
    """

    game: AnyGame
    preset: str
    switches: Mapping[str, Any] | None
    one: str
    other: str
    turns: str = "abab"
    """The bots around the table: `a` is the bot `one`, `b` is the bot `other`."""
    seed: str = "arena"
    budget: str = ""
    """Thinking limits of searching bots, in words. Results with another budget belong to another comparison."""

    @property
    def rules_label(self) -> str:
        """Short description of the rules of this comparison of bots: game, preset and options, or game and "random"."""
        if self.switches is None:
            return f"{self.game.key} random"
        return " ".join([self.game.key, self.preset, *(f"{key}={value}" for key, value in self.switches.items())])

    @property
    def result_key(self) -> str:
        """Key of this comparison of bots in a results file: rules, bots, seats and seed.

        A later run with the same key continues with the deals that are missing.
        """
        key = f"{self.rules_label}/{self.one}/{self.other}/{self.turns}/{self.seed}"
        return f"{key}/{self.budget}" if SEARCHING_BOTS.intersection((self.one, self.other)) else key

    def start_match(self, deal: int) -> Match:
        """Return the match in which deal number `deal` is played, before its hand, with random ranks for the players.

        Options and ranks come from the seed. Raises `RuleError` if the rules do not allow the number of players.
        """
        rng = self._random_for(deal // DEALS_PER_OPTIONS if self.switches is None else deal, "rules")
        options = self._choose_options(rng)
        low, high = self.game.player_limits(options)
        count: int | None = min(max(len(self.turns), low), high)
        if self.switches is None and not low <= len(self.turns) <= high:
            count = random_player_count(self.game, options, rng)
        names = PLAYER_NAMES[: count or len(self.turns)]
        return Match.start(self.game, options, names, tuple(self._random_for(deal, "ranks").sample(names, len(names))))

    def _bot_of_letter(self, letter: str) -> str:
        return self.one if letter == "a" else self.other

    def _choose_options(self, rng: random.Random) -> Options:
        if self.switches is None:
            return random_options(self.game, rng)
        return self.game.option_schema.resolve_options({"preset": self.preset, **self.switches})

    def _random_for(self, deal: int, what: str) -> random.Random:
        return random.Random(f"{self.seed}/{deal}/{what}")

    def play_deal(self, deal: int, bots: Mapping[str, ChooseAction]) -> "DealResult":
        """Play one deal in every rotation of the seats, so that both bots get the same cards, and return the result.

        Raises `RuleError` if a bot chooses an illegal action, or given rules do not allow the number of players. With
        random rules such a deal has an empty result.
        """
        # Don't run a garbage collection during a timed decision, as in the server.
        gc.disable()
        try:
            return self._play_all_seatings(deal, bots)
        finally:
            gc.enable()

    def _play_all_seatings(self, deal: int, bots: Mapping[str, ChooseAction]) -> "DealResult":
        played = DealResult(self.result_key, deal)
        try:
            start = self.start_match(deal)
        except RuleError:
            if self.switches is not None:
                raise
            return played  # the random rules do not allow this number of players
        for turn in _rotated_seatings(self.turns, len(start.seats)):
            sits = dict(zip(start.seats, turn, strict=True))
            timed = {"a": _TimedBot(bots[self.one]), "b": _TimedBot(bots[self.other])}
            players = {
                name: BotPlayer(
                    timed[sits[name]].choose_timed,
                    self._random_for(deal, f"{turn}/{name}"),
                    self._bot_of_letter(sits[name]) in SEARCHING_BOTS,
                )
                for name in start.seats
            }
            places, points, hands = _play_until_decided(start, players, self._random_for(deal, "cards"))
            played.add_seating(sits, places, points, hands)
            played.times_one = dict(timed["a"].duration_counts + Counter(played.times_one))
            played.times_other = dict(timed["b"].duration_counts + Counter(played.times_other))
        return played


class DealResult(Struct):
    """The result of one duplicate deal in all rotations of the seats; one line of a results file.

    `key` identifies the comparison, `deal` is the deal's number, and `hands` counts the hands played. `pairs` counts
    compared pairs of players with different bots. `won` counts those in which bot "one" was placed above bot "other"; a
    tie counts half. `points_…` are sums of points, `seats_…` numbers of seats played. `times_…` count decisions by
    duration class (a logarithm of milliseconds).
    """

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
    """Number of decisions by duration class: the logarithm of milliseconds, in steps of an eighth of a doubling."""
    times_other: dict[int, int] = {}

    def add_seating(
        self, letters_by_name: Mapping[str, str], places: Mapping[str, float], points: Mapping[str, int], hands: int
    ) -> None:
        """Add one rotation of the seats to this result: count the pairs of opponents won, points and seats of each bot.

        `letters_by_name` tells which bot ("a" or "b") sat in each seat. `places` gives each player's place, 1 for the
        best, and `points` their points. `hands` is the number of hands played.
        """
        ones = [name for name, who in letters_by_name.items() if who == "a"]
        others = [name for name, who in letters_by_name.items() if who == "b"]
        self.hands += hands
        self.pairs += len(ones) * len(others)
        for one in ones:
            for other in others:
                self.won += 1.0 if places[one] < places[other] else 0.5 if places[one] == places[other] else 0.0
        self.points_one += sum(points[name] for name in ones)
        self.points_other += sum(points[name] for name in others)
        self.seats_one += len(ones) * hands
        self.seats_other += len(others) * hands


class ComparisonScore(Struct):
    """The result of a comparison of two bots over many deals, as the command prints it."""

    deals: int
    hands: int
    won: float
    """Share of the pairs that the bot `one` won."""
    within: float
    """Half width of the 95 % interval of `won`, over deals."""
    points_one: float
    """Points for each hand and seat."""
    points_other: float
    points_within: tuple[float, float]
    """Half widths of the 95 % intervals of both bots' points."""
    times_one: tuple[float, float]
    """Milliseconds for a decision: median and 99th percentile."""
    times_other: tuple[float, float]


def summarize_deals(played: Sequence[DealResult]) -> ComparisonScore:
    """Combine the results of duplicate deals into one score, with 95 % intervals.

    Results without compared pairs are left out. If none are left, `won` is 0.5 and the numbers of deals and hands are
    0.
    """
    some = [deal for deal in played if deal.pairs]
    shares = [deal.won / deal.pairs for deal in some]
    ones = [deal.points_one / deal.seats_one for deal in some]
    others = [deal.points_other / deal.seats_other for deal in some]
    times = [
        sum((Counter[int](getattr(deal, side)) for deal in some), Counter[int]())
        for side in ("times_one", "times_other")
    ]
    return ComparisonScore(
        deals=len(some),
        hands=sum(deal.hands for deal in some),
        won=mean(shares) if shares else 0.5,
        within=min(1.0, _confidence_95(shares)),
        points_one=sum(deal.points_one for deal in some) / max(1, sum(deal.seats_one for deal in some)),
        points_other=sum(deal.points_other for deal in some) / max(1, sum(deal.seats_other for deal in some)),
        points_within=(_confidence_95(ones), _confidence_95(others)),
        times_one=(_duration_percentile(times[0], 0.5), _duration_percentile(times[0], 0.99)),
        times_other=(_duration_percentile(times[1], 0.5), _duration_percentile(times[1], 0.99)),
    )


def _confidence_95(each: Sequence[float]) -> float:
    """Return half the width of the 95 % interval of the values' mean; infinite for fewer than two values."""
    return Z_95 * stdev(each) / len(each) ** 0.5 if len(each) > 1 else inf


class _TimedBot:
    """A wrapper of a bot that counts the CPU time of its decisions, independent of other load on the machine."""

    def __init__(self, choose: ChooseAction, clock: Callable[[], float] = time.thread_time) -> None:
        self._choose, self._clock = choose, clock
        self.duration_counts = Counter[int]()

    def choose_timed(self, view: View, rng: random.Random) -> Action:
        """Let the wrapped bot choose an action, and count the CPU time this took, on a logarithmic scale."""
        began = self._clock()
        action = self._choose(view, rng)
        took = max(self._clock() - began, 1e-6)
        self.duration_counts[round(STEPS_PER_DOUBLING * log2(1000 * took))] += 1
        return action


def _duration_percentile(times: Counter[int], share: float) -> float:
    left = share * times.total()
    for step in sorted(times):
        left -= times[step]
        if left <= 0:
            return exp2(step / STEPS_PER_DOUBLING)
    return 0.0


def _rotated_seatings(turns: str, count: int) -> Iterator[str]:
    """Yield each different rotation of a seating once. `turns`, such as "ab", is repeated to `count` seats."""
    table = (turns * count)[:count]
    return iter(sorted({table[at:] + table[:at] for at in range(count)}))


def _play_until_decided(
    match: Match, players: Mapping[str, BotPlayer], cards: random.Random
) -> tuple[dict[str, float], dict[str, int], int]:
    """Play hands of a match until all places are decided or `MAX_HANDS` is reached.

    Returns place and points by player, and the number of hands. Players without a decided place share the average of
    the places left.
    """
    names, points = match.seats, Counter[str]()
    places, hands = dict[str, float](), 0
    while len(places) < len(names) and hands < MAX_HANDS and not match.over:
        hands += 1
        match = play_hand(match, players, cards)
        assert match.last is not None
        points.update(match.last.ledger)
        places = _average_places(match.last.standing)
    last = (len(places) + 1 + len(names)) / 2
    return {name: places.get(name, last) for name in names}, {name: points[name] for name in names}, hands


def _average_places(standing: Standing) -> dict[str, float]:
    places, at = dict[str, float](), 1
    for place in standing:
        group = place if isinstance(place, tuple) else (place,)
        for name in group:
            places[name] = at + (len(group) - 1) / 2
        at += len(group)
    return places
