"""Collect the skips and second tries of all parts of `make test`, and print them at the end.

The names of the tests that passed at the second try are also written to test-results/second-tries.txt.
"""

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

SECOND_TRIES = Path("test-results") / "second-tries.txt"
AGAIN = "again: "
"""Marks a test that failed among other tests and passed alone. Lines without it are reasons of skips."""


def note_skips(file: Path, reasons: Iterable[str]) -> None:
    """Add the reasons of one part, one line for each skipped test."""
    _add(file, reasons)


def note_second_tries(file: Path, tests: Iterable[str]) -> None:
    """Add the tests of one part that passed only at the second try."""
    _add(file, (AGAIN + test for test in tests))


def summed(file: Path) -> str:
    """Return a line about skips and, if there are any, one about second tries."""
    lines = file.read_text(encoding="utf-8").splitlines()
    counted = Counter(line for line in lines if not line.startswith(AGAIN))
    said = [f"Skipped in all: {'; '.join(_said(reason, count) for reason, count in counted.items())}."]
    again = second_tries(file)
    if not counted:
        said = ["Nothing was skipped."]
    if again:
        said.append(f"Passed only when tried again, so look at why: {', '.join(again)}.")
    return "\n".join(said)


def second_tries(file: Path) -> list[str]:
    """Return the tests that passed only at the second try."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line.removeprefix(AGAIN) for line in lines if line.startswith(AGAIN)]


def keep_second_tries(file: Path, into: Path) -> None:
    """Write the tests that passed only at the second try to a file, which may be empty."""
    into.parent.mkdir(parents=True, exist_ok=True)
    into.write_text("".join(f"{test}\n" for test in second_tries(file)), encoding="utf-8")


def _add(file: Path, lines: Iterable[str]) -> None:
    with file.open("a", encoding="utf-8") as notes:
        notes.writelines(f"{' '.join(line.split())}\n" for line in lines)


def _said(reason: str, count: int) -> str:
    if reason.startswith("all "):  # a whole part of the tests, without a count
        return reason
    return f"{count} test{'s' * (count != 1)}: {reason}"


if __name__ == "__main__":
    print(summed(Path(sys.argv[1])))
    keep_second_tries(Path(sys.argv[1]), SECOND_TRIES)
