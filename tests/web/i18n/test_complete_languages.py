"""Test that pages in a complete language show no English text of the catalogue, and no key of a text."""

import itertools

import pytest

from app.engine.games import GAMES
from app.engine.games.lessons import all_lessons
from app.web.i18n.translation_check import SAME
from app.web.reference import docs_pages
from tests.long_run import TIMES
from tests.translated import CATALOGUES, complete_languages, page_texts, read_translation, untranslated
from tests.web.http.test_headers import filled, views
from tests.web.matches.test_replay import played
from tests.web.visitors import Visitor

HTML = {"Accept": "text/html"}
CHECKED = complete_languages() if TIMES > 1 else ("de", "ja")
"""A page that asks the catalogue for its texts does so in every language, so few languages are enough."""
MOST_SAME = 0.03
"""The greatest part of the texts of a language that may be the same as in English."""


@pytest.fixture
async def paths(ana: Visitor) -> list[str]:
    """Play a match of each of two games, and return the addresses of all views, with valid links and others."""
    matches = [await played(ana, hands=2), await played(ana, game="ceausescu", hands=2)]
    rooms = {each["id"]: each["room"] for each in (await ana.http.get("/api/history")).json()["matches"]}
    opened = await ana.open(bots=["easy"])
    links = [(await ana.http.post(f"/api/me/{kind}")).json()["url"] for kind in ("devices", "recovery")]
    values = {
        "code": [rooms[match] for match in matches],
        "match_id": matches,
        "game": [*GAMES],
        "lesson": [*all_lessons()],
        "kind": ["moments", "decrees"],
        "number": ["0"],
        "invite": [opened["invite"]],
        "name": [docs_pages.FOR_PROGRAMS[0]],
    }
    every = (dict(zip(values, each, strict=True)) for each in itertools.product(*values.values()))
    asked = (filled(path, each) for each in every for path in views() if not path.startswith("/api/"))
    return [*dict.fromkeys((*asked, f"/r/{opened['code']}", *links))]


async def test_pages_in_a_complete_language_show_no_english_and_no_key(ana: Visitor, paths: list[str]) -> None:
    left, seen = {}, 0
    for language in CHECKED:
        await ana.http.post("/language", data={"language": language})
        for path in paths:
            answer = await ana.http.get(path, headers=HTML, follow_redirects=True)
            if answer.headers["content-type"].startswith("text/html"):
                assert f'<html lang="{language}"' in answer.text, path
                texts = page_texts(answer.text, language)
                seen += len(texts)
                if found := untranslated(texts, language):
                    left[language, path] = found
    assert seen > 10_000
    assert not left, "\n".join(f"{where}: {found}" for where, found in left.items())


def test_few_texts_of_a_complete_language_are_the_same_as_in_english() -> None:
    assert {"de", "ja"} <= set(complete_languages())
    for language in complete_languages():
        translation = read_translation(language)
        messages = [message for key in CATALOGUES.sources if (message := translation.message(key))]
        same = [message.context for message in messages if SAME in message.user_comments]
        assert len(same) <= MOST_SAME * len(messages), f"{language}: {len(same)} of {len(messages)}"


def test_an_english_text_and_a_key_on_a_page_are_found() -> None:
    page = '<p title="Rules">Hallo<b>Start match</b></p><p lang="en">Rules</p><script>Rules</script><i>nav.rules</i>'
    assert untranslated(page_texts(page, "de"), "de") == ["Rules", "Start match", "nav.rules"]
    assert untranslated(["Ana and Bob", "3 cards", "Name", "Kar\u00adten"], "de") == ["3 cards"]
