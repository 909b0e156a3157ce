"""Test personal data: a name and bird for every room, and several devices in one seat."""

import asyncio
import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.resources import static_folder
from app.rooms.people.avatars import BIRDS, COLOURS
from app.settings import Settings
from app.store.db.schema import devices
from tests.web.conftest import Live, serving
from tests.web.visitors import Come, Visitor, visiting


def token_in(link: str) -> str:
    return link.rpartition("/")[2]


async def another_device(owner: Visitor, come: Come, agent: str = "") -> Visitor:
    """Add a second browser of the owner by a device link."""
    link = token_in((await owner.http.post("/api/me/devices")).json()["url"])
    other = come()
    if agent:
        other.http.headers["User-Agent"] = agent
    assert (await other.http.get(f"/device/{link}")).status_code == 200  # opening the link changes nothing yet
    assert (await other.http.get("/api/me")).json()["known"] is False
    assert (await other.http.post(f"/device/{link}")).status_code == 200
    return other


def shown(update: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(person for person in update["room"]["people"] if person["name"] == name)
    return found


async def test_two_devices_sit_in_one_seat_and_both_play(ana: Visitor, come: Come) -> None:
    code = (await ana.open("Ana", bots=["easy", "easy"], bots_delay=0))["code"]
    phone = await another_device(ana, come)
    desks = [await ana.sit(code), await phone.sit(code)]
    assert [desk.update["you"]["name"] for desk in desks] == ["Ana", "Ana"]
    await desks[1].do("start")
    turns = 0
    while turns < 4:
        updates = [await desk.until(lambda update: update["you"].get("legal") or turn_over(update)) for desk in desks]
        if turn_over(updates[0]):
            break
        seq = max(update["seq"] for update in updates)
        for desk in desks:
            await desk.until(lambda update, seq=seq: update["seq"] >= seq)
        assert desks[0].update["you"]["cards"] == desks[1].update["you"]["cards"]
        await desks[turns % 2].do("act", action=desks[0].update["you"]["legal"][-1])
        turns += 1
    assert turns > 1
    # A person with one device left is still present.
    bob = await come().sit(code)
    await desks[0].close()
    await desks[1].do("ping")
    assert shown(bob.update, "Ana")["present"]


def turn_over(update: dict[str, Any]) -> bool:
    return update["room"]["phase"] != "playing" and update["table"] is not None


async def test_signing_out_a_device_leaves_the_other_devices_signed_in(ana: Visitor, come: Come) -> None:
    code = (await ana.open())["code"]
    phone = await another_device(ana, come, "Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0")
    desks = [await ana.sit(code), await phone.sit(code)]
    listed = (await ana.http.get("/api/me/devices")).json()
    assert [each["label"] for each in listed if not each["is_current"]] == ["Firefox · Android"]
    [other] = [each["id"] for each in listed if not each["is_current"]]
    stranger = come()
    await stranger.open("Eve")
    assert (await stranger.http.delete(f"/api/me/devices/{other}")).status_code == 404  # the device is not theirs
    assert (await ana.http.delete(f"/api/me/devices/{other}")).status_code == 204
    assert await desks[1].ended() == 4401
    assert desks[1].goodbye == {"t": "goodbye", "reason": "no_session"}
    assert (await phone.http.get("/api/me")).json()["known"] is False
    await desks[0].do("ping")
    assert (await ana.http.delete(f"/api/me/devices/{other}")).status_code == 404
    # Signing out this device removes its cookie.
    [mine] = (await ana.http.get("/api/me/devices")).json()
    gone = await ana.http.delete(f"/api/me/devices/{mine['id']}")
    assert gone.status_code == 204
    assert ana.cookies == ""
    # The cached personal data, such as finished hands, is deleted, too.
    assert gone.headers["clear-site-data"] == '"cache"'


async def test_a_device_is_signed_out_after_idle_days_without_use(settings: Settings) -> None:
    async with (
        serving(settings.model_copy(update={"idle_days": 30})) as live,
        visiting(live.base) as come,
    ):
        ana = come()
        await ana.open()
        phone = await another_device(ana, come, "Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0")
        listed = (await ana.http.get("/api/me/devices")).json()
        assert [each["is_current"] for each in listed].count(False) == 1
        [other] = [each["id"] for each in listed if not each["is_current"]]

        async def last_used(days: float) -> None:
            seen = (
                devices.update().where(devices.c.id == other).values(last_seen_at=datetime.now(UTC) - timedelta(days))
            )
            await live.app.site.store.database.write(lambda connection: connection.execute(seen))

        await last_used(29.9)
        assert (await phone.http.get("/api/me")).json()["known"] is True
        await last_used(30.1)
        assert (await phone.http.get("/api/me")).json()["known"] is False
        [mine] = (await ana.http.get("/api/me/devices")).json()
        assert mine["is_current"] is True


async def test_device_links_work_once_and_cannot_be_used_as_recovery_links(ana: Visitor, come: Come) -> None:
    await ana.open()
    link = token_in((await ana.http.post("/api/me/devices")).json()["url"])
    phone, late = come(), come()
    assert (await phone.http.post(f"/recover/{link}")).status_code == 404
    assert (await ana.http.post(f"/device/{link}")).status_code == 200
    assert (await late.http.post(f"/device/{link}")).status_code == 404
    assert (await ana.http.get("/api/me")).json()["known"]
    # A recovery link signs out all other browsers.
    phone = await another_device(ana, come)
    move = token_in((await phone.http.post("/api/me/recovery")).json()["url"])
    assert (await late.http.post(f"/device/{move}")).status_code == 404
    assert (await late.http.post(f"/recover/{move}")).status_code == 200
    known = [(await each.http.get("/api/me")).json()["known"] for each in (ana, phone, late)]
    assert known == [False, False, True]
    assert len((await late.http.get("/api/me/devices")).json()) == 1


async def test_me_endpoints_without_a_session_answer_no_session(come: Come) -> None:
    nobody = come()
    for method, path in (
        ("GET", "/devices"),
        ("POST", "/devices"),
        ("DELETE", "/devices/x"),
        ("PUT", ""),
        ("POST", "/recovery"),
    ):
        answer = await nobody.http.request(method, f"/api/me{path}", json={} if method == "PUT" else None)
        assert (answer.status_code, answer.json()["code"]) == (401, "no_session"), path


async def test_a_chosen_bird_and_colour_are_shown_in_every_room(ana: Visitor, come: Come) -> None:
    codes = [(await ana.open())["code"] for _ in range(2)]
    watching = [await come().sit(code) for code in codes]
    assert (shown(watching[0].update, "Ana")["bird"], shown(watching[0].update, "Ana")["colour"]) == (None, None)
    chosen = {"bird": "owl", "colour": "sea"}
    assert (await ana.http.put("/api/me", json=chosen)).json() == {
        "known": True,
        "name": "Ana",
        **chosen,
        "name_taken_in": [],
    }
    for desk in watching:
        await desk.until(
            lambda update: shown(update, "Ana")["bird"] == "owl" and shown(update, "Ana")["colour"] == "sea"
        )
    # Rooms opened or joined later show the bird from the start.
    later = await come().sit((await ana.open())["code"])
    assert shown(later.update, "Ana")["bird"] == "owl"
    bob = come()
    code = (await bob.open("Bob"))["code"]
    desk = await bob.sit(code)
    await ana.sit(code, "Ana")
    await desk.until(lambda update: any(p["name"] == "Ana" and p["colour"] == "sea" for p in update["room"]["people"]))
    # Fields left out don't change. With null the room chooses.
    await ana.http.put("/api/me", json={"bird": None})
    assert (await ana.http.get("/api/me")).json() | {"name_taken_in": []} == {
        "known": True, "name": "Ana", "bird": None, "colour": "sea", "name_taken_in": []
    }  # fmt: skip


async def test_a_bird_and_a_colour_chosen_at_the_same_time_are_both_saved(ana: Visitor, come: Come) -> None:
    desk = await come().sit((await ana.open())["code"])
    for bird, colour in zip(BIRDS, COLOURS, strict=False):
        await asyncio.gather(*[ana.http.put("/api/me", json=one) for one in ({"bird": bird}, {"colour": colour})])
        me = (await ana.http.get("/api/me")).json()
        assert (me["bird"], me["colour"]) == (bird, colour)
        await desk.until(
            lambda update, bird=bird, colour=colour: (
                (shown(update, "Ana")["bird"], shown(update, "Ana")["colour"]) == (bird, colour)
            )
        )


async def test_a_face_chosen_on_joining_is_saved_unless_the_profile_has_one(ana: Visitor, come: Come) -> None:
    code = (await ana.open())["code"]
    bob = come()
    desk = await bob.sit(code)
    face = desk.update["you"]["free_faces"][2]
    await desk.do("join", name="Bob", **face)
    await desk.until(lambda update: update["room"]["birds"].get("Bob") == face["bird"])
    me = (await bob.http.get("/api/me")).json()
    assert (me["bird"], me["colour"]) == (face["bird"], face["colour"])
    other = await bob.sit((await come().open("Cat"))["code"])
    await other.do("join", name="Bob", bird="owl", colour="sea")
    await other.until(lambda update: update["room"]["birds"].get("Bob") == face["bird"])
    assert (await bob.http.get("/api/me")).json() == me


@pytest.mark.parametrize(
    ("asked", "code"),
    [({"bird": "dodo"}, "bad_setting"), ({"colour": "#fff"}, "bad_setting"), ({"name": " "}, "bad_name")],
)
async def test_an_unknown_bird_or_colour_is_refused_and_changes_nothing(
    ana: Visitor, asked: dict[str, str], code: str
) -> None:
    await ana.open()
    before = (await ana.http.get("/api/me")).json()
    answer = await ana.http.put("/api/me", json={"colour": "sea", "bird": "owl", **asked})
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert (await ana.http.get("/api/me")).json() == before


async def test_renaming_yourself_takes_effect_in_every_room_where_the_name_is_free(ana: Visitor, come: Come) -> None:
    here, there = (await ana.open())["code"], (await ana.open("Annie"))["code"]
    await ana.http.put("/api/me", json={"name": "Ana"})
    desks = [await come().sit(code) for code in (here, there)]
    await desks[1].until(lambda update: [person["name"] for person in update["room"]["people"]] == ["Ana"])
    bob = come()
    await bob.sit(here, "Bob")
    answer = (await ana.http.put("/api/me", json={"name": "Bob"})).json()
    assert answer["name_taken_in"] == [{"code": here, "name": "Ana"}]  # somebody there has that name
    assert [person["name"] for person in desks[0].update["room"]["people"]][:1] == ["Ana"]
    await desks[1].until(lambda update: [person["name"] for person in update["room"]["people"]] == ["Bob"])


async def test_a_new_name_and_bird_reach_older_rooms_later(
    ana: Visitor, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.services.room_access.INTRODUCED_AT_ONCE", 1)
    codes = [(await ana.open())["code"] for _ in range(4)]
    seen = [await come().sit(code) for code in codes]
    await ana.http.put("/api/me", json={"name": "Anna", "bird": "owl"})
    for desk in seen:
        await desk.until(lambda update: [one["name"] for one in update["room"]["people"]] == ["Anna"])
        assert shown(desk.update, "Anna")["bird"] == "owl"


async def test_a_match_keeps_the_names_it_began_with(live: Live, ana: Visitor, come: Come) -> None:
    code = (await ana.open("Ana", bots=["easy", "easy"]))["code"]
    desk = await ana.sit(code)
    await desk.do("start")
    seats = (await desk.until(lambda update: update["table"] is not None))["table"]["seats"]
    taken = next(name for name in seats if name != "Ana")
    # In the first case the name is taken, so Ana keeps hers. In the second only the current match keeps the old name.
    for name, otherwise in ((taken, [{"code": code, "name": "Ana"}]), ("Anna", [])):
        assert (await ana.http.put("/api/me", json={"name": name})).json()["name_taken_in"] == otherwise
    during = await desk.until(lambda update: shown(update, "Ana")["chosen_name"] == "Anna")
    assert "Ana" in during["table"]["seats"]
    await desk.do("stop")
    await desk.do("rematch")
    after = await desk.until(lambda update: update["room"]["phase"] == "lobby")
    assert (shown(after, "Anna")["chosen_name"], after["you"]["name"], after["room"]["host"]) == (None, "Anna", "Anna")
    # The old match keeps the old name, and shows the new one only to its players.
    [match] = (await ana.http.get("/api/history")).json()["matches"]
    assert [(player["name"], player["now"]) for player in match["players"] if player["you"]] == [("Ana", "Anna")]
    assert "(now called Anna)" in (await ana.http.get(f"/matches/{match['id']}", headers={"Accept": "text/html"})).text
    stranger = come()
    await stranger.open("Eve")
    for each in (stranger, come()):
        seen = (await each.http.get(f"/api/matches/{match['id']}")).json()
        assert "Anna" not in str(seen)


def test_the_page_draws_every_bird_and_colour_that_can_be_chosen() -> None:
    source = (static_folder() / "js/ui/birds.js").read_text(encoding="utf-8")
    for name, wanted in (("BIRDS", BIRDS), ("COLOURS", COLOURS)):
        [listed] = re.findall(rf"export const {name} = \[(.*?)\]", source)
        assert tuple(json.loads(f"[{listed}]")) == wanted
    assert [bird for bird in BIRDS if f"  {bird}: () => [" not in source] == []


async def test_a_device_link_made_in_a_room_leads_to_that_room(ana: Visitor, come: Come) -> None:
    code = (await ana.open("Ana"))["code"]
    link = (await ana.http.post(f"/api/me/devices?room={code}")).json()["url"]
    path = link.removeprefix(ana.base)
    phone = come()
    assert f'href="/r/{code}"' not in (await phone.http.get(path)).text
    assert f'href="/r/{code}"' in (await phone.http.post(path)).text
    for wrong in ("", "../x", '"><script>', "x" * 13):
        answer = await ana.http.post("/api/me/devices", params={"room": wrong})
        assert answer.status_code == 422
        assert "room" in answer.json()["message"]
