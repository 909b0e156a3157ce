"""Self-play for training: play hands and collect samples, each with the features of a choice and its outcome."""

import random
from collections.abc import Mapping, Sequence
from math import log
from typing import Any, TypeAlias

from msgspec import json

from app.arena.bot_table import BotPlayer, play_hand
from app.arena.random_rules import PLAYER_NAMES, random_options, random_player_count
from app.bots import ChooseAction
from app.bots.network import small_network_bot
from app.bots.network.features import FeatureState
from app.bots.network.one_layer import OneLayerNetwork
from app.bots.simple import easy_bot
from app.bots.view.seat_view import Action, View
from app.engine.base.errors import RuleError
from app.engine.base.options import Options
from app.engine.match.game import AnyGame
from app.engine.match.hand import HandResult
from app.engine.match.match import Match

HANDS = 4
"""Number of hands in a match. Hands after the first have ranks and an exchange."""
EASY_BOT_SHARE = 0.4
"""Share of seats played by the easy bot."""
SWITCHES = 0.2
"""Share of matches with random options. Half of the others use any preset, and half the preferred presets."""
EASY = 0.6
"""Share of hands in which the large network plays against three easy bots."""
CALM = 2.0
"""Divisor for the learning rate and exploration when training of the large network continues from weights."""
USUAL = 4
"""The most frequent number of players."""
MOST = 6
PLACES = 0.7
"""Share of the place in the value of a hand; the rest is points."""
TRUST = 0.2
"""Weight of the network's value of the next choice in a sample's target; the rest comes from later outcomes."""

Rules: TypeAlias = Mapping[str, Any]
"""A preset with other options."""
Sample: TypeAlias = tuple[list[int], float]
"""The features of a choice, and its target value from -1 to 1."""


def rules_as_options(preset_keys: Sequence[str], besides: Mapping[str, Any], switches: float) -> str:
    """Return the command-line options for a training's preferred presets, options and share of random options.

    >>> rules_as_options(("pagat",), {"doubling": [[10, 2]], "quads": "alone"}, 0.5)
    ' --preset pagat --switch doubling=[[10,2]] --switch quads=alone --switches 0.5'
    """
    presets = [f" --preset {key}" for key in preset_keys]
    values = {key: value if isinstance(value, str) else json.encode(value).decode() for key, value in besides.items()}
    share = [] if switches == SWITCHES else [f" --switches {switches:g}"]
    return "".join([*presets, *(f" --switch {key}={value}" for key, value in values.items()), *share])


class Learner:
    """A player for training by self-play: it follows the network with random exploration, and records its choices.

    `heat` scales the random noise on the values, so actions of similar value are all tried.
    """

    def __init__(self, net: OneLayerNetwork, heat: float) -> None:
        self._net, self._heat = net, heat
        self._choices: list[tuple[list[int], float]] = []

    def choose_action(self, view: View, rng: random.Random) -> Action:
        """Choose an action by the network's noisy values, and record it with its features if there was a choice.

        Other turns than plays and gifts are left to the easy bot and not recorded.
        """
        return small_network_bot.choose_with(view, rng, lambda seen, actions: self._choose_among(seen, actions, rng))

    def _choose_among(self, seen: FeatureState, actions: Sequence[Action], rng: random.Random) -> Action:
        moment = self._net.accumulate(seen.table_features)
        changes = [seen.feature_changes(action) for action in actions]
        values = [self._net.value_after_changes(moment, *change) for change in changes]
        noisy = [value - self._heat * log(-log(rng.random() or 0.5)) for value in values]
        at = max(range(len(actions)), key=noisy.__getitem__)
        now, gone = changes[at]
        features = list(seen.table_features)
        for feature in gone:
            features.remove(feature)
        self._choices.append((features + now, values[at]))
        return actions[at]

    def samples(self, worth: float) -> list[Sample]:
        """Return training samples for the recorded choices of a hand with final value `worth` (lambda return).

        The target of the last choice is `worth`. The target of each earlier choice mixes the network's value of the
        next choice (`TRUST`) with that next choice's target.
        """
        found, after = list[Sample](), worth
        for features, thought in reversed(self._choices):
            found.append((features, after))
            after = TRUST * thought + (1 - TRUST) * after
        return found


def play_training_hands(
    game: AnyGame,
    net: OneLayerNetwork,
    heat: float,
    rng: random.Random,
    hands: int,
    most: Sequence[Rules] = (),
    switches: float = SWITCHES,
) -> list[Sample]:
    """Play `hands` hands of random matches between learners and easy bots, and return the learners' samples.

    `net` is the network, and `heat` scales the learners' exploration. `most`: the preferred rules; if empty, the first
    preset. `switches`: share of matches with random options.
    """
    found, played = list[Sample](), 0
    while played < hands:
        match = random_training_match(game, rng, most, 1 - switches)
        for _ in range(min(HANDS, hands - played) if match is not None else 0):
            assert match is not None
            learners = {name: Learner(net, heat) for name in match.seats if rng.random() >= EASY_BOT_SHARE}
            choose: Mapping[str, ChooseAction] = {name: learner.choose_action for name, learner in learners.items()}
            players = {name: BotPlayer(choose.get(name, easy_bot.choose), rng) for name in match.seats}
            match = play_hand(match, players, rng, fast=True)
            played += 1
            worth = hand_values(match.last) if match.last is not None else {}
            for name, learner in learners.items():
                found += learner.samples(worth[name]) if name in worth else []
            if match.over:
                break
    return found


def hand_values(result: HandResult) -> dict[str, float]:
    """Return each player's value of a hand, from -1 to 1, as the training target: a mix of place and points.

    Points are scaled so that the fewest points of the hand are -1 and the most are 1.
    """
    names = [name for place in result.standing for name in (place if isinstance(place, tuple) else (place,))]
    points = result.ledger
    low, high = min(points.values()), max(points.values())
    found = dict[str, float]()
    for at, name in enumerate(names):
        place = 1 - 2 * at / (len(names) - 1)
        won = 2 * (points[name] - low) / (high - low) - 1 if low < high else place
        found[name] = PLACES * place + (1 - PLACES) * won
    return found


def random_training_match(
    game: AnyGame, rng: random.Random, most: Sequence[Rules], preset_share: float
) -> Match | None:
    """Start a match for training with random rules and players; None if the number of players does not fit.

    `preset_share`: share of matches with presets instead of random options. Half of these use `most`, the preferred
    rules.
    """
    drawn, presets = rng.random(), game.option_schema.presets
    if drawn < preset_share:
        usual: Rules = rng.choice(most) if most else {"preset": presets[0].key}
        rules = usual if drawn < preset_share / 2 else {"preset": rng.choice(presets).key}
        options: Options = game.option_schema.resolve_options(rules)
    else:
        options = random_options(game, rng)
    low, high = game.player_limits(options)
    count: int | None = (
        USUAL if low <= USUAL <= high and rng.random() < 0.8 else random_player_count(game, options, rng)
    )
    if count is None or count > MOST:
        return None
    try:
        match = Match.start(game, options, PLAYER_NAMES[:count])
        match.game.check_players(options, count)
    except RuleError:
        return None
    return match
