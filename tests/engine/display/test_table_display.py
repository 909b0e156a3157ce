"""Test what a game lists for the table, which browsers draw without knowing the game."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from app.engine.base.messages import english_texts, fill_placeholders
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.record import IllegalRecordedAction, parse_record, replay_steps

RECORDS = Path(__file__).parents[2] / "records"


def tables(path: str) -> list[dict[str, Any]]:
    """Return the tables after each action of a record, up to an action that is refused."""
    record = json.loads((RECORDS / path).read_text())["record"]
    match, hands = parse_record(record, GAMES)
    found: list[dict[str, Any]] = []
    with suppress(IllegalRecordedAction):
        found += (views.table_view(moment.step.match) for moment in replay_steps(match, hands))
    return found


def read(text: Any) -> str:
    """Return a text from the protocol in English."""
    if isinstance(text, str | int):
        return str(text)
    if "of" in text:
        return " and ".join(map(read, text["of"]))
    count = text["values"].get("count")
    form = "" if count is None else ".one" if count == 1 else ".other"
    return fill_placeholders(
        english_texts()[text["key"] + form], {name: read(value) for name, value in text["values"].items()}
    )


SIGNS = {
    "president/PRES-21_inverts.json": {"Revolution: low beats high"},
    "president/PRES-21_reverses_the_direction.json": {
        "Revolution: low beats high",
        "Reversed: play goes anticlockwise",
    },
    "president/PRES-24_after_a_call_only_the_next_rank.json": {"called rank by rank"},
    "president/PRES-66_a_ten_throws_one_away.json": {"ten: discard"},
    "big_two/BIG-33_own_each_pass_draws.json": {
        "Anticlockwise",
        "3 cards in the stock",
        "2 cards in the stock",
        "1 card in the stock",
    },
}


@pytest.mark.parametrize("path", SIGNS)
def test_unusual_states_of_the_table_are_shown_as_signs(path: str) -> None:
    shown = {read(sign["text"]) for table in tables(path) for sign in table["signs"]}
    assert shown == SIGNS[path]
