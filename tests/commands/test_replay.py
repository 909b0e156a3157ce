"""Test that `replay` reads the records of the tests."""

import json

from tests.commands.conftest import run
from tests.engine.match.test_records import FOLDER, check


def test_a_record_of_the_tests_is_replayed() -> None:
    file = FOLDER / "tien_len" / "TIEN-00_own_a_chop_after_a_pass_does_not_bring_back.json"
    result = run("replay", str(file))
    assert result.exit_code == 0
    check(json.loads(file.read_text(encoding="utf-8"))["expect"], json.loads(result.stdout))
