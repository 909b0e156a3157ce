"""Test the training: it is reproducible, treats equal cards alike, and learns from results."""

import random
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from app.arena.bot_table import BotPlayer, play_hand
from app.bots.network import small_network_bot
from app.bots.network.features import BLOCKS, FEATURES, VERSION
from app.bots.network.one_layer import OneLayerNetwork, Weights
from app.bots.simple import easy_bot
from app.bots.view.seat_view import view_of
from app.engine.games import GAMES
from app.engine.match.hand import HandResult
from app.engine.match.match import Match
from tools.training import self_play, small_network as learning
from tools.training.train import SHIPPED, train


class Here(Executor):
    """An executor that runs functions at once in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run the function, and return its result as a future."""
        done = Future[Any]()
        done.set_result(fn(*args, **kwargs))
        return done


def learnt(hands: int, seed: int, **more: Any) -> Weights:
    heard = list[learning.SmallNetworkProgress]()
    training = learning.Training("big_two", hands, seed, **more)
    weights = learning.train_small_network(training, Here(), lambda progress, _: heard.append(progress))
    assert heard[-1].hands >= hands
    assert heard[-1].choices > 0
    return weights


def test_training_on_the_same_hands_gives_the_same_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "ROUND", 4)
    monkeypatch.setattr(learning, "BATCH", 64)
    once = learnt(16, 1)
    assert once == learnt(16, 1)
    assert once.rows != learnt(16, 2).rows
    assert once.made == "python -m tools train big_two --hands 16 --seed 1"


def test_training_continues_from_existing_weights() -> None:
    weights = Weights(VERSION, "before", 1000, [[at % 7, -at % 5] for at in range(FEATURES)], [3, 4], [5, -6])
    assert learning.SmallNetworkTrainer(1, weights).current_weights() == replace(weights, made=""), (
        "it begins as it ended"
    )
    further = learning.Training("big_two", 16, 2, ("hong_kong",), 0.5, weights)
    assert (
        further.training_command
        == "before; python -m tools train big_two --hands 16 --seed 2 --preset hong_kong --switches 0.5 --on"
    )


def test_extra_options_are_played_most_and_recorded() -> None:
    besides = {"doubling": [], "settlement": "winner_only"}
    training = learning.Training("big_two", 16, 3, besides=besides)
    assert training.preset_rules == ({"preset": "pagat", **besides},)
    assert training.training_command.endswith("--seed 3 --switch doubling=[] --switch settlement=winner_only")
    chance = random.Random(1)
    drawn = [self_play.random_training_match(GAMES["big_two"], chance, training.preset_rules, 1.0) for _ in range(20)]
    alone = [
        match for match in drawn if match is not None and match.options.values_by_key["settlement"] == "winner_only"
    ]
    assert 5 < len(alone) < 20, "besides them any preset is played"


def test_learning_a_number_also_changes_the_values_of_nearby_numbers() -> None:
    block = next(block for block in BLOCKS if block.rows == 1 and block.steps > 10)
    student = learning.SmallNetworkTrainer(1)
    features = np.full((learning.BATCH, learning.MOST), FEATURES, np.int16)
    worth = np.zeros(learning.BATCH, np.float32)
    features[::2, 0], worth[::2] = block.first, -1.0
    features[1::2, 0], worth[1::2] = block.first + 6, 1.0
    for _ in range(60):
        student.train_batch(features, worth, 1e-2)
    net = OneLayerNetwork(student.current_weights())
    values = [net.value_after_changes(net.accumulate([block.first + step]), [], []) for step in range(block.steps)]
    assert values[0] == pytest.approx(-1, abs=0.2)
    assert values[6] == pytest.approx(1, abs=0.2)
    assert values[1] < values[5], "nobody has told it of these"
    assert values[9] > 0


def test_the_value_of_a_hand_depends_on_place_and_points() -> None:
    points = {"Ana": 10, "Bob": 0, "Cat": -10}
    result = HandResult("Ana", ("Ana", "Bob", "Cat"), {}, points)
    assert self_play.hand_values(result) == pytest.approx({"Ana": 1.0, "Bob": 0.0, "Cat": -1.0})


def test_a_choice_is_judged_mostly_by_the_result_and_partly_by_later_estimates() -> None:
    learner = self_play.Learner(OneLayerNetwork(Weights(1, "", 1, [[0]] * FEATURES, [0], [0])), heat=0.0)
    match = Match.start(
        GAMES["president"], GAMES["president"].option_schema.resolve_options(), ("Ana", "Bob", "Cat", "Dan")
    )
    match = match.begin_hand(match.deal(match.deck(), 1)).match
    by = match.to_act[0]
    for _ in range(2):
        action = learner.choose_action(view_of(match, by, (), match.current_hand.cards[by]), random.Random(1))
        assert action["do"] == "play"
    last, first = learner.samples(1.0)
    assert last[1] == 1.0
    assert first[1] == pytest.approx(1 - self_play.TRUST), "of the second choice it thought nothing"


def test_only_climbing_games_can_be_trained() -> None:
    result = CliRunner().invoke(train, ["chase_the_ace", "--into", "x.json"])
    assert result.exit_code == 2
    assert "'president', 'ceausescu', 'big_two'" in result.output


def test_an_unknown_preset_is_refused_with_a_list_of_presets() -> None:
    result = CliRunner().invoke(train, ["big_two", "--preset", "bga", "--into", "x.json"])
    assert result.exit_code == 2
    assert "hong_kong" in result.output


def test_an_unknown_option_value_is_refused() -> None:
    result = CliRunner().invoke(train, ["big_two", "--switch", "settlement=winner", "--into", "x.json"])
    assert result.exit_code == 2
    assert "winner_only" in result.output


HASTE = [
    ("president", "pagat"),
    ("president", "bga"),
    ("president", "uecda"),
    ("big_two", "pagat"),
    ("ceausescu", "classic"),
]


@pytest.mark.parametrize(("game", "preset"), HASTE)
def test_fast_play_gives_the_same_results_as_normal_play(game: str, preset: str) -> None:
    def standing(*, hasty: bool) -> Any:
        made = GAMES[game]
        match = Match.start(made, made.option_schema.resolve_options({"preset": preset}), ("Ana", "Bob", "Cat", "Dan"))
        rng, chance = random.Random(5), random.Random(6)
        players = {
            name: BotPlayer(small_network_bot.choose if at % 2 else easy_bot.choose, chance)
            for at, name in enumerate(match.seats)
        }
        for _ in range(2):
            match = play_hand(match, players, rng, fast=hasty)
        assert match.last is not None
        return match.last, [player.events for player in players.values()]

    assert standing(hasty=True) == standing(hasty=False)


def test_training_requires_a_file_and_never_overwrites_the_shipped_weights() -> None:
    result = CliRunner().invoke(train, ["president", "--hands", "1"])
    assert result.exit_code == 2
    assert "--into" in result.output
    shipped = SHIPPED / "president.json"
    before = shipped.read_bytes()
    for place in (shipped, SHIPPED / ".." / "weights" / "president.json", SHIPPED / "wide" / "big_two.json"):
        result = CliRunner().invoke(train, ["president", "--hands", "1", "--into", str(place)])
        assert result.exit_code == 2
        assert "the files that the bots read" in " ".join(result.output.split())
    assert shipped.read_bytes() == before
