"""Monte Carlo search: try actions in sampled deals (worlds) that fit a seat's knowledge, played to their end.

The medium bot's network selects the actions to try. Its value of an action also counts like a number of worlds.
All actions are tried in the same worlds, so that a lucky deal favours none of them. The worst actions are dropped while
the budget is used up, which leaves more worlds for the others.
"""

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from app.bots.network import large_network, small_network_bot
from app.bots.network.features import FEATURES, FeatureState
from app.bots.network.one_layer import OneLayerNetwork
from app.bots.search.blend import BlendWeights, load_blend_weights
from app.bots.search.rollout import EvaluatedAction, PlayoutResult, PlayPolicy, Rollout
from app.bots.view.card_order import RuleSet, rule_set_of
from app.bots.view.seat_view import Action, SeatReader, View, minimal_view_of
from app.engine.cards.action_codec import parse_action
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import ClimbingHand
from app.engine.display.events import GameEvent
from app.engine.match import views
from app.engine.match.hidden_state import SeatKnowledge

MOST = 6
"""Largest number of actions that are tried."""
STAGES = (0.25, 0.45, 0.7)
"""Shares of the budget after which the worse half of the actions is dropped."""
FIRST = 4
"""Number of worlds before any action is dropped."""
MOST_WORLDS = 400
"""Largest number of worlds in `compare_actions`, unless the budget sets another."""
LOOKS_EVERY = 20
"""`compare_actions` checks after every 20 worlds whether all differences are clear."""
PLACES_THAT_MATTER, FIRSTS_THAT_MATTER = 0.4, 0.08
"""Average difference in places, and difference in the share of first places, that make an action clearly better."""
CLEAR, CLEAR_AFTER = 3.0, 100
"""A comparison stops early if all differences are this number of standard errors away from those that matter.

The second value is the smallest number of worlds before that.
"""


class Budget(NamedTuple):
    """Limit of a bot's search: worlds (sampled deals), or seconds of the thread's processor time, whichever ends first.

    None means no such limit. Set at least one.
    """

    worlds: int | None = None
    seconds: float | None = None

    def __str__(self) -> str:
        """Return the budget as text, such as “100 ms” or “16 worlds”."""
        worlds = [] if self.worlds is None else [f"{self.worlds} worlds"]
        return ", ".join([*worlds, *([] if self.seconds is None else [f"{1000 * self.seconds:g} ms"])])


class ActionSummary(NamedTuple):
    """An action that a bot's search tried, with averages of its outcomes over the worlds (sampled deals).

    `behind`, `rarer` and their errors compare it with the first compared action: positive numbers mean that it is
    worse, 0 also that it was not compared.
    """

    action: Action
    worth: float
    """The value by which actions are ranked: higher is better."""
    worlds: int
    """Number of worlds in which the action was tried."""
    place: float
    """Average place, 1 for the first."""
    turns: float
    """Average number of the player's turns, this turn included, until the player is out or the hand is over."""
    keeps: float
    """Share of the worlds in which the action won the trick."""
    first: float
    """Share of the worlds in which the player went out first."""
    prior: float
    """The network's value of the action, before any world."""
    behind: float = 0.0
    """Average number of places behind the first compared action, in the same worlds."""
    behind_error: float = 0.0
    """The standard error of `behind`."""
    rarer: float = 0.0
    """Share of first places of the first compared action, minus that of this action."""
    rarer_error: float = 0.0
    """The standard error of `rarer`."""


class SearchResult(NamedTuple):
    """The action that a hard bot's search chose, the number of worlds played out, and the outcomes of tried actions.

    `worlds` are sampled deals.
    """

    action: Action
    worlds: int
    tries: tuple[ActionSummary, ...]
    """The tried actions, the best first; empty if no search was needed."""


def search_action(
    veiled: SeatKnowledge, view: View, budget: Budget, rng: random.Random, clock: Callable[[], float] = time.thread_time
) -> SearchResult:
    """Choose a hard bot's action for a seat within a budget, and summarize the actions that were tried.

    `veiled` is the match as the seat knows it. The bot plays actions out in sampled deals (worlds) and adds the medium
    bot's network values. For some games the large network decides alone. Sure wins need no search. The medium bot
    chooses at turns that can't be searched. `clock` measures the seconds of the budget.
    """
    seat, rules, hand = SeatReader(view), rule_set_of(view["room"]), veiled.match.hand
    actions = (
        small_network_bot.candidate_actions(seat) if rules is not None and small_network_bot.can_evaluate(seat) else []
    )
    if len(actions) < 2 or not isinstance(hand, ClimbingHand) or rules is None:
        return SearchResult(small_network_bot.choose(view, rng), 0, ())
    net = small_network_bot.load_current_network(view["table"]["game"])
    seen = FeatureState(seat, view["told"], rules, FEATURES if net is None else net.features)
    sure = [action for action in actions if seen.is_sure_to_win(action)]
    if sure:
        return SearchResult(sure[0], 0, ())
    trust = load_blend_weights(veiled.match)
    learnt = large_network.action_values(seat, view["told"], rules) if trust.by_heart else None
    if learnt is not None:
        return choose_by_network(seat.legal, learnt)
    priors = [0.0] * len(actions) if net is None else small_network_bot.action_values(net, seen, actions)
    best = sorted(range(len(actions)), key=lambda at: -priors[at])[:MOST]
    tried = [_Candidate(actions[at], priors[at], trust.now) for at in best]
    opinion = build_network_policy(net, veiled, view, rules) if net is not None and trust.later else None
    rollout = Rollout(veiled.match, veiled.seat, opinion, trust)
    worlds = _run_worlds(tried, rollout, veiled, budget, rng, clock, trust.clear)
    tried.sort(key=lambda one: (-len(one.ends), -one.worth))
    return SearchResult(tried[0].action, worlds, tuple(one.summarize() for one in tried))


def choose_by_network(actions: Sequence[Action], worths: Sequence[float]) -> SearchResult:
    """Return the action with the highest value of the network, without playing out sampled deals.

    `worths` are the network's values of the actions, in the same order. At most `MOST` actions are listed as tries, the
    best first.
    """
    best = sorted(range(len(actions)), key=lambda at: -worths[at])[:MOST]
    tried = [_Candidate(actions[at], worths[at], 1.0) for at in best]
    return SearchResult(tried[0].action, 0, tuple(one.summarize() for one in tried))


def compare_actions(
    veiled: SeatKnowledge,
    actions: Sequence[Action],
    budget: Budget,
    rng: random.Random,
    clock: Callable[[], float] = time.thread_time,
) -> tuple[ActionSummary, ...]:
    """Play legal actions out in the same sampled deals (worlds) and summarize each, in the given order.

    `veiled` is the match as the seat knows it. No network is used. Each action is compared with the first by the
    difference in each world. The comparison ends with the budget, measured by `clock`, or as soon as every difference
    is clear (`CLEAR`). The explanation of past turns uses it.
    """
    tried = [_Candidate(action, 0.0, BlendWeights().now) for action in actions]
    rollout, parsed = Rollout(veiled.match, veiled.seat), [parse_action(action) for action in actions]
    worlds, began = 0, clock()
    while worlds < (budget.worlds or MOST_WORLDS):
        world = veiled.sample_match(rng).hand
        assert isinstance(world, ClimbingHand)
        for one, action in zip(tried, parsed, strict=True):
            one.ends.append(rollout.play_out(world, action))
        worlds += 1
        if worlds % LOOKS_EVERY == 0:
            clear = all(_is_difference_clear(one.summarize(tried[0])) for one in tried[1:])
            late = budget.seconds is not None and clock() - began >= budget.seconds
            if late or (clear and worlds >= CLEAR_AFTER):
                break
    return tuple(one.summarize(tried[0]) for one in tried)


@dataclass
class _Candidate:
    """An action that a search is trying, with the results of its playouts so far in `ends`.

    `prior` is the network's value of it, which counts like `network_weight` playouts.
    """

    action: Action
    prior: float
    network_weight: float
    """Number of worlds that the network's value counts for."""
    ends: list[PlayoutResult] = field(default_factory=list[PlayoutResult])

    @property
    def worth(self) -> float:
        return (sum(end.worth for end in self.ends) + self.network_weight * self.prior) / (
            len(self.ends) + self.network_weight
        )

    def _places_behind(self, first: "_Candidate") -> tuple[float, float]:
        """Return the average number of places that this action ends behind `first`, and the standard error.

        Both must have been played out in the same worlds (sampled deals).
        """
        return _mean_and_standard_error(
            [own.place - theirs.place for own, theirs in zip(self.ends, first.ends, strict=True)]
        )

    def summarize(self, first: "_Candidate | None" = None) -> ActionSummary:
        """Return the averages of this action's playouts.

        With `first`, also the differences from that action in the same worlds.
        """
        ends = self.ends
        behind, rarer = (0.0, 0.0), (0.0, 0.0)
        if first is not None and first is not self:
            behind = self._places_behind(first)
            pairs = zip(self.ends, first.ends, strict=True)
            rarer = _mean_and_standard_error([(theirs.place == 1) - (own.place == 1) for own, theirs in pairs])
        count = max(1, len(ends))
        return ActionSummary(
            self.action,
            self.worth,
            len(ends),
            sum(end.place for end in ends) / count,
            sum(end.turns for end in ends) / count,
            sum(end.keeps for end in ends) / count,
            sum(end.place == 1 for end in ends) / count,
            self.prior,
            *behind,
            *rarer,
        )


def _is_difference_clear(one: ActionSummary) -> bool:
    """Return whether both differences clearly matter or clearly don't, so that sampling can stop."""
    return (
        abs(abs(one.behind) - PLACES_THAT_MATTER) > CLEAR * one.behind_error
        and abs(abs(one.rarer) - FIRSTS_THAT_MATTER) > CLEAR * one.rarer_error
    )


def _mean_and_standard_error(differences: Sequence[int]) -> tuple[float, float]:
    """Return the mean of differences between two actions in sampled deals, and its standard error.

    The error is infinite for fewer than two differences.

    >>> _mean_and_standard_error([1, 1, 0, 0])
    (0.5, 0.28867513459481287)
    """
    count = len(differences)
    if count < 2:
        return (float(sum(differences)), math.inf)
    mean = sum(differences) / count
    spread = sum((one - mean) ** 2 for one in differences) / (count - 1)
    return mean, math.sqrt(spread / count)


def build_network_policy(net: OneLayerNetwork, veiled: SeatKnowledge, view: View, rules: RuleSet) -> PlayPolicy:
    """Return a policy for playouts that asks the small network at the seat's later turns in a world (sampled deal).

    `veiled` is the match as the seat knows it. The policy uses only events that the seat would have been told by then.
    It returns None at turns without a choice of plays or gives.
    """
    me, match = veiled.seat, veiled.match

    def opinion(hand: HandState, events: Sequence[GameEvent]) -> EvaluatedAction | None:
        now = match.replace(hand=hand)
        if len([*islice(now.legal_actions(me), 2)]) < 2:
            return None
        visible = [*view["told"], *views.visible_events(events, me)]
        seat = SeatReader(minimal_view_of(now, me, visible, ()))
        actions = small_network_bot.candidate_actions(seat)
        if len(actions) < 2 or not small_network_bot.can_evaluate(seat):
            return None
        seen = FeatureState(seat, visible, rules, net.features)
        action, worth = small_network_bot.best_action(net, seen, actions)
        return EvaluatedAction(parse_action(action), worth)

    return opinion


def _run_worlds(
    tried: list[_Candidate],
    rollout: Rollout,
    veiled: SeatKnowledge,
    budget: Budget,
    rng: random.Random,
    clock: Callable[[], float],
    clear: float,
) -> int:
    """Play each tried action out in one sampled deal after another, until the budget ends or the best is clear.

    `rollout` plays the hands out, and `clock` measures the budget's seconds. `clear` is the lead that counts as clear
    (`BlendWeights.clear`). Adds the results to the candidates, drops the worst on the way, and returns the number of
    deals.
    """
    parsed = {id(one): parse_action(one.action) for one in tried}
    alive, stages, worlds, began = list(tried), list(STAGES), 0, clock()
    while True:
        used = worlds / budget.worlds if budget.worlds else 0.0
        if budget.seconds:
            used = max(used, (clock() - began) / budget.seconds)
        if used >= 1 or len(alive) < 2:
            return worlds
        if worlds >= FIRST:
            alive.sort(key=lambda one: -one.worth)
            if alive[0].worth - alive[1].worth > clear / (worlds + alive[0].network_weight) ** 0.5:
                return worlds
            if stages and used > stages[0]:
                stages.pop(0)
                del alive[max(2, (len(alive) + 1) // 2) :]
        world = veiled.sample_match(rng).hand
        assert isinstance(world, ClimbingHand)
        for one in alive:
            one.ends.append(rollout.play_out(world, parsed[id(one)]))
        worlds += 1
