"""Test that the tests that the threat model, the page about ASVS and measured promises name exist."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "docs" / name for name in ("threat-model.md", "asvs.md", "measurements/robustness.md")]
NAMED = re.compile(r"`(tests/[\w/.]+)::([^`]+)`")


def lines() -> list[tuple[str, str]]:
    """Return all lines of the tables, with the cell that names the test."""
    page = PAGES[0].read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    return [(row, row.strip("| ").rpartition(" | ")[2]) for row in rows if not row.endswith("| test |")]


def titles_in(file: Path) -> set[str]:
    """Return the names of the tests of a Python file, or the titles of those of a JavaScript file."""
    text = file.read_text("utf-8")
    if file.suffix == ".js":
        return set(re.findall(r'^test\("([^"]+)"', text, re.MULTILINE))
    return {node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_every_line_of_the_threat_model_names_a_test_or_says_that_there_is_none() -> None:
    assert len(lines()) > 60
    for line, cell in lines():
        assert cell == "None" or all(NAMED.fullmatch(test) for test in cell.split(", ")), line


def test_every_named_test_exists() -> None:
    for page in PAGES:
        named = NAMED.findall(page.read_text("utf-8"))
        assert len(named) > 15
        for file, title in named:
            assert title in titles_in(ROOT / file), (page.name, file, title)
