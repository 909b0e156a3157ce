"""Replay every record below tests/records: one short match for each rule, named by the rule's id.

A file has the record, a sentence, and the expected result of the replay (`expect`), with only what the file is about.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from app.engine.base.errors import CODES
from app.engine.games import GAMES
from app.engine.match.record import replay_with_exit_status
from tests.for_each import for_each

FOLDER = Path(__file__).parents[2] / "records"
FILES = sorted(FOLDER.rglob("*.json"))

PAGES = Path(__file__).parents[3] / "docs" / "rules"


def cards(value: str | list[str] | None) -> Counter[str]:
    return Counter(value.split() if isinstance(value, str) else value or [])


def same(wanted: dict[str, Any], found: dict[str, Any]) -> bool:
    return all(
        cards(value) == cards(found.get("cards")) if key == "cards" else found.get(key) == value
        for key, value in wanted.items()
    )


def in_order(wanted: list[str], found: list[str]) -> bool:
    rest = iter(found)
    return all(any(one == other for other in rest) for one in wanted)


def check_hand(wanted: dict[str, Any], found: dict[str, Any]) -> None:
    for key, value in wanted.items():
        match key:
            case "titles" | "ledger":
                assert {name: found[key].get(name) for name in value} == value
            case "events_have":
                assert in_order(value, found["events"]), found["events"]
            case "events_lack":
                assert not set(value) & set(found["events"])
            case _:
                assert found.get(key) == value, key


def check_state(wanted: dict[str, Any], found: dict[str, Any]) -> None:
    for key, value in wanted.items():
        match key:
            case "to_act" | "passed":
                assert set(found[key]) == set(value), key
            case "table" if value is None:
                assert not found["table"]
            case "table":
                assert same(value, found["table"] or {}), found["table"]
            case "cards":
                assert {name: cards(found["cards"].get(name)) for name in value} == {
                    n: cards(v) for n, v in value.items()
                }
            case _:
                assert found.get(key) == value, key


def choices(legal: list[dict[str, Any]], do: str) -> set[tuple[str, ...]]:
    return {tuple(sorted(cards(action.get("cards")).elements())) for action in legal if action["do"] == do}


def check(expect: dict[str, Any], out: dict[str, Any]) -> None:
    """Fail unless a replay has the expected result."""
    for key in expect.keys() & {"ok", "match_over"}:
        assert out.get(key) == expect[key], (key, out.get("error"))
    assert {name: out["totals"].get(name) for name in expect.get("totals", {})} == expect.get("totals", {})
    for key, value in (expect.get("error") or {}).items():
        assert (out.get("error") or {}).get(key) == value, out.get("error")
    assert len(out.get("hands", [])) >= len(expect.get("hands", []))
    for wanted, found in zip(expect.get("hands", []), out.get("hands", []), strict=False):
        check_hand(wanted or {}, found)
    state = out.get("state") or {}
    check_state(expect.get("state", {}), state)
    legal = state.get("legal", [])
    for wanted in expect.get("legal_has", []):
        assert any(same(wanted, action) for action in legal), f"not legal, but should be: {wanted}"
    for wanted in expect.get("legal_lacks", []):
        assert not any(same(wanted, action) for action in legal), f"legal, but should not be: {wanted}"
    for key, do in (("legal_plays", "play"), ("legal_gifts", "give")):
        if key in expect:
            assert choices(legal, do) == {tuple(sorted(cards(one).elements())) for one in expect[key]}, key


@pytest.mark.parametrize("game", sorted({file.parent.name for file in FILES}))
def test_a_record_replays_as_expected(game: str) -> None:
    """Replay all records of one game in one test, which `-k` selects by the key of the game."""

    @for_each("file", [file for file in FILES if file.parent.name == game], ids=lambda file: file.stem)
    def replay(file: Path) -> None:
        case = json.loads(file.read_text(encoding="utf-8"))
        assert case["id"] == file.name.split("_")[0]
        assert case["expect"], "a record that expects nothing shows nothing"
        out, _ = replay_with_exit_status(case["record"], GAMES)
        check(case["expect"], json.loads(json.dumps(out)))

    replay()


def test_every_error_code_appears_in_a_record() -> None:
    shown = {(json.loads(file.read_text(encoding="utf-8"))["expect"].get("error") or {}).get("code") for file in FILES}
    assert set(CODES) <= shown, f"no record shows: {sorted(set(CODES) - shown)}"
