"""Test that `replay` reads the records of the tests."""

import json
from pathlib import Path

from app import commands
from tests.commands.conftest import run
from tests.engine.match.test_records import FOLDER, check


def test_a_record_of_the_tests_is_replayed() -> None:
    file = FOLDER / "tien_len" / "TIEN-00_own_a_chop_after_a_pass_does_not_bring_back.json"
    result = run("replay", str(file))
    assert result.exit_code == 0
    check(json.loads(file.read_text(encoding="utf-8"))["expect"], json.loads(result.stdout))


def test_commands_declare_no_texts_for_pages() -> None:
    """Only a process that has run a command would have such a text, so its catalogues would differ from others."""
    (folder,) = commands.__path__
    assert not [file.name for file in Path(folder).rglob("*.py") if "MessageTemplate(" in file.read_text("utf-8")]
