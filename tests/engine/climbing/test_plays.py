"""Test that the possible plays of some cards match the whole list of legal actions, without making that list."""

import time
from collections import defaultdict
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

import pytest

from app.engine.cards.actions import Action, Play
from app.engine.cards.cards import Cards, format_cards
from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.engine.match.match import Match
from tests.long_run import TIMES
from tools.property_checks.playout import Playout

LISTED = 400
"""The number of legal actions to list for the comparison."""


def ways(actions: list[Action]) -> dict[str, set[tuple[str | None, str | None]]]:
    """Return the ways to play each choice of cards."""
    found: defaultdict[str, set[tuple[str | None, str | None]]] = defaultdict(set)
    for action in actions:
        if isinstance(action, Play):
            found[format_cards(sorted(action.cards))].add((action.as_, action.call))
    return found


@dataclass
class Asking(Playout):
    """A random match in which all players ask about some of their cards after each action."""

    compared: int = 0

    def on_step(self, events: tuple[GameEvent, ...]) -> None:
        if self.rng.random() < 0.3:
            for by in self.match.seats if self.match.is_hand_running else ():
                self._ask(by)

    def _ask(self, by: str) -> None:
        listed = [action for _, action in islice(self.match.legal_actions(by), LISTED)]
        held = self.match.hand.cards.get(by, ())
        all_ways = ways(listed)
        if len(listed) == LISTED:  # the list may end between two ways of its last cards
            last = listed[-1]
            all_ways.pop(format_cards(sorted(last.cards)) if isinstance(last, Play) else "", None)
            tried: list[Cards] = []
        else:
            tried = [tuple(self.rng.sample(held, self.rng.randint(0, min(5, len(held))))) for _ in range(3)]
        plays = [a.cards for a in listed if isinstance(a, Play) and format_cards(sorted(a.cards)) in all_ways]
        for cards in (*tried, *self.rng.sample(plays, min(5, len(plays)))):
            mixed = tuple(self.rng.sample(cards, len(cards)))
            found = ways(list(self.match.legal_plays_of_cards(by, mixed)))
            key = format_cards(sorted(cards))
            assert dict(found) == ({key: all_ways[key]} if key in all_ways else {}), (by, cards, self.record())
            self.compared += 1


@pytest.mark.parametrize("key", [key for key in GAMES if key != "chase_the_ace"])
def test_plays_of_given_cards_match_the_list_of_legal_actions(key: str) -> None:
    compared = 0
    for number in range(20 * TIMES):
        playout = Asking.random_match(GAMES[key], Random(number))
        for _ in range(2):
            if not playout.match.over:
                playout.play_hand(check=False)
        compared += playout.compared
    assert compared > 500


def start(key: str, *names: str, **options: Any) -> Match:
    game = GAMES[key]
    match = Match.start(game, game.option_schema.resolve_options(options), names)
    pack = list(match.deck())
    Random(1).shuffle(pack)
    return match.begin_hand(match.deal(tuple(pack), 1)).match


def test_looking_up_plays_is_fast_with_many_wild_cards() -> None:
    wild = {"packs": 2, "jokers": 2, "joker_role": "wild", "wild_ranks": "34567", "sequences": "all"}
    match = start("president", "Ana", "Bob", "Cat", **wild)
    by = match.to_act[0]
    held = match.hand.cards[by]
    began = time.perf_counter()
    for count in range(len(held)):
        list(match.legal_plays_of_cards(by, held[count:]))
    assert time.perf_counter() - began < 1


def test_plays_are_looked_up_only_for_own_cards_during_a_hand() -> None:
    match = start("president", "Ana", "Bob", "Cat")
    by = match.to_act[0]
    other = next(name for name in match.seats if name != by)
    card = match.hand.cards[by][:1]
    assert list(match.legal_plays_of_cards(by, card))
    assert not list(match.legal_plays_of_cards(other, card))
    assert not list(match.legal_plays_of_cards("Eve", card))
    assert not list(match.legal_plays_of_cards(by, card * 2))
    assert not list(start("chase_the_ace", "Ana", "Bob").legal_plays_of_cards("Ana", card))
    unbegun = Match.start(match.game, match.options, match.seats)
    assert not list(unbegun.legal_plays_of_cards(by, card))
