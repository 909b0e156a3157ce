"""What happened, in words: the server's pages say it as the table does."""

import json
from pathlib import Path
from typing import Any

import pytest

from app import resources
from app.web.i18n.catalogues import Catalogues
from app.web.i18n.event_text import sentence, title

TOLD: list[tuple[dict[str, Any], str]] = json.loads(
    (Path(__file__).parents[2] / "told.json").read_text(encoding="utf-8")
)
ENGLISH = Catalogues(resources.static() / "messages").english


@pytest.mark.parametrize(("event", "text"), TOLD, ids=[str(event) for event, _ in TOLD])
def test_an_event_is_told_as_at_the_table(event: dict[str, Any], text: str) -> None:
    assert sentence(event, ENGLISH) == text


def test_titles_are_said_and_those_of_a_host_stay() -> None:
    assert [title(each, ENGLISH) for each in ("President", "Chief Egg", None)] == ["President", "Chief Egg", ""]
