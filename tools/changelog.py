"""Read CHANGELOG.md, and say where it departs from the form that we keep.

The form is that of Keep a Changelog 1.1.0, and shorter: a version has at most 60 lines, an entry at most 20 words.
"""

import re
from dataclasses import dataclass, field
from datetime import date

SECTIONS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "API")
"""In this order. `API` is ours: what changes for bots and other programs."""

MOST_LINES = 60
MOST_WORDS = 20

_VERSION = re.compile(r"## \[(?P<name>[^\]]+)\](?: - (?P<day>\d{4}-\d{2}-\d{2}))?")


@dataclass
class Version:
    """One version of the changelog: the lines below its heading, without empty ones."""

    name: str
    day: str | None
    lines: list[str] = field(default_factory=list)

    def text(self) -> str:
        """Return the lines, with an empty one before each heading."""
        return "\n".join(f"\n{line}" if line.startswith("#") else line for line in self.lines).strip()


def read(text: str) -> list[Version]:
    """Return the versions, newest first. What stands above the first is left out."""
    versions: list[Version] = []
    for line in text.splitlines():
        if line.startswith("## "):
            match = _VERSION.fullmatch(line)
            versions.append(Version(match["name"], match["day"]) if match else Version(line[3:], None))
        elif versions and line.strip():
            versions[-1].lines.append(line)
    return versions


def faults(text: str) -> list[str]:
    """Return a sentence for each departure from the form, the first one first; an empty list if there is none."""
    versions = read(text)
    if not versions or versions[0].name != "Unreleased":
        return ["The first part is not “## [Unreleased]”."]
    found = []
    for version in versions:
        if len(version.lines) > MOST_LINES:
            found.append(f"{version.name} has {len(version.lines)} lines; {MOST_LINES} are allowed.")
        if version.name != "Unreleased" and not _is_day(version.day):
            found.append(f"The heading of {version.name} is not “## [VERSION] - YYYY-MM-DD”.")
        found += [f"{version.name}: {fault}" for fault in _faults_of_lines(version.lines)]
    return found


def _is_day(text: str | None) -> bool:
    try:
        return text is not None and bool(date.fromisoformat(text))
    except ValueError:
        return False


def _faults_of_lines(lines: list[str]) -> list[str]:
    found = []
    sections = [line.removeprefix("### ") for line in lines if line.startswith("#")]
    if sections != [section for section in SECTIONS if section in sections]:
        found.append(f"its sections are {', '.join(sections)}; choose from {', '.join(SECTIONS)}, in this order.")
    for line in lines:
        words = len(line.removeprefix("- ").split())
        if not line.startswith(("- ", "### ")):
            found.append(f"“{line[:40]}” is neither a section nor an entry of one line.")
        elif words > MOST_WORDS:
            found.append(f"“{line[:40]}…” has {words} words; {MOST_WORDS} are allowed.")
    return found
