"""Test that tables of docs/measurements say when, where and how each figure was measured."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.for_each import for_each

PAGES = sorted((Path(__file__).parents[2] / "docs" / "measurements").glob("*.md"))
MEASURED = ["date", "machine", "command"]
OTHER_TABLES = {"subject", "machine", "name", "way", "", "pairs won against Easy"}
"""First headings of tables without measurements: lists, an estimate and a summary."""


def tables(page: Path) -> Iterator[list[list[str]]]:
    """Yield the rows of each table with its heading and without the line of dashes."""
    for table in re.findall(r"(?:^\|.*\n)+", page.read_text(encoding="utf-8"), re.MULTILINE):
        heading, _, *rows = table.splitlines()
        yield [[cell.strip() for cell in row.strip("|").split("|")] for row in (heading, *rows)]


@for_each("page", PAGES, ids=lambda page: page.stem)
def test_every_measured_figure_has_a_date_a_machine_and_a_command(page: Path) -> None:
    commands = {cells[0] for heading, *rows in tables(page) if heading[0] == "name" for cells in rows}
    names = {name for cell in commands for name in cell.split(", ")}
    for heading, *rows in tables(page):
        assert all(len(cells) == len(heading) for cells in rows), heading
        if heading[0] in OTHER_TABLES:
            continue
        assert heading[-3:] == MEASURED, heading
        for cells in rows:
            date, machine, command = cells[-3:]
            assert re.fullmatch(r"\d{4}-\d\d-\d\d", date), cells
            assert machine, cells
            name = command.partition(",")[0].partition(" (")[0]
            assert name in names | {"not recorded", "not measured"} or name.startswith(("`", "callgrind")), cells


def test_there_are_measurements() -> None:
    assert sum(len(rows) for page in PAGES for _, *rows in tables(page)) > 200
