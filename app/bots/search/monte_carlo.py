"""Thinking ahead: what may be done is tried in worlds drawn from what a seat knows, each played to its end.

The steady bot's network says what is worth trying, and has a word in the end: its opinion counts like some worlds more.
All that is tried is tried in the same worlds, so that good cards flatter nothing; what looks worst is dropped as the
budget is used up, and the others get its share.
"""

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from app.bots.network import large_network, small_network_bot
from app.bots.network.features import FEATURES, Glimpse
from app.bots.network.one_layer import Net
from app.bots.search.blend import Trust, trust_in
from app.bots.search.rollout import End, Intent, Opinion, Rollout
from app.bots.view.card_order import RulesInForce, rules_of
from app.bots.view.seat_view import Action, SeatReader, View, glance_of
from app.engine.cards.action_codec import parse_action
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import State
from app.engine.display.events import Event
from app.engine.match import views
from app.engine.match.hidden_state import Veiled

MOST = 6
"""Actions that are tried."""
STAGES = (0.25, 0.45, 0.7)
"""Shares of the budget after which the worse half is dropped."""
FIRST = 4
"""Worlds before anything is dropped."""
MOST_WORLDS = 400
"""Worlds in which actions are compared, at most."""
LOOKS_EVERY = 20
"""Worlds after which it is looked whether their differences are clear."""
MATTERS = 0.4
"""Places that a difference has to come to, on the average, to be worth a word."""
CLEAR, CLEAR_AFTER = 3.0, 100
"""Standard errors by which it has to be above that, or below, for no more worlds to be asked, and the fewest worlds."""


class Budget(NamedTuple):
    """How much thinking may cost: worlds, seconds of the thread's processor, whichever ends first. One is given."""

    worlds: int | None = None
    seconds: float | None = None

    def __str__(self) -> str:
        """Such as “100 ms” or “16 worlds”."""
        worlds = [] if self.worlds is None else [f"{self.worlds} worlds"]
        return ", ".join([*worlds, *([] if self.seconds is None else [f"{1000 * self.seconds:g} ms"])])


class Try(NamedTuple):
    """An action that was tried, and what came of it."""

    action: Action
    worth: float
    """What is compared: higher is better."""
    worlds: int
    """In how many worlds it was tried."""
    place: float
    """The place expected, 1 for the first."""
    turns: float
    """How many turns of one's own, this one included, until one was out or the hand over."""
    keeps: float
    """In what share of the worlds it won the trick."""
    first: float
    """In what share of them one was the first."""
    prior: float
    """What the network thinks of it."""
    behind: float = 0.0
    """How many places behind the first of those that it was compared with, on the average of the same worlds."""
    behind_error: float = 0.0
    """The standard error of that difference."""
    rarer: float = 0.0
    """In what share of the worlds it was first less often than that one."""
    rarer_error: float = 0.0
    """The standard error of that difference."""
    gap: float = 0.0
    """How much less it was worth than the choice as that was made, by worlds and network together."""


class Thought(NamedTuple):
    """What was chosen, and why."""

    action: Action
    worlds: int
    tries: tuple[Try, ...]
    """Best first; empty where nothing had to be thought about."""


def think(
    veiled: Veiled, view: View, budget: Budget, rng: random.Random, clock: Callable[[], float] = time.thread_time
) -> Thought:
    """Choose what to do now: by the wide network where it is to decide, and else by worlds as far as the budget goes
    and by the steady bot's network. What none of them is for is chosen as the steady bot does."""
    seat, rules, hand = SeatReader(view), rules_of(view["room"]), veiled.match.hand
    actions = small_network_bot.weighed(seat) if rules is not None and small_network_bot.understands(seat) else []
    if len(actions) < 2 or not isinstance(hand, State) or rules is None:
        return Thought(small_network_bot.choose(view, rng), 0, ())
    net = small_network_bot.network(view["table"]["game"])
    seen = Glimpse(seat, view["told"], rules, FEATURES if net is None else net.features)
    sure = [action for action in actions if seen.is_sure(action)]
    if sure:
        return Thought(sure[0], 0, ())
    trust = trust_in(veiled.match)
    learnt = large_network.values(seat, view["told"], rules) if trust.by_heart else None
    if learnt is not None:
        return _by_heart(seat.legal, learnt)
    priors = [0.0] * len(actions) if net is None else small_network_bot.values(net, seen, actions)
    best = sorted(range(len(actions)), key=lambda at: -priors[at])[:MOST]
    tried = [_Tried(actions[at], priors[at], trust.now) for at in best]
    opinion = opinion_of(net, veiled, view, rules) if net is not None and trust.later else None
    rollout = Rollout(veiled.match, veiled.seat, opinion, trust)
    worlds = _try(tried, rollout, veiled, budget, rng, clock, trust.clear)
    tried.sort(key=lambda one: (-len(one.ends), -one.worth))
    return Thought(tried[0].action, worlds, tuple(one.told() for one in tried))


def _by_heart(actions: Sequence[Action], worths: Sequence[float]) -> Thought:
    """What the wide network thinks most of, and what it thinks of next."""
    best = sorted(range(len(actions)), key=lambda at: -worths[at])[:MOST]
    tried = [_Tried(actions[at], worths[at], 1.0) for at in best]
    return Thought(tried[0].action, 0, tuple(one.told() for one in tried))


def compared(
    veiled: Veiled,
    actions: Sequence[Action],
    budget: Budget,
    rng: random.Random,
    clock: Callable[[], float] = time.thread_time,
) -> tuple[Try, ...]:
    """Play legal actions out in the same worlds, and tell what comes of each, in their order; the network is not asked.

    How far the others are behind the first is told by the difference in each world. It ends with the budget, or as
    soon as every difference is clear.
    """
    tried = [_Tried(action, 0.0, Trust().now) for action in actions]
    rollout, parsed = Rollout(veiled.match, veiled.seat), [parse_action(action) for action in actions]
    worlds, began = 0, clock()
    while worlds < (budget.worlds or MOST_WORLDS):
        world = veiled.sample(rng).hand
        assert isinstance(world, State)
        for one, action in zip(tried, parsed, strict=True):
            one.ends.append(rollout.end(world, action))
        worlds += 1
        if worlds % LOOKS_EVERY == 0:
            clear = all(_is_clear(*one.behind(tried[0])) for one in tried[1:])
            late = budget.seconds is not None and clock() - began >= budget.seconds
            if late or (clear and worlds >= CLEAR_AFTER):
                break
    return tuple(one.told(tried[0]) for one in tried)


@dataclass
class _Tried:
    """An action, and what came of it so far."""

    action: Action
    prior: float
    trust: float
    """As many worlds the network's opinion counts for."""
    ends: list[End] = field(default_factory=list[End])

    @property
    def worth(self) -> float:
        return (sum(end.worth for end in self.ends) + self.trust * self.prior) / (len(self.ends) + self.trust)

    def behind(self, first: "_Tried") -> tuple[float, float]:
        """Return by how many places this is behind another in the same worlds, and the standard error."""
        return _paired([mine.place - theirs.place for mine, theirs in zip(self.ends, first.ends, strict=True)])

    def told(self, first: "_Tried | None" = None) -> Try:
        """Return what came of it; beside `first`, in the same worlds."""
        ends = self.ends
        behind, rarer = (0.0, 0.0), (0.0, 0.0)
        if first is not None and first is not self:
            behind = self.behind(first)
            pairs = zip(self.ends, first.ends, strict=True)
            rarer = _paired([(theirs.place == 1) - (mine.place == 1) for mine, theirs in pairs])
        count = max(1, len(ends))
        return Try(
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


def _is_clear(behind: float, error: float) -> bool:
    """Return whether it is clear that a difference matters, or that it does not."""
    return abs(behind - MATTERS) > CLEAR * error


def _paired(differences: Sequence[int]) -> tuple[float, float]:
    """Return the mean of differences, and its standard error.

    >>> _paired([1, 1, 0, 0])
    (0.5, 0.28867513459481287)
    """
    count = len(differences)
    if count < 2:
        return (float(sum(differences)), math.inf)
    mean = sum(differences) / count
    spread = sum((one - mean) ** 2 for one in differences) / (count - 1)
    return mean, math.sqrt(spread / count)


def opinion_of(net: Net, veiled: Veiled, view: View, rules: RulesInForce) -> Opinion:
    """What the network would do, and thinks of it, when it is one's turn again: by what one would have been told by
    then."""
    me, match = veiled.seat, veiled.match

    def opinion(hand: HandState, events: Sequence[Event]) -> Intent | None:
        now = match.but(hand=hand)
        if len([*islice(now.legal(me), 2)]) < 2:
            return None
        told = [*view["told"], *views.events_for(events, me)]
        seat = SeatReader(glance_of(now, me, told, ()))
        actions = small_network_bot.weighed(seat)
        if len(actions) < 2 or not small_network_bot.understands(seat):
            return None
        seen = Glimpse(seat, told, rules, net.features)
        action, worth = small_network_bot.best(net, seen, actions)
        return Intent(parse_action(action), worth)

    return opinion


def _try(
    tried: list[_Tried],
    rollout: Rollout,
    veiled: Veiled,
    budget: Budget,
    rng: random.Random,
    clock: Callable[[], float],
    clear: float,
) -> int:
    """Try them all in one world after the other: how many there were."""
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
            if alive[0].worth - alive[1].worth > clear / (worlds + alive[0].trust) ** 0.5:
                return worlds
            if stages and used > stages[0]:
                stages.pop(0)
                del alive[max(2, (len(alive) + 1) // 2) :]
        world = veiled.sample(rng).hand
        assert isinstance(world, State)
        for one in alive:
            one.ends.append(rollout.end(world, parsed[id(one)]))
        worlds += 1
