"""Test random matches of every game with random options: play, save, load, replay and search for leaks.

tools/property_checks has the checks for all games. The `Watched` classes in tests/engine/games add the rules of a
game's page, with deals in which many of these rules apply.
"""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest

from app.engine.games import GAMES
from tests.long_run import TIMES
from tools.property_checks.matches import check_match
from tools.property_checks.playout import Playout

HANDS = {"chase_the_ace": 20}
"""The largest number of hands in a match, by default 4. Dimes last for many hands."""
MATCHES, CLOSELY = 20 * TIMES, 8 * TIMES
"""Matches of each game, without and with `Watched`. `python -m tools soak --hands N` plays any number."""


def watched_playout(key: str) -> type[Playout]:
    """Return the class `Watched` of the game's own test, which adds the rules of its page to the checks."""
    found: type[Playout] | None = getattr(import_module(f"tests.engine.games.test_{key}"), "Watched", None)
    assert found, f"write class Watched(Playout) in tests/engine/games/test_{key}.py, as in test_chase_the_ace.py"
    return found


WATCHED = [key for key in GAMES if find_spec(f"tests.engine.games.test_{key}")]
"""The games with tests of their own. A game without them has only the checks for all games."""


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("key", GAMES)
def test_random_matches_pass_all_property_checks(key: str, part: int) -> None:
    for number in range(part, MATCHES, 4):
        check_match(Playout.random_match(GAMES[key], Random(number)), HANDS.get(key, 4))


def test_no_written_rules_are_left_out() -> None:
    folder = Path(__file__).parents[1] / "games"
    written = {path.stem for path in folder.glob("*.py") if "\nclass Watched(" in path.read_text(encoding="utf-8")}
    assert written <= {f"test_{key}" for key in GAMES}, "only test_<key>.py of a game is found"
    with pytest.raises(AssertionError, match="write class Watched"):
        watched_playout("parts")


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("key", WATCHED)
def test_random_matches_follow_the_written_rules(key: str, part: int) -> None:
    for number in range(part, CLOSELY, 4):
        watched = watched_playout(key).random_match(GAMES[key], Random(f"watched {number}"))
        watched.max_listed_actions, watched.leak_check_rate = 400, 0.1
        check_match(watched, HANDS.get(key, 4))
