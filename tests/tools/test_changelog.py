"""Test that the changelog keeps its form, and that errors name the line."""

from pathlib import Path

from tests.for_each import for_each
from tools import changelog

ROOT = Path(__file__).parent.parent.parent

GOOD = """# Changelog

## [Unreleased]

## [0.2.0] - 2026-11-26

### Before you upgrade

- Stop all nodes.

### Added

- A card.

### Fixed

- A hole in a card.
"""


def test_the_project_changelog_follows_the_form() -> None:
    assert changelog.find_faults((ROOT / "CHANGELOG.md").read_text("utf-8")) == []


def test_a_good_changelog_has_no_faults() -> None:
    assert changelog.find_faults(GOOD) == []
    unreleased, version = changelog.parse_changelog(GOOD)
    assert (unreleased.lines, version.name, version.day) == ([], "0.2.0", "2026-11-26")
    assert (
        version.text()
        == "### Before you upgrade\n- Stop all nodes.\n\n### Added\n- A card.\n\n### Fixed\n- A hole in a card."
    )


@for_each(
    ("old", "new", "fault"),
    [
        ("## [Unreleased]", "## [0.3.0] - 2026-12-01", "The first part is not “## [Unreleased]”."),
        (" - 2026-11-26", "", "The heading of 0.2.0 is not “## [VERSION] - YYYY-MM-DD”."),
        (" - 2026-11-26", " - 2026-13-26", "The heading of 0.2.0 is not “## [VERSION] - YYYY-MM-DD”."),
        ("### Added", "### News", "0.2.0: its sections are Before you upgrade, News, Fixed"),
        ("### Fixed", "### Added", "0.2.0: its sections are Before you upgrade, Added, Added"),
        (
            "### Before you upgrade\n\n- Stop all nodes.\n\n",
            "",
            "0.2.0: it does not begin with “### Before you upgrade”",
        ),
        ("- A card.", "- A card\n  of two lines.", "0.2.0: “  of two lines.” is neither a section nor an entry"),
        ("- A card.", "- " + "word " * 21, "has 21 words; 20 are allowed."),
        ("- A card.", "- A card.\n" * 61, "0.2.0 has 66 lines; 60 are allowed."),
    ],
)
def test_a_fault_in_the_changelog_is_named(old: str, new: str, fault: str) -> None:
    [found] = changelog.find_faults(GOOD.replace(old, new, 1))
    assert fault in found
