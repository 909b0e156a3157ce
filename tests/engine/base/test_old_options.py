"""Options that are refused today go on where they were accepted once: in rooms, matches and their records."""

from typing import Any

import pytest

from app.engine.base.errors import RuleError
from app.engine.games import GAMES
from app.engine.match.match import Match
from app.engine.match.record import Unusable, opened
from app.rooms.model.settings import RoomSettings

PRESIDENT = GAMES["president"]
NAMES = ("Ana", "Bob", "Cat")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"start_points": 50}, "Use a target of 51 or more, no target (null) or start_points of 10 or less."),
        ({"start_points": 11}, "Use a target of 12 or more, no target (null) or start_points of 10 or less."),
        ({"floor": 0}, "Use a floor of -1 or less, no floor (null) or start_points of 1 or more."),
        ({"start_points": 10000}, "Use no target (null) or start_points of 10 or less."),
        ({"target": None, "start_points": -10000, "floor": -9000}, "Use no floor (null) or start_points of -8999"),
    ],
)
def test_a_match_that_one_hand_would_end_is_refused_with_what_would_work(options: dict[str, Any], says: str) -> None:
    with pytest.raises(RuleError) as refused:
        PRESIDENT.declared.resolve(options)
    assert refused.value.code == "bad_option"
    assert "start_points" in refused.value.sentence
    assert ("target" if "target" in says else "floor") in refused.value.sentence
    assert says in refused.value.sentence


@pytest.mark.parametrize("options", [{"start_points": 50}, {"floor": 0}, {"start_points": 20, "target": 20}])
def test_rooms_and_matches_that_have_such_options_go_on(options: dict[str, Any]) -> None:
    kept = PRESIDENT.declared.resolve(options, kept=True)
    match = Match.start(PRESIDENT, kept, NAMES)
    assert Match.load(match.save(), GAMES).options == kept
    settings = RoomSettings.make({"game": "president", "options": kept.to_json()}, kept=True)
    assert settings.changed(take_back=True).options == kept
    with pytest.raises(RuleError):
        RoomSettings.make({"game": "president", "options": kept.to_json()})
    record = {"format": "climbing-record/1", "game": "president", "options": options, "players": list(NAMES)}
    assert opened(record, GAMES, kept=True)[0].options == kept
    with pytest.raises(Unusable):
        opened(record, GAMES)


def test_what_always_was_a_contradiction_is_refused_in_old_options_too() -> None:
    with pytest.raises(RuleError):
        PRESIDENT.declared.resolve({"wild_ranks": "3", "transparent": "3"}, kept=True)
