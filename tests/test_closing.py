"""Test that CI fails after a skip, tries a failed test again, and what the end of a run lists."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.closing import PLACE, failures, listed, summed

ROOT = Path(__file__).parent.parent
SKIPS = {
    "test": "import pytest\ndef test_it():\n    pytest.skip('no moon')\n",
    "fixture": "import pytest\n@pytest.fixture\ndef moon():\n    pytest.skip('no moon')\ndef test_it(moon): ...\n",
    "mark": "import pytest\n@pytest.mark.skip(reason='no moon')\ndef test_it(): ...\n",
    "module": "import pytest\npytest.skip('no moon', allow_module_level=True)\n",
}
OTHERS = {
    "expected": "import pytest\n@pytest.mark.xfail\ndef test_it():\n    assert 0\n",
    "long": (
        "import pytest\nfrom tests import conftest\nconftest.LIMITS['Python'] = 0\n"
        "def test_stands(): ...\n@pytest.mark.long('It is far.')\ndef test_rises(): ...\n"
    ),
}
FEW_PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "xdist.plugin,pytest_asyncio.plugin"}
"""The settings of a run with only the plugins that the options of `make test-py` need; others take seconds to load."""


def run(folder: Path, ci: str, **more: str) -> tuple[int, str]:
    for where, text in (SKIPS | OTHERS).items():
        (folder / f"test_{where}.py").write_text(text)
    options = ["-c", os.devnull, "-rs", "-p", "tests.conftest", "-p", "no:cacheprovider", "--import-mode=importlib"]
    # The skips of the inner run must not count in the summary of this run (CLOSING).
    ours = {name: value for name, value in os.environ.items() if name != "CLOSING" and not name.startswith("PYTEST_")}
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "--continue-on-collection-errors", *options, folder],
        cwd=ROOT,
        env=ours | {"CI": ci, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | more,
        capture_output=True,
        text=True,
        check=False,
    )
    return result.returncode, result.stdout


def test_a_skip_fails_in_ci_and_an_expected_failure_does_not(tmp_path: Path) -> None:
    code, printed = run(tmp_path, ci="true")
    assert code != 0
    assert printed.count("CI=true allows no skipped test: ") == len(SKIPS)
    assert printed.count("no moon") >= len(SKIPS)
    [*_, last] = printed.splitlines()
    assert "skipped" not in last
    assert "1 xfailed" in last


def test_ci_names_a_test_that_passes_only_at_the_second_try(tmp_path: Path) -> None:
    told = tmp_path / "told"
    told.touch()
    (tmp_path / "test_moon.py").write_text(
        "from pathlib import Path\nseen = Path(__file__).with_name('seen')\n"
        "def test_stands(): ...\n"
        "def test_rises():\n    late = seen.exists()\n    seen.touch()\n    assert late\n"
    )
    arguments = f"ARGS=-p tests.conftest -o cache_dir={tmp_path / 'cache'} {tmp_path}"
    result = subprocess.run(
        ["make", "--no-print-directory", "test-py", "WORKERS=0", arguments],
        cwd=ROOT,
        env=os.environ | {"CI": "true", "CLOSING": str(told)} | FEW_PLUGINS,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout
    assert summed(told).splitlines()[1].startswith("Failed, and passed when tried again alone, so look at why: ")
    assert summed(told).endswith("test_moon.py::test_rises.")
    [place, command] = failures(told)[0].split("\t")
    assert place.endswith("test_moon.py:4")
    assert command.endswith("test_moon.py::test_rises'")
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


def test_skips_and_long_tests_of_all_test_runs_are_reported_at_the_end(tmp_path: Path) -> None:
    folder, told = tmp_path / "tests", tmp_path / "skips"
    folder.mkdir()
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
    code, printed = run(folder, ci="", CLOSING=str(told))
    assert code == 0, printed
    assert f"{len(SKIPS)} skipped" in printed
    assert printed.count("no moon") >= len(SKIPS)
    assert all(f"test_{where}.py" in printed for where in SKIPS)
    assert "test_rises: It is far.\n" in printed
    skipped, heading, *long, failures = subprocess.run(
        [sys.executable, "-m", "tests.closing", told], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    assert skipped == f"Skipped in all: all JavaScript tests: there is no node here; {len(SKIPS)} tests: no moon."
    assert (heading, failures) == ("Longer than the limit of a test:", "Nothing failed.")
    assert any(re.fullmatch(r"  0 s .*::test_rises: It is far\.", line) for line in long)
    assert any(re.fullmatch(r"  0 s .*::test_stands: no reason", line) for line in long)
