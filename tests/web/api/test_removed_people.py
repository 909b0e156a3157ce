"""Test that banned people and locked rooms stay closed: every way into a room is tried by people who may not enter."""

from typing import Any

import pytest

from app.settings import Limits, Settings
from tests.web.api.test_rooms import table_of
from tests.web.api.test_seat_links import HTML, here
from tests.web.conftest import MovedClock
from tests.web.visitors import Come, Desk


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Raise the limit of guesses."""
    return settings.model_copy(update={"limits": Limits(guesses_per_minute=10_000)})


async def moved(desk: Desk, old: str) -> dict[str, Any]:
    """Return the room once its code is not this one."""
    room: dict[str, Any] = (await desk.until(lambda update: update["room"]["code"] != old))["room"]
    return room


async def test_after_a_ban_old_links_open_the_room_only_for_its_members(come: Come, clock: MovedClock) -> None:
    opened, (ana, bob, cat), (host, _, cats) = await table_of(come, ["Ana", "Bob", "Cat"], game="president")
    old, invite = opened["code"], opened["invite"]
    await cats.close()
    await host.until(here("Cat", False))
    clock.move(60)
    seat = (await ana.http.post(f"/api/rooms/{old}/links", json={"name": "Cat"})).json()["url"]
    await ana.http.post(f"/r/{old}/book", data={"link": "make"})
    watcher = come()
    await watcher.sit(old)
    await host.do("remove", name="Bob", ban=True)
    now = await moved(host, old)

    # Try as the banned player, in a new browser, as a former spectator and as an API client.
    program = {"Authorization": f"Bearer {(await come().http.post('/api/people', json={})).json()['token']}"}
    ways = [f"/r/{old}", f"/r?code={old}", f"/j/{invite}", f"/j/{invite}/qr.svg", f"/r/{old}/qr.svg", f"/r/{old}/rules"]
    ways += [f"/r/{old}/book", f"/r/{old}/export.json", f"/api/rooms/{old}", seat.removeprefix(bob.base)]
    for who, headers in ((bob, {}), (come(), {}), (watcher, {}), (come(), program)):
        for way in ways:
            answer = await who.http.get(way, headers={**HTML, **headers}, follow_redirects=True)
            assert answer.status_code == 404, (way, answer.url)
            assert now["code"] not in answer.text
            assert now["invite"] not in answer.text
        assert (await who.http.post(seat, headers=headers)).status_code == 404
    for who in (bob, watcher):
        assert await (await who.socket(old)).ended() == 4404

    # A member gets in by each of the old addresses.
    for way in (f"/r/{old}", f"/r?code={old}", f"/j/{invite}"):
        answer = await cat.http.get(way, follow_redirects=True)
        assert (answer.status_code, answer.url.path) == (200, f"/r/{now['code']}")
    back = await cat.socket(old)
    assert (await back.until(lambda update: update["you"]["name"]))["room"]["code"] == now["code"]

    # Even with the new address the banned player stays outside.
    await bob.http.get(f"/j/{now['invite']}", follow_redirects=True)
    assert await (await bob.socket(now["code"])).ended() == 4403
    assert (await bob.http.post(seat.replace(old, now["code"]))).status_code in (403, 404, 409)
    assert "Bob" not in {person["name"] for person in host.update["room"]["people"]}


async def test_a_locked_room_admits_members_but_no_new_players(come: Come) -> None:
    opened, (*_, cat), (host, _, cats) = await table_of(come, ["Ana", "Bob", "Cat"], game="president", bots=["easy"])
    await host.do("lock")
    program = come()
    token = (await program.http.post("/api/people", json={})).json()["token"]
    new = [come(), come(), come()]
    for who, way in zip(
        new, (f"/j/{opened['invite']}", f"/r/{opened['code']}", f"/r?code={opened['code']}"), strict=True
    ):
        assert (await who.http.get(way, headers=HTML, follow_redirects=True)).status_code == 200
        desk = await who.sit(opened["code"])
        assert desk.update["you"]["join_blocked"]["key"].endswith("locked")
        for asked in (
            {"t": "join", "name": "Eve"},
            {"t": "take_bot_seat", "bot": "Magpie"},
            {"t": "start"},
            {"t": "lock"},
        ):
            answer = await desk.ask(asked.pop("t"), **asked)
            assert answer["code"] in ("not_now", "not_a_member", "bad_message"), answer
    made = await program.http.post(
        f"/api/rooms/{opened['code']}/links", json={"name": "Bob"}, headers={"Authorization": f"Bearer {token}"}
    )
    assert made.status_code == 403
    assert {person["name"] for person in host.update["room"]["people"] if not person["bot"]} == {"Ana", "Bob", "Cat"}

    # Members can return, also in another browser by a link of the host.
    await cats.close()
    await host.until(here("Cat", False))
    assert (await cat.sit(opened["code"])).update["you"]["name"] == "Cat"
