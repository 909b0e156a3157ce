"""With CI=true a skip is a failure; without, it is listed with its reason, and summed over all parts."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.skips import summed

ROOT = Path(__file__).parent.parent
SKIPS = {
    "test": "import pytest\ndef test_it():\n    pytest.skip('no moon')\n",
    "fixture": "import pytest\n@pytest.fixture\ndef moon():\n    pytest.skip('no moon')\ndef test_it(moon): ...\n",
    "mark": "import pytest\n@pytest.mark.skip(reason='no moon')\ndef test_it(): ...\n",
    "module": "import pytest\npytest.skip('no moon', allow_module_level=True)\n",
}


def run(folder: Path, ci: str, **more: str) -> tuple[int, str]:
    options = ["-c", os.devnull, "-rs", "-p", "tests.conftest", "-p", "no:cacheprovider", "--import-mode=importlib"]
    # What is skipped there is no skip of this run's: its sum (SKIPS) must not hear of it.
    ours = {name: value for name, value in os.environ.items() if name != "SKIPS" and not name.startswith("PYTEST_")}
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


def test_a_skip_is_told_and_fails_in_ci(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for where, text in SKIPS.items():
        (tmp_path / f"test_{where}.py").write_text(text)
    sum_of_this_run = tmp_path / "skips"
    monkeypatch.setenv("SKIPS", str(sum_of_this_run))

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


def test_an_expected_failure_is_no_skip(tmp_path: Path) -> None:
    (tmp_path / "test_moon.py").write_text("import pytest\n@pytest.mark.xfail\ndef test_it():\n    assert 0\n")
    assert run(tmp_path, ci="true")[0] == 0


def test_skips_are_summed_over_all_parts_in_one_line(tmp_path: Path) -> None:
    folder, told = tmp_path / "tests", tmp_path / "skips"
    folder.mkdir()
    for where, text in SKIPS.items():
        (folder / f"test_{where}.py").write_text(text)
    told.touch()
    assert summed(told) == "Nothing was skipped."
    # Where there is no node, no npm and nothing else.
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("make", "sh", "find"):
        (programs / name).symlink_to(shutil.which(name) or name)
    make = [programs / "make", "--no-print-directory", "test-js"]
    alone = {"PATH": str(programs), "SKIPS": str(told), "CI": ""}
    subprocess.run(make, cwd=ROOT, env=alone, check=True, capture_output=True)
    assert subprocess.run(make, cwd=ROOT, env=alone | {"CI": "true"}, check=False, capture_output=True).returncode != 0
    told.write_text(told.read_text().splitlines(keepends=True)[0])
    run(folder, ci="", SKIPS=str(told))
    printed = subprocess.run(
        [sys.executable, "-m", "tests.skips", told], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    assert printed == f"Skipped in all: all JavaScript tests: there is no node here; {len(SKIPS)} tests: no moon.\n"
