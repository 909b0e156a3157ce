"""Test that rooms, matches and records with options that are refused today can still be used."""

from typing import Any

import pytest

from app.engine.base.errors import RuleError
from app.engine.games import GAMES
from app.engine.match.match import Match
from app.engine.match.record import InvalidRecord, parse_record
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
def test_options_that_end_a_match_in_a_single_hand_are_refused_with_alternatives(
    options: dict[str, Any], says: str
) -> None:
    with pytest.raises(RuleError) as refused:
        PRESIDENT.option_schema.resolve_options(options)
    assert refused.value.code == "bad_option"
    assert "start_points" in refused.value.sentence
    assert ("target" if "target" in says else "floor") in refused.value.sentence
    assert says in refused.value.sentence


@pytest.mark.parametrize("options", [{"start_points": 50}, {"floor": 0}, {"start_points": 20, "target": 20}])
def test_older_rooms_and_matches_keep_options_that_are_now_refused(options: dict[str, Any]) -> None:
    kept = PRESIDENT.option_schema.resolve_options(options, already_accepted=True)
    match = Match.start(PRESIDENT, kept, NAMES)
    assert Match.from_json(match.to_json(), GAMES).options == kept
    settings = RoomSettings.parse({"game": "president", "options": kept.to_json()}, already_accepted=True)
    assert settings.with_changes(allow_undo=True).options == kept
    with pytest.raises(RuleError):
        RoomSettings.parse({"game": "president", "options": kept.to_json()})
    record = {"format": "climbing-record/1", "game": "president", "options": options, "players": list(NAMES)}
    assert parse_record(record, GAMES, already_accepted=True)[0].options == kept
    with pytest.raises(InvalidRecord):
        parse_record(record, GAMES)


def test_contradictory_options_are_refused_even_if_stored() -> None:
    with pytest.raises(RuleError):
        PRESIDENT.option_schema.resolve_options({"wild_ranks": "3", "transparent": "3"}, already_accepted=True)
