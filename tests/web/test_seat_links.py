"""A seat whose owner lost their device: the host's link gives it to another browser, once, and nothing else."""

from collections.abc import Callable
from urllib.parse import urlsplit

from tests.web.conftest import MovedClock
from tests.web.visitors import Come, Visitor

HTML = {"Accept": "text/html"}


def here(name: str, present: bool) -> Callable[[dict], bool]:  # type: ignore[type-arg]
    return lambda update: any(p["name"] == name and p["present"] == present for p in update["room"]["people"])


async def test_a_hosts_link_moves_one_seat_and_nothing_else(ana: Visitor, come: Come, clock: MovedClock) -> None:
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
    for _ in range(2):  # looking uses nothing up
        assert "Bob" in (await phone.http.get(path, headers=HTML)).text
    moved = await phone.http.post(path, headers=HTML)
    assert (moved.status_code, moved.headers["location"]) == (303, f"/r/{code}")
    phones = await phone.sit(code)
    assert phones.update["you"]["name"] == "Bob"
    assert (await come().http.post(path, headers=HTML)).status_code == 404
    heard = [event["e"] for update in hosts.updates for event in update["events"]]
    assert {"link_made", "seat_moved"} <= set(heard)

    # The lost device is nobody in this room, and still Bob elsewhere; the phone has nothing of that.
    back = await bob.sit(code)
    assert back.update["you"]["name"] is None
    assert (await bob.sit(other["code"])).update["you"]["name"] == "Bob"
    assert (await phone.sit(other["code"])).update["you"]["name"] is None

    # It is asked whether it wants the seat back. One message takes it, and everybody is told.
    given = back.update["you"]["seat_given"]
    assert (given["name"], given["by"]) == ("Bob", "Ana")
    await back.do("take_seat_back", message_id="a new id: his first socket used m1")
    assert (await back.until(lambda update: update["you"]["name"] == "Bob"))["you"]["link_shut"]
    told = await hosts.until(lambda update: any(event["e"] == "seat_taken_back" for event in update["events"]))
    assert {"e": "seat_taken_back", "by": "Bob"} in told["events"]
    assert (await phones.until(lambda update: update["you"]["name"] is None))["you"]["seat_given"] is None


async def test_a_link_is_worth_nothing_once_its_owner_is_back(ana: Visitor, come: Come, clock: MovedClock) -> None:
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
        assert "Ask the host for another" in answer.text


async def test_who_loses_their_seat_watches_and_who_is_kept_out_does_not(ana: Visitor, come: Come) -> None:
    code, bob = (await ana.open())["code"], come()
    hosts, bobs = await ana.sit(code), await bob.sit(code, "Bob")
    await hosts.do("remove", name="Bob")
    assert (await bobs.until(lambda update: update["you"]["role"] == "watcher"))["you"]["name"] == "Bob"
    await bobs.do("join", name="Bob")
    await hosts.do("remove", name="Bob", ban=True)
    assert await bobs.ended() == 4403
    code = (await hosts.until(lambda update: update["room"]["code"] != code))["room"]["code"]
    assert await (await bob.socket(code)).ended() == 4403
