"""Test the English texts that tests in Node read: `python -m tests.project.test_english` writes them."""

import json
import subprocess
import sys
from pathlib import Path

KEPT = Path(__file__).parents[1] / "js" / "english.json"


def test_the_english_texts_for_node_tests_match_the_server() -> None:
    assert json.loads(KEPT.read_text(encoding="utf-8")) == _texts(), (
        "run `python -m tests.project.test_english`, and commit"
    )


def _texts() -> dict[str, str]:
    # Use another process, because other tests declare more sentences in this one.
    printed = subprocess.run([sys.executable, "-m", "app", "texts"], capture_output=True, check=True)
    texts: dict[str, str] = json.loads(printed.stdout)
    return texts


if __name__ == "__main__":
    KEPT.write_text(json.dumps(_texts(), ensure_ascii=False, indent=0, sort_keys=True) + "\n", encoding="utf-8")
