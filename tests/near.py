"""Run the tests near a change, nearest first, for about two minutes: `make test-near`.

The change is everything that differs from the main branch. At the end it says what it left out.
"""

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import pytest

from tests.mutate.mutants import ROOT, Mutant
from tests.mutate.nearest import nearest

SECONDS = 100
"""The time after which no test begins. The last one, at most 25 seconds in a browser, ends within about two minutes."""
FOR_BROWSERS = 0.4
"""The share of the time that is kept for browser tests, if there are any."""
MOST_PLACES = 12
"""The number of changed places of a file of which tests are sought."""
BY_PATH = (
    (r"tests/.*\.test\.js|tests/(.*/)?test_\w+\.py", r"\g<0>"),
    (r"tests/js/english\.json", "tests/project/test_english.py"),
    (r"tests/rooms/stored_names\.txt", "tests/rooms/test_stored_names.py"),
    (r"tests/js/.*", "tests/js"),
    (r"tests/records/.*", "tests/engine/match/test_records.py"),
    (r"(static/css|templates)/.*|static/.*\.svg", "tests/e2e/look"),
    (r"static/messages/.*", "tests/project/test_english.py tests/web/i18n"),
    (r"locale/.*\.po", "tests/web/i18n"),
    (r"migrations/.*", "tests/store"),
    (r"deploy/patroni/.*", "tests/tools/cluster"),
    (r"deploy/postgresql/.*", "tests/store/db/test_split_tables.py"),
    (r"deploy/.*|Dockerfile|docker-compose.*|compose.*", "tests/web/test_deploy.py"),
    (r"docs/developing\.md", "tests/project/test_developing.py tests/project/test_readme.py"),
    (r".*\.md|Makefile", "tests/project/test_readme.py tests/project/test_docs_examples.py"),
)
"""The tests of files that no test imports, by a pattern of the path."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Tests to run, nearest first, and files without tests."""

    tests: tuple[str, ...]
    """Arguments of `pytest` or `node --test`."""
    farther: int
    """The number of tests that are less near and not chosen."""
    unknown: tuple[str, ...]
    """Changed files of which no test is known."""


def changes(base: str) -> dict[str, list[int]]:
    """Return the changed lines of each file that differs from a branch, one for each place of the change."""
    since = _git("merge-base", "HEAD", base).strip()
    found = dict[str, list[int]]()
    path = ""
    for line in _git("diff", "--unified=0", "--no-renames", "--diff-filter=d", since).splitlines():
        if line.startswith("+++ b/"):
            path = line.removeprefix("+++ b/")
            found[path] = []
        elif place := re.match(r"@@ -\S+ \+(\d+)", line):
            found[path].append(max(1, int(place[1])))
    new = _git("ls-files", "--others", "--exclude-standard").split()
    return found | {each: [1] for each in new if (ROOT / each).is_file()}


def choose(changed: dict[str, list[int]]) -> Chosen:
    """Choose the tests near changed lines. Tests that a change itself touches come first."""
    groups, unknown, farther = list[list[list[str]]](), list[str](), set[str]()
    for path, lines in changed.items():
        if named := _by_path(path):
            groups.append([named])
        elif re.fullmatch(r"(app|tools|tests)/.*\.py|static/js/.*\.js", path):
            for line in lines[:MOST_PLACES]:
                near = nearest(Mutant(path, line, "", "", ""))
                # Of scripts, the first browser tests come after those for Node.
                kept = 3 if path.endswith(".js") else 2
                groups.append(near[:kept])
                farther |= {test for group in near[kept:] for test in group}
        else:
            unknown.append(path)
    steps = zip_longest(*groups, fillvalue=list[str]())
    tests = tuple(dict.fromkeys(test for step in steps for group in step for test in group))
    return Chosen(tests, len(farther - {*tests}), tuple(unknown))


def _by_path(path: str) -> list[str]:
    for pattern, tests in BY_PATH:
        if match := re.fullmatch(pattern, path):
            return match.expand(tests).split()
    return []


class Deadline:
    """Stops pytest after the test that runs when the time is over, and counts the tests."""

    def __init__(self, end: float) -> None:
        self.end = end
        self.collected = self.ran = 0

    def pytest_sessionstart(self, session: Any) -> None:
        self.session = session

    def pytest_collection_finish(self, session: Any) -> None:
        self.collected = len(session.items)

    def pytest_runtest_logfinish(self) -> None:
        self.ran += 1
        if time.monotonic() > self.end and self.ran < self.collected:
            self.session.shouldstop = "the time is over"


def run(chosen: Chosen, seconds: float) -> Iterator[str]:
    """Run the tests, those for Node first and those in browsers last. Yield a line for each part that failed."""
    begun = time.monotonic()
    scripts = [test for test in chosen.tests if test.startswith("tests/js")]
    if "tests/js" in scripts:
        scripts = [str(file.relative_to(ROOT)) for file in ROOT.glob("tests/js/**/*.test.js")]
    if scripts:
        command = ["node", "--test", "--test-reporter=dot", *scripts]
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            yield f"JavaScript tests failed: {' '.join(command)}"
    in_browsers = [test for test in chosen.tests if test.startswith("tests/e2e")]
    others = [test for test in chosen.tests if not test.startswith(("tests/e2e", "tests/js"))]
    for tests, kind in ((others, "Python tests"), (in_browsers, "browser tests")):
        if not tests:
            continue
        in_browser = tests is in_browsers
        share = 1 - FOR_BROWSERS * (not in_browser and bool(in_browsers))
        clock = Deadline(begun + seconds * share)
        if time.monotonic() > clock.end:
            print(f"Left out for lack of time: all near {kind}.")
            continue
        status = pytest.main(
            [*tests, "-q", "-m", "e2e" if in_browser else "not e2e", "-p", "no:cacheprovider"], [clock]
        )
        left = clock.collected - clock.ran
        if left > 0:
            print(f"Left out for lack of time: {left} of {clock.collected} near {kind}.")
        if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) and not (
            status == pytest.ExitCode.INTERRUPTED and left > 0 and not clock.session.testsfailed
        ):
            yield f"{kind.capitalize()} failed."


def main(asked: Iterable[str] | None = None) -> int:
    """Run the tests near a change, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.near", description=__doc__)
    parser.add_argument("--base", default="main", help="the branch to compare with")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--list", action="store_true", help="only list the tests")
    options = parser.parse_args(None if asked is None else [*asked])
    begun = time.monotonic()
    chosen = choose(changes(options.base))
    if options.list:
        print("\n".join(chosen.tests))
        return 0
    failures = [] if not chosen.tests else list(run(chosen, options.seconds - (time.monotonic() - begun)))
    if chosen.unknown:
        print("No near test is known for", ", ".join(chosen.unknown) + ".")
    print(f"Left out: {chosen.farther} tests farther from the change, and all others. `make test` runs every test.")
    print("\n".join(failures) or "The near tests passed.")
    return 1 if failures else 0


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
