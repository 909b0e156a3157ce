"""Fit the blend weights of the hard bot: network value, played-out worlds, and network value some turns later.

Medium bots play hands. At some turns, the actions with the best network values are tried in the same worlds. Then each
action is played once in the real hand, which medium bots play to its end. The three estimates are fitted to these real
outcomes. Only differences within a position count, because the value of the position itself doesn't affect the choice.
Needs numpy.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.arena.bot_table import BotPlayer, deliver_events, play_hand_from
from app.arena.duplicate_deals import BotComparison
from app.bots.network import small_network_bot
from app.bots.network.features import FeatureState
from app.bots.network.one_layer import OneLayerNetwork
from app.bots.search.blend import BlendWeights
from app.bots.search.monte_carlo import build_network_policy
from app.bots.search.rollout import EvaluatedAction, Rollout
from app.bots.view.card_order import RuleSet, rule_set_of
from app.bots.view.seat_view import Action, SeatReader, View, view_of
from app.engine.cards.action_codec import parse_action
from app.engine.cards.cards import Cards
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import ClimbingHand
from app.engine.display.events import GameEvent
from app.engine.match.hidden_state import SeatKnowledge, build_seat_knowledge
from app.engine.match.match import Match

from .self_play import hand_values

DEPTH = 3
"""Number of the player's later turns at which the network's value is recorded."""
TURNS = 4
"""Largest number of turns taken from one hand."""
ACTIONS = 5
"""Largest number of actions tried at a turn."""
PARTS = 10
"""Number of parts for cross-validation: each part is predicted by a fit to the others."""

Numbers = NDArray[np.float64]


class EvaluationSample(NamedTuple):
    """The estimates for one action and its real outcome, from -1 to 1, to fit the hard bot's weights.

    `network_value` is the network's value of the action now, and `later` its average values some turns later in sampled
    deals. `rollout_value` is the average outcome of these deals. `outcome` is that in the real hand, played on by
    medium bots.
    """

    network_value: float
    """The network's value of the action."""
    rollout_value: float
    """Average outcome of the worlds, played to their end."""
    later: tuple[float, ...]
    """The network's average value in the worlds at each of the player's next `DEPTH` turns.

    If a hand ends before such a turn, its outcome is used instead.
    """
    outcome: float
    """Outcome in the real hand, played on by medium bots."""


@dataclass
class _Turn:
    """A turn of a played hand, with the data needed to play on from it with another action.

    `by` is the player to act, and `view` that player's view. `dealt` has the dealt cards, and `told` the events that
    each player had been told, by name.
    """

    match: Match
    by: str
    view: View
    dealt: dict[str, Cards]
    told: dict[str, list[dict[str, object]]]
    """Events that each player had been told, by name."""


def evaluate_positions(
    bout: BotComparison, hand: int, worlds: int, net: OneLayerNetwork
) -> list[list[EvaluationSample]]:
    """Return estimates and real outcomes of the best actions, for up to `TURNS` turns of a hand: one list for each
    turn.

    `bout` gives the rules and the seed, and `hand` the number of the deal. `net` is the small network. Each action is
    tried in `worlds` worlds (sampled deals). The hard bot's weights are fitted to them.
    """
    rng = random.Random(f"{bout.seed}/{hand}")
    turns = _play_hand_turns(bout.start_match(hand), rng)
    found = list[list[EvaluationSample]]()
    for turn in rng.sample(turns, len(turns)):
        if len(found) == TURNS:
            break
        rules, seat = rule_set_of(turn.view["room"]), SeatReader(turn.view)
        veiled = build_seat_knowledge(turn.match, turn.by, turn.view["told"])
        actions = (
            small_network_bot.candidate_actions(seat)
            if rules is not None and small_network_bot.can_evaluate(seat)
            else []
        )
        if rules is None or veiled is None or len(actions) < 2 or turn.match.current_hand.phase != "play":
            continue
        seen = FeatureState(seat, turn.view["told"], rules, net.features)
        if not any(map(seen.is_sure_to_win, actions)):
            values = zip(small_network_bot.action_values(net, seen, actions), actions, strict=True)
            best = sorted(values, key=lambda one: -one[0])[:ACTIONS]
            found.append(_evaluate_turn(turn, veiled, best, worlds, rng, net, rules))
    return found


def _play_hand_turns(before: Match, rng: random.Random) -> list[_Turn]:
    """Play a hand with medium bots and return all its turns, to choose some for evaluation."""
    pack = list(before.deck())
    rng.shuffle(pack)
    deal = before.deal(tuple(pack), rng.randrange(1 << 30))
    players = {name: BotPlayer(small_network_bot.choose, rng) for name in before.seats}
    found, step = list[_Turn](), before.begin_hand(deal)
    while True:
        deliver_events(step, players)
        match = step.match
        if not match.is_hand_running:
            return found
        by = match.to_act[0]
        told = {name: [*player.events] for name, player in players.items()}
        view = view_of(match, by, told[by], deal.cards[by])
        found.append(_Turn(match, by, view, dict(deal.cards), told))
        step = match.apply_action(by, parse_action(dict(small_network_bot.choose(view, rng))))


def _evaluate_turn(
    turn: _Turn,
    veiled: SeatKnowledge,
    actions: Sequence[tuple[float, Action]],
    worlds: int,
    rng: random.Random,
    net: OneLayerNetwork,
    rules: RuleSet,
) -> list[EvaluationSample]:
    opinion = build_network_policy(net, veiled, turn.view, rules)
    heard = list[float]()

    def noted(hand: HandState, events: Sequence[GameEvent]) -> EvaluatedAction | None:
        plan = opinion(hand, events)
        if plan is not None:
            heard.append(plan.worth)
        return plan

    rollout = Rollout(veiled.match, veiled.seat, noted, BlendWeights(turns=DEPTH + 1))
    ends = [list[tuple[float, ...]]() for _ in actions]
    for _ in range(worlds):
        world = veiled.sample_match(rng).hand
        assert isinstance(world, ClimbingHand)
        for at, (_, action) in enumerate(actions):
            heard.clear()
            end = rollout.play_out(world, parse_action(dict(action)))
            ends[at].append((end.worth, *[*heard, *[end.worth] * DEPTH][:DEPTH]))
    found = list[EvaluationSample]()
    for (value, action), some in zip(actions, ends, strict=True):
        of_end, *later = (mean(column) for column in zip(*some, strict=True))
        found.append(EvaluationSample(value, of_end, tuple(later), _play_on_outcome(turn, action)))
    return found


def _play_on_outcome(turn: _Turn, action: Action) -> float:
    """Return the real outcome of an action at a turn: the player's value of the hand if medium bots play on."""
    chance = random.Random(0)
    players = {name: BotPlayer(small_network_bot.choose, chance, events=[*told]) for name, told in turn.told.items()}
    after = play_hand_from(turn.match.apply_action(turn.by, parse_action(dict(action))), players, turn.dealt)
    assert after.last is not None
    return hand_values(after.last)[turn.by]


class Fit(NamedTuple):
    """A least-squares fit of some estimates to the real outcomes of actions.

    `explains`: the share of the variance that it explains, in positions it was not fitted to. `weights`: the weight of
    each estimate.
    """

    explains: float
    """Explained share of the variance within positions, by cross-validation."""
    weights: tuple[float, ...]
    """The weight of each estimate, fitted to all positions."""


def fit_weights(positions: Sequence[Sequence[EvaluationSample]], depth: int, *, ends: bool, seed: int = 0) -> Fit:
    """Fit estimates to the real outcomes of actions by least squares, with differences within positions only.

    The estimates are the network's value now, its value `depth` turns later (if `depth` is not 0), and the outcome of
    sampled deals (if `ends`).
    """

    def of(one: EvaluationSample) -> tuple[float, ...]:
        later = one.later[depth - 1 : depth] if depth else ()
        return (one.network_value, *later, one.rollout_value) if ends else (one.network_value, *later)

    given = np.concatenate([_subtract_mean(np.array([of(one) for one in position])) for position in positions])
    came = np.concatenate([_subtract_mean(np.array([one.outcome for one in position])) for position in positions])
    parts = np.random.default_rng(seed).integers(0, PARTS, len(positions))
    part = np.repeat(parts, [len(position) for position in positions])
    wrong = 0.0
    for at in range(PARTS):
        weights = np.linalg.lstsq(given[part != at], came[part != at])[0]
        wrong += float(((came[part == at] - given[part == at] @ weights) ** 2).sum())
    every = np.linalg.lstsq(given, came)[0]
    return Fit(1 - wrong / float((came**2).sum()), tuple(every.tolist()))


def _subtract_mean(numbers: Numbers) -> Numbers:
    middle: Numbers = numbers.mean(0)
    return numbers - middle


def blend_weights_from_fit(fit: Fit, depth: int, worlds: int, positions: int) -> BlendWeights:
    """Convert a fit to weights for the hard bot's search; negative weights become 0.

    The fit must be made with `depth` at least 1 and `worlds` worlds (sampled deals). `positions` is the number of
    positions behind it, for the note `measured`.
    """
    now, later, end = (max(0.0, weight) for weight in (*fit.weights, 0.0)[:3])
    shown = max(later + end, 1e-9)
    measured = f"{positions} positions, {worlds} worlds each"
    return BlendWeights(round(worlds * now / shown, 1), round(later / shown, 2), depth, measured=measured)
