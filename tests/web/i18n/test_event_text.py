"""Test that the server's pages describe events like the table does."""

import json
from pathlib import Path
from typing import Any

from app.web.i18n.catalogues import Catalogues
from app.web.i18n.event_text import event_sentence, title_text
from tests.for_each import for_each

TOLD: list[tuple[dict[str, Any], str]] = json.loads(
    (Path(__file__).parents[2] / "told.json").read_text(encoding="utf-8")
)
ENGLISH = Catalogues().english


@for_each(("event", "text"), TOLD)
def test_server_pages_describe_an_event_as_the_table_does(event: dict[str, Any], text: str) -> None:
    assert event_sentence(event, ENGLISH) == text


def test_standard_and_custom_titles_are_shown_unchanged_in_english() -> None:
    assert [title_text(each, ENGLISH) for each in ("President", "Chief Egg", None)] == ["President", "Chief Egg", ""]


def test_every_title_in_an_event_is_translated() -> None:
    german = Catalogues().for_language("de")
    for event in ("rose", "fell"):
        text = event_sentence({"e": event, "by": "Ana", "before": "Serf", "after": "King"}, german)
        assert title_text("King", german) in text
        assert "Serf" not in text
