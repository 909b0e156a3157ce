"""Test that the stats of a room are visible only to its members and to readers with their link."""

import asyncio
import functools
import re
from typing import Any

import pytest

from app.store.history import room_stats
from tests.web.conftest import Live
from tests.web.visitors import Come, Desk, Visitor

HTML = {"Accept": "text/html"}


async def played(host: Visitor, come: Come, **asked: Any) -> tuple[str, Visitor, Desk]:
    """Let Ana and Bob play a hand, and return the room's code, Bob and Ana's socket."""
    code = (await host.open("Ana", bots=["easy", "easy"], bots_delay=0, **asked))["code"]
    bob = come()
    desks = [await host.sit(code), await bob.sit(code, "Bob")]
    await desks[0].do("start")
    await play_out(desks)
    return code, bob, desks[0]


def concerns(update: dict[str, Any]) -> bool:
    """Whether it is the player's turn, or the hand is over."""
    return update["room"]["phase"] == "between_hands" or bool(update["you"].get("legal"))


def newer(seq: int, update: dict[str, Any]) -> bool:
    """Whether an update shows the entry `seq`."""
    return bool(update["seq"] >= seq)


async def play_out(desks: list[Desk]) -> None:
    """Play a hand to its end with the first legal actions."""

    async def act(desk: Desk) -> None:
        while True:
            update = await desk.until(concerns)
            if update["room"]["phase"] == "between_hands":
                return
            answer = await desk.do("act", action=update["you"]["legal"][0])
            await desk.until(functools.partial(newer, answer["seq"]))

    await asyncio.gather(*map(act, desks))


async def book(visitor: Visitor, path: str) -> tuple[int, str]:
    answer = await visitor.http.get(path, headers=HTML, follow_redirects=True)
    return answer.status_code, answer.text


async def test_room_stats_are_visible_only_to_members(
    ana: Visitor, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, bob, _ = await played(ana, come)
    # Nobody has a place of the month before their fifth hand.
    assert (await bob.http.get(f"/api/rooms/{code}/month")).json() == {"places": {}}
    monkeypatch.setattr(room_stats, "ENOUGH", 1)
    places = (await bob.http.get(f"/api/rooms/{code}/month")).json()["places"]
    assert (places.keys(), {*places.values()}) == ({"Ana", "Bob"}, {1, 2})
    assert (await bob.http.get("/api/rooms/QQQQQQ/month")).status_code == 404
    for visitor in (ana, bob):
        status, text = await book(visitor, f"/r/{code}/book")
        assert status == 200
        assert "Bob" in text
        assert "Session of" in text
        assert '<details class="as-table" open>' in text  # one hand makes no chart, so the table is open
        assert ('name="link"' in text) == (visitor is ana)  # only the host has the buttons
        assert f'href="/r/{code}/export.json"' in text
        for since, heading in (("month", "President: this month"), ("all", "President: all hands")):
            status, part = await book(visitor, f"/r/{code}/book?since={since}")
            assert (status, heading in part, "Session of" in part) == (200, True, False)
        for kind in ("moments", "decrees"):
            assert (await book(visitor, f"/r/{code}/book/{kind}"))[0] == 200
    # A stranger, and a known person who was never here, get the same answer as for an unknown room.
    stranger, other = come(), come()
    await other.open("Eve")
    none = await stranger.http.get("/r/QQQQQQ/book")
    for visitor in (stranger, other):
        answer = await visitor.http.get(f"/r/{code}/book")
        assert (answer.status_code, answer.json()) == (404, none.json())
        assert (await visitor.http.get(f"/r/{code}/book/moments")).json() == none.json()
        made = await visitor.http.post(f"/r/{code}/book", data={"link": "make"})
        assert made.status_code == 404
    # The same holds for an API client that has the code but was never in the room.
    program = come()
    token = (await program.http.post("/api/people", json={"name": "Robot"})).json()["token"]
    borne = {"Authorization": f"Bearer {token}"}
    assert (await program.http.get(f"/r/{code}/book", headers=borne)).status_code == 404


async def test_a_banned_player_cannot_open_the_stats(ana: Visitor, come: Come) -> None:
    code, bob, desk = await played(ana, come)
    await desk.do("remove", name="Bob", ban=True)
    new = (await desk.until(lambda update: update["room"]["code"] != code))["room"]["code"]
    for each in (code, new):
        assert (await book(bob, f"/r/{each}/book"))[0] == 404
    # The old address still works for members.
    assert (await book(ana, f"/r/{code}/book"))[0] == 200


async def test_a_stats_link_opens_only_the_stats_until_it_is_revoked(ana: Visitor, come: Come) -> None:
    code, bob, _ = await played(ana, come)
    reader = come()
    refused = await bob.http.post(f"/r/{code}/book", data={"link": "make"})
    assert (refused.status_code, refused.json()["code"]) == (403, "not_host")
    assert (await ana.http.post(f"/r/{code}/book", data={"link": "make"})).status_code == 303
    _, text = await book(ana, f"/r/{code}/book")
    found = re.search(r'value="[^"]*(/book/[\w-]+)"', text)
    assert found is not None
    link = found[1]
    # A second request gives the same link. A player who is not the host can't see it.
    await ana.http.post(f"/r/{code}/book", data={"link": "make"})
    assert link in (await book(ana, f"/r/{code}/book"))[1]
    assert link not in (await book(bob, f"/r/{code}/book"))[1]
    status, text = await book(reader, link)
    assert status == 200
    assert "Bob" in text
    assert code not in text  # the code would open the room
    status, listed = await book(reader, f"{link}/moments")
    assert status == 200
    assert code not in listed
    assert 'name="link"' not in text
    assert (await reader.http.get(f"/r/{code}/book")).status_code == 404
    assert (await ana.http.post(f"/r/{code}/book", data={"link": "revoke"})).status_code == 303
    for visitor in (reader, ana):
        for path in (link, f"{link}/moments", f"{link}/decrees"):
            assert (await book(visitor, path))[0] == 404
    await ana.http.post(f"/r/{code}/book", data={"link": "make"})
    assert link not in (await book(ana, f"/r/{code}/book"))[1]


async def test_stats_without_a_hand_say_so(ana: Visitor) -> None:
    code = (await ana.open("Ana"))["code"]
    await ana.enter(code)
    status, text = await book(ana, f"/r/{code}/book")
    assert status == 200
    assert "begin with the first finished hand" in text
    for path in (
        "/book/nothing",
        "/book/%00",
        "/book/ü",
        f"/r/{code}/book?evening=x",
        f"/r/{code}/book/x",
        f"/r/{code}/book/moments?before=x",
    ):
        assert (await book(ana, path))[0] in (404, 422), path


async def test_numbers_of_hands_state_how_many_had_bots(ana: Visitor, come: Come) -> None:
    await played(ana, come)
    for path in ("/history", "/me", "/"):
        status, text = await book(ana, path)
        assert (status, "1 hand; bots played along" in text) == (200, True), path
    [match] = (await ana.http.get("/api/history")).json()["matches"]
    assert (match["hands"], match["with_bots"]) == (1, 1)
    assert "1 hand; bots played along" in (await book(ana, f"/matches/{match['id']}"))[1]
    assert "Hands with bots" in (await book(ana, "/me"))[1]


async def test_a_new_name_and_a_deletion_reach_stats_whose_sums_are_cached(
    live: Live, ana: Visitor, come: Come
) -> None:
    code, bob, _ = await played(ana, come)
    paths = ("/me", "/history", f"/r/{code}/book", f"/r/{code}/book?since=month", "/me/hands.csv", "/me/matches.json")
    before = {path: (await book(ana, path))[1] for path in paths}
    assert {path for path in paths if "Bob" in before[path]} == {*paths}
    assert live.app.site.store.sums_cache._entries
    assert (await bob.http.put("/api/me", json={"name": "Rob"})).status_code == 200
    assert re.search(r"rival: Rob, in ", (await book(ana, "/me"))[1])
    assert (await bob.http.post("/api/me/forget", json={"confirm": True})).status_code == 204
    assert not live.app.site.store.sums_cache._entries
    for path in paths:
        text = (await book(ana, path))[1]
        assert "Bob" not in text, path
        assert "Rob" not in text, path
