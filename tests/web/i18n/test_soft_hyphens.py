"""Test that long words in titles and names of rules get soft hyphens on pages, and only in text that is shown."""

import json
import re

import pytest

from app.web.i18n.catalogues import Catalogues, LateFiles
from app.web.i18n.soft_hyphens import SOFT_HYPHEN, load_words
from tests.web.visitors import Visitor
from tools.syllables import long_words

CATALOGUES = Catalogues()


@pytest.mark.parametrize("language", [each.language for each in CATALOGUES.all_languages if load_words(each.language)])
def test_nearly_all_long_words_are_in_the_list_of_syllables(language: str) -> None:
    """A corrected translation need not wait for a new list."""
    words = long_words(CATALOGUES.for_language(language), CATALOGUES.english)
    assert len(words - load_words(language).keys()) <= len(words) / 10, "run python -m tools syllables"


async def test_soft_hyphens_are_only_in_text_that_is_shown(ana: Visitor) -> None:
    ana.http.headers["Accept-Language"] = "de"
    page = (await ana.http.get("/rules/president", headers={"Accept": "text/html"})).text
    assert f"<h3>Kar{SOFT_HYPHEN}ten{SOFT_HYPHEN}tausch</h3>" in page
    assert not re.findall(f'="[^"]*{SOFT_HYPHEN}', page)
    assert SOFT_HYPHEN not in (await ana.http.get("/api/games")).text


def test_seats_get_long_titles_with_soft_hyphens() -> None:
    files = CATALOGUES.build_script_catalogues()["messages/table.de.json"]
    assert isinstance(files, LateFiles)
    texts = json.loads(files.make()["messages/table.de.json"])
    assert texts["shown.Vizepräsident"] == "Vize\u00adprä\u00adsi\u00addent"
    assert not [key for key, text in texts.items() if SOFT_HYPHEN in text and not key.startswith("shown.")]
