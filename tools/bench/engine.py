"""`python -m tools bench engine`: measure the speed of the rules in this process, without a server."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from random import Random
from statistics import median
from typing import Any

import click

from app.arena.random_rules import PLAYER_NAMES
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.match import Match
from tools.property_checks.random_actions import complete_action

HANDS = 4
"""Number of hands in each random match. Only later hands have an exchange."""
MOST_LISTED = 60
"""Largest number of legal actions from which a random player chooses."""


@dataclass(frozen=True)
class FullHand:
    """A game setup for timing the legal actions right after the deal, when players have the most of them.

    `what` describes it in the output. `game` is the game's key, `options` the options that differ from its defaults,
    and `players` the number of players.
    """

    what: str
    game: str
    options: dict[str, Any]
    players: int


FULL_HANDS = (
    FullHand("4 players, 13 cards", "president", {}, 4),
    FullHand("3 players, 18 cards, wild twos and threes", "president", {"preset": "huberes"}, 3),
    FullHand("3 players, 18 cards, all runs", "president", {"preset": "zheng_shangyou"}, 3),
    FullHand("3 players, 18 cards, poker hands", "president", {"poker_hands": True}, 3),
    FullHand("4 players, 13 or 14 cards, Daifugō", "president", {"preset": "daifugo"}, 4),
    FullHand("5 players, 10 or 11 cards, UECda", "president", {"preset": "uecda"}, 5),
    FullHand("4 players, 13 cards, honours out of turn", "big_two", {"preset": "gamesky"}, 4),
    FullHand("2 players, 21 cards", "big_two", {"two_deal": 21}, 2),
    FullHand("4 players, 13 or 14 cards", "ceausescu", {}, 4),
    FullHand("20 players", "chase_the_ace", {}, 20),
)


RANDOM_PLAY_GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    *((key, {}) for key in GAMES),
    ("president", {"preset": "daifugo"}),
    ("president", {"preset": "uecda"}),
)
"""Games with options that are measured by random play."""


@click.command()
@click.option("--seconds", default=2.0, show_default=True, help="Seconds for each game.")
@click.option("--seed", default=1, show_default=True)
def engine(seconds: float, seed: int) -> None:
    """Print actions per second of random play in each game, and the time of `legal` on full hands."""
    click.echo("random play, with the legal actions of whoever is to act:")
    for key, options in RANDOM_PLAY_GAMES:
        actions, took = _measure_random_play(key, options, seconds, seed)
        click.echo(f"  {' '.join((key, *options.values())):24} {actions / took:10,.0f} actions/s")
    click.echo("legal() on a full hand, leading, and one update's views (median of 200 deals):")
    for full in FULL_HANDS:
        listed, legal, shown = _measure_full_hand(full, seed)
        click.echo(
            f"  {full.game:14} {full.what:42} {listed:6} plays {legal * 1e6:9,.0f} µs   views {shown * 1e6:7,.0f} µs"
        )


def _measure_random_play(key: str, options: dict[str, Any], seconds: float, seed: int) -> tuple[int, float]:
    """Play a game at random for `seconds` of CPU time; return the number of deals and actions, and the seconds used.

    `key` is the game's key.
    """
    game, actions, began = GAMES[key], 0, time.process_time()
    while (took := time.process_time() - began) < seconds:
        match, rng = (
            Match.start(game, game.option_schema.resolve_options(options), PLAYER_NAMES[:4]),
            Random(seed + actions),
        )
        for _ in range(HANDS):
            pack = list(match.deck())
            rng.shuffle(pack)
            match = match.begin_hand(match.deal(tuple(pack), rng.randrange(1 << 30))).match
            actions += 1
            while match.is_hand_running:
                by, action = rng.choice(list(islice(match.legal_actions(), MOST_LISTED)))
                match = match.apply_action(by, complete_action(match, by, action, rng)).match
                actions += 1
            if match.over:
                break
    return actions, took


def _measure_full_hand(full: FullHand, seed: int) -> tuple[int, float, float]:
    """Measure 200 deals of a setup: number of legal actions, and time to list them and to build views.

    All three numbers are medians; times are in seconds. `full` is the setup.
    """
    game = GAMES[full.game]
    start = Match.start(game, game.option_schema.resolve_options(full.options), PLAYER_NAMES[: full.players])
    counts, legal, shown = list[int](), list[float](), list[float]()
    for number in range(200):
        pack = list(start.deck())
        Random(seed + number).shuffle(pack)
        match = start.begin_hand(start.deal(tuple(pack), number)).match
        seconds, listed = _time_call(_count_legal_actions, match)
        counts.append(listed)
        legal.append(seconds)
        shown.append(_time_call(_build_views, match)[0])
    return round(median(counts)), median(legal), median(shown)


def _build_views(match: Match) -> int:
    views.table_view(match)
    return sum(len(views.seat_view(match, name)["cards"]) for name in match.current_hand.seats)


def _count_legal_actions(match: Match) -> int:
    return sum(1 for _ in match.legal_actions())


def _time_call(function: Callable[[Match], int], match: Match) -> tuple[float, int]:
    began = time.process_time()
    result = function(match)
    return time.process_time() - began, result
