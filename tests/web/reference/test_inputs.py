"""Test that a text longer than the maximum of its field is refused."""

import pytest

from app.text_limits import MAX_TEXT_LENGTH, MOST_KEYS
from tests.web.visitors import Visitor

LONG = "x" * (MAX_TEXT_LENGTH + 1)


@pytest.mark.parametrize("path", [f"/{LONG}", f"/history?q={LONG}", f"/rules/president?{LONG}=1", f"/new?a=1&b={LONG}"])
async def test_a_url_with_a_part_that_is_too_long_is_refused(ana: Visitor, path: str) -> None:
    refused = await ana.http.get(path, headers={"Accept": "application/json"})
    assert (refused.status_code, refused.json()["code"], refused.json()["values"]) == (
        414,
        "too_large",
        {"most": MAX_TEXT_LENGTH},
    )


async def test_the_length_of_a_url_part_is_measured_after_percent_decoding(ana: Visitor) -> None:
    assert (await ana.http.get("/history", params={"q": "é" * (MAX_TEXT_LENGTH // 2)})).status_code == 200


async def test_a_form_with_too_long_or_too_many_fields_is_refused(ana: Visitor) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    for sent in (f"language={LONG}", f"{LONG}=en", "&".join(f"f{number}=1" for number in range(MOST_KEYS + 1))):
        refused = await ana.http.post("/language", content=sent, headers=form)
        assert refused.status_code == 413, sent[:20]


async def test_free_form_json_with_too_long_texts_or_too_many_keys_is_refused(ana: Visitor) -> None:
    for stake in ({"amount": 1, "unit": LONG}, {LONG: 1}, {str(number): 1 for number in range(MOST_KEYS + 1)}):
        refused = await ana.http.post("/api/rooms", json={"name": "Ana", "stake": stake})
        assert refused.status_code == 422, refused.text
    desk = await ana.sit((await ana.open("Ana"))["code"])
    for action in ({"do": LONG}, {LONG: 1}, {str(number): 1 for number in range(MOST_KEYS + 1)}):
        answer = await desk.ask("act", action=action)
        assert (answer["ok"], answer["code"]) == (False, "bad_message"), answer


async def test_an_imported_file_with_too_long_texts_is_refused(ana: Visitor) -> None:
    for file in ({"format": LONG}, {LONG: 1}, {"matches": [{"record": {"seats": [LONG]}}]}):
        refused = await ana.http.post("/api/imports", json=file)
        assert (refused.status_code, str(MAX_TEXT_LENGTH) in refused.json()["message"]) == (422, True), refused.text
