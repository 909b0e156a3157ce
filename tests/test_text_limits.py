"""The length of a text from a stranger is checked before Unicode's slow functions see it."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from app.rooms.errors import RoomError
from app.rooms.money.stake import Stake
from app.rooms.people import chat, names
from app.settings import Limits
from app.text_limits import LONGEST, TooLong, bounded, shortened
from app.web.http.errors import Refusal
from app.web.matches.import_files import LONGEST_NAME, read

ROOT = Path(__file__).parents[1]
MARKS = "\u0301" * 16_000 + "\u0316" * 16_000
"""`unicodedata.normalize` reorders these, in time that grows with the square of their number."""


def test_a_text_that_is_too_long_is_refused_or_cut() -> None:
    assert (bounded("x" * 20, 20), shortened(MARKS, 3)) == ("x" * 20, MARKS[:3])
    for most in (20, LONGEST, 10 * LONGEST):
        with pytest.raises(TooLong):
            bounded("x" * (1 + min(most, LONGEST)), most)
    assert len(shortened(MARKS, len(MARKS))) == LONGEST


@pytest.fixture
def normalized(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lengths of all texts that Unicode's slow function gets; it still does its work."""
    import unicodedata

    lengths, real = list[int](), unicodedata.normalize

    def watched(form: str, text: str) -> str:
        lengths.append(len(text))
        assert len(text) <= 18 * LONGEST, "a text reached unicodedata.normalize before its length was checked"
        return real(form, text)  # type: ignore[arg-type]

    monkeypatch.setattr(unicodedata, "normalize", watched)
    return lengths


def test_no_name_stake_chat_line_or_key_of_a_file_is_normalized_unmeasured(normalized: list[int]) -> None:
    for use in (
        lambda: names.clean(MARKS),
        lambda: names.alike(MARKS, "Ana"),
        lambda: Stake.read({"amount": 1, "unit": MARKS}),
        lambda: chat.cleaned(MARKS),
        lambda: read(f'{{"{MARKS}":1,"{MARKS}":2}}'.encode(), Limits()),
    ):
        with pytest.raises((RoomError, Refusal, TooLong)):
            use()
    assert normalized, "the key of the file is quoted, and so normalized"
    assert max(normalized) <= LONGEST_NAME


def test_mypy_refuses_text_that_did_not_pass_the_gate(tmp_path: Path) -> None:
    tried = tmp_path / "tried.py"
    tried.write_text(
        "from app.text_limits import bounded, caseless, normalize\nfrom app.rooms.people.names import visible\n"
        "def use(text: str) -> None:\n"
        "    visible(text)\n    normalize('NFC', text)\n    caseless(text)\n    visible(bounded(text))\n"
    )
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), str(tried)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = [line.partition("tried.py:")[2].split(":")[0] for line in found.stdout.splitlines() if "arg-type" in line]
    assert (lines, found.returncode) == (["4", "5", "6"], 1), found.stdout + found.stderr


def test_ruff_refuses_a_way_around_the_gate(tmp_path: Path) -> None:
    tried = "import unicodedata\n\nunicodedata.normalize('NFC', input())\n"
    command = [sys.executable, "-m", "ruff", "check", "--stdin-filename", "app/web/tried.py", "-"]
    found = subprocess.run(command, input=tried, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (found.returncode, "TID251" in found.stdout) == (1, True), found.stdout + found.stderr


def test_only_the_gate_makes_bounded_text() -> None:
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
