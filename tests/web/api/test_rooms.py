"""Test rooms over real sockets: opening, joining by link, playing, reconnecting, watching."""

import asyncio
import json
from typing import Any

import pytest

from app.rooms.live.room_actor import RoomActor
from tests.web.conftest import Live
from tests.web.visitors import Come, Desk, Visitor


def my_turn(update: dict[str, Any]) -> bool:
    return update["room"]["phase"] == "playing" and update["you"]["name"] in update["table"]["to_act"]


async def table_of(come: Come, names: list[str], **asked: Any) -> tuple[dict[str, Any], list[Visitor], list[Desk]]:
    """Open a room with these people seated. The first is the host."""
    visitors = [come() for _ in names]
    opened = await visitors[0].open(names[0], **asked)
    desks = [await visitors[0].sit(opened["code"])]
    for visitor, name in zip(visitors[1:], names[1:], strict=True):
        await visitor.http.get(f"/j/{opened['invite']}", follow_redirects=True)
        desks.append(await visitor.sit(opened["code"], name))
    return opened, visitors, desks


async def test_four_people_can_join_by_link_with_only_a_name_and_play_a_hand(come: Come) -> None:
    _, _, desks = await table_of(come, ["Ana", "Bob", "Cat", "Dan"], game="president")
    await desks[0].do("start")
    for _ in range(300):
        await asyncio.gather(*(desk.until(lambda update: update["table"] is not None) for desk in desks))
        newest = max((desk.update for desk in desks), key=lambda update: update["seq"])
        if newest["room"]["phase"] != "playing":
            break
        [name] = newest["table"]["to_act"][:1]
        desk = desks[["Ana", "Bob", "Cat", "Dan"].index(name)]
        update = await desk.until(my_turn)
        assert update["you"]["legal"]
        await desk.do("act", action=update["you"]["legal"][-1])
    ended = await desks[0].until(lambda update: update["room"]["phase"] == "between_hands")
    assert len(ended["room"]["hands"]) == 1
    assert ended["room"]["fair"]["previous"]["secret"]


async def test_a_player_who_left_a_match_can_rejoin_only_under_the_same_name(come: Come) -> None:
    opened, visitors, desks = await table_of(come, ["Ana", "Bob"], game="president", bots=["easy"] * 2, bots_delay=0)
    ana, bob = desks
    await ana.do("start")
    await bob.do("leave")
    while True:
        update = await ana.until(lambda update: my_turn(update) or update["room"]["phase"] == "between_hands")
        if update["room"]["phase"] == "between_hands":
            break
        await ana.do("act", action=update["you"]["legal"][-1])
    await ana.do("deal_next")
    await bob.close()
    again = await visitors[1].sit(opened["code"])
    refused = await again.ask("join", message_id="as Eve", name="Eve")
    assert (refused["ok"], refused["code"]) == (False, "not_now")
    assert "You are Bob in this match" in refused["message"]
    await again.do("join", message_id="as Bob", name="Bob")
    await again.until(lambda update: update["you"]["name"] == "Bob")


async def test_the_first_update_after_reconnecting_contains_the_whole_state(come: Come) -> None:
    opened, visitors, desks = await table_of(come, ["Ana", "Bob", "Cat"], game="president")
    await desks[0].do("start")
    before = await desks[1].until(lambda update: update["room"]["phase"] == "playing")
    await desks[1].close()
    again = await visitors[1].sit(opened["code"])
    first = again.updates[0]
    assert first["events"] == []
    assert {"e": "leads", "by": first["table"]["starter"]} in first["hand_history"]
    assert not any("cards" in event for event in first["hand_history"])
    assert first["you"]["name"] == "Bob"
    assert sorted(first["you"]["cards"].split()) == sorted(before["you"]["cards"].split())
    assert first["table"]["seats"] == before["table"]["seats"]


async def test_spectators_never_receive_hidden_cards(come: Come) -> None:
    opened, _, desks = await table_of(come, ["Ana", "Bob", "Cat"], game="president")
    watcher = await come().sit(opened["code"])
    await desks[0].do("start")
    for desk in desks:
        await desk.until(lambda update: update["room"]["phase"] == "playing")
    await watcher.until(lambda update: update["room"]["phase"] == "playing")
    hidden = set().union(*(set(desk.update["you"]["cards"].split()) for desk in desks))
    assert len(hidden) == 52
    for frame in watcher.frames:
        message = json.loads(frame)
        # Unchanged parts are left out of an update.
        you = message.get("you", {})
        assert you.get("cards", "") == ""
        assert not you.get("legal")
        shown = json.dumps([message.get("table"), message.get("events"), you])
        assert not [card for card in hidden if f'"{card}"' in shown or f" {card}" in shown]


async def test_updates_never_contain_cards_of_other_players(come: Come) -> None:
    _, _, desks = await table_of(come, ["Ana", "Bob", "Cat"], game="president")
    await desks[0].do("start")
    for desk in desks:
        await desk.until(lambda update: update["room"]["phase"] == "playing")
    hands = [set(desk.update["you"]["cards"].split()) for desk in desks]
    for mine, desk in enumerate(desks):
        shown = json.dumps([desk.update["table"], desk.update["you"], desk.update["events"]])
        for other, cards in enumerate(hands):
            if other != mine:
                assert not [card for card in cards - hands[mine] if card in shown]


async def test_the_same_command_twice_acts_once_and_gets_the_same_answer(come: Come) -> None:
    opened, visitors, desks = await table_of(come, ["Ana", "Bob", "Cat"], game="president")
    await desks[0].do("start")
    newest = await desks[0].until(lambda update: update["room"]["phase"] == "playing")
    place = ["Ana", "Bob", "Cat"].index(newest["table"]["to_act"][0])
    update = await desks[place].until(my_turn)
    action = update["you"]["legal"][0]
    first = await desks[place].ask("act", message_id="once", action=action)
    assert first["ok"]
    assert await desks[place].ask("act", message_id="once", action=action) == first
    await desks[place].close()
    again = await visitors[place].sit(opened["code"])
    assert await again.ask("act", message_id="once", action=action) == first
    held = len(update["you"]["cards"].split()) - len(action["cards"].split())
    assert again.update["table"]["players"][update["you"]["name"]]["cards"] == held


async def test_a_refused_command_gets_a_code_and_a_message_and_changes_nothing(come: Come) -> None:
    _, _, desks = await table_of(come, ["Ana", "Bob", "Cat"], game="president")
    assert (await desks[1].ask("start"))["code"] == "not_host"
    assert (await desks[1].ask("act", action={"do": "pass"}))["code"] == "not_in_this_phase"
    await desks[0].do("start")
    newest = await desks[0].until(lambda update: update["room"]["phase"] == "playing")
    other = next(desk for desk in desks if desk.update["you"]["name"] not in newest["table"]["to_act"])
    answer = await other.ask("act", action={"do": "pass"})
    assert (answer["code"], bool(answer["message"])) == ("not_your_turn", True)
    assert (await other.ask("act", action={"do": "fly"}))["code"] == "bad_action"
    mover = next(desk for desk in desks if desk.update["you"]["name"] in newest["table"]["to_act"])
    await mover.until(lambda update: update["you"].get("legal"))
    assert (await mover.ask("act", action={"do": "play", "cards": "1x"}))["code"] == "bad_card"
    assert mover.update["seq"] == newest["seq"]


async def test_taken_and_invalid_names_are_refused_and_spaces_are_trimmed(come: Come) -> None:
    opened, _, _ = await table_of(come, ["Ana", "Bob"], game="president")
    stranger = await come().sit(opened["code"])
    assert (await stranger.ask("join", name="ANA"))["code"] == "name_taken"
    assert (await stranger.ask("join", name="\u200b"))["code"] == "bad_name"
    assert (await stranger.ask("join", name="a\u0007"))["code"] == "bad_message"
    await stranger.do("join", name="  Eve  ")
    assert (await stranger.until(lambda update: update["you"]["name"]))["you"]["name"] == "Eve"


async def test_look_returns_the_legal_plays_of_the_given_cards(come: Come) -> None:
    _, _, desks = await table_of(come, ["Ana", "Bob", "Cat"], game="president")
    await desks[0].do("start")
    newest = await desks[0].until(lambda update: update["room"]["phase"] == "playing")
    desk = desks[["Ana", "Bob", "Cat"].index(newest["table"]["to_act"][0])]
    update = await desk.until(my_turn)
    play = next(action for action in update["you"]["legal"] if action["do"] == "play")
    answer = await desk.do("preview_cards", cards=play["cards"])
    assert play in answer["plays"]
    assert "code" not in answer
    held = update["you"]["cards"].split()
    unequal = next(f"{held[0]} {card}" for card in held if card[0] != held[0][0])
    refused = await desk.do("preview_cards", cards=unequal)
    assert (refused["plays"], refused["code"], bool(refused["rule_name"])) == ([], "not_a_combination", True)
    assert (await desk.ask("preview_cards", cards="zz"))["code"] == "bad_card"


async def test_a_banned_player_is_told_why_and_cannot_reconnect(come: Come) -> None:
    opened, visitors, desks = await table_of(come, ["Ana", "Bob"], game="president")
    await desks[0].do("remove", name="Bob", ban=True)
    assert await desks[1].ended() == 4403
    assert desks[1].goodbye is not None
    assert desks[1].goodbye["reason"] == "removed"
    # The room has a new code, which refuses the banned player, too. The old code leads nowhere.
    now = (await desks[0].until(lambda update: update["room"]["code"] != opened["code"]))["room"]["code"]
    for code, ends in ((now, 4403), (opened["code"], 4404)):
        again = await visitors[1].socket(code)
        assert await again.ended() == ends


async def test_a_server_that_shuts_down_sends_a_restart_goodbye_to_all_clients(live: Live, come: Come) -> None:
    _, _, desks = await table_of(come, ["Ana", "Bob"], game="president")
    live.server.start_draining()
    for desk in desks:
        assert await desk.ended() == 1012
        assert desk.goodbye is not None
        assert desk.goodbye["reason"] == "restart"
        assert 100 <= desk.goodbye["retry_ms"] <= 200
    await live.running


async def test_a_new_room_code_reaches_members_and_disconnects_spectators(come: Come) -> None:
    opened, (_, bob), (host, desk) = await table_of(come, ["Ana", "Bob"], game="president", bots=["easy"])
    old = opened["code"]
    looker = come()
    watching = await looker.sit(old)
    await host.do("start")
    await host.do("rotate_code")
    moved = await desk.until(lambda update: update["room"]["code"] != old)
    new, invite = moved["room"]["code"], moved["room"]["invite"]
    assert {"e": "code_changed", "by": "Ana"} in moved["events"]
    assert moved["room"]["phase"] == "playing"

    # A former spectator is a stranger: no message, and every old address leads nowhere.
    assert await watching.ended() == 4404
    assert watching.goodbye == {"t": "goodbye", "reason": "no_room"}
    assert not [frame for frame in watching.frames if new in frame or invite in frame]
    for stranger in (looker, come()):
        for path in (f"/r/{old}", f"/r?code={old}", f"/j/{opened['invite']}", f"/r/{old}/rules", f"/api/rooms/{old}"):
            assert (await stranger.http.get(path)).status_code == 404, path
    again = await looker.socket(old)
    assert await again.ended() == 4404
    home = await looker.http.get("/")
    assert old not in home.text
    assert new not in home.text
    [match] = (await bob.http.get("/api/history")).json()["matches"]
    assert match["room"] == new
    assert (await looker.http.get(f"/api/matches/{match['id']}")).json()["match"]["room"] is None

    # Members continue over open sockets, and by old codes and links.
    assert (await desk.ask("ping"))["ok"]
    for path in (f"/r/{old}", f"/r?code={old}", f"/j/{opened['invite']}"):
        page = await bob.http.get(path, follow_redirects=True)
        assert page.url.path == f"/r/{new}", path
    back = await bob.socket(old)
    assert (await back.until(lambda update: update["you"]["name"]))["room"]["code"] == new
    # New people join by the new link.
    await looker.http.get(f"/j/{invite}", follow_redirects=True)
    await looker.sit(new, "Cat")


async def test_a_banned_player_does_not_learn_the_new_room_code(come: Come) -> None:
    opened, (_, bob), (host, desk) = await table_of(come, ["Ana", "Bob"], game="president")
    await host.do("remove", name="Bob", ban=True)
    new = (await host.until(lambda update: update["room"]["code"] != opened["code"]))["room"]
    assert await desk.ended() == 4403
    assert not [frame for frame in desk.frames if new["code"] in frame or new["invite"] in frame]
    for path in (f"/r/{opened['code']}", f"/j/{opened['invite']}"):
        assert (await bob.http.get(path)).status_code == 404
    home = await bob.http.get("/")
    assert new["code"] not in home.text


async def test_history_and_matches_reveal_the_room_code_only_to_members(come: Come) -> None:
    """A banned player, an API client and a guest see the match without the room's code."""
    _, (ana, bob), (host, desk) = await table_of(come, ["Ana", "Bob"], game="president", bots=["easy"])
    await host.do("start")
    await desk.until(lambda update: update["table"] is not None)
    await host.do("stop")
    await host.do("remove", name="Bob", ban=True)
    new = (await host.until(lambda update: not [p for p in update["room"]["people"] if p["name"] == "Bob"]))["room"]
    [mine] = (await bob.http.get("/api/history")).json()["matches"]
    [hers] = (await ana.http.get("/api/history")).json()["matches"]
    assert (mine["room"], hers["room"]) == (None, new["code"])
    token = (await come().http.post("/api/people", json={"name": "Robot"})).json()["token"]
    for visitor, headers in ((bob, {}), (come(), {}), (come(), {"Authorization": f"Bearer {token}"})):
        for path in (f"/api/matches/{mine['id']}", f"/matches/{mine['id']}", f"/matches/{mine['id']}/record.json"):
            seen = await visitor.http.get(path, headers=headers)
            assert seen.status_code == 200
            assert not [word for word in (new["code"], new["invite"]) if word in seen.text], path
        assert (await visitor.http.get("/api/me/devices", headers=headers)).status_code in (200, 401)
        told = await visitor.http.get("/api/me/data", headers=headers)
        assert new["code"] not in told.text


async def test_a_body_that_is_not_json_is_refused(ana: Visitor) -> None:
    answer = await ana.http.post("/api/rooms", content=b"\0", headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")
    assert answer.json()["message"] == "“0”: JSON decode error."


async def test_an_old_code_admits_no_stranger_if_the_room_is_recoded_during_the_request(
    ana: Visitor, come: Come, live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = await ana.open()
    code, site = opened["code"], live.app.site
    host, bob = await ana.sit(code), come()
    await bob.sit(code, "Bob")
    wake = site.registry.get_or_load

    async def leaving(room: str) -> RoomActor | None:
        """Change the code after it was looked up and before the room is loaded."""
        if not left:
            left.append(room)
            await host.do("rotate_code")
        return await wake(room)

    monkeypatch.setattr(site.registry, "get_or_load", leaving)
    for visitor, status in ((come(), 404), (bob, 200)):
        left: list[str] = []
        assert (await visitor.http.get(f"/api/rooms/{code}")).status_code == status
        assert left == [opened["room"]]
        code = site.registry.loaded_rooms()[0].code
