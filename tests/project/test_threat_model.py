"""Test that each line of docs/threat-model.md names a test that exists, or says that nothing holds it."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def lines() -> list[tuple[str, str]]:
    """Return all lines of the tables, with the cell that names the test."""
    page = (ROOT / "docs" / "threat-model.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    return [(row, row.strip("| ").rpartition(" | ")[2]) for row in rows if not row.endswith("| test |")]


def titles_in(file: Path) -> set[str]:
    """Return the names of the tests of a Python file, or the titles of those of a JavaScript file."""
    text = file.read_text("utf-8")
    if file.suffix == ".js":
        return set(re.findall(r'^test\("([^"]+)"', text, re.MULTILINE))
    return {node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_every_line_names_a_test_that_exists_or_says_that_there_is_none() -> None:
    assert len(lines()) > 60
    for line, cell in lines():
        if cell == "None":
            continue
        named = re.fullmatch(r"`(tests/[\w/.]+)::([^`]+)`", cell)
        assert named is not None, line
        assert (ROOT / named[1]).is_file(), line
        assert named[2] in titles_in(ROOT / named[1]), line
