"""Asking how some cards may be played: what the whole list of legal actions has of them, without making that list."""

import time
from collections import defaultdict
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

import pytest

from app.engine.cards.actions import Action, Play
from app.engine.cards.cards import Cards, show
from app.engine.display.events import Event
from app.engine.games import GAMES
from app.engine.match.match import Match
from tools.property_checks.playout import Playout

LISTED = 400
"""Legal actions that are listed, to compare with."""


def ways(actions: list[Action]) -> dict[str, set[tuple[str | None, str | None]]]:
    """How each choice of cards may be played."""
    found: defaultdict[str, set[tuple[str | None, str | None]]] = defaultdict(set)
    for action in actions:
        if isinstance(action, Play):
            found[show(sorted(action.cards))].add((action.as_, action.call))
    return found


@dataclass
class Asking(Playout):
    """A random match in which everybody asks about some of their cards after each action."""

    compared: int = 0

    def look(self, events: tuple[Event, ...]) -> None:
        if self.rng.random() < 0.3:
            for by in self.match.seats if self.match.running else ():
                self._ask(by)

    def _ask(self, by: str) -> None:
        listed = [action for _, action in islice(self.match.legal(by), LISTED)]
        held = self.match.hand.cards.get(by, ())
        all_ways = ways(listed)
        if len(listed) == LISTED:  # of the last cards perhaps not every way is listed
            last = listed[-1]
            all_ways.pop(show(sorted(last.cards)) if isinstance(last, Play) else "", None)
            tried: list[Cards] = []
        else:
            tried = [tuple(self.rng.sample(held, self.rng.randint(0, min(5, len(held))))) for _ in range(3)]
        plays = [a.cards for a in listed if isinstance(a, Play) and show(sorted(a.cards)) in all_ways]
        for cards in (*tried, *self.rng.sample(plays, min(5, len(plays)))):
            mixed = tuple(self.rng.sample(cards, len(cards)))
            found = ways(list(self.match.plays_of(by, mixed)))
            key = show(sorted(cards))
            assert dict(found) == ({key: all_ways[key]} if key in all_ways else {}), (by, cards, self.record())
            self.compared += 1


@pytest.mark.parametrize("key", [key for key in GAMES if key != "chase_the_ace"])
def test_what_is_told_of_some_cards_is_what_is_listed_of_them(key: str) -> None:
    compared = 0
    for number in range(40):
        playout = Asking.random(GAMES[key], Random(number))
        for _ in range(2):
            if not playout.match.over:
                playout.hand(check=False)
        compared += playout.compared
    assert compared > 500


def start(key: str, *names: str, **options: Any) -> Match:
    game = GAMES[key]
    match = Match.start(game, game.declared.resolve(options), names)
    pack = list(match.deck())
    Random(1).shuffle(pack)
    return match.begin(match.deal(tuple(pack), 1)).match


def test_asking_takes_no_time_however_much_could_be_played() -> None:
    wild = {"packs": 2, "jokers": 2, "joker_role": "wild", "wild_ranks": "34567", "sequences": "all"}
    match = start("president", "Ana", "Bob", "Cat", **wild)
    by = match.to_act[0]
    held = match.hand.cards[by]
    began = time.perf_counter()
    for count in range(len(held)):
        list(match.plays_of(by, held[count:]))
    assert time.perf_counter() - began < 1


def test_nobody_asks_about_cards_of_others_or_out_of_a_hand() -> None:
    match = start("president", "Ana", "Bob", "Cat")
    by = match.to_act[0]
    other = next(name for name in match.seats if name != by)
    card = match.hand.cards[by][:1]
    assert list(match.plays_of(by, card))
    assert not list(match.plays_of(other, card))
    assert not list(match.plays_of("Eve", card))
    assert not list(match.plays_of(by, card * 2))
    assert not list(start("chase_the_ace", "Ana", "Bob").plays_of("Ana", card))
    unbegun = Match.start(match.game, match.options, match.seats)
    assert not list(unbegun.plays_of(by, card))
