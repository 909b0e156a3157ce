"""Test that a seed always draws the same mutants, and that noticed and unnoticed mutants are distinguished."""

import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import islice
from pathlib import Path

import pytest

from tests.mutate import __main__ as command, mutants, nearest, trial
from tests.mutate.mutants import ROOT, Mutant, drawn, invisible, on_line, private

SMALL = {
    "a.py": "YES = True\n",
    "static/a.js": "export const yes = () => { return true; };\n",
    "tests/test_other.py": "def test_other() -> None: ...\n",
    "tests/test_a.py": (
        "import logging\nfrom a import YES\n\n"
        "def test_yes() -> None:\n    logging.getLogger('app').error('x')\n    assert YES\n"
    ),
    "tests/test_broken.py": "def test_it() -> None:\n    assert False\n",
    "tests/js/a.test.js": (
        "import assert from 'node:assert';\nimport { test } from 'node:test';\n"
        "import { yes } from '../../static/a.js';\ntest('yes', () => assert(yes()));\n"
    ),
    "package.json": '{"type": "module"}',
    "pytest.ini": "[pytest]\npythonpath = .\naddopts = -p no:schemathesis -p no:playwright -p no:hypothesispytest\n",
}
"""A project of a few files, without the plugins that take seconds to load."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[trial.Trial]:
    """Copy the small project for trials."""
    for path, text in SMALL.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    for module in (mutants, trial):
        monkeypatch.setattr(module, "ROOT", tmp_path)
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
    [noticed] = [mutant for mutant in on_line("a.py", 1) if mutant.now == "YES = False"]
    outcome = project.run(noticed, [["tests/test_other.py"], ["tests/test_a.py"]])
    assert outcome.killer == "tests/test_a.py::test_yes", "and not the logged error"
    assert (project.folder / "a.py").read_text("utf-8") == SMALL["a.py"], "the copy is mended"
    # A test that fails without the mutant kills nothing.
    unnoticed = Mutant("a.py", 1, "nothing", "a comment", f"# A comment.\n{SMALL['a.py']}")
    assert project.run(unnoticed, [["tests/test_other.py"], ["tests/test_broken.py"]]).killer is None


def test_a_javascript_mutant_is_killed_by_a_node_test(project: trial.Trial) -> None:
    emptied = Mutant("static/a.js", 1, "", "", "export const yes = () => {};\n")
    assert project.run(emptied, [["tests/js/a.test.js"]]).killer == "tests/js/a.test.js"


def test_code_that_only_the_type_checker_reads_is_not_mutated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    lines = ["@cache", "def f(a: int | None = None) -> int | None:", "    return a", "x: int | str", "y = 1 < 2"]
    (tmp_path / "a.py").write_text("\n".join(lines))
    found = {line: [mutant.now for mutant in on_line("a.py", line)] for line in range(1, 6)}
    assert [line for line, broken in found.items() if broken] == [5]
    assert {"y = 1 >= 2", "y = 2 < 2", "y = 1 < 1"} <= {*found[5]}


@pytest.mark.long("it reads the imports of all files and tests")
def test_the_nearest_tests_are_named_after_the_file_or_import_it() -> None:
    shares = nearest.nearest(Mutant("app/rooms/views/delta.py", 1, "", "", ""))
    assert sum(test.startswith("tests/rooms/views/test_delta.py::") for test in shares[0]) >= 2
    assert nearest.nearest(Mutant("static/js/model/card_selection.js", 1, "", "", ""))[0][0].endswith(".test.js")


def test_a_test_that_reaches_a_file_only_through_a_tool_is_also_tried() -> None:
    assert "tests/tools/inputs/test_reading_time.py" in nearest._distances("app/web/matches/import_files.py")


def test_tests_are_found_for_the_file_of_a_package() -> None:
    assert "tests/engine/games/test_parts.py" in nearest._distances("app/engine/games/__init__.py")


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
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(command, "copied", lambda: nullcontext(trial.Trial(tmp_path)))
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
