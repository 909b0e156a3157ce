"""What was skipped, over all parts of `make test`: each part adds lines to one file, and the last line sums them up."""

import sys
from collections import Counter
from pathlib import Path


def note(file: Path, reasons: list[str]) -> None:
    """Add the reasons of one part, a line for each test that was skipped."""
    with file.open("a", encoding="utf-8") as lines:
        lines.writelines(f"{' '.join(reason.split())}\n" for reason in reasons)


def summed(file: Path) -> str:
    """All of them in one line."""
    counted = Counter(file.read_text(encoding="utf-8").splitlines())
    if not counted:
        return "Nothing was skipped."
    return f"Skipped in all: {'; '.join(_said(reason, count) for reason, count in counted.items())}."


def _said(reason: str, count: int) -> str:
    if reason.startswith("all "):  # a whole part, uncounted
        return reason
    return f"{count} test{'s' * (count != 1)}: {reason}"


if __name__ == "__main__":
    print(summed(Path(sys.argv[1])))
