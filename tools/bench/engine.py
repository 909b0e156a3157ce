"""`python -m tools bench engine`: how fast the rules are, in this process and on this machine."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from random import Random
from statistics import median
from typing import Any

import click

from app.arena.random_rules import NAMES
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.match import Match
from tools.property_checks.random_actions import completed

HANDS = 4
"""In each match of random play: the first has no exchange."""
MOST_LISTED = 60
"""Legal actions that a random player chooses among."""


@dataclass(frozen=True)
class Full:
    """A full hand whose `legal` is timed."""

    what: str
    game: str
    options: dict[str, Any]
    players: int


FULL_HANDS = (
    Full("4 players, 13 cards", "president", {}, 4),
    Full("3 players, 18 cards, wild twos and threes", "president", {"preset": "huberes"}, 3),
    Full("3 players, 18 cards, all runs", "president", {"preset": "zheng_shangyou"}, 3),
    Full("3 players, 18 cards, poker hands", "president", {"poker_hands": True}, 3),
    Full("4 players, 13 or 14 cards, Daifugō", "president", {"preset": "daifugo"}, 4),
    Full("5 players, 10 or 11 cards, UECda", "president", {"preset": "uecda"}, 5),
    Full("4 players, 13 cards, honours out of turn", "big_two", {"preset": "gamesky"}, 4),
    Full("2 players, 21 cards", "big_two", {"two_deal": 21}, 2),
    Full("4 players, 13 or 14 cards", "ceausescu", {}, 4),
    Full("20 players", "chase_the_ace", {}, 20),
)


PLAYED: tuple[tuple[str, dict[str, Any]], ...] = (
    *((key, {}) for key in GAMES),
    ("president", {"preset": "daifugo"}),
    ("president", {"preset": "uecda"}),
)
"""What is played at random."""


@click.command()
@click.option("--seconds", default=2.0, show_default=True, help="For each game.")
@click.option("--seed", default=1, show_default=True)
def engine(seconds: float, seed: int) -> None:
    """Actions per second of random play in each game, and the time of `legal` on full hands."""
    click.echo("random play, with the legal actions of whoever is to act:")
    for key, options in PLAYED:
        actions, took = _random_play(key, options, seconds, seed)
        click.echo(f"  {' '.join((key, *options.values())):24} {actions / took:10,.0f} actions/s")
    click.echo("legal() on a full hand, leading, and one update's views (median of 200 deals):")
    for full in FULL_HANDS:
        listed, legal, shown = _full_hand(full, seed)
        click.echo(
            f"  {full.game:14} {full.what:42} {listed:6} plays {legal * 1e6:9,.0f} µs   views {shown * 1e6:7,.0f} µs"
        )


def _random_play(key: str, options: dict[str, Any], seconds: float, seed: int) -> tuple[int, float]:
    """How much was played, and the seconds of a processor it took: deals and actions, nothing that looks at them."""
    game, actions, began = GAMES[key], 0, time.process_time()
    while (took := time.process_time() - began) < seconds:
        match, rng = Match.start(game, game.declared.resolve(options), NAMES[:4]), Random(seed + actions)
        for _ in range(HANDS):
            pack = list(match.deck())
            rng.shuffle(pack)
            match = match.begin(match.deal(tuple(pack), rng.randrange(1 << 30))).match
            actions += 1
            while match.running:
                by, action = rng.choice(list(islice(match.legal(), MOST_LISTED)))
                match = match.act(by, completed(match, by, action, rng)).match
                actions += 1
            if match.over:
                break
    return actions, took


def _full_hand(full: Full, seed: int) -> tuple[int, float, float]:
    """Legal plays, and median seconds for them and for all views, over different deals."""
    game = GAMES[full.game]
    start = Match.start(game, game.declared.resolve(full.options), NAMES[: full.players])
    counts, legal, shown = list[int](), list[float](), list[float]()
    for number in range(200):
        pack = list(start.deck())
        Random(seed + number).shuffle(pack)
        match = start.begin(start.deal(tuple(pack), number)).match
        seconds, listed = _timed(_legal, match)
        counts.append(listed)
        legal.append(seconds)
        shown.append(_timed(_views, match)[0])
    return round(median(counts)), median(legal), median(shown)


def _views(match: Match) -> int:
    views.table(match)
    return sum(len(views.seat(match, name)["cards"]) for name in match.the_hand.seats)


def _legal(match: Match) -> int:
    return sum(1 for _ in match.legal())


def _timed(what: Callable[[Match], int], match: Match) -> tuple[float, int]:
    began = time.process_time()
    result = what(match)
    return time.process_time() - began, result
