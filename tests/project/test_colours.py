"""Test that every colour of the style sheets is a variable, so that it has one name and one place."""

import re
from pathlib import Path

import pytest

SHEETS = Path(__file__).parents[2] / "static" / "css"
LITERAL = re.compile(
    r"#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\("
    r"|(?<![\w-])(?:white|black|red|green|blue|gr[ae]y)(?![\w-])",
    re.IGNORECASE,
)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DECLARATION = re.compile(r"([^{};]*)\{|([\w-]+)\s*:\s*([^;{}]+)[;}]")


def literal_colours(sheet: str) -> list[str]:
    """Return the declarations of a style sheet with a literal colour, except variables of `:root`.

    >>> literal_colours(":root { --ink: #2b211b; } a { color: #fff; border: 0 }")
    ['a color: #fff']
    """
    selector, found = "", []
    for opened, name, value in DECLARATION.findall(COMMENT.sub("", sheet)):
        if not name:
            selector = opened.strip()
        elif LITERAL.search(value) and not (name.startswith("--") and selector.startswith(":root")):
            found.append(f"{selector} {name}: {value.strip()}")
    return found


def test_colours_are_variables_of_root() -> None:
    found = {str(path.relative_to(SHEETS)): literal_colours(path.read_text()) for path in SHEETS.rglob("*.css")}
    assert len(found) > 30
    # Chrome before 122 and Safari before 17.4 have no variables in a backdrop.
    backdrop = {"table/sheet.css": [".sheet::backdrop background: rgb(20 15 10 / 50%)"]}
    assert {path: colours for path, colours in found.items() if colours} == backdrop


@pytest.mark.parametrize("colour", ["#FFF", "rgb(0 0 0 / 5%)", "1px solid black", "hsl(0 0% 0%)"])
def test_the_search_finds_every_kind_of_colour(colour: str) -> None:
    assert literal_colours(f".seat {{ margin: 0; border: {colour}; }}") == [f".seat border: {colour}"]
