"""Test that docs/measurements say when and how each figure was measured."""

import re
from pathlib import Path

from tests.for_each import for_each

PAGES = sorted((Path(__file__).parents[2] / "docs" / "measurements").glob("*.md"))
DATE = r"\d{4}-\d\d-\d\d"
TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


@for_each("page", PAGES, ids=lambda page: page.stem)
def test_figures_have_a_date_and_a_command(page: Path) -> None:
    """A date for the whole page, a section or a row; a command that the last section names."""
    intro, *sections, commands = page.read_text(encoding="utf-8").split("\n## ")
    named = {
        name for table in TABLE.findall(commands) for line in table.splitlines() for name in cells(line)[0].split(", ")
    }
    assert TABLE.search(commands), "the last section has the table of commands"
    for section in sections:
        for heading, _, *rows in (table.splitlines() for table in TABLE.findall(section)):
            title = section.partition("\n")[0]
            assert re.search(DATE, section) or re.search(DATE, intro) or not re.search(r"\d [%m]", "".join(rows)), title
            for row in map(cells, rows):
                assert len(row) == len(cells(heading)), row
                if cells(heading)[-1] == "command":
                    assert set(row[-1].split(", ")) <= named, row


def test_there_are_measurements() -> None:
    assert sum(len(TABLE.findall(page.read_text(encoding="utf-8"))) for page in PAGES) > 10
