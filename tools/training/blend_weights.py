"""What the hard bot goes by, measured: how much the network's opinion, worlds played to their end, and its opinion some
turns later in them tell of what comes of an action. Needs numpy.

Medium bots play hands. At some of their turns the actions that the network likes best are tried in the same worlds, and
then each for once in the real hand, which medium bots play on to its end. What was thought is fitted to what came of
it, within each position: how good a position is helps nobody to choose.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.arena.bot_table import Player, played_on, tell
from app.arena.duplicate_deals import Bout
from app.bots.network import small_network_bot
from app.bots.network.features import Glimpse
from app.bots.network.one_layer import Net
from app.bots.search.blend import Trust
from app.bots.search.monte_carlo import opinion_of
from app.bots.search.rollout import Intent, Rollout
from app.bots.view.card_order import RulesInForce, rules_of
from app.bots.view.seat_view import Action, SeatReader, View, view_of
from app.engine.cards.action_codec import parse_action
from app.engine.cards.cards import Cards
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import State
from app.engine.display.events import Event
from app.engine.match.hidden_state import Veiled, veil
from app.engine.match.match import Match

from .self_play import worths

DEPTH = 3
"""So many of one's own turns are looked ahead."""
TURNS = 4
"""Of a hand that are looked at, at most."""
ACTIONS = 5
"""That are tried at a turn, at most."""
PARTS = 10
"""Into so many parts positions are cut: what is fitted to the others is tried on each."""

Numbers = NDArray[np.float64]


class Judged(NamedTuple):
    """What was thought of an action, and what came of it, from -1 to 1."""

    now: float
    """What the network thinks of it."""
    end: float
    """What worlds come to that are played to their end."""
    later: tuple[float, ...]
    """What the network thinks in them at one's next turn, at the one after it …; where the hand is over before, what it
    came to."""
    came: float
    """What came of it in the real hand."""


@dataclass
class _Turn:
    """A turn at which there is a choice."""

    match: Match
    by: str
    view: View
    dealt: dict[str, Cards]
    told: dict[str, list[dict[str, object]]]
    """What everybody had been told."""


def positions(bout: Bout, hand: int, worlds: int, net: Net) -> list[list[Judged]]:
    """What was thought of actions at some turns of a hand, in so many worlds, and what came of them."""
    rng = random.Random(f"{bout.seed}/{hand}")
    turns = _turns(bout.match(hand), rng)
    found = list[list[Judged]]()
    for turn in rng.sample(turns, len(turns)):
        if len(found) == TURNS:
            break
        rules, seat = rules_of(turn.view["room"]), SeatReader(turn.view)
        veiled = veil(turn.match, turn.by, turn.view["told"])
        actions = small_network_bot.weighed(seat) if rules is not None and small_network_bot.understands(seat) else []
        if rules is None or veiled is None or len(actions) < 2 or turn.match.the_hand.phase != "play":
            continue
        seen = Glimpse(seat, turn.view["told"], rules, net.features)
        if not any(map(seen.is_sure, actions)):
            values = zip(small_network_bot.values(net, seen, actions), actions, strict=True)
            best = sorted(values, key=lambda one: -one[0])[:ACTIONS]
            found.append(_judged(turn, veiled, best, worlds, rng, net, rules))
    return found


def _turns(before: Match, rng: random.Random) -> list[_Turn]:
    """All turns of a hand that medium bots play."""
    pack = list(before.deck())
    rng.shuffle(pack)
    deal = before.deal(tuple(pack), rng.randrange(1 << 30))
    players = {name: Player(small_network_bot.choose, rng) for name in before.seats}
    found, step = list[_Turn](), before.begin(deal)
    while True:
        tell(step, players)
        match = step.match
        if not match.running:
            return found
        by = match.to_act[0]
        told = {name: [*player.told] for name, player in players.items()}
        view = view_of(match, by, told[by], deal.cards[by])
        found.append(_Turn(match, by, view, dict(deal.cards), told))
        step = match.act(by, parse_action(dict(small_network_bot.choose(view, rng))))


def _judged(
    turn: _Turn,
    veiled: Veiled,
    actions: Sequence[tuple[float, Action]],
    worlds: int,
    rng: random.Random,
    net: Net,
    rules: RulesInForce,
) -> list[Judged]:
    opinion = opinion_of(net, veiled, turn.view, rules)
    heard = list[float]()

    def noted(hand: HandState, events: Sequence[Event]) -> Intent | None:
        plan = opinion(hand, events)
        if plan is not None:
            heard.append(plan.worth)
        return plan

    rollout = Rollout(veiled.match, veiled.seat, noted, Trust(turns=DEPTH + 1))
    ends = [list[tuple[float, ...]]() for _ in actions]
    for _ in range(worlds):
        world = veiled.sample(rng).hand
        assert isinstance(world, State)
        for at, (_, action) in enumerate(actions):
            heard.clear()
            end = rollout.end(world, parse_action(dict(action)))
            ends[at].append((end.worth, *[*heard, *[end.worth] * DEPTH][:DEPTH]))
    found = list[Judged]()
    for (value, action), some in zip(actions, ends, strict=True):
        of_end, *later = (mean(column) for column in zip(*some, strict=True))
        found.append(Judged(value, of_end, tuple(later), _came(turn, action)))
    return found


def _came(turn: _Turn, action: Action) -> float:
    """What an action comes to if medium bots go on."""
    chance = random.Random(0)
    players = {name: Player(small_network_bot.choose, chance, told=[*told]) for name, told in turn.told.items()}
    after = played_on(turn.match.act(turn.by, parse_action(dict(action))), players, turn.dealt)
    assert after.last is not None
    return worths(after.last)[turn.by]


class Fit(NamedTuple):
    """What some of what was thought tells of what came of actions."""

    explains: float
    """The share that it explains, in positions that it was not fitted to."""
    weights: tuple[float, ...]
    """What each of it counts."""


def fitted(some: Sequence[Sequence[Judged]], depth: int, *, ends: bool, seed: int = 0) -> Fit:
    """By least squares: the network's opinion now; at so-manyth of one's next turns, if any; and the end, if so."""

    def of(one: Judged) -> tuple[float, ...]:
        later = one.later[depth - 1 : depth] if depth else ()
        return (one.now, *later, one.end) if ends else (one.now, *later)

    given = np.concatenate([_centred(np.array([of(one) for one in position])) for position in some])
    came = np.concatenate([_centred(np.array([one.came for one in position])) for position in some])
    parts = np.random.default_rng(seed).integers(0, PARTS, len(some))
    part = np.repeat(parts, [len(position) for position in some])
    wrong = 0.0
    for at in range(PARTS):
        weights = np.linalg.lstsq(given[part != at], came[part != at])[0]
        wrong += float(((came[part == at] - given[part == at] @ weights) ** 2).sum())
    every = np.linalg.lstsq(given, came)[0]
    return Fit(1 - wrong / float((came**2).sum()), tuple(every.tolist()))


def _centred(numbers: Numbers) -> Numbers:
    middle: Numbers = numbers.mean(0)
    return numbers - middle


def trust_from(fit: Fit, depth: int, worlds: int, positions: int) -> Trust:
    """How far to trust the network by what its opinion now, later, and the end count, in so many worlds."""
    now, later, end = (max(0.0, weight) for weight in (*fit.weights, 0.0)[:3])
    shown = max(later + end, 1e-9)
    measured = f"{positions} positions, {worlds} worlds each"
    return Trust(round(worlds * now / shown, 1), round(later / shown, 2), depth, measured=measured)
