"""Hands played to learn from: what was true of each choice that the learner made, and what came of it."""

import random
from collections.abc import Mapping, Sequence
from math import log
from typing import Any, TypeAlias

from msgspec import json

from app.arena.bot_table import Player, play
from app.arena.random_rules import NAMES, random_count, random_options
from app.bots import Choose
from app.bots.network import small_network_bot
from app.bots.network.features import Glimpse
from app.bots.network.one_layer import Net
from app.bots.simple import greedy
from app.bots.view.seat_view import Action, View
from app.engine.base.errors import RuleError
from app.engine.base.options import Options
from app.engine.match.game import AnyGame
from app.engine.match.hand import HandResult
from app.engine.match.match import Match

HANDS = 4
"""Hands of one match: those after the first have ranks, and gifts."""
BY_GREEDY = 0.4
"""How many seats the greedy bot has."""
SWITCHES = 0.2
"""How often random switches are played; of the rest half are any presets, and half those that are played most."""
EASY = 0.6
"""How often the wide network plays among three greedy bots."""
CALM = 2.0
"""Where the wide network knows something already, it takes steps so many times smaller, and tries as much less."""
USUAL = 4
"""So many play most often."""
MOST = 6
PLACES = 0.7
"""How much of what a hand is worth is one's place in it; the rest is points."""
TRUST = 0.2
"""How much a choice is judged by what the network thought of the next one, and not by the end."""

Rules: TypeAlias = Mapping[str, Any]
"""A preset, and switches besides."""
Sample: TypeAlias = tuple[list[int], float]
"""The features of a choice, and what came of it, from -1 to 1."""


def said(most: Sequence[str], besides: Mapping[str, Any], switches: float) -> str:
    """What a command says of rules: presets that are played most, switches that these are played with, and how often
    random switches are played.

    >>> said(("pagat",), {"doubling": [[10, 2]], "quads": "alone"}, 0.5)
    ' --preset pagat --switch doubling=[[10,2]] --switch quads=alone --switches 0.5'
    """
    presets = [f" --preset {key}" for key in most]
    values = {key: value if isinstance(value, str) else json.encode(value).decode() for key, value in besides.items()}
    share = [] if switches == SWITCHES else [f" --switches {switches:g}"]
    return "".join([*presets, *(f" --switch {key}={value}" for key, value in values.items()), *share])


class Learner:
    """A seat that plays as the network would, nearly: of what it thinks alike it tries all. It keeps its choices."""

    def __init__(self, net: Net, heat: float) -> None:
        self._net, self._heat = net, heat
        self._choices: list[tuple[list[int], float]] = []

    def choose(self, view: View, rng: random.Random) -> Action:
        """As a bot does."""
        return small_network_bot.chosen(view, rng, lambda seen, actions: self._among(seen, actions, rng))

    def _among(self, seen: Glimpse, actions: Sequence[Action], rng: random.Random) -> Action:
        moment = self._net.at(seen.moment)
        changes = [seen.of(action) for action in actions]
        values = [self._net.value(moment, *change) for change in changes]
        noisy = [value - self._heat * log(-log(rng.random() or 0.5)) for value in values]
        at = max(range(len(actions)), key=noisy.__getitem__)
        now, gone = changes[at]
        features = list(seen.moment)
        for feature in gone:
            features.remove(feature)
        self._choices.append((features + now, values[at]))
        return actions[at]

    def samples(self, worth: float) -> list[Sample]:
        """Its choices, each with what came of it where the hand was worth so much in the end: backwards, from each next
        choice a little of what the network thought then, and most of what came of that (a lambda return)."""
        found, after = list[Sample](), worth
        for features, thought in reversed(self._choices):
            found.append((features, after))
            after = TRUST * thought + (1 - TRUST) * after
        return found


def lesson(
    game: AnyGame,
    net: Net,
    heat: float,
    rng: random.Random,
    hands: int,
    most: Sequence[Rules] = (),
    switches: float = SWITCHES,
) -> list[Sample]:
    """What so many hands teach, of matches with whatever rules, among learners and greedy bots.

    `most`: the rules that are played most; none: the first preset. `switches`: how often random ones are played.
    """
    found, played = list[Sample](), 0
    while played < hands:
        match = match_to_learn_from(game, rng, most, 1 - switches)
        for _ in range(min(HANDS, hands - played) if match is not None else 0):
            assert match is not None
            learners = {name: Learner(net, heat) for name in match.seats if rng.random() >= BY_GREEDY}
            choose: Mapping[str, Choose] = {name: learner.choose for name, learner in learners.items()}
            players = {name: Player(choose.get(name, greedy.choose), rng) for name in match.seats}
            match = play(match, players, rng, hasty=True)
            played += 1
            worth = worths(match.last) if match.last is not None else {}
            for name, learner in learners.items():
                found += learner.samples(worth[name]) if name in worth else []
            if match.over:
                break
    return found


def worths(result: HandResult) -> dict[str, float]:
    """What a hand came to for each, from -1 to 1: by place, and by points within what was won and lost."""
    names = [name for place in result.standing for name in (place if isinstance(place, tuple) else (place,))]
    points = result.ledger
    low, high = min(points.values()), max(points.values())
    found = dict[str, float]()
    for at, name in enumerate(names):
        place = 1 - 2 * at / (len(names) - 1)
        won = 2 * (points[name] - low) / (high - low) - 1 if low < high else place
        found[name] = PLACES * place + (1 - PLACES) * won
    return found


def match_to_learn_from(game: AnyGame, rng: random.Random, most: Sequence[Rules], presets_in: float) -> Match | None:
    """A match before its first hand; None where the rules that were drawn do not let so many play.

    `presets_in`: how often presets are played and not random switches; half of those are of `most`.
    """
    drawn, presets = rng.random(), game.declared.presets
    if drawn < presets_in:
        usual: Rules = rng.choice(most) if most else {"preset": presets[0].key}
        rules = usual if drawn < presets_in / 2 else {"preset": rng.choice(presets).key}
        options: Options = game.declared.resolve(rules)
    else:
        options = random_options(game, rng)
    low, high = game.players(options)
    count: int | None = USUAL if low <= USUAL <= high and rng.random() < 0.8 else random_count(game, options, rng)
    if count is None or count > MOST:
        return None
    try:
        match = Match.start(game, options, NAMES[:count])
        match.game.check_players(options, count)
    except RuleError:
        return None
    return match
