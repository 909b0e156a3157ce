"""Test which tests `make test-near` runs, and that it stops in time."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import near
from tests.near import Deadline, choose


def test_tests_are_chosen_by_the_kind_of_each_change() -> None:
    chosen = choose({"static/css/table/felt.css": [1], "tests/js/english.json": [1], "LICENSE": [1]})
    assert chosen.tests == ("tests/e2e/look", "tests/project/test_english.py")
    assert chosen.unknown == ("LICENSE",)
    assert near.BY_PATH
    for path, tests in near.BY_PATH[1:]:
        assert all((near.ROOT / each).exists() for each in tests.split()), path


def test_a_run_stops_after_the_test_at_which_the_time_is_over(tmp_path: Path) -> None:
    (tmp_path / "test_moon.py").write_text("def test_rises(): ...\ndef test_sets(): ...\ndef test_hides(): ...\n")
    clock = Deadline(0)
    pytest.main(
        [str(tmp_path), "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:asyncio", "-c", "/dev/null"],
        [clock],
    )
    assert (clock.ran, clock.collected) == (1, 3)


def test_the_search_for_near_tests_takes_some_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []
    monkeypatch.setattr(near, "time", SimpleNamespace(monotonic=iter([1.0, 31.0]).__next__))
    monkeypatch.setattr(near, "choose", lambda changed: near.Chosen(("tests/test_near.py",), 0, ()))
    monkeypatch.setattr(near, "run", lambda chosen, seconds: given.append(seconds) or ())
    assert near.main(["--seconds", "100"]) == 0
    assert given == [70]
