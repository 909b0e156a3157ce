"""Test that texts from strangers are checked for length before slow Unicode functions see them."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from app.rooms.errors import RoomError
from app.rooms.money.stake import Stake
from app.rooms.people import chat, names
from app.settings import Limits
from app.text_limits import MAX_TEXT_LENGTH, TooLong, check_length, truncate
from app.web.http.errors import HttpError
from app.web.matches.import_files import LONGEST_NAME, read_and_check
from app.web.matches.saved_imports import file_limits

ROOT = Path(__file__).parents[1]
MARKS = "\u0301" * 16_000 + "\u0316" * 16_000
"""`unicodedata.normalize` sorts these in time that grows with the square of their number."""


def test_a_text_that_is_too_long_is_refused_or_shortened() -> None:
    assert (check_length("x" * 20, 20), truncate(MARKS, 3)) == ("x" * 20, MARKS[:3])
    for most in (20, MAX_TEXT_LENGTH, 10 * MAX_TEXT_LENGTH):
        with pytest.raises(TooLong):
            check_length("x" * (1 + min(most, MAX_TEXT_LENGTH)), most)
    assert len(truncate(MARKS, len(MARKS))) == MAX_TEXT_LENGTH


@pytest.fixture
def normalized(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the lengths of all texts given to the slow function, which still runs."""
    import unicodedata

    lengths, real = list[int](), unicodedata.normalize

    def watched(form: str, text: str) -> str:
        lengths.append(len(text))
        assert len(text) <= 18 * MAX_TEXT_LENGTH, "a text reached unicodedata.normalize before its length was checked"
        return real(form, text)  # type: ignore[arg-type]

    monkeypatch.setattr(unicodedata, "normalize", watched)
    return lengths


def test_user_text_is_measured_before_it_is_normalized(normalized: list[int]) -> None:
    for use in (
        lambda: names.clean_name(MARKS),
        lambda: names.look_alike(MARKS, "Ana"),
        lambda: Stake.parse({"amount": 1, "unit": MARKS}),
        lambda: chat.clean_message(MARKS),
        lambda: read_and_check(f'{{"{MARKS}":1,"{MARKS}":2}}'.encode(), file_limits(Limits())),
    ):
        with pytest.raises((RoomError, HttpError, TooLong)):
            use()
    assert normalized, "the key of the file is quoted, and so normalized"
    assert max(normalized) <= LONGEST_NAME


def test_mypy_refuses_unbounded_text(tmp_path: Path) -> None:
    tried = tmp_path / "tried.py"
    tried.write_text(
        "from app.text_limits import check_length, caseless_key, normalize\n"
        "from app.rooms.people.names import visible_text\n"
        "def use(text: str) -> None:\n"
        "    visible_text(text)\n    normalize('NFC', text)\n"
        "    caseless_key(text)\n    visible_text(check_length(text))\n"
    )
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), str(tried)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = [line.partition("tried.py:")[2].split(":")[0] for line in found.stdout.splitlines() if "arg-type" in line]
    assert (lines, found.returncode) == (["4", "5", "6"], 1), found.stdout + found.stderr


def test_ruff_refuses_direct_unicode_normalization(tmp_path: Path) -> None:
    tried = "import unicodedata\n\nunicodedata.normalize('NFC', input())\n"
    command = [sys.executable, "-m", "ruff", "check", "--stdin-filename", "app/web/tried.py", "-"]
    found = subprocess.run(command, input=tried, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (found.returncode, "TID251" in found.stdout) == (1, True), found.stdout + found.stderr


def test_only_text_limits_creates_bounded_text() -> None:
    made = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in sorted([*(ROOT / "app").rglob("*.py"), *(ROOT / "tools").rglob("*.py")])
        if file.name != "text_limits.py"
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in ("Bounded", "cast")
        and "Bounded" in ast.unparse(node)
    ]
    assert made == []
