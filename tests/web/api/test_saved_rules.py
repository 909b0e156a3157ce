"""Test saved house rules: on every device of their owner, and deleted on request."""

import html
import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest

from app.engine.games import GAMES
from app.settings import Limits, Settings
from tests.web.api.test_me import another_device
from tests.web.conftest import Live, serving
from tests.web.visitors import Come, Visitor, visiting

TUESDAY: dict[str, Any] = {
    "game": "president",
    "name": "Tuesday rules",
    "options": {"preset": "toronto", "jokers": 1, "target": 7},
}


async def keep(who: Visitor, **otherwise: Any) -> dict[str, Any]:
    """Save rules and return the answer."""
    answer = await who.http.post("/api/me/rules", json={**TUESDAY, **otherwise})
    assert answer.status_code == 201, answer.text
    kept: dict[str, Any] = answer.json()
    return kept


async def names(who: Visitor) -> list[str]:
    """Return the names of a person's saved rules."""
    return [each["name"] for each in (await who.http.get("/api/me/rules")).json()["rules"]]


async def test_rules_can_be_saved_renamed_and_deleted(ana: Visitor) -> None:
    kept = await keep(ana, name="  Tuesday\u200b  rules ")
    [listed] = (await ana.http.get("/api/me/rules")).json()["rules"]
    assert listed == kept
    assert (kept["name"], kept["preset"], kept["changes"]) == ("Tuesday rules", "toronto", {"jokers": 1, "target": 7})
    assert kept["link"] == "/new?game=president&preset=toronto&jokers=1&target=7"
    assert {line["name"] for line in kept["lines"]} == {"Jokers", "Target"}
    toronto = GAMES["president"].option_schema.find_preset("toronto")
    assert toronto
    assert (kept["picture"], kept["mark"], kept["preset_name"], kept["problems"]) == (
        toronto.picture, toronto.mark, toronto.name, []
    )  # fmt: skip
    path = f"/api/me/rules/{kept['id']}"
    assert (await ana.http.put(path, json={"name": "Monday"})).json() == {**kept, "name": "Monday"}
    assert (await ana.http.delete(path)).status_code == 204
    assert await names(ana) == []
    assert (await ana.http.delete(path)).status_code == 404
    assert (await ana.http.put(path, json={"name": "Monday"})).status_code == 404


async def test_a_person_without_a_name_can_save_rules(come: Come) -> None:
    nobody = come()
    assert await names(nobody) == []
    kept = await keep(nobody)
    assert (await nobody.http.get("/api/me")).json()["known"]
    assert await names(nobody) == ["Tuesday rules"]
    stranger = come()
    await stranger.open("Eve")
    assert await names(stranger) == []
    for method in ("PUT", "DELETE"):
        path = f"/api/me/rules/{kept['id']}"
        assert (await stranger.http.request(method, path, json={"name": "Mine"})).status_code == 404
    assert await names(nobody) == ["Tuesday rules"]


async def test_names_of_saved_rules_are_unique_for_each_game_unless_replaced(ana: Visitor) -> None:
    first = await keep(ana)
    again = await ana.http.post("/api/me/rules", json={**TUESDAY, "name": "TUESDAY RULES", "options": {}})
    assert (again.status_code, again.json()["code"]) == (409, "name_taken")
    assert "Replace them, or choose another name." in again.json()["message"]
    await keep(ana, game="big_two", options={})
    other = await keep(ana, name="Monday")
    renamed = await ana.http.put(f"/api/me/rules/{other['id']}", json={"name": "tuesday rules"})
    assert renamed.json()["code"] == "name_taken"
    # Changing the case of the own name is not a conflict.
    assert (await ana.http.put(f"/api/me/rules/{other['id']}", json={"name": "MONDAY"})).json()["name"] == "MONDAY"
    replaced = await keep(ana, name="tuesday rules", options={"preset": "bga"}, replace=True)
    assert (replaced["id"], replaced["preset"], replaced["changes"]) == (first["id"], "bga", {})
    assert sorted(await names(ana)) == ["MONDAY", "Tuesday rules", "tuesday rules"]
    path = f"/api/me/rules/{other['id']}"
    assert (await ana.http.put(path, json={"name": "Tuesday rules", "replace": True})).json()["id"] == other["id"]
    assert await names(ana) == ["Tuesday rules"] * 2


@pytest.mark.parametrize(
    ("otherwise", "code", "says"),
    [
        ({"name": "x" * 41}, "bad_name", "at most 40 characters"),
        ({"name": " \u200b "}, "bad_name", "no visible characters"),
        ({"game": "bridge"}, "bad_option", "The game “bridge” does not exist. Games: "),
        ({"options": {"wings": 2}}, "bad_option", "This game has no option “wings”."),
        ({"options": {"preset": "tronto"}}, "bad_option", "The preset “tronto” does not exist. Presets: "),
        ({"options": {"titles": ["a\u0000"] * 6}}, "bad_request", "control characters"),
        ({"game": "big_two", "options": {"scoring": "places"}}, "bad_option", "can’t be combined"),
    ],
)
async def test_rules_that_cannot_be_saved_are_refused_with_a_reason(
    ana: Visitor, otherwise: dict[str, Any], code: str, says: str
) -> None:
    answer = await ana.http.post("/api/me/rules", json={**TUESDAY, **otherwise})
    assert (answer.json()["code"], answer.is_client_error) == (code, True)
    assert says in answer.json()["message"]
    assert await names(ana) == []


async def test_an_option_value_that_is_not_finite_is_refused(ana: Visitor) -> None:
    body = json.dumps({**TUESDAY, "options": {"end_value": float("nan")}})
    answer = await ana.http.post("/api/me/rules", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")
    assert "numbers are finite" in answer.json()["message"]


async def test_a_person_can_save_house_rules_up_to_the_limit(settings: Settings) -> None:
    few = settings.model_copy(update={"limits": Limits(house_rules_per_person=2)})
    async with serving(few) as live, visiting(live.base) as come:
        ana = come()
        for name in ("One", "Two"):
            await keep(ana, name=name)
        refused = await ana.http.post("/api/me/rules", json={**TUESDAY, "name": "Three"})
        assert (refused.status_code, refused.json()["code"]) == (409, "not_now")
        assert "You have saved 2 sets of house rules, which is the limit." in refused.json()["message"]
        await keep(ana, name="Two", replace=True)
        assert await names(ana) == ["Two", "One"]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
async def test_every_preset_can_be_saved_unchanged(ana: Visitor, game: Any) -> None:
    for preset in game.option_schema.presets:
        kept = await keep(ana, game=game.key, name=preset.key, options={"preset": preset.key})
        assert (kept["preset"], kept["changes"], kept["problems"]) == (preset.key, {}, [])


async def test_options_and_games_that_no_longer_exist_are_reported_and_the_rest_is_kept(
    live: Live, ana: Visitor
) -> None:
    await keep(ana)
    person = (await ana.http.get("/api/me/data")).json()["person"]["id"]
    store = live.app.site.store.saved_rules
    now = datetime.now(UTC)
    whole = GAMES["president"].option_schema.resolve_options({"preset": "toronto", "jokers": 1}).to_json()
    then = {**whole, "wings": 2, "beaks": 1, "twos": "sideways", "packs": "a heap", "preset": "tronto"}
    await store.save_rules(person, now, "president", "Old", then, ["jokers", "wings", "twos"], max_rules=9)
    await store.save_rules(person, now, "bridge", "Gone", {"preset": "rubber"}, [], max_rules=9)
    found = {each["name"]: each for each in (await ana.http.get("/api/me/rules")).json()["rules"]}
    old = found["Old"]
    # Only chosen options are reported. Neither `beaks` nor the preset's `packs` was chosen.
    assert [said.partition(": ")[0].partition("; ")[0] for said in old["problems"]] == [
        "The preset “tronto” does not exist. Presets",
        "“twos” can’t be sideways. Allowed",
        "This game has no option “wings”.",
    ]
    assert old["preset"] == GAMES["president"].option_schema.basic_preset.key
    # The values of the former preset are used, although the preset no longer exists.
    base = GAMES["president"].option_schema.resolve_options().values_by_key
    toronto = GAMES["president"].option_schema.resolve_options({"preset": "toronto", "jokers": 1}).values_by_key
    assert old["changes"] == {k: v for k, v in toronto.items() if v != base[k] and k not in ("twos", "packs")}
    page = (await ana.http.get(old["link"], headers={"Accept": "text/html"})).text
    assert "This game has no option “wings”" in page
    assert (found["Gone"]["link"], found["Gone"]["preset"]) == (None, "")
    assert found["Gone"]["problems"][0].startswith("The game “bridge” does not exist")


async def test_saved_rules_are_on_every_device_and_are_deleted_with_the_person(
    live: Live, ana: Visitor, come: Come
) -> None:
    await keep(ana)
    phone = await another_device(ana, come)
    assert await names(phone) == ["Tuesday rules"]
    told = (await ana.http.get("/api/me/data")).json()["house_rules"]
    assert [(each["game"], each["name"], each["options"]["jokers"]) for each in told] == [
        ("president", "Tuesday rules", 1)
    ]
    person = (await ana.http.get("/api/me/data")).json()["person"]["id"]
    assert (await ana.http.post("/api/me/forget", json={"confirm": True})).status_code == 204
    assert json.dumps(await live.app.site.store.saved_rules.rules_of_person(person)) == "[]"


async def put_before(who: Visitor, path: str, what: str) -> Any:
    """Return data that a page passes to its script."""
    page = (await who.http.get(path, headers={"Accept": "text/html"})).text
    found = re.search(rf'data-{what}="([^"]*)"', page)
    return None if found is None else json.loads(html.unescape(found[1]))


async def test_rules_of_played_matches_can_be_saved_and_appear_on_the_profile_page(ana: Visitor) -> None:
    rules = {key: TUESDAY[key] for key in ("game", "options")}
    code = (await ana.open(bots=["easy"] * 3, bots_delay=0, **rules))["code"]
    desk = await ana.sit(code)
    await desk.do("start")
    await desk.do("stop")
    [match] = (await ana.http.get("/api/history")).json()["matches"]
    for path in (f"/matches/{match['id']}", f"/r/{code}/rules", "/rules/president?preset=toronto&jokers=1&target=7"):
        assert await put_before(ana, path, "keep") == rules, path
    assert await put_before(ana, "/me", "kept") is None
    kept = await keep(ana)
    assert await put_before(ana, "/me", "kept") == [kept]
