"""Parse CHANGELOG.md and find departures from its format.

The format is Keep a Changelog 1.1.0 with limits: at most 60 lines for a version, and at most 20 words for an entry.
"""

import re
from dataclasses import dataclass, field
from datetime import date

SECTIONS = ("Before you upgrade", "Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "API")
"""Allowed sections, in this order. `API` is our own section, for changes to the API."""

MOST_LINES = 60
MOST_WORDS = 20

_VERSION = re.compile(r"## \[(?P<name>[^\]]+)\](?: - (?P<day>\d{4}-\d{2}-\d{2}))?")


@dataclass
class Version:
    """One version in the changelog: name, date, and the lines below its heading without empty lines.

    `day` is the date as text, or None for a version that is not released.
    """

    name: str
    day: str | None
    lines: list[str] = field(default_factory=list)

    def text(self) -> str:
        """Return the lines of this version as text, with an empty line before each heading."""
        return "\n".join(f"\n{line}" if line.startswith("#") else line for line in self.lines).strip()


def parse_changelog(text: str) -> list[Version]:
    """Return the changelog's versions in the order of the file, newest first.

    Text above the first version is left out.
    """
    versions: list[Version] = []
    for line in text.splitlines():
        if line.startswith("## "):
            match = _VERSION.fullmatch(line)
            versions.append(Version(match["name"], match["day"]) if match else Version(line[3:], None))
        elif versions and line.strip():
            versions[-1].lines.append(line)
    return versions


def find_faults(text: str) -> list[str]:
    """Return a sentence for each departure of the changelog from its format, in the order of the file.

    Empty for a correct file. A release is refused otherwise.
    """
    versions = parse_changelog(text)
    if not versions or versions[0].name != "Unreleased":
        return ["The first part is not “## [Unreleased]”."]
    found = []
    for version in versions:
        if len(version.lines) > MOST_LINES:
            found.append(f"{version.name} has {len(version.lines)} lines; {MOST_LINES} are allowed.")
        if version.name != "Unreleased" and not _is_day(version.day):
            found.append(f"The heading of {version.name} is not “## [VERSION] - YYYY-MM-DD”.")
        found += [f"{version.name}: {fault}" for fault in _find_line_faults(version.lines)]
    return found


def _is_day(text: str | None) -> bool:
    try:
        return text is not None and bool(date.fromisoformat(text))
    except ValueError:
        return False


def _find_line_faults(lines: list[str]) -> list[str]:
    found = []
    sections = [line.removeprefix("### ") for line in lines if line.startswith("#")]
    if sections != [section for section in SECTIONS if section in sections]:
        found.append(f"its sections are {', '.join(sections)}; choose from {', '.join(SECTIONS)}, in this order.")
    if lines and sections[:1] != [SECTIONS[0]]:
        found.append(f"it does not begin with “### {SECTIONS[0]}”, which says what an operator must do.")
    for line in lines:
        words = len(line.removeprefix("- ").split())
        if not line.startswith(("- ", "### ")):
            found.append(f"“{line[:40]}” is neither a section nor an entry of one line.")
        elif words > MOST_WORDS:
            found.append(f"“{line[:40]}…” has {words} words; {MOST_WORDS} are allowed.")
    return found
