"""Test the pages of lessons and the data that they load."""

import json
import re

import pytest

from app.engine.games import GAMES
from app.engine.games.lessons import all_lessons
from app.web.protocol import server_messages, typed_models
from app.web.services import lessons as shown
from tests.web.visitors import FRAMES, Visitor

HTML = {"Accept": "text/html"}


async def test_updates_of_lessons_match_the_websocket_schema(ana: Visitor) -> None:
    for key, lesson in all_lessons().items():
        answer = await ana.http.get(f"/api/lessons/{key}")
        told = typed_models.model_of(shown.LessonView).model_validate_json(answer.text)
        raw = json.loads(answer.text)
        for update in raw["updates"]:
            assert isinstance(FRAMES.validate_json(json.dumps(update)), server_messages.Update)
        beats = raw["beats"]
        assert told.game == lesson.game
        assert [beat["frame"] for beat in beats] == sorted(beat["frame"] for beat in beats)
        assert {beat["frame"] for beat in beats} == set(range(len(raw["updates"])))
        # Each expected action is legal, so the page can offer it.
        assert all(beat["says"] for beat in beats if "wants" in beat), key
        assert len(answer.content) < 60_000, key


async def test_players_of_a_lesson_have_the_names_that_its_sentences_use(ana: Visitor) -> None:
    lesson = json.loads((await ana.http.get("/api/lessons/tien_len", headers={"Accept-Language": "de"})).text)
    assert lesson["updates"][0]["table"]["seats"] == ["Robin", "Elster", "Krähe", "Meise"]
    assert "seat Meise" in [beat["points"] for beat in lesson["beats"]]
    said = " ".join(beat["says"] for beat in lesson["beats"])
    assert "Elster" in said
    assert "Magpie" not in json.dumps(lesson)


async def test_the_home_page_leads_to_the_rules_pages_which_link_to_the_lessons(ana: Visitor) -> None:
    home = (await ana.http.get("/", headers=HTML)).text
    assert set(re.findall(r'href="/rules/(\w+)"', home)) == GAMES.keys()
    assert set(re.findall(r'data-live="(\w+)"', home)) < all_lessons().keys()
    for game in GAMES:
        rules = (await ana.http.get(f"/rules/{game}", headers=HTML)).text
        mine = {key for key, lesson in all_lessons().items() if lesson.game == game}
        assert set(re.findall(r'href="/learn/(\w+)"', rules)) == mine


@pytest.mark.parametrize("lesson", all_lessons())
async def test_a_lesson_page_can_start_a_room_with_the_rules_of_the_lesson(ana: Visitor, lesson: str) -> None:
    page = (await ana.http.get(f"/learn/{lesson}", headers=HTML)).text
    asked = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w+)">', page))
    answer = await ana.http.post("/play", data=asked, headers=HTML, follow_redirects=False)
    desk = await ana.sit(answer.headers["location"].removeprefix("/r/"))
    assert desk.update["room"]["game"] == all_lessons()[lesson].game
    wanted = all_lessons()[lesson].record["options"]
    assert desk.update["room"]["preset"] == wanted["preset"]
    assert wanted.items() <= {"preset": wanted["preset"], **desk.update["room"]["options"]}.items()


async def test_an_unknown_lesson_is_not_found(ana: Visitor) -> None:
    for path in ("/learn/bridge", "/api/lessons/bridge"):
        assert (await ana.http.get(path)).status_code == 404
    page = await ana.http.get("/learn/bridge", headers=HTML)
    assert page.status_code == 404
    assert "</html>" in page.text


async def test_the_link_to_the_lesson_of_a_game_without_one_leads_to_its_rules(
    ana: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.pages.lessons.taught", dict)
    page = await ana.http.get("/learn/president", headers=HTML, follow_redirects=False)
    assert page.headers["location"] == "/rules/president"
