"""Learning: the same hands teach the same, what is alike is learnt together, and what came of a choice counts."""

import random
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from app.arena.bot_table import Player, play
from app.bots.network import small_network_bot
from app.bots.network.features import BLOCKS, FEATURES, VERSION
from app.bots.network.one_layer import Net, Weights
from app.bots.simple import greedy
from app.bots.view.seat_view import view_of
from app.engine.games import GAMES
from app.engine.match.hand import HandResult
from app.engine.match.match import Match
from tools.training import self_play
from tools.training import small_network as learning
from tools.training.train import SHIPPED, train


class Here(Executor):
    """Plays at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """As a pool does."""
        done = Future[Any]()
        done.set_result(fn(*args, **kwargs))
        return done


def learnt(hands: int, seed: int, **more: Any) -> Weights:
    heard = list[learning.Progress]()
    training = learning.Training("big_two", hands, seed, **more)
    weights = learning.learn(training, Here(), lambda progress, _: heard.append(progress))
    assert heard[-1].hands >= hands
    assert heard[-1].choices > 0
    return weights


def test_the_same_hands_teach_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "ROUND", 4)
    monkeypatch.setattr(learning, "BATCH", 64)
    once = learnt(16, 1)
    assert once == learnt(16, 1)
    assert once.rows != learnt(16, 2).rows
    assert once.made == "python -m tools train big_two --hands 16 --seed 1"


def test_one_goes_on_from_what_is_known() -> None:
    weights = Weights(VERSION, "before", 1000, [[at % 7, -at % 5] for at in range(FEATURES)], [3, 4], [5, -6])
    assert learning.Student(1, weights).now() == replace(weights, made=""), "it begins as it ended"
    further = learning.Training("big_two", 16, 2, ("hong_kong",), 0.5, weights)
    assert (
        further.made
        == "before; python -m tools train big_two --hands 16 --seed 2 --preset hong_kong --switches 0.5 --on"
    )


def test_switches_besides_are_played_most_and_said() -> None:
    besides = {"doubling": [], "settlement": "winner_only"}
    training = learning.Training("big_two", 16, 3, besides=besides)
    assert training.rules == ({"preset": "pagat", **besides},)
    assert training.made.endswith("--seed 3 --switch doubling=[] --switch settlement=winner_only")
    chance = random.Random(1)
    drawn = [self_play.match_to_learn_from(GAMES["big_two"], chance, training.rules, 1.0) for _ in range(20)]
    alone = [match for match in drawn if match is not None and match.options.by_key["settlement"] == "winner_only"]
    assert 5 < len(alone) < 20, "besides them any preset is played"


def test_what_is_learnt_of_a_number_says_something_of_the_next() -> None:
    block = next(block for block in BLOCKS if block.rows == 1 and block.steps > 10)
    student = learning.Student(1)
    features = np.full((learning.BATCH, learning.MOST), FEATURES, np.int16)
    worth = np.zeros(learning.BATCH, np.float32)
    features[::2, 0], worth[::2] = block.first, -1.0
    features[1::2, 0], worth[1::2] = block.first + 6, 1.0
    for _ in range(60):
        student.lesson(features, worth, 1e-2)
    net = Net(student.now())
    values = [net.value(net.at([block.first + step]), [], []) for step in range(block.steps)]
    assert values[0] == pytest.approx(-1, abs=0.2)
    assert values[6] == pytest.approx(1, abs=0.2)
    assert values[1] < values[5], "nobody has told it of these"
    assert values[9] > 0


def test_a_hand_is_worth_its_place_and_its_points() -> None:
    points = {"Ana": 10, "Bob": 0, "Cat": -10}
    result = HandResult("Ana", ("Ana", "Bob", "Cat"), {}, points)
    assert self_play.worths(result) == pytest.approx({"Ana": 1.0, "Bob": 0.0, "Cat": -1.0})


def test_a_choice_is_judged_by_the_end_and_a_little_by_what_was_thought_on_the_way() -> None:
    learner = self_play.Learner(Net(Weights(1, "", 1, [[0]] * FEATURES, [0], [0])), heat=0.0)
    match = Match.start(GAMES["president"], GAMES["president"].declared.resolve(), ("Ana", "Bob", "Cat", "Dan"))
    match = match.begin(match.deal(match.deck(), 1)).match
    by = match.to_act[0]
    for _ in range(2):
        action = learner.choose(view_of(match, by, (), match.the_hand.cards[by]), random.Random(1))
        assert action["do"] == "play"
    last, first = learner.samples(1.0)
    assert last[1] == 1.0
    assert first[1] == pytest.approx(1 - self_play.TRUST), "of the second choice it thought nothing"


def test_only_climbing_games_are_taught() -> None:
    result = CliRunner().invoke(train, ["chase_the_ace", "--into", "x.json"])
    assert result.exit_code == 2
    assert "'president', 'ceausescu', 'big_two'" in result.output


def test_a_preset_that_is_none_is_refused_with_those_there_are() -> None:
    result = CliRunner().invoke(train, ["big_two", "--preset", "bga", "--into", "x.json"])
    assert result.exit_code == 2
    assert "hong_kong" in result.output


def test_a_switch_that_is_none_is_refused() -> None:
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
def test_haste_changes_no_choice(game: str, preset: str) -> None:
    def standing(*, hasty: bool) -> Any:
        made = GAMES[game]
        match = Match.start(made, made.declared.resolve({"preset": preset}), ("Ana", "Bob", "Cat", "Dan"))
        rng, chance = random.Random(5), random.Random(6)
        players = {
            name: Player(small_network_bot.choose if at % 2 else greedy.choose, chance)
            for at, name in enumerate(match.seats)
        }
        for _ in range(2):
            match = play(match, players, rng, hasty=hasty)
        assert match.last is not None
        return match.last, [player.told for player in players.values()]

    assert standing(hasty=True) == standing(hasty=False)


def test_a_file_must_be_named_and_the_shipped_weights_stay_as_they_are() -> None:
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
