"""Test that a seed always draws the same mutants, and that noticed and unnoticed mutants are distinguished."""

import tomllib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from tests.mutate import __main__ as command
from tests.mutate import mutants, nearest, trial
from tests.mutate.mutants import ROOT, Mutant, drawn, invisible, on_line, private


@pytest.fixture(scope="module")
def project() -> Iterator[trial.Trial]:
    with trial.copied() as copy:
        yield copy


def line_of(path: str, text: str) -> int:
    return 1 + next(at for at, line in enumerate((ROOT / path).read_text("utf-8").splitlines()) if text in line)


def test_the_same_seed_draws_the_same_mutants_and_another_seed_others() -> None:
    areas = [area for area in mutants.AREAS if area.endswith(".py")]
    first, again, other = ([str(mutant) for mutant in islice(drawn(seed, areas), 3)] for seed in (1, 1, 2))
    assert first == again
    assert not {*first} & {*other}
    assert [mutant.split("/")[1] for mutant in first] == ["rooms", "store", "web"], "each area in turn"


def test_mutants_are_also_drawn_from_files_in_subfolders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    for path in ("app/rooms/a.py", "app/rooms/live/b.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x = 1 < 2\n")
    assert {mutant.path for mutant in drawn(1)} == {"app/rooms/a.py", "app/rooms/live/b.py"}


def test_a_mutant_that_fails_a_test_is_killed_and_others_survive(project: trial.Trial) -> None:
    path = "app/rooms/views/delta.py"
    line = line_of(path, "if event.to is not None and member.name in event.to]")
    noticed = next(mutant for mutant in on_line(path, line) if mutant.now.endswith("if True]"))
    tests = [["tests/rooms/model/test_faces.py"], ["tests/rooms/views/test_delta.py"]]
    outcome = project.run(noticed, tests)
    assert outcome.killer is not None
    assert outcome.killer.startswith("tests/rooms/views/test_delta.py::")
    source = (ROOT / path).read_text("utf-8")
    assert (project.folder / path).read_text("utf-8") == source, "the copy is mended"
    unnoticed = Mutant(path, 1, "nothing", "a comment", f"# A comment.\n{source}")
    assert project.run(unnoticed, tests[:1]).killer is None


def test_a_test_that_fails_without_the_mutant_kills_nothing(project: trial.Trial) -> None:
    (project.folder / "tests" / "test_broken.py").write_text("def test_it() -> None:\n    assert False\n")
    path = "app/rooms/model/faces.py"
    mutant = Mutant(path, 1, "nothing", "a comment", f"# A comment.\n{(ROOT / path).read_text('utf-8')}")
    assert project.run(mutant, [["tests/test_broken.py"]]).killer is None


def test_a_logged_error_is_not_mistaken_for_a_test_name(project: trial.Trial) -> None:
    logs = "import logging\n\ndef test_it() -> None:\n    logging.getLogger('app').error('x')\n    assert READY\n"
    (project.folder / "tests" / "test_logs.py").write_text(f"from app.rooms.model.faces import READY\n\n{logs}")
    path = "app/rooms/model/faces.py"
    source = (ROOT / path).read_text("utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trial.Trial, "_is_sound", lambda *_: True)
        outcome = project.run(Mutant(path, 1, "", "", f"{source}\nREADY = False\n"), [["tests/test_logs.py"]])
    assert outcome.killer == "tests/test_logs.py::test_it"


def test_a_javascript_mutant_is_killed_by_a_node_test(project: trial.Trial) -> None:
    path = "static/js/model/card_selection.js"
    emptied = next(mutant for mutant in on_line(path, line_of(path, "function cardsKey")) if "{}" in mutant.now)
    outcome = project.run(emptied, [["tests/js/model/card_selection.test.js"]])
    assert outcome.killer == "tests/js/model/card_selection.test.js"


def test_code_that_only_the_type_checker_reads_is_not_mutated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    lines = ["@cache", "def f(a: int | None = None) -> int | None:", "    return a", "x: int | str", "y = 1 < 2"]
    (tmp_path / "a.py").write_text("\n".join(lines))
    found = {line: [mutant.now for mutant in on_line("a.py", line)] for line in range(1, 6)}
    assert [line for line, broken in found.items() if broken] == [5]
    assert {"y = 1 >= 2", "y = 2 < 2", "y = 1 < 1"} <= {*found[5]}


def test_the_nearest_tests_are_named_after_the_file_or_import_it() -> None:
    shares = nearest.nearest(Mutant("app/rooms/views/delta.py", 1, "", "", ""))
    assert sum(test.startswith("tests/rooms/views/test_delta.py::") for test in shares[0]) >= 2
    assert nearest.nearest(Mutant("static/js/model/card_selection.js", 1, "", "", ""))[0][0].endswith(".test.js")


def test_a_test_that_reaches_a_file_only_through_a_tool_is_also_tried() -> None:
    assert "tests/tools/inputs/test_reading_time.py" in nearest._distances("app/web/matches/import_files.py")


def test_the_fingerprint_test_is_never_used_to_kill_mutants() -> None:
    path = next(str(file.relative_to(ROOT)) for file in ROOT.glob("app/rooms/**/snapshots.py"))
    assert nearest.FINGERPRINTS[0] in (ROOT / "tests/rooms/log/test_snapshots.py").read_text("utf-8")
    tests = [test for share in nearest.nearest(Mutant(path, 1, "", "", "")) for test in share]
    assert any("test_snapshots.py::" in test for test in tests)
    assert not [test for test in tests if test.endswith(nearest.FINGERPRINTS)]


def test_every_listed_invisible_mutant_has_a_reason_and_an_existing_line() -> None:
    for (path, was, _), why in invisible().items():
        lines = [line.strip() for line in (ROOT / path).read_text("utf-8").splitlines()]
        assert why.endswith("."), path
        assert was in lines or was in " ".join(lines), f"{path} has no “{was}” any more"


def test_an_invisible_mutant_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = next(drawn(1, ["app/rooms/**/*.py"]))
    monkeypatch.setattr(mutants, "invisible", lambda: {mutant.key: "A reason."})
    assert next(drawn(1, ["app/rooms/**/*.py"])).key != mutant.key


def test_the_filters_of_private_cards_and_events_are_mutated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for path, names in tomllib.loads(mutants.PRIVATE.read_text("utf-8")).items():
        for name in names:
            assert mutants.function(path, name), "it is still there"
    monkeypatch.setattr(mutants, "PRIVATE", tmp_path / "private.toml")
    mutants.PRIVATE.write_text('"app/rooms/views/delta.py" = ["_private_events_for"]', "utf-8")
    assert "return [event.to_json() for event in private if True]" in [mutant.now for mutant in private()]


@pytest.mark.parametrize(
    ("killer", "arguments", "code", "said"),
    [
        ("tests/x.py::test_x", ["4"], 0, "4 of 4 mutants were killed (100%)."),
        (None, ["4"], 1, "0 of 4 mutants were killed (0%)."),
    ],
)
def test_survivors_are_listed_and_more_than_a_tenth_fails_the_run(
    killer: str | None,
    arguments: list[str],
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    four = [Mutant("app/a.py", line, "a", "b", "") for line in range(4)]
    monkeypatch.setattr(command, "drawn", lambda seed: iter(four))
    monkeypatch.setattr(trial.Trial, "run", lambda *_, **__: trial.Outcome(killer, 1.0))
    assert command.main(arguments) == code
    printed = capsys.readouterr().out
    assert said in printed
    assert ("Survivors:\napp/a.py:0  a  →  b" in printed) == (killer is None)


def test_a_list_finds_its_mutants_by_text_and_names_those_whose_text_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    (tmp_path / "a.py").write_text("# A new line.\nx = 1 < 2\n")
    entries = [
        f'[[mutant]]\nid = "{name}"\nfile = "a.py"\nwas = "{was}"\nnow = "2"\n'
        for name, was in (("found", "1"), ("gone", "3"))
    ]
    (tmp_path / "list.toml").write_text("".join(entries))
    monkeypatch.setattr(command, "nearest", lambda mutant: [])
    monkeypatch.setattr(trial.Trial, "run", lambda *_, **__: trial.Outcome("tests/x.py::test_x", 1.0))
    assert command.main(["--from", str(tmp_path / "list.toml")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "found\ttests/x.py::test_x (1 s)\ta.py:2  x = 1 < 2  →  x = 2 < 2"
    assert lines[1].startswith("gone\tMOVED")
    assert lines[2] == "1 of 2 mutants were noticed."
