"""Test the list of matches: filters, search, permissions, and what guests, bots and removed people see."""

import html
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import httpx2
import pytest

from app.store.db.schema import match_players, matches
from tests.web.api.test_programs import token_of
from tests.web.conftest import Live
from tests.web.matches.test_replay import played
from tests.web.visitors import Come, Desk, Visitor

HTML = {"Accept": "text/html"}


async def begun(desk: Desk) -> str:
    """Start a match and return its id."""
    await desk.do("start")
    update = await desk.until(lambda update: update["room"]["match_id"])
    return str(update["room"]["match_id"])


async def again(desk: Desk, game: str) -> str:
    """Start another match of another game in the same room."""
    await desk.do("stop")
    await desk.do("rematch")
    await desk.do("configure", game=game)
    return await begun(desk)


async def listed(visitor: Visitor, **asked: str) -> list[str]:
    """Return the ids of a person's matches, which must be the same on the page of a search and in the API.

    Without a search, the page shows the album, which leaves out matches without a finished hand.
    """
    page = await visitor.http.get("/history", params=asked, headers=HTML)
    assert page.status_code == 200, page.text
    shown = re.findall(r'<a href="/matches/([^"/?]+)">', page.text)
    found = [match["id"] for match in (await visitor.http.get("/api/history", params=asked)).json()["matches"]]
    assert found == shown or asked.keys() <= {"room", "before", "zone", "offset"}
    return found


async def test_matches_are_found_by_room_person_game_day_and_name(ana: Visitor, come: Come) -> None:
    opened = await ana.open(game="president", bots=["easy", "easy"])
    desk = await ana.sit(opened["code"])
    first = await begun(desk)
    await desk.do("stop")
    await desk.do("rematch")
    bob = come()
    await bob.sit(opened["code"], "Bob")
    await desk.do("configure", game="big_two")
    second = await begun(desk)
    third = await begun(await ana.sit((await ana.open(game="president", bots=["easy", "easy"]))["code"]))

    assert await listed(ana) == [third, second, first]
    assert await listed(ana, room=opened["code"].lower()) == [second, first]
    assert await listed(ana, person="bob") == [second] == await listed(ana, q="BO")
    assert await listed(ana, game="president") == [third, first]
    assert await listed(ana, bots="with") == [], "no hand is finished"
    assert await listed(ana, bots="without") == [third, second, first]
    assert await listed(ana, game="big_two", person="Bob", room=opened["code"], q="ana") == [second]
    assert await listed(ana, q="nobody of that name") == []
    assert await listed(ana, q="big two") == [second] == await listed(ana, q=f"{opened['code']} bob")
    today = datetime.now(UTC)
    for offset in (0, 14 * 60, -12 * 60):
        here = (today + timedelta(minutes=offset)).date()
        day, before, after = (str(here + timedelta(days=n)) for n in (0, -1, 1))
        zone = {"offset": str(offset)}
        assert len(await listed(ana, **{"from": day, "to": day}, **zone)) == 3
        assert await listed(ana, to=before, **zone) == await listed(ana, **{"from": after}, **zone) == []

    # Each filter is shown with a link that removes only this filter.
    page = (await ana.http.get("/history", params={"game": "president", "q": "ana"}, headers=HTML)).text
    assert re.findall(r'class="chip" href="([^"]*)" aria-label="Remove', page) == [
        "/history?q=ana",
        "/history?game=president",
    ]
    assert "Remove filter: President" in page
    assert '<option value="president" selected>' in page


@pytest.mark.parametrize(
    ("zone", "day", "first", "next_day"),
    [
        ("Europe/Berlin", "2026-07-21", "2026-07-20T22:00", "2026-07-21T22:00"),
        ("Europe/Berlin", "2026-01-21", "2026-01-20T23:00", "2026-01-21T23:00"),
        ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00", "2026-03-29T22:00"),  # 23 hours
        ("Europe/Berlin", "2026-10-25", "2026-10-24T22:00", "2026-10-25T23:00"),  # 25 hours
        ("Australia/Sydney", "2026-01-21", "2026-01-20T13:00", "2026-01-21T13:00"),
        ("Australia/Sydney", "2026-04-05", "2026-04-04T13:00", "2026-04-05T14:00"),
        ("Australia/Sydney", "2026-10-04", "2026-10-03T14:00", "2026-10-04T13:00"),
        ("America/Santiago", "2026-09-06", "2026-09-06T04:00", "2026-09-07T03:00"),  # has no midnight
        ("Asia/Kolkata", "2026-07-21", "2026-07-20T18:30", "2026-07-21T18:30"),
        ("America/Nowhere", "2026-07-21", "2026-07-21T05:00", "2026-07-22T05:00"),  # unknown: the offset below
        ("Europe", "2026-07-21", "2026-07-21T05:00", "2026-07-22T05:00"),
        ("", "2026-07-21", "2026-07-21T05:00", "2026-07-22T05:00"),  # an old link
    ],
)
async def test_a_day_begins_at_its_own_midnight_in_the_visitors_time_zone(
    live: Live, ana: Visitor, zone: str, day: str, first: str, next_day: str
) -> None:
    match_id = await begun(await ana.sit((await ana.open(bots=["easy", "easy"]))["code"]))
    asked = {"from": day, "to": day, "zone": zone, "offset": "-300"}
    begins, ends = (datetime.fromisoformat(f"{each}+00:00") for each in (first, next_day))
    second = timedelta(seconds=1)
    for at, found in ((begins - second, []), (begins, [match_id]), (ends - second, [match_id]), (ends, [])):
        await live.app.site.store.database.write(
            lambda c, at=at: [c.execute(table.update().values(started_at=at)) for table in (matches, match_players)]
        )
        assert await listed(ana, **asked) == found, at
    page = (await ana.http.get("/history", params=asked, headers=HTML)).text
    assert (f"The time zone “{zone}” is unknown here" in page) == (zone in ("America/Nowhere", "Europe"))
    # Links to the same search without a filter keep the zone.
    kept = {"to": day} | ({"zone": zone} if zone else {}) | {"offset": "-300"}
    assert html.escape(f"/history?{urlencode(kept)}") in page


async def test_the_older_matches_link_continues_after_the_last_match_of_the_page(
    ana: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.matches.search.PAGE", 1)
    desk = await ana.sit((await ana.open(bots=["easy", "easy"]))["code"])
    old = await begun(desk)
    new = await again(desk, "big_two")
    page = (await ana.http.get("/history?q=ana", headers=HTML)).text
    assert re.findall(r'<a href="/matches/([^"/?]+)">', page) == [new]
    [more] = re.findall(r'<a class="button" href="([^"]*)">Older matches', page)
    assert more == f"/history?q=ana&amp;before={new}"
    page = (await ana.http.get(more.replace("&amp;", "&"), headers=HTML)).text
    assert re.findall(r'<a href="/matches/([^"/?]+)">', page) == [old]
    assert "Older matches" not in page


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"from": "yesterday"}, "Write a day as 2026-11-22."),
        ({"to": "2026-02-30"}, "Write a day as 2026-11-22."),
        ({"from": "9999-12-31"}, "Write a day as 2026-11-22."),
        (
            {"from": "2026-11-22", "to": "2026-11-01"},
            "The last day must not come before the first: 2026-11-22 to 2026-11-01.",
        ),
        ({"bots": "some"}, "Write “with” or “without”."),
        ({"game": "poker"}, "The game “poker” does not exist."),
        ({"room": "ZZZZZZ"}, "You have not been in a room with the code ZZZZZZ."),
        ({"room": "%00 — ✂"}, "You have not been in a room with the code %00 — ✂."),
    ],
)
async def test_an_invalid_search_value_is_reported_at_its_field(ana: Visitor, asked: dict[str, str], told: str) -> None:
    await ana.open()
    page = await ana.http.get("/history", params=asked, headers=HTML)
    assert (page.status_code, told in page.text) == (422, True), page.text
    assert 'aria-invalid="true"' in page.text
    answer = await ana.http.get("/api/history", params=asked)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")
    assert told in answer.json()["message"]


async def test_unusual_search_texts_find_nothing_and_cause_no_error(ana: Visitor) -> None:
    await ana.open()
    for odd in ("\0", "\u2028", "x" * 100, "%", "' OR 1=1 --", "<script>"):
        for name in ("q", "person", "before", "zone", "offset"):
            assert await listed(ana, **{name: odd}) == []


async def test_a_match_page_lists_its_rarest_moments_and_links_to_all_moments(
    ana: Visitor, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.matches.story.SPOKEN_FIRST", 1)
    match_id = await played(ana, game="ceausescu", hands=6, bots=["easy", "easy", "easy"])
    path = f"/matches/{match_id}"
    page = (await ana.http.get(path, headers=HTML)).text
    first = re.search(r'<section class="told-first".*?</section>', page, re.DOTALL)
    assert first is not None
    assert len(re.findall(r"&amp;move=", first[0])) == 1
    assert f'href="{path}/moments"' in first[0]
    all_of_it = (await ana.http.get(f"{path}/moments", headers=HTML)).text
    moves = re.findall(r"/replay\?hand=\d+&amp;move=\d+", all_of_it)
    assert len(moves) > 1
    assert set(moves) <= set(re.findall(r"/replay\?hand=\d+&amp;move=\d+", page))
    assert not re.search(r">[^.<]* plays [^.<]*\. [^.<!]* finishes first", all_of_it), "that is of its hand only"
    # The link of the match is enough to see its moments.
    assert (await come().http.get(f"{path}/moments", headers=HTML)).status_code == 200
    assert (await ana.http.get("/matches/none/moments", headers=HTML)).status_code == 404
    assert 'class="told-first"' not in (await ana.http.get(f"{path}?from=1", headers=HTML)).text
    # An imported copy has the same moments.
    record = (await ana.http.get(f"{path}/record.json")).content
    as_json = {"Content-Type": "application/json"}
    kept = await ana.http.post("/api/imports/kept", content=record, headers=as_json)
    [brought] = kept.json()["matches"]
    again = (await ana.http.get(f"/matches/{brought}/moments", headers=HTML)).text
    assert re.findall(r"/replay\?hand=\d+&amp;move=\d+", again)
    # It is over, so it has a story, and no moment is told twice.
    page = (await ana.http.get(f"/matches/{brought}", headers=HTML)).text
    assert ('class="scenes"' in page, 'class="told-first"' in page) == (True, False)
    assert f'href="/matches/{brought}/moments"' in page


async def test_the_album_shows_evenings_with_their_best_moment_and_the_matches_below(ana: Visitor, come: Come) -> None:
    match_id = await played(ana, game="ceausescu", hands=6, bots=["easy", "easy", "easy"])
    [month] = (await ana.http.get("/api/history/evenings")).json()["months"]
    [evening] = month["evenings"]
    assert [match["id"] for match in evening["matches"]] == [match_id] == [evening["id"]]
    assert (evening["kind"], evening["hands"], evening["with_bots"], evening["running"]) == ("evening", 6, 6, True)
    assert (evening["won"], len(evening["others"])) == (False, 3)
    assert len({(face["bird"], face["hue"]) for face in (evening["first"], *evening["others"])}) == 4
    page = html.unescape((await ana.http.get("/history", headers=HTML)).text)
    assert f'<a class="of-evening" href="/matches/{match_id}">' in page
    assert evening["moment"]["text"] in page
    assert (await ana.http.get(evening["moment"]["href"], headers=HTML)).status_code == 200
    assert f"{evening['first']['name']} is ahead." in page
    birds = (await ana.http.get(f"/api/matches/{match_id}/hands/0")).json()["birds"]
    assert {face["name"]: face["bird"] for face in (evening["first"], *evening["others"])} == birds, "as at the table"
    room = {"room": evening["room"]}
    assert (await ana.http.get("/api/history/evenings", params=room)).json()["months"] == [month]
    assert (await come().http.get("/api/history/evenings")).json() == {"months": [], "next": None}
    stranger = come()
    await stranger.open()
    assert (await stranger.http.get("/api/history/evenings", params=room)).status_code == 422

    # An imported match and a variation have cards of their own.
    record = (await ana.http.get(f"/matches/{match_id}/record.json")).content
    await ana.http.post("/api/imports/kept", content=record, headers={"Content-Type": "application/json"})
    [month] = (await ana.http.get("/api/history/evenings")).json()["months"]
    assert [each["kind"] for each in month["evenings"]] == ["import", "evening"]
    assert "imported</small>" in (await ana.http.get("/history", headers=HTML)).text


async def test_only_a_finished_match_has_a_story(ana: Visitor, come: Come) -> None:
    match_id = await played(ana, hands=3, bots=["easy", "easy", "easy"])
    path, story = f"/matches/{match_id}", f"/api/matches/{match_id}/story"
    assert (await ana.http.get(story)).json() == {"scenes": []}
    assert 'class="scenes"' not in (await ana.http.get(path, headers=HTML)).text
    desk = await ana.sit((await ana.http.get("/api/history")).json()["matches"][0]["room"])
    await desk.do("stop", message_id="stopped")

    told = (await come().http.get(story)).json()["scenes"]
    assert told[0]["kind"] == "won"
    assert told[0]["text"].endswith(" ends as President.")
    # The number of scenes varies with the course of the match.
    assert 2 <= len(told) <= 7, told
    page = (await ana.http.get(path, headers=HTML)).text
    assert page.count("(winner)") == page.count("player won")
    assert "This match was broken off." in page
    plain = re.sub("<[^>]+>", "", html.unescape(page))
    for scene in told[:6]:
        assert scene["text"] in plain
        if scene["href"]:
            assert (await ana.http.get(scene["href"], headers=HTML)).status_code == 200
            assert scene["kind"] == "won" or scene["href"] in html.unescape(page)
    assert f'<meta property="og:title" content="President: {told[0]["text"]}">' in html.unescape(page)
    assert (await ana.http.get("/api/matches/none/story")).status_code == 404
    # An imported copy has the same story.
    record = (await ana.http.get(f"{path}/record.json")).content
    kept = await ana.http.post("/api/imports/kept", content=record, headers={"Content-Type": "application/json"})
    [brought] = kept.json()["matches"]
    again = (await ana.http.get(f"/api/matches/{brought}/story")).json()["scenes"]
    assert [(scene["kind"], scene["text"]) for scene in again] == [(scene["kind"], scene["text"]) for scene in told]


async def test_only_participants_and_room_members_can_list_matches(live: Live, ana: Visitor, come: Come) -> None:
    """Players of a match see it, and members of a room see its matches. All others can't learn that it exists."""
    opened = await ana.open(bots=["easy"])
    code = opened["code"]
    desk = await ana.sit(code)
    bob, looker, stranger = come(), come(), come()
    sitting = await bob.sit(code, "Bob")
    match = await begun(desk)
    await looker.sit(code)

    async def room_of(visitor: Visitor, code: str = code) -> Any:
        answer = await visitor.http.get("/api/history", params={"room": code})
        return [each["id"] for each in answer.json()["matches"]] if answer.status_code == 200 else answer.json()["key"]

    # A spectator sees the matches of the room, and has none in the own list.
    assert (await room_of(ana), await room_of(bob), await room_of(looker)) == ([match], [match], [match])
    assert (await listed(ana), await listed(bob), await listed(looker)) == ([match], [match], [])
    # A player of another room gets the same answer as for an unknown room.
    await stranger.open()
    assert await room_of(stranger) == await room_of(stranger, "ZZZZZZ") == "history.no_such_room"
    assert await listed(stranger, q="Ana") == await listed(stranger, person="Bob") == []
    # An unknown guest sees no matches, with any filter.
    guest = await come().http.get("/history", params={"room": code, "q": "Ana"}, headers=HTML)
    assert (guest.status_code, match in guest.text) == (200, False)
    # The same holds for an API client that was not there.
    bearer = {"Authorization": f"Bearer {await token_of(live.base, name='Robin')}"}
    async with httpx2.AsyncClient(base_url=live.base, headers=bearer) as http:
        assert (await http.get("/api/history")).json() == {"matches": [], "next": None}
        assert (await http.get("/api/history", params={"room": code})).status_code == 422

    # A removed player keeps the matches they played, and loses the room.
    await desk.do("remove", name="Bob", ban=True)
    await sitting.ended()
    moved = (await desk.until(lambda update: update["room"]["code"] != code))["room"]["code"]
    for each in (code, moved):
        assert await room_of(bob, each) == await room_of(looker, each) == "history.no_such_room"
        assert await room_of(ana, each) == [match]
    assert await listed(bob) == [match] == await listed(bob, q="Ana")
    # The room's codes must not find the matches either, which would reveal their room.
    assert await listed(bob, q=code) == await listed(bob, q=moved) == []
    assert await listed(ana, q=code) == await listed(ana, q=moved) == [match]
    [line] = (await bob.http.get("/api/history")).json()["matches"]
    assert line["room"] is None
    shown = (await bob.http.get("/history", headers=HTML)).text + (await bob.http.get("/", headers=HTML)).text
    assert moved not in shown
