"""Test that browser tests find elements by role, label, text or `data-*`, because classes may be renamed."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.for_each import for_each

FOLDER = Path(__file__).parents[1] / "e2e"
FILES = sorted([*FOLDER.rglob("*.py"), *FOLDER.rglob("*.js")])

TAGS = (
    "a|article|aside|b|body|button|caption|dd|details|dialog|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|html|i"
    "|img|input|kbd|label|legend|li|main|mark|nav|ol|option|output|p|path|progress|s|section|select|small|span|strong"
    "|summary|svg|table|tbody|td|textarea|tfoot|th|thead|time|tr|ul"
)
CLASS = re.compile(rf"(?:^|(?<=[\s>+~,()\]*])|(?<![\w.-])(?:{TAGS})|#[\w-]+)\.([a-z][a-z0-9-]*)(?!\w)")
SELECTOR = re.compile(r"[\w\s.#*>+~,:()\\^-]+", re.ASCII)
NO_CLASSES = {"css", "gz", "html", "js", "json", "lan", "png", "svg", "txt", "webp"}
"""Words after a dot in file names and host names."""
BY_CLASS = re.compile(r"\bclass(?:List|Name)\b|\bgetElementsByClassName\b|\[class\b|@class\b")
QUOTED = re.compile(r"""(["'`])((?:\\.|(?!\1).)*)\1""", re.DOTALL)


def in_selector(text: str) -> set[str]:
    """Return the class names in a text, if the text is a CSS selector."""
    bare = re.sub(r"\[[^\]]*\]", "[]", text).replace("[]", "*")
    if not SELECTOR.fullmatch(bare):
        return set()
    return {name for name in CLASS.findall(bare) if name not in NO_CLASSES}


def in_script(script: str) -> set[str]:
    """Return the uses of classes in JavaScript: names in its strings, and APIs that read classes."""
    found = set(BY_CLASS.findall(script))
    for _, inner in QUOTED.findall(script):
        # A string may contain a template with nested strings.
        found |= in_selector(re.sub(r"\$\{[^}]*\}", "x", inner))
    return found


def in_text(text: str) -> set[str]:
    """Return the class names in a string of a test: a selector, a script, or anything else."""
    return in_selector(text) | in_script(text)


def strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield every string except docstrings, with its line. Expressions in an f-string are read as `x`."""
    skipped = set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in node.values}
            parts = (str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)
            yield node.lineno, "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.lineno, node.value


def by_class(source: str) -> list[str]:
    """Return each place in a Python source that finds or checks an element by its class."""
    tree = ast.parse(source)
    found = [f"line {line}: {name}" for line, text in strings(tree) for name in sorted(in_text(text))]
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        first = node.args[0] if node.args else None
        asked = node.func.attr.endswith(("_have_class", "_contain_class")) or (
            node.func.attr in {"get_attribute", "to_have_attribute", "not_to_have_attribute"}
            and isinstance(first, ast.Constant)
            and first.value == "class"
        )
        if asked:
            found.append(f"line {node.lineno}: {node.func.attr}")
    return found


@for_each("path", FILES, ids=lambda path: path.name)
def test_browser_tests_use_no_class_names(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        assert not by_class(source)
    else:
        code = re.sub(r"/\*.*?\*/|//[^\n]*", "", source, flags=re.DOTALL)
        assert not in_script(code)


@for_each(
    "line",
    [
        'page.locator(".log-lines li")',
        'page.locator("button.main")',
        'page.locator("#room.in-lobby")',
        'page.locator("[data-do=play].unsure")',
        'page.locator("[data-seat]:not(.turn)")',
        'page.locator("li:has(> .name)")',
        "page.locator(f\".hand [data-card='{card}']\")",
        'OWN = "[data-zone=hand] > .card"',
        "page.evaluate(\"() => document.querySelector('.result') !== null\")",
        'page.evaluate("() => [...document.querySelectorAll(`.card`)].length")',
        "page.evaluate(\"document.activeElement.closest('.seats li')\")",
        "page.evaluate(\"document.body.matches('.dark')\")",
        "page.evaluate(\"felt => felt.classList.add('inverted')\")",
        'page.evaluate("felt => felt.className")',
        'page.locator("[class*=card]")',
        'expect(seat).not_to_have_class(re.compile("turn"))',
        'seat.get_attribute("class")',
    ],
)
def test_a_class_name_in_a_browser_test_is_found(line: str) -> None:
    assert by_class(line)


@pytest.mark.parametrize(
    "line",
    [
        "page.locator(\"[data-zone=hand] [data-card='Tc']\")",
        'page.goto("/static/css/tokens.css")',
        "page.evaluate(\"() => localStorage.getItem('po.seed.')\")",
        'page.evaluate("window.lost.length")',
        'page.get_by_text("Dan joins. Bob leaves.")',
    ],
)
def test_other_selectors_are_not_taken_for_class_names(line: str) -> None:
    assert not by_class(line)


ROOT = FOLDER.parents[1]
PAGES = [*(ROOT / "static" / "js").rglob("*.js"), *(ROOT / "templates").rglob("*.html"), *(ROOT / "app").rglob("*.py")]


def test_every_data_name_in_browser_tests_exists_on_a_page() -> None:
    """A selector that matches nothing would satisfy each test that expects no element."""
    pages = "\n".join(path.read_text(encoding="utf-8") for path in PAGES)
    tests = "\n".join(path.read_text(encoding="utf-8") for path in FILES)
    looked_for = {*re.findall(r"data-zone=([\w-]+)", tests), *re.findall(r"""zone\([\w.()]+, "([\w-]+)"\)""", tests)}
    named = set(re.findall(r"""(?:data-zone"?(?:: |=)|dataset\.zone = )"([\w-]+)\"""", pages))
    assert len(looked_for) > 50
    assert looked_for <= named
    attributes = set(re.findall(r"\[(data-[a-z-]+)(?=[\]=~^*$])", tests))
    there = set(re.findall(r"data-[a-z-]+", pages))
    there |= {
        f"data-{re.sub('[A-Z]', lambda at: '-' + at[0].lower(), name)}" for name in re.findall(r"dataset\.(\w+)", pages)
    }
    set_by_tests = {"data-of", "data-language"}
    assert attributes - set_by_tests <= there
