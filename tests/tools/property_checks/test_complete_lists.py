"""Compare the lists of legal actions with all that is accepted; `python -m tools soak --lists 2000` takes longer."""

from typing import Any

import pytest

from app.engine.games import GAMES
from app.engine.games.president.rules import PresidentRules
from tools.property_checks.complete_lists import check_lists
from tools.property_checks.errors import PropertyViolation

MANY_WILD = {
    "packs": 2,
    "jokers": 2,
    "joker_role": "wild",
    "wild_ranks": "47T",
    "sequences": "all",
    "bombs": "fours",
    "must_beat": True,
}
"""Rules under which few cards are many plays: sets, bombs, and runs of each width with wild cards."""


@pytest.mark.parametrize(
    ("game", "positions"), [("president", 30), ("big_two", 6), ("ceausescu", 15), ("chase_the_ace", 40)]
)
def test_exactly_the_accepted_actions_are_listed(game: str, positions: int) -> None:
    assert check_lists(game, positions, seed=5).listed > positions  # a seed with few cards in most positions


def test_exactly_the_accepted_actions_are_listed_with_bombs_runs_and_wild_cards() -> None:
    options = GAMES["president"].option_schema.resolve_options(MANY_WILD)
    assert check_lists("president", 8, seed=1, options=options).listed > 100


def test_a_play_that_is_lost_from_the_list_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = PresidentRules.playable_combinations

    def without_runs(self: PresidentRules, *asked: Any) -> Any:
        return (some for some in whole(self, *asked) if not any(one.kind == "run" for one in some))

    monkeypatch.setattr(PresidentRules, "playable_combinations", without_runs)
    options = GAMES["president"].option_schema.resolve_options(MANY_WILD)
    with pytest.raises(PropertyViolation, match="is listed 0 times"):
        check_lists("president", 20, seed=1, options=options)
