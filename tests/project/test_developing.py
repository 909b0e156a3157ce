"""The worked examples of docs/developing.md work: a test applies them to a copy of the code, and runs the result."""

import ast
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.match.test_records import check

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "developing.md").read_text(encoding="utf-8")
EXAMPLES = {
    title: text for title, _, text in (part.partition("\n") for part in PAGE.split("\n## Example: ")[1:])
}  # The last one includes the sections after it, which have no new files and no changes.

NEW_FILE = re.compile(r"^\*\*([\w/.-]+)\*\*\n\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
CHANGE = re.compile(r"^\d\. [^`\n]*`([\w/.-]+)`[^\n]*\n\n```diff\n(.*?)^```", re.MULTILINE | re.DOTALL)

PLAY = """
import json, sys
from app.engine.games import GAMES
from app.engine.match.record import replay_with_exit_status
print(json.dumps(replay_with_exit_status(json.load(sys.stdin), GAMES)))
"""

TEST_SINGLES = """
from random import Random
from tests.engine.games import test_parts, test_singles
from tools.property_checks.matches import check_match
print(*test_parts.missing_parts(test_singles.GAME), sep="\\n")
test_singles.test_a_card_must_be_higher_than_the_one_before()
check_match(test_singles.Watched.random_match(test_singles.GAME, Random(1)), 2)
"""


def changed(text: str, change: str) -> str:
    """Return the text with a change: lines that begin with “+” are new, with “-” old; “…” is the rest of a line."""
    lines, at, rest = text.splitlines(), None, ""
    first: list[str] = []  # new lines before the first line that the file has
    for mark, line in ((each[:1], each[1:]) for each in change.splitlines()):
        start = line.removesuffix("…")
        if mark == "+":
            added = line if start == line else start + rest
            if at is None:
                first.append(added)
            else:
                lines.insert(at, added)
                at += 1
            continue
        found = [n for n, each in enumerate(lines) if n >= (at or 0) and is_meant(each, line)]
        assert found, f"the file has no line “{line}”"
        at, rest = found[0], lines[found[0]].removeprefix(start)
        lines[at:at] = first
        at += len(first)
        first = []
        if mark == "-":
            del lines[at]
        else:
            at += 1
    return "\n".join(lines) + "\n"


def is_meant(line: str, wanted: str) -> bool:
    """Return whether a line of a file is the line of a change, whose end may be “…”."""
    return line.startswith(wanted[:-1]) if wanted.endswith("…") else line == wanted


def run(folder: Path, *arguments: str, given: str = "") -> str:
    """Run Python in the folder, and return what it prints."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, input=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the code in which all examples are done."""
    folder = tmp_path_factory.mktemp("examples")
    for name in ("app", "tools", "tests/engine"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("tests/__init__.py", "tests/for_each.py"):
        shutil.copy(ROOT / name, folder / name)
    for text in EXAMPLES.values():
        for name, content in NEW_FILE.findall(text):
            assert not (ROOT / name).exists(), f"{name} is in the project already"
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content, encoding="utf-8")
        for name, change in CHANGE.findall(text):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            before = folder / name if (folder / name).exists() else ROOT / name
            (folder / name).write_text(changed(before.read_text(encoding="utf-8"), change), encoding="utf-8")
    return folder


def test_a_change_is_applied_where_its_other_lines_are() -> None:
    text = "one\ntwo, three\nfour\n"
    assert changed(text, " one\n+more\n") == "one\nmore\ntwo, three\nfour\n"
    assert changed(text, "-two, …\n+two, and …\n") == "one\ntwo, and three\nfour\n"
    assert changed(text, "+new\n four\n") == "one\ntwo, three\nnew\nfour\n"
    assert changed(text, "-one\n+1\n four\n+five\n") == "1\ntwo, three\nfour\nfive\n"
    with pytest.raises(AssertionError, match="no line “five”"):
        changed(text, " five\n+six\n")


def test_each_example_has_its_files_and_changes() -> None:
    shape = {title: (len(NEW_FILE.findall(text)), len(CHANGE.findall(text))) for title, text in EXAMPLES.items()}
    assert shape == {
        "a house rule": (2, 2),
        "a new game in a day": (7, 1),
        "a new look of the table": (0, 4),
        "a bot": (1, 1),
    }


@pytest.mark.parametrize("game", ["president", "singles"])
def test_the_examples_of_a_rule_and_a_game_play_their_records(copy: Path, game: str) -> None:
    page = (copy / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")
    for path in (copy / "tests" / "records" / game).glob("*.json"):
        shown = json.loads(path.read_text(encoding="utf-8"))
        result, status = json.loads(run(copy, "-c", PLAY, given=json.dumps(shown["record"])))
        assert status == 0
        check(shown["expect"], result)
        assert shown["id"] in page
    if game == "president":
        assert page.count("`lucky_sevens`") == 3


def test_the_example_of_a_game_has_all_its_parts_and_plays_random_matches(copy: Path) -> None:
    assert run(copy, "-c", TEST_SINGLES).strip() == ""
    assert "nothing wrong" in run(copy, "-m", "tools", "soak", "--hands", "10", "--game", "singles")


def test_the_example_of_a_look_changes_styles_scripts_and_texts(copy: Path) -> None:
    assert json.loads((copy / "static/messages/en.json").read_text(encoding="utf-8"))["look.felt.plum"] == "Plum"
    styles = (copy / "static/css/tokens.css").read_text(encoding="utf-8")
    assert styles.count("--felt-plum: ") == 3
    assert styles.index("--felt-plum: ") < styles.index('[data-felt="plum"]') < styles.index("(prefers-color-scheme")
    assert '"slate", "plum"' in (copy / "static/js/menu/menu_sheet.js").read_text(encoding="utf-8")
    ast.parse((copy / "tests/e2e/look/test_layout.py").read_text(encoding="utf-8"))


def test_the_example_of_a_bot_plays_in_the_arena(copy: Path) -> None:
    said = run(copy, "-m", "app", "arena", "--one", "hasty", "--other", "easy", "--game", "president", "--deals", "1")
    assert "hasty : easy" in said
