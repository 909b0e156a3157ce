"""What `make test` closes with: each part notes its skips, and what passed only when tried again, in one file.

The second tries are also kept in test-results/second-tries.txt, a test on each line.
"""

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

SECOND_TRIES = Path("test-results") / "second-tries.txt"
AGAIN = "again: "
"""Before the name of a test that failed beside others and passed alone; any other line is the reason of a skip."""


def note_skips(file: Path, reasons: Iterable[str]) -> None:
    """Add the reasons of one part, a line for each test that was skipped."""
    _add(file, reasons)


def note_second_tries(file: Path, tests: Iterable[str]) -> None:
    """Add the tests of one part that passed only when they were tried again."""
    _add(file, (AGAIN + test for test in tests))


def summed(file: Path) -> str:
    """All of it: a line for what was skipped and, if there was any, one for second tries."""
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
    """Return the tests that passed only when they were tried again."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line.removeprefix(AGAIN) for line in lines if line.startswith(AGAIN)]


def keep_second_tries(file: Path, into: Path) -> None:
    """Write the tests that passed only at the second try into a file of their own, which may be empty."""
    into.parent.mkdir(parents=True, exist_ok=True)
    into.write_text("".join(f"{test}\n" for test in second_tries(file)), encoding="utf-8")


def _add(file: Path, lines: Iterable[str]) -> None:
    with file.open("a", encoding="utf-8") as notes:
        notes.writelines(f"{' '.join(line.split())}\n" for line in lines)


def _said(reason: str, count: int) -> str:
    if reason.startswith("all "):  # a whole part, uncounted
        return reason
    return f"{count} test{'s' * (count != 1)}: {reason}"


if __name__ == "__main__":
    print(summed(Path(sys.argv[1])))
    keep_second_tries(Path(sys.argv[1]), SECOND_TRIES)
