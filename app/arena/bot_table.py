"""A table of bots: hands played by what each seat sees and has been told, without a room."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeAlias

from app.bots import Choose, View
from app.bots.view.seat_view import glance_of, view_of
from app.engine.cards.action_codec import parse_action
from app.engine.cards.actions import Action, Pass, Play, cards_of
from app.engine.cards.cards import Cards
from app.engine.match import views
from app.engine.match.hidden_state import veil
from app.engine.match.match import Match, Step

Seen: TypeAlias = Callable[[Match, str, list[dict[str, Any]], Cards], View]

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


def play(match: Match, players: Mapping[str, Player], cards: random.Random, *, hasty: bool = False) -> Match:
    """Deal a hand by this chance, and let everybody play it: the match after it. `RuleError` for what is not legal.

    `hasty`: who can but pass, or has a single play, is not asked, and who is asked gets a glance instead of a view.
    """
    pack = list(match.deck())
    cards.shuffle(pack)
    deal = match.deal(tuple(pack), cards.randrange(1 << 30))
    for player in players.values():
        player.told = []
    return played_on(match.begin(deal), players, deal.cards, hasty=hasty)


def played_on(step: Step, players: Mapping[str, Player], dealt: Mapping[str, Cards], *, hasty: bool = False) -> Match:
    """Let everybody play a hand on from this step, of which nobody has been told yet: the match after it."""
    for taken in range(MOST):
        tell(step, players)
        match = step.match
        if not match.running:
            return match
        by = match.to_act[0]
        forced = _most(match, by) if taken > PATIENCE else _only(match, by) if hasty else None
        step = match.act(by, forced or _asked(match, by, players[by], dealt[by], glance_of if hasty else view_of))
    raise AssertionError("a hand does not end")


def _asked(match: Match, by: str, player: Player, dealt: Cards, seen: Seen) -> Action:
    view = seen(match, by, player.told, dealt)
    if player.veiled:
        view = {**view, "veiled": veil(match, by, player.told)}
    return parse_action(dict(player.choose(view, player.rng)))


def _only(match: Match, by: str) -> Action | None:
    """The pass or play that is all one may do."""
    some = [action for _, action in islice(match.legal(by), 2)]
    return some[0] if len(some) == 1 and isinstance(some[0], Pass | Play) else None


def tell(step: Step, players: Mapping[str, Player]) -> None:
    """Let everybody hear what they may of a step."""
    public = views.events_for(step.events, None)
    alike = len(public) == len(step.events)
    for name, player in players.items():
        player.told += public if alike else views.events_for(step.events, name)


def _most(match: Match, by: str) -> Play | None:
    plays = (action for _, action in islice(match.legal(by), 60) if isinstance(action, Play))
    return max(plays, key=lambda play: len(cards_of(play)), default=None)
