"""Test that a skip fails with CI=true, that failed tests get a second try, and that both are reported at the end."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.closing import PLACE, failures, keep_second_tries, listed, summed

ROOT = Path(__file__).parent.parent
SKIPS = {
    "test": "import pytest\ndef test_it():\n    pytest.skip('no moon')\n",
    "fixture": "import pytest\n@pytest.fixture\ndef moon():\n    pytest.skip('no moon')\ndef test_it(moon): ...\n",
    "mark": "import pytest\n@pytest.mark.skip(reason='no moon')\ndef test_it(): ...\n",
    "module": "import pytest\npytest.skip('no moon', allow_module_level=True)\n",
}


def run(folder: Path, ci: str, **more: str) -> tuple[int, str]:
    options = ["-c", os.devnull, "-rs", "-p", "tests.conftest", "-p", "no:cacheprovider", "--import-mode=importlib"]
    # The skips of the inner run must not count in the summary of this run (CLOSING).
    ours = {name: value for name, value in os.environ.items() if name != "CLOSING" and not name.startswith("PYTEST_")}
    environment = ours | {"CI": ci} | more
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "--continue-on-collection-errors", *options, folder],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return result.returncode, result.stdout


def test_a_skip_is_reported_and_fails_in_ci(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for where, text in SKIPS.items():
        (tmp_path / f"test_{where}.py").write_text(text)
    sum_of_this_run = tmp_path / "skips"
    monkeypatch.setenv("CLOSING", str(sum_of_this_run))

    code, printed = run(tmp_path, ci="")
    assert code == 0
    assert not sum_of_this_run.exists()
    assert f"{len(SKIPS)} skipped" in printed
    for where in SKIPS:
        assert f"test_{where}.py" in printed
    assert "no moon" in printed

    code, printed = run(tmp_path, ci="true")
    assert code != 0
    assert "skipped" not in printed.splitlines()[-1]
    assert printed.count("CI=true allows no skipped test: ") == len(SKIPS)
    assert printed.count("no moon") >= len(SKIPS)


def test_an_expected_failure_is_not_a_skip(tmp_path: Path) -> None:
    (tmp_path / "test_moon.py").write_text("import pytest\n@pytest.mark.xfail\ndef test_it():\n    assert 0\n")
    assert run(tmp_path, ci="true")[0] == 0


def test_ci_retries_a_failed_test_once_and_reports_it(tmp_path: Path) -> None:
    told = tmp_path / "told"
    told.touch()
    (tmp_path / "test_moon.py").write_text(
        "from pathlib import Path\nseen = Path(__file__).with_name('seen')\n"
        "def test_stands(): ...\n"
        "def test_rises():\n    late = seen.exists()\n    seen.touch()\n    assert late\n"
    )

    def make() -> tuple[int, str]:
        arguments = f"ARGS=-p tests.conftest -o cache_dir={tmp_path / 'cache'} {tmp_path}"
        result = subprocess.run(
            ["make", "--no-print-directory", "test-py", "WORKERS=0", arguments],
            cwd=ROOT,
            env=os.environ | {"CI": "true", "CLOSING": str(told)},
            capture_output=True,
            text=True,
            check=False,
        )
        return result.returncode, result.stdout

    code, printed = make()
    assert code == 0, printed
    assert summed(told).splitlines()[1].startswith("Passed only when tried again, so look at why: ")
    assert summed(told).endswith("test_moon.py::test_rises.")
    keep_second_tries(told, tmp_path / "results" / "second-tries.txt")
    [kept] = (tmp_path / "results" / "second-tries.txt").read_text().splitlines()
    assert kept.endswith("test_moon.py::test_rises")
    assert listed(failures(told)) == "Nothing failed."
    (tmp_path / "test_sun.py").write_text("def test_shines():\n    assert 0\n")
    assert make()[0] != 0
    [place, command] = failures(told)[0].split("\t")
    assert place.endswith(("test_sun.py:1", "test_sun.py:2"))
    assert command.endswith("test_sun.py::test_shines'")
    assert f"{place}  repeat: {command}" in listed(failures(told))


def test_the_place_of_a_failed_check_is_found_in_what_each_checker_prints() -> None:
    for line in (
        "   --> app/main.py:3:1",
        "app/main.py:3: error: wrong",
        "static/js/a.js:3:1 lint/x",
        "static/a.ts(3,1): error",
    ):
        assert (found := PLACE.match(line)), line
        assert found[2] == "3"
    assert PLACE.match("All checks passed!") is None


def test_skips_of_all_test_runs_are_reported_in_one_line(tmp_path: Path) -> None:
    folder, told = tmp_path / "tests", tmp_path / "skips"
    folder.mkdir()
    for where, text in SKIPS.items():
        (folder / f"test_{where}.py").write_text(text)
    told.touch()
    assert summed(told) == "Nothing was skipped."
    # A machine without Node and npm.
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("make", "sh", "find"):
        (programs / name).symlink_to(shutil.which(name) or name)
    make = [programs / "make", "--no-print-directory", "test-js"]
    alone = {"PATH": str(programs), "CLOSING": str(told), "CI": ""}
    subprocess.run(make, cwd=ROOT, env=alone, check=True, capture_output=True)
    assert subprocess.run(make, cwd=ROOT, env=alone | {"CI": "true"}, check=False, capture_output=True).returncode != 0
    told.write_text(told.read_text().splitlines(keepends=True)[0])
    run(folder, ci="", CLOSING=str(told))
    printed = subprocess.run(
        [sys.executable, "-m", "tests.closing", told], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    skipped = f"Skipped in all: all JavaScript tests: there is no node here; {len(SKIPS)} tests: no moon."
    assert printed.splitlines() == [skipped, "Nothing failed."]
