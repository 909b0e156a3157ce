"""Test that the measurement finds how far the hard bot can trust each estimate of an action's value."""

import random
from itertools import pairwise

import pytest
from click.testing import CliRunner

from app.arena.duplicate_deals import BotComparison
from app.bots.network import small_network_bot
from app.engine.games import GAMES
from tools.training.blend_weights import (
    ACTIONS,
    DEPTH,
    TURNS,
    EvaluationSample,
    blend_weights_from_fit,
    evaluate_positions,
    fit_weights,
)
from tools.training.measure_blend import trust


def made_up(now: float, second: float, end: float, noise: float) -> list[list[EvaluationSample]]:
    """Make positions in which the result of an action depends on three estimates with these weights."""
    rng, found = random.Random(1), list[list[EvaluationSample]]()
    for _ in range(120):
        good = rng.gauss(0, 1)  # the value of the position, which is the same for all actions
        found.append([])
        for _ in range(4):
            at, of_end, *later = (rng.gauss(good, 0.3) for _ in range(2 + DEPTH))
            came = 3 * good + now * at + second * later[1] + end * of_end + rng.gauss(0, noise)
            found[-1].append(EvaluationSample(at, of_end, tuple(later), came))
    return found


def test_the_fit_finds_the_weights_that_tell_actions_apart() -> None:
    some = made_up(0.2, 0.5, 0.0, noise=0.1)
    fit = fit_weights(some, 2, ends=False)
    assert fit.explains > 0.5
    assert fit.weights == pytest.approx((0.2, 0.5), abs=0.05)
    assert fit_weights(some, 1, ends=True).explains < 0.3, "neither the next turn nor the end tells of it"
    assert fit_weights(made_up(0, 0, 0, noise=1), 2, ends=True).explains < 0.02, (
        "where nothing is to be found nothing is"
    )


def test_trust_is_proportional_to_the_fitted_weights() -> None:
    found = blend_weights_from_fit(fit_weights(made_up(0.2, 0.4, 0.1, noise=0), 2, ends=True), 2, 10, 120)
    assert (found.now, found.later, found.turns) == (4.0, 0.8, 2), "0.2 is to 0.5 as 4 to 10 worlds"
    assert found.measured == "120 positions, 10 worlds each"


@pytest.mark.parametrize("game", ["president", "big_two"])
def test_the_same_hand_gives_the_same_positions(game: str) -> None:
    bout = BotComparison(GAMES[game], GAMES[game].option_schema.presets[0].key, {}, "medium", "medium", seed="1")
    net = small_network_bot.load_current_network(game)
    assert net is not None
    once = evaluate_positions(bout, 1, 2, net)
    assert 0 < len(once) <= TURNS
    for position in once:
        assert 2 <= len(position) <= ACTIONS
        assert all(len(one.later) == DEPTH and -1 <= one.outcome <= 1 for one in position)
    assert once == evaluate_positions(bout, 1, 2, net)
    assert any(one.outcome != other.outcome for position in once for one, other in pairwise(position))


def test_the_command_prints_how_much_each_input_explains() -> None:
    result = CliRunner().invoke(trust, ["big_two", "--hands", "10", "--worlds", "1", "--switch", "doubling=[]"])
    assert result.exit_code == 0, result.output
    assert "positions, 1 worlds each" in result.output.splitlines()[0]
    assert "the network now, its opinion 2 turns later, the end" in result.output
    assert '"now":' in result.output.splitlines()[-1]
    refused = CliRunner().invoke(trust, ["big_two", "--switch", "doubling=never"])
    assert refused.exit_code == 1
    assert "big_two pagat doubling=never" in refused.output
