"""Test seat links for lost devices: the host's link gives the seat to another browser, once, in this room only."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from app.settings import Limits, Settings
from tests.web.conftest import MovedClock, serving
from tests.web.visitors import Come, Visitor, visiting

HTML = {"Accept": "text/html"}


def here(name: str, present: bool) -> Callable[[dict], bool]:  # type: ignore[type-arg]
    return lambda update: any(p["name"] == name and p["present"] == present for p in update["room"]["people"])


async def test_a_seat_link_from_the_host_moves_only_that_seat(ana: Visitor, come: Come, clock: MovedClock) -> None:
    room, bob = await ana.open(), come()
    code = room["code"]
    hosts, bobs = await ana.sit(code), await bob.sit(code, "Bob")
    other = await bob.open("Bob")
    await hosts.until(here("Bob", True))
    refused = await ana.http.post(f"/api/rooms/{code}/links", json={"name": "Bob"})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_now")
    await bobs.close()
    await hosts.until(here("Bob", False))
    early = await ana.http.post(f"/api/rooms/{code}/links", json={"name": "Bob"})
    assert (early.status_code, early.json()["key"]) == (409, "room.away_too_short")
    clock.move(60)
    for stranger, status in ((bob, 403), (come(), 401)):
        assert (await stranger.http.post(f"/api/rooms/{code}/links", json={"name": "Bob"})).status_code == status
    assert (await ana.http.post(f"/api/rooms/{code}/links", json={"name": "Nobody"})).status_code == 404
    made = (await ana.http.post(f"/api/rooms/{code}/links", json={"name": "Bob"})).json()
    assert made["qr"].startswith("data:image/svg+xml")
    path, token = urlsplit(made["url"]).path, made["url"].rpartition("/")[2]
    assert token not in "".join(hosts.frames)

    phone = come()
    for _ in range(2):  # viewing does not use the link up
        assert "Bob" in (await phone.http.get(path, headers=HTML)).text
    moved = await phone.http.post(path, headers=HTML)
    assert (moved.status_code, moved.headers["location"]) == (303, f"/r/{code}")
    phones = await phone.sit(code)
    assert phones.update["you"]["name"] == "Bob"
    assert (await come().http.post(path, headers=HTML)).status_code == 404
    heard = [event["e"] for update in hosts.updates for event in update["events"]]
    assert {"seat_link_made", "seat_moved"} <= set(heard)

    # The lost device has no seat in this room, and keeps its seat in the other. The phone has only the one seat.
    back = await bob.sit(code)
    assert back.update["you"]["name"] is None
    assert (await bob.sit(other["code"])).update["you"]["name"] == "Bob"
    assert (await phone.sit(other["code"])).update["you"]["name"] is None

    # The device is offered its seat back. One message takes it, and everybody gets the event.
    given = back.update["you"]["seat_given"]
    assert (given["name"], given["by"]) == ("Bob", "Ana")
    await back.do("take_seat_back", message_id="a new id: his first socket used m1")
    assert (await back.until(lambda update: update["you"]["name"] == "Bob"))["you"]["links_blocked"]
    told = await hosts.until(lambda update: any(event["e"] == "seat_taken_back" for event in update["events"]))
    assert {"e": "seat_taken_back", "by": "Bob"} in told["events"]
    assert (await phones.until(lambda update: update["you"]["name"] is None))["you"]["seat_given"] is None


async def test_a_seat_link_is_invalid_once_the_owner_is_back(ana: Visitor, come: Come, clock: MovedClock) -> None:
    code, bob = (await ana.open())["code"], come()
    hosts, bobs = await ana.sit(code), await bob.sit(code, "Bob")
    await bobs.close()
    await hosts.until(here("Bob", False))
    clock.move(60)
    made = (await ana.http.post(f"/api/rooms/{code}/links", json={"name": "Bob"})).json()
    await bob.sit(code)
    await hosts.until(here("Bob", True))
    for answer in (await come().http.get(made["url"], headers=HTML), await come().http.post(made["url"], headers=HTML)):
        assert answer.status_code == 404
        assert "Ask the host for a new one." in answer.text


async def test_a_removed_player_becomes_a_spectator_and_a_banned_player_is_disconnected(
    ana: Visitor, come: Come
) -> None:
    code, bob = (await ana.open())["code"], come()
    hosts, bobs = await ana.sit(code), await bob.sit(code, "Bob")
    await hosts.do("remove", name="Bob")
    assert (await bobs.until(lambda update: update["you"]["role"] == "spectator"))["you"]["name"] == "Bob"
    await bobs.do("join", name="Bob")
    await hosts.do("remove", name="Bob", ban=True)
    assert await bobs.ended() == 4403
    code = (await hosts.until(lambda update: update["room"]["code"] != code))["room"]["code"]
    assert await (await bob.socket(code)).ended() == 4403


async def test_a_seat_link_ends_when_the_device_that_made_it_is_signed_out(
    ana: Visitor, come: Come, clock: MovedClock
) -> None:
    code, bob, other = (await ana.open())["code"], come(), come()
    hosts, bobs = await ana.sit(code), await bob.sit(code, "Bob")
    await bobs.close()
    await hosts.until(here("Bob", False))
    clock.move(60)
    added = (await ana.http.post("/api/me/devices")).json()["url"]
    assert (await other.http.post(urlsplit(added).path, headers=HTML)).status_code == 200
    made = (await other.http.post(f"/api/rooms/{code}/links", json={"name": "Bob"})).json()["url"]
    assert (await come().http.get(made, headers=HTML)).status_code == 200
    devices = (await other.http.get("/api/me/devices")).json()
    [mine] = [each["id"] for each in devices if each["is_current"]]
    assert (await ana.http.delete(f"/api/me/devices/{mine}")).status_code == 204
    stranger = come()
    assert (await stranger.http.get(made, headers=HTML)).status_code == 404
    assert (await stranger.http.post(made, headers=HTML)).status_code == 404


async def test_a_banned_person_cannot_open_any_page_of_the_room_by_its_new_code(ana: Visitor, come: Come) -> None:
    room, bob = await ana.open(), come()
    hosts, bobs = await ana.sit(room["code"]), await bob.sit(room["code"], "Bob")
    await hosts.do("remove", name="Bob", ban=True)
    assert await bobs.ended() == 4403
    now = (await hosts.until(lambda update: update["room"]["code"] != room["code"]))["room"]
    code = now["code"]
    ways = [f"/r/{code}", f"/r?code={code}", f"/j/{now['invite']}", f"/r/{code}/screen", f"/r/{code}/book"]
    ways += [f"/r/{code}/rules", f"/r/{code}/qr.svg", f"/j/{now['invite']}/qr.svg", f"/r/{code}/export.json"]
    for way in (*ways, f"/api/rooms/{code}"):
        answer = await bob.http.get(way, headers=HTML, follow_redirects=True)
        assert answer.status_code == 404, way
        assert now["invite"] not in answer.text
    assert (await bob.http.get(f"/api/history?room={code}")).status_code == 422
    assert (await bob.http.get("/api/history")).status_code == 200


async def test_a_named_api_client_can_reconnect_by_the_old_room_code(ana: Visitor, come: Come) -> None:
    code, program = (await ana.open())["code"], come()
    token = (await program.http.post("/api/people", json={})).json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    hosts = await ana.sit(code)
    desk = await program.socket(code, origin=None, cookies="", authorization=f"Bearer {token}")
    await desk.do("join", name="Robot", program=True, message_id="first")
    await hosts.do("rotate_code")
    new = (await hosts.until(lambda update: update["room"]["code"] != code))["room"]["code"]
    await desk.close()
    back = await program.socket(code, origin=None, cookies="", authorization=f"Bearer {token}")
    assert (await back.until(lambda update: update["you"]["name"] == "Robot"))["room"]["code"] == new
    assert (await program.http.get(f"/api/rooms/{code}", headers=headers)).json()["code"] == new


async def test_seat_requests_are_limited_by_address(tmp_path: Path) -> None:
    few = Settings(database_url=f"sqlite:///{tmp_path}/rooms.sqlite3", limits=Limits(seat_requests_per_hour=2))
    async with serving(few) as live, visiting(live.base) as come:
        ana, bob, eve = come(), come(), come()
        code = (await ana.open("Ana"))["code"]
        hosts = await ana.sit(code)
        await (await bob.sit(code, "Bob")).close()
        await hosts.until(here("Bob", False))
        desk = await eve.sit(code)
        assert (await desk.ask("ask_for_seat", name="Bob"))["ok"]
        assert (await desk.ask("ask_for_seat", name="Bob"))["code"] == "not_now"
        refused = await desk.ask("ask_for_seat", name="Bob")
        assert (refused["code"], refused["message"]) == (
            "too_fast",
            "Too many requests for seats. Try again in an hour.",
        )
