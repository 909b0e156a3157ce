"""Test that the engine plays like a plain model of each rules page that has one.

A model implements the page a second time, as plainly as possible: tien_len_model.py, pao_de_kuai_model.py.
"""

from collections import Counter
from contextlib import nullcontext
from importlib import import_module
from random import Random
from typing import Any

import pytest

from app.engine.base.errors import RuleError
from app.engine.base.options import Choice
from app.engine.games import GAMES
from tests.engine.games.compared_playout import ComparedPlayout
from tests.long_run import TIMES

MATCHES = {"tien_len": 40, "pao_de_kuai": 90}
"""The games with a model, and the number of random matches that are compared with it."""


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("key", MATCHES)
def test_the_engine_plays_like_the_model(key: str, part: int) -> None:
    """Play random matches by random options, without other checks. `-s` shows counts."""
    counts, watched = Counter[str](), import_module(f"tests.engine.games.test_{key}").Watched
    for number in range(part, MATCHES[key] * TIMES, 4):
        playout: ComparedPlayout = watched.random_match(GAMES[key], Random(f"model {number}"))
        playout.refusal_check_rate, playout.cost_check_rate, playout.max_listed_actions = 0, 0, 5000
        for _ in range(2):
            playout.play_hand(check=False)
            counts.update(playout.model.hand.events, hands=1, actions=playout.actions_in_hand)
    print(key, dict(counts))


@pytest.mark.parametrize("key", MATCHES)
def test_the_engine_has_the_options_of_the_model(key: str) -> None:
    """Compare values, defaults, presets and contradictions."""
    schema, rng, model = GAMES[key].option_schema, Random(1), import_module(f"tests.engine.games.{key}_model")
    choices = {one.key: one.domain.labels for one in schema.all_options if isinstance(one.domain, Choice)}
    assert {name: {*values} for name, values in choices.items()} == {
        name: {*values} for name, values in model.OPTIONS.items()
    }
    assert {preset.key for preset in schema.presets} == {*model.PRESETS}
    for preset, options in model.PRESETS.items():
        wanted = {"preset": preset, **vars(model.new_options(options))}
        assert schema.resolve_options({"preset": preset}).to_json() == wanted
    for _ in range(300):
        asked: dict[str, Any] = {name: rng.choice(values) for name, values in model.OPTIONS.items()}
        with pytest.raises(RuleError) if model.contradictory(model.new_options(asked)) else nullcontext():
            schema.resolve_options(asked)
