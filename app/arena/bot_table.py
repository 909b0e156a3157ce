"""Play hands between bots without a room: each bot gets only what its seat may see and know."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeAlias

from app.bots import ChooseAction, View
from app.bots.view.seat_view import minimal_view_of, view_of
from app.engine.cards.action_codec import parse_action
from app.engine.cards.actions import Action, Pass, Play, cards_in_action
from app.engine.cards.cards import Cards
from app.engine.match import views
from app.engine.match.hidden_state import build_seat_knowledge
from app.engine.match.match import Match, MatchTransition

BuildView: TypeAlias = Callable[[Match, str, list[dict[str, Any]], Cards], View]

FREE_ACTIONS = 500
"""Number of actions in a hand after which each bot must play its largest play: some rules allow endless drawing."""
MAX_ACTIONS = 3000
"""Upper limit for the actions of a hand."""


@dataclass
class BotPlayer:
    """A bot in a seat of a simulated hand: how it chooses, its random source, and the events its seat has seen."""

    choose: ChooseAction
    rng: random.Random
    wants_hidden_match: bool = False
    """True if the bot needs the match as its seat knows it, to search ahead."""
    events: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


def play_hand(match: Match, players: Mapping[str, BotPlayer], cards: random.Random, *, fast: bool = False) -> Match:
    """Deal a hand with the random source `cards`, let the bots play it, and return the match after it.

    Raises `RuleError` for an illegal action. With `fast`, a bot that can only pass, or has one play only, is not asked,
    and the others get a minimal view.
    """
    pack = list(match.deck())
    cards.shuffle(pack)
    deal = match.deal(tuple(pack), cards.randrange(1 << 30))
    for player in players.values():
        player.events = []
    return play_hand_from(match.begin_hand(deal), players, deal.cards, fast=fast)


def play_hand_from(
    step: MatchTransition, players: Mapping[str, BotPlayer], dealt: Mapping[str, Cards], *, fast: bool = False
) -> Match:
    """Let bots play a hand to its end, from a transition (a match with new events); return the match after it.

    `players` are the bots by seat, and `dealt` the cards that each was dealt. Delivers the events of the transition
    first, so they must not be delivered yet. With `fast`, a bot with one action only is not asked. After 500 actions
    the largest play is forced, so that the hand ends.
    """
    for taken in range(MAX_ACTIONS):
        deliver_events(step, players)
        match = step.match
        if not match.is_hand_running:
            return match
        by = match.to_act[0]
        forced = _largest_play(match, by) if taken > FREE_ACTIONS else _forced_action(match, by) if fast else None
        step = match.apply_action(
            by, forced or _choose_action(match, by, players[by], dealt[by], minimal_view_of if fast else view_of)
        )
    raise AssertionError("a hand does not end")


def _choose_action(match: Match, by: str, player: BotPlayer, dealt: Cards, build_view: BuildView) -> Action:
    view = build_view(match, by, player.events, dealt)
    if player.wants_hidden_match:
        view = {**view, "veiled": build_seat_knowledge(match, by, player.events)}
    return parse_action(dict(player.choose(view, player.rng)))


def _forced_action(match: Match, by: str) -> Action | None:
    """Return the player's only legal action if it is a pass or a play, so that the bot need not be asked; else None."""
    some = [action for _, action in islice(match.legal_actions(by), 2)]
    return some[0] if len(some) == 1 and isinstance(some[0], Pass | Play) else None


def deliver_events(step: MatchTransition, players: Mapping[str, BotPlayer]) -> None:
    """Append the events of a transition to each bot's events, without those that its seat may not see."""
    public = views.visible_events(step.events, None)
    alike = len(public) == len(step.events)
    for name, player in players.items():
        player.events += public if alike else views.visible_events(step.events, name)


def _largest_play(match: Match, by: str) -> Play | None:
    plays = (action for _, action in islice(match.legal_actions(by), 60) if isinstance(action, Play))
    return max(plays, key=lambda play: len(cards_in_action(play)), default=None)
