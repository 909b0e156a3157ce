"""Collect the failures, skips, second tries and long tests of all parts of `make test`, and print them at the end.

`python -m tests.closing check PART …` does the same for the failures of the parts of `make check`.
"""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

AGAIN = "again: "
"""Marks a test that failed among other tests and passed alone. Lines without a mark are reasons of skips."""
LONG = "long: "
"""Marks a test that took longer than its limit, with its seconds and the reason."""
FAILED = "failed: "
"""Marks a failure: its place, a tab, and the command that repeats it."""
PLACE = re.compile(r"(?:\s*--> |Would reformat: )?([\w./-]+\.(?:py|js|ts|css|json|md|html|toml))(?:[:(](\d+))?")
"""A file, with a line if there is one, at the beginning of what a checker prints."""


def note_skips(file: Path, reasons: Iterable[str]) -> None:
    """Add the reasons of one part, one line for each skipped test."""
    _add(file, reasons)


def note_second_tries(file: Path, tests: Iterable[str]) -> None:
    """Add the tests of one part that passed only at the second try."""
    _add(file, (AGAIN + test for test in tests))


def note_long_tests(file: Path, lines: Iterable[str]) -> None:
    """Add the tests of one part that took longer than their limit."""
    _add(file, (LONG + line for line in lines))


def note_failures(file: Path, failures: Iterable[tuple[str, str]]) -> None:
    """Add the failures of one part: the place, as `file:line`, and the command that repeats each."""
    with file.open("a", encoding="utf-8") as notes:
        notes.writelines(f"{FAILED}{place}\t{command}\n" for place, command in failures)


def failures(file: Path) -> list[str]:
    """Return the places and commands of failures."""
    return list(dict.fromkeys(_marked(file, FAILED)))


def listed(found: Iterable[str]) -> str:
    """Return the list of failures, or a sentence if there are none."""
    lines = [f"  {place}  repeat: {command}" for place, _, command in (line.partition("\t") for line in found)]
    return "\n".join(["Failures:", *lines]) if lines else "Nothing failed."


def check(parts: Iterable[str]) -> list[str]:
    """Run parts of `make check`, print what they say, and return the places and commands of failures."""
    found = list[str]()
    for part in parts:
        command = ["make", "--no-print-directory", part]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            assert process.stdout is not None
            places = dict[str, None]()
            for line in process.stdout:
                print(line, end="", flush=True)
                if (at := PLACE.match(line)) and Path(at[1]).is_file():
                    places[f"{at[1]}:{at[2]}" if at[2] else at[1]] = None
        if process.returncode:
            found += [f"{place}\tmake {part}" for place in places or {"all files": None}]
    return found


def summed(file: Path) -> str:
    """Return a line about skips and, if there are any, one about second tries and one for each long test."""
    lines = file.read_text(encoding="utf-8").splitlines()
    counted = Counter(line for line in lines if not line.startswith((AGAIN, FAILED, LONG)))
    said = [f"Skipped in all: {'; '.join(_said(reason, count) for reason, count in counted.items())}."]
    again = _marked(file, AGAIN)
    if not counted:
        said = ["Nothing was skipped."]
    if again:
        said.append(f"Failed, and passed when tried again alone, so look at why: {', '.join(again)}.")
    if long := _marked(file, LONG):
        said += ["Longer than the limit of a test:", *(f"  {line}" for line in long)]
    return "\n".join(said)


def _marked(file: Path, mark: str) -> list[str]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line.removeprefix(mark) for line in lines if line.startswith(mark)]


def _add(file: Path, lines: Iterable[str]) -> None:
    with file.open("a", encoding="utf-8") as notes:
        notes.writelines(f"{' '.join(line.split())}\n" for line in lines)


def _said(reason: str, count: int) -> str:
    if reason.startswith("all "):  # a whole part of the tests, without a count
        return reason
    return f"{count} test{'s' * (count != 1)}: {reason}"


if __name__ == "__main__" and sys.argv[1] == "check":
    failed = check(sys.argv[2:])
    print(listed(failed))
    sys.exit(bool(failed))
elif __name__ == "__main__":
    print(summed(Path(sys.argv[1])))
    print(listed(failures(Path(sys.argv[1]))))
