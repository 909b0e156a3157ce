"""A table of bots: hands played by what each seat sees and has been told, without a room."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from app.bots import Choose
from app.bots.seat import view_of
from app.engine import views
from app.engine.actions import Play, cards_of, parse_action
from app.engine.match import Match, Step
from app.engine.veil import veil

PATIENCE = 500
"""Actions in a hand, after which everybody plays the most they can: with some rules people draw for ever."""
MOST = 3000
"""No hand is longer."""


@dataclass
class Player:
    """A bot in a seat, and what the seat has been told since the deal."""

    choose: Choose
    rng: random.Random
    veiled: bool = False
    """Whether it wants the match as its seat may know it, to think ahead."""
    told: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


def play(match: Match, players: Mapping[str, Player], cards: random.Random) -> Match:
    """Deal a hand by this chance, and let everybody play it: the match after it. `RuleError` for what is not legal."""
    pack = list(match.deck())
    cards.shuffle(pack)
    deal = match.deal(tuple(pack), cards.randrange(1 << 30))
    step = match.begin(deal)
    for player in players.values():
        player.told = []
    for taken in range(MOST):
        tell(step, players)
        match = step.match
        if not match.running:
            return match
        by = match.to_act[0]
        player = players[by]
        view = view_of(match, by, player.told, deal.cards[by])
        if player.veiled:
            view = {**view, "veiled": veil(match, by, player.told)}
        action = dict(player.choose(view, player.rng))
        most = _most(match, by) if taken > PATIENCE else None
        step = match.act(by, most or parse_action(action))
    raise AssertionError("a hand does not end")


def tell(step: Step, players: Mapping[str, Player]) -> None:
    """Let everybody hear what they may of a step."""
    for name, player in players.items():
        player.told += views.events_for(step.events, name)


def _most(match: Match, by: str) -> Play | None:
    plays = (action for _, action in islice(match.legal(by), 60) if isinstance(action, Play))
    return max(plays, key=lambda play: len(cards_of(play)), default=None)
