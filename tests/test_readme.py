"""What the README shows is true."""

import json
import re
from pathlib import Path

from app.engine.games import GAMES
from app.engine.record import outcome

ROOT = Path(__file__).parents[1]


def test_the_hand_in_the_readme_plays() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```json\n(.*?)```", text, re.DOTALL)
    assert found is not None
    result, status = outcome(json.loads(found[1]), GAMES)
    assert status == 0
    assert result["hands"][0]["events"] == ["skipped"]
    assert result["state"]["to_act"] == ["Cat"]


def test_every_file_that_the_docs_link_to_is_there() -> None:
    for page in (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))):
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link.replace("\\", "")).exists(), f"{page.name} links to {link}"
