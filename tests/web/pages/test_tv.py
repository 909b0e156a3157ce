"""Test the table on a television, which shows the view of a spectator in any browser and can't act."""

from urllib.parse import quote

from app.rooms.views.delta import VERSION
from tests.web.conftest import Live
from tests.web.visitors import Come, Desk, Visitor


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


async def test_a_room_can_show_its_table_to_members_only(ana: Visitor, come: Come) -> None:
    code = (await ana.open("Ana", bots=["easy", "easy"], bots_delay=10))["code"]
    host, gus, tv = await ana.sit(code), come(), come()
    await host.do("start")
    await host.until(lambda update: update["you"].get("cards"))
    await host.do("send_chat", text="Hello")
    guest, screen = await gus.sit(code), await _screen(tv, code)
    for desk in (guest, screen):
        await desk.until(lambda update: update["table"] is not None)
        await desk.until_said(lambda lines: [line["text"] for line in lines] == ["Hello"])
    assert host.update["you"]["screen_key"] is None

    # Nobody who has not joined sees the table, its events and the chat, not even what was sent before.
    await host.do("configure", allow_spectators=False)
    for desk in (guest, screen):
        seen = await desk.until(lambda update: update["table"] is None)
        assert (seen["events"], seen["hand_history"]) == ([], [])
        await desk.until_said(lambda lines: lines == [])
    await host.do("add_bot", kind="easy")
    await host.do("send_chat", text="Alone")
    seen = await guest.until(lambda update: len(update["room"]["people"]) == 4)
    assert (seen["table"], seen["events"], seen["room"]["phase"]) == (None, [], "playing")
    assert 'name="watch"' not in (await come().http.get(f"/j/{seen['room']['invite']}")).text

    # A television gets in by the link of a member, and a guest by joining.
    key = (await host.until(lambda update: update["you"]["screen_key"]))["you"]["screen_key"]
    await (await _screen(tv, code, "é")).until(lambda update: update["table"] is None)
    shown = await _screen(tv, code, key)
    await shown.until(lambda update: update["table"] is not None)
    assert shown.update["you"]["name"] is None
    await shown.until_said(lambda lines: [line["text"] for line in lines] == ["Hello", "Alone"])
    assert guest.chat == []
    await guest.do("join", name="Gus")
    seen = await guest.until(lambda update: update["table"] is not None)
    assert seen["hand_history"]
    await guest.until_said(lambda lines: [line["text"] for line in lines] == ["Hello", "Alone"])
    await guest.do("leave")
    await guest.until(lambda update: update["table"] is None)
    await host.do("configure", allow_spectators=True)
    await guest.until(lambda update: update["table"] is not None)


async def _screen(visitor: Visitor, code: str, key: str = "") -> Desk:
    """Open a television's socket to a room."""
    if not visitor.cookies:
        await visitor.enter(code)
    return await visitor.socket(code, asks=f"?protocol={VERSION}&watch=1&key={quote(key)}")
