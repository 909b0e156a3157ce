"""Test the table on a television, which shows the view of a spectator in any browser and can't act."""

from app.rooms.views.delta import VERSION
from tests.web.conftest import Live
from tests.web.visitors import Come, Visitor


async def test_a_tv_screen_shows_no_hidden_cards_and_does_not_count_as_present(
    ana: Visitor, come: Come, live: Live
) -> None:
    opened = await ana.open("Ana", bots=["easy", "easy"], bots_delay=10)
    code = opened["code"]
    page = await ana.http.get(f"/r/{code}/screen")
    assert f'data-code="{code}"' in page.text
    screen = await ana.socket(code, asks=f"?protocol={VERSION}&watch=1")
    await screen.until(lambda update: update["room"]["code"] == code)
    assert screen.update["room"]["people"][0]["present"] is False, "a television is not Ana"

    hand = await ana.sit(code)
    await hand.do("start")
    await hand.until(lambda update: update["you"].get("cards"))
    await screen.until(lambda update: update["room"]["phase"] == "playing")
    nobody = {
        "person": False,
        "name": None,
        "role": None,
        "host": False,
        "seat_given": None,
        "requested_seat": None,
        "join_blocked": None,
    }
    assert {frame["you"] == nobody for frame in screen.updates} == {True}
    assert screen.update["table"]["players"]["Ana"]["cards"] == len(hand.update["you"]["cards"].split())

    # The browser is Ana's, and still this socket can't act.
    for message in (
        {"t": "leave"},
        {"t": "join", "name": "Zoe"},
        {"t": "react", "reaction": "egg"},
        {"t": "resume_seat"},
    ):
        assert (await screen.ask(**message))["key"] == "web.only_watches"
    assert (await screen.ask("ping"))["ok"]
    await hand.do("react", reaction="egg")
    assert (await screen.until_shown(1))[0]["by"] == "Ana"
    await hand.close()
    await screen.until(lambda update: update["room"]["people"][0]["present"] is False)


async def test_a_tv_screen_follows_a_new_room_code_only_for_members(ana: Visitor, come: Come) -> None:
    code = (await ana.open())["code"]
    desk = await ana.sit(code)
    stranger = come()
    await stranger.enter(code)
    screens = [
        await ana.socket(code, asks=f"?protocol={VERSION}&watch=1"),
        await stranger.socket(code, asks=f"?protocol={VERSION}&watch=1"),
    ]
    for screen in screens:
        await screen.until(lambda update: update["room"]["code"] == code)
    await desk.do("rotate_code")
    await screens[0].until(lambda update: update["room"]["code"] != code)
    assert await screens[1].ended() == 4404
    moved = await ana.http.get(f"/r/{code}/screen")
    assert (moved.status_code, moved.headers["location"]) == (303, f"/r/{desk.update['room']['code']}/screen")
    assert (await stranger.http.get(f"/r/{code}/screen")).status_code == 404
