"""Test that the fast simulator follows the rules, and that training results depend only on the seed."""

import random
import shutil
from collections.abc import Iterator, Mapping
from ctypes import byref, c_int16, c_int32, c_uint64, create_string_buffer
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec import json

from app.bots.network.card_features import CardFeatures
from app.bots.network.two_layers import PackedWeights, TwoLayerNetwork
from app.bots.simple import easy_bot
from app.bots.view.card_order import RuleSet
from app.bots.view.combinations import CombinationTable, build_combination_table
from app.bots.view.seat_view import Action, SeatReader, View, cards_of_action, view_of
from app.engine.cards.action_codec import parse_action
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.match import Match
from tools.training import large_network
from tools.training.fast_simulator import (
    LargeNetworkTrainer,
    NetworkWeights,
    PracticeSettings,
    RuleTables,
    TrainingError,
    load_library,
    simulate_training_hands,
)
from tools.training.train import train

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="wants a C compiler")

NAMES = ("Ana", "Bob", "Cat", "Dan")
GAME = GAMES["big_two"]
RULES: tuple[Mapping[str, Any], ...] = (
    {},
    {"preset": "pusoy_dos", "passing": "ends", "direction": "clockwise"},
    {"quads": "alone", "straights": "no_wrap", "flushes_by": "top_card", "settlement": "winner_only", "doubling": []},
    {"preset": "singapore", "full_house": "own_class", "quads": "bomb"},
)


class Quick:
    """A table of `fast_simulator.c`, to compare with the engine."""

    def __init__(self, pack: CombinationTable, hands: list[int], turn: int) -> None:
        self._places = {known.mask: at for at, known in enumerate(pack.all)}
        self._pack, self._tables = pack, RuleTables(pack, low_first=True)
        self._table = create_string_buffer(load_library().size_of_table())
        load_library().begin(byref(self._tables.c_struct), self._table, (c_uint64 * 4)(*hands), turn)

    @property
    def turn(self) -> int:
        """The number of the player in turn."""
        found: int = load_library().turn_of(self._table)
        return found

    def choices(self) -> tuple[set[int], int]:
        """Return the possible plays and the easy bot's choice, where 0 is a pass."""
        found = (c_int32 * 3000)()
        count = load_library().choices(byref(self._tables.c_struct), self._table, found)
        thumb = load_library().by_thumb(byref(self._tables.c_struct), self._table, found, count)
        return {self._pack.all[at].mask for at in found[:count]}, 0 if thumb < 0 else self._pack.all[thumb].mask

    def survey(self, action: Action) -> list[int]:
        """Return the features of an action."""
        found = (c_int16 * 240)()
        count = load_library().survey(byref(self._tables.c_struct), self._table, self._does(action), found)
        return sorted(found[:count])

    def act(self, action: Action) -> None:
        """Act for the player in turn."""
        load_library().act(byref(self._tables.c_struct), self._table, self._does(action))

    def _does(self, action: Action) -> int:
        return -1 if action["do"] == "pass" else self._places[self._pack.bitmask_of(cards_of_action(action))]


def hand_beside(
    pack: CombinationTable, options: Any, rng: random.Random
) -> Iterator[tuple[Quick, tuple[str, ...], View]]:
    """Yield the positions of a hand, in the simulator and in the engine. Easy bots play, with some random actions."""
    match = Match.start(GAME, options, NAMES, NAMES)
    deal = match.deal(tuple(rng.sample(match.deck(), 52)), 1)
    step = match.begin_hand(deal)
    names = match.seats[:: step.match.current_hand.direction]
    quick = Quick(pack, [pack.bitmask_of(deal.cards[name]) for name in names], names.index(step.match.to_act[0]))
    told = list(step.events)
    while step.match.is_hand_running:
        by = step.match.to_act[0]
        view = view_of(step.match, by, views.visible_events(told, by), deal.cards[by])
        yield quick, names, view
        action = rng.choice(view["you"]["legal"]) if rng.random() < 0.3 else easy_bot.choose(view, rng)
        quick.act(action)
        step = step.match.apply_action(by, parse_action(dict(action)))
        told += step.events


@pytest.mark.parametrize("switches", RULES, ids=str)
def test_a_simulated_hand_follows_the_rules_and_gives_the_same_features(switches: Mapping[str, Any]) -> None:
    options = GAME.option_schema.resolve_options(switches)
    pack = build_combination_table(RuleSet(GAME, options), 4)
    assert pack is not None
    turns = 0
    for seed in range(4):
        for quick, names, view in hand_beside(pack, options, random.Random(seed)):
            seat = SeatReader(view)
            assert names[quick.turn] == seat.name
            plays, thumb = quick.choices()
            assert plays == {pack.bitmask_of(cards_of_action(action)) for action in seat.legal_actions_of_kind("play")}
            assert thumb == pack.bitmask_of(cards_of_action(easy_bot.choose(view, random.Random(1))))
            seen = CardFeatures(seat, view["told"], pack)
            for action in seat.legal:
                assert sorted(seen.table_features + seen.action_features(action)) == quick.survey(action)
            turns += 1
    assert turns > 150


@pytest.fixture(scope="module")
def tables() -> RuleTables:
    found = large_network.build_rule_tables("big_two", GAME.option_schema.resolve_options(RULES[2]))
    assert found is not None
    return found


def practice(**more: Any) -> PracticeSettings:
    return PracticeSettings(**{"hands": 60, "seed": 1, "heat": 0.01, "trust": 0.5, "others": (0.5, 0.6, 0.7), **more})


def test_the_c_network_values_a_choice_as_the_python_network_does(tables: RuleTables) -> None:
    units = (16, 8)
    student = LargeNetworkTrainer(units, 3)
    training = large_network.LargeTraining("big_two", 1, 1, units)
    deep = TwoLayerNetwork(large_network.pack_weights(student.weights, training))
    lessons, _ = simulate_training_hands(tables, NetworkWeights(student.weights, units), practice())
    before = [lesson.copy() for lesson in lessons[:40]]
    for lesson in before:
        true = lesson["true"][: lesson["count"]].tolist()
        worth = deep.value_with_features(deep.accumulate(true[: len(true) // 2]), true[len(true) // 2 :])
        told = np.array([lesson])
        told["worth"] = worth
        assert LargeNetworkTrainer(units, 3).train_batch(told, np.zeros(1, np.int32), 0.0) < 1e-4


def test_training_reduces_the_error_of_the_network(tables: RuleTables) -> None:
    units = (32, 8)
    student = LargeNetworkTrainer(units, 1)
    lessons, _ = simulate_training_hands(tables, NetworkWeights(student.weights, units), practice(hands=200))
    lessons["worth"] = np.where((lessons["true"] == 0).any(1), 1.0, -1.0)
    chance = np.random.default_rng(1)
    errors = [
        student.train_batch(lessons, chance.integers(0, len(lessons), 128).astype(np.int32), 3e-3) for _ in range(300)
    ]
    assert errors[0] > 0.5
    assert np.mean(errors[-20:]) < 0.05


def test_a_trained_network_plays_better_than_an_untrained_network(tables: RuleTables) -> None:
    wise, of = NetworkWeights.from_packed(_kept()), _kept().units
    fool = NetworkWeights(LargeNetworkTrainer(of, 1).weights, of)
    judged = practice(hands=400, heat=0.0, others=(0.0, 0.0, 0.0))
    assert simulate_training_hands(tables, fool, judged)[1].points < -4
    assert simulate_training_hands(tables, wise, judged)[1].points > 4
    assert simulate_training_hands(tables, wise, judged, fool)[1].points > 4
    assert abs(simulate_training_hands(tables, wise, judged, wise)[1].points) < 1.5


def test_a_widened_network_first_plays_as_the_smaller_network(tables: RuleTables) -> None:
    small = NetworkWeights(LargeNetworkTrainer((16, 8), 1).weights, (16, 8))
    wide = NetworkWeights(LargeNetworkTrainer((32, 16), 2, small).weights, (32, 16))
    judged = practice(hands=40, heat=0.0, others=(1.0, 1.0, 1.0))
    plays = [simulate_training_hands(tables, brain, judged) for brain in (small, wide)]
    assert plays[0][1] == plays[1][1]
    assert [one["true"][: one["count"]].tolist() for one in plays[0][0]] == [
        one["true"][: one["count"]].tolist() for one in plays[1][0]
    ]
    with pytest.raises(TrainingError, match="has more units: 32 and 16"):
        LargeNetworkTrainer((16, 8), 1, wide)


def _kept() -> PackedWeights:
    return json.decode((files("app.bots") / "weights" / "wide" / "big_two.json").read_bytes(), type=PackedWeights)


def test_training_on_the_same_seed_gives_the_same_weights_with_any_number_of_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"ROUND": 20, "BATCH": 32, "FIRST": 100, "KEPT": 3000, "JUDGED": 20}.items():
        monkeypatch.setattr(large_network, name, value)
    heard = list[large_network.TrainingProgress]()

    def learnt(seed: int, threads: int) -> PackedWeights:
        training = large_network.LargeTraining("big_two", 80, seed, (16, 8), switches=0)
        return large_network.train_large_network(training, threads, heard.append, 3)

    once = learnt(1, 1)
    assert once == learnt(1, 3)
    assert once.weights != learnt(2, 1).weights
    assert once.made == "python -m tools train big_two --wide --hands 80 --seed 1 --switches 0 --units 16 8"
    assert heard[1].hands == 80
    further = large_network.LargeTraining(
        "big_two", 120, 2, (16, 8), ("hong_kong",), besides={"doubling": []}, begin=once, calm=8
    )
    assert further.training_command.endswith(
        "; python -m tools train big_two --wide --hands 120 --seed 2"
        " --preset hong_kong --switch doubling=[] --units 16 8 --on --calm 8"
    )


def test_random_options_are_limited_to_those_with_comparable_hand_values() -> None:
    training = large_network.LargeTraining("big_two", 1, 1, switches=1, besides={"settlement": "winner_only"})
    drawn = [training.rule_tables(number).c_struct for number in range(3)]
    assert all(rules.paid for rules in drawn)
    assert len({(rules.count, rules.dear, rules.bars, rules.cost[13]) for rules in drawn}) > 1
    assert training.rule_tables(-1).c_struct.dear == 2, "the usual ones come first"


def test_the_command_writes_trained_weights_and_continues_from_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, value in {"ROUND": 20, "BATCH": 16, "FIRST": 100, "KEPT": 3000, "JUDGED": 20}.items():
        monkeypatch.setattr(large_network, name, value)
    place = tmp_path / "new" / "big_two.json"
    command = ["big_two", "--wide", "--hands", "60", "--switches", "0", "--into", str(place)]
    result = CliRunner().invoke(train, [*command, "--units", "16", "8"])
    assert "60 hands" in result.output
    first = json.decode(place.read_bytes(), type=PackedWeights)
    assert first.units == (16, 8)
    CliRunner().invoke(train, [*command, "--on"])
    second = json.decode(place.read_bytes(), type=PackedWeights)
    assert second.made.startswith(f"{first.made}; python -m tools train")
    assert second.units == first.units
    assert second.weights != first.weights


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (["president", "--switch", "packs=2"], "for four players with one pack"),
        (["big_two", "--preset", "latta"], "for four players with one pack"),
        (["big_two", "--units", "20", "8"], "multiples of 8"),
        (["big_two", "--units", "8", "16"], "fewer in the second layer"),
    ],
)
def test_training_that_is_not_possible_is_refused_with_a_reason(asked: list[str], says: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(train, [*asked, "--wide", "--into", str(tmp_path / "none.json")])
    assert result.exit_code == 1
    assert says in result.output
