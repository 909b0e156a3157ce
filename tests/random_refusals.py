"""The refusals that random actions get in random matches of a game."""

from random import Random
from typing import Any

import pytest

from app.engine.base.errors import RuleError
from app.engine.base.messages import TranslatableMessage
from app.engine.match.match import Match
from tools.property_checks import playout
from tools.property_checks.error_messages import RefusalStats, risky_actions
from tools.property_checks.playout import Playout


def random_refusals(game: Any, matches: int, monkeypatch: pytest.MonkeyPatch) -> list[TranslatableMessage]:
    """Play a hand of each of `matches` random matches over random options, and return the refusals in order."""
    heard: list[TranslatableMessage] = []

    def try_risky_actions(match: Match, rng: Random, refusals: RefusalStats) -> None:
        for by, action in risky_actions(match, rng):
            try:
                match.apply_action(by, action)
            except RuleError as error:
                heard.append(error.sentence)

    monkeypatch.setattr(playout, "check_refusals", try_risky_actions)
    for number in range(matches):
        played = Playout.random_match(game, Random(number))
        played.refusal_check_rate = 0.05
        played.play_hand(check=False)
    return heard
