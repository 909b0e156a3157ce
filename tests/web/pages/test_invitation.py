"""Test the page of an invitation: its form works by a POST, with the checks, refusals and limits of `join`."""

import html
import re
from typing import Any

import pytest

from app.settings import Limits, Settings
from app.web.services import joining
from tests.web.conftest import serving
from tests.web.visitors import Come, Visitor, visiting

HTML = {"Accept": "text/html"}


async def opened_by(ana: Visitor, **asked: Any) -> tuple[str, str]:
    """Open a room, and return its code and the path of its invitation."""
    opened = await ana.open(**asked)
    return opened["code"], f"/j/{opened['invite']}"


async def post(who: Visitor, link: str, **fields: str) -> Any:
    return await who.http.post(link, data=fields, headers=HTML)


def problem_in(page: str) -> str:
    """Return the refusal that the form shows beside the name."""
    [found] = re.findall(r'<p id="name-problem" class="problem" role="alert">(.*?)</p>', page)
    return html.unescape(str(found))


def person_in(update: dict[str, Any], name: str) -> dict[str, Any]:
    return next(person for person in update["room"]["people"] if person["name"] == name)


async def test_a_guest_joins_by_the_form_and_counts_as_present_until_the_page_has_a_socket(
    ana: Visitor, come: Come
) -> None:
    code, link = await opened_by(ana, bots=["easy"])
    host, bob = await ana.sit(code), come()
    page = await bob.http.get(link, headers={**HTML, "Accept-Encoding": "gzip"})
    assert page.status_code == 200
    assert "content-encoding" not in page.headers  # the page contains the invitation (BREACH)
    assert "Ana and Pip are here to play" in page.text
    face = re.findall(r'name="face" value="(\w+ \w+)"', page.text)[1]
    # A form that is posted twice lets one person in.
    for _ in range(2):
        answer = await post(bob, link, name=" Bob ", face=face)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/r/{code}")
    update = await host.until(lambda update: person_in(update, "Bob"))
    assert update["room"]["birds"]["Bob"] == face.split()[0]
    assert (person_in(update, "Bob")["role"], person_in(update, "Bob")["present"]) == ("seated", True)
    assert (await bob.http.get("/api/me")).json()["name"] == "Bob"
    assert (await bob.http.get(link, headers=HTML)).headers["location"] == f"/r/{code}"
    desk = await bob.sit(code)
    await desk.close()
    await host.until(lambda update: not person_in(update, "Bob")["present"])


async def test_the_form_names_all_files_that_the_page_of_the_room_loads_at_once(ana: Visitor, come: Come) -> None:
    code, link = await opened_by(ana, bots=["easy", "easy"])
    host, guest = await ana.sit(code), come()
    for waits in (True, False):
        form = (await guest.http.get(link, headers=HTML)).text
        room = (await come().http.get(f"/r/{code}", headers=HTML)).text
        [named] = re.findall(r'data-of-room="([^"]+)"', form)
        loaded = re.findall(r'<link rel="(?:modulepreload|preload|stylesheet)" href="([^"]+)"', room)
        assert len(loaded) > 4
        assert {*loaded} <= {*named.split(), *re.findall(r'<link rel="stylesheet" href="([^"]+)"', form)}
        if waits:
            await host.do("start")


async def test_a_guest_whose_page_never_comes_is_away_after_a_while(
    ana: Visitor, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, link = await opened_by(ana)
    host = await ana.sit(code)
    monkeypatch.setattr(joining, "ARRIVAL_SECONDS", 0)
    assert (await post(come(), link, name="Bob")).status_code == 303
    await host.until(lambda update: not person_in(update, "Bob")["present"])


NAMES = ["ana", "\u200b", "x" * 21, "x" * 65, "Ana\u0411", "You", "Stop. Bob", "e" + "\u0301" * 15]
"""Names that are taken, without letters, too long, of mixed alphabets, reserved, or misleading."""


async def test_the_form_refuses_names_and_faces_as_the_message_join_does(ana: Visitor, come: Come) -> None:
    code, link = await opened_by(ana)
    program, guest = await come().sit(code), come()
    asked = [{"name": name} for name in NAMES]
    asked += [{"name": "Bob", "bird": bird, "colour": colour} for bird, colour in (("emu", "sky"), ("owl", "pink"))]
    for fields in asked:
        refused = await program.ask("join", **fields)
        assert not refused["ok"]
        face = {"face": f"{fields['bird']} {fields['colour']}"} if "bird" in fields else {}
        answer = await post(guest, link, name=fields["name"], **face)
        assert answer.status_code == (409 if refused["code"] == "name_taken" else 400), fields
        assert problem_in(answer.text) == refused["message"]
        assert f'value="{fields["name"]}"' in answer.text
    assert problem_in((await post(guest, link, name=" ")).text) == "Your name is missing. Enter a name first."
    assert [person["name"] for person in program.update["room"]["people"]] == ["Ana"]


async def test_a_locked_room_says_so_without_a_form_and_refuses_a_post(ana: Visitor, come: Come) -> None:
    code, link = await opened_by(ana)
    host, eve = await ana.sit(code), come()
    assert 'id="join"' in (await eve.http.get(link, headers=HTML)).text
    await host.do("lock")
    refused = await (await come().sit(code)).ask("join", name="Eve")
    for page in (await eve.http.get(link, headers=HTML), await post(eve, link, name="Eve")):
        assert page.status_code in (200, 409)
        assert refused["message"] in html.unescape(page.text)
        assert 'id="join"' not in page.text
    watched = await post(eve, link, watch="1")
    assert (watched.status_code, watched.headers["location"]) == (303, f"/r/{code}#watch")
    assert (await eve.http.get(link, headers=HTML)).status_code == 303


async def test_a_post_from_another_site_or_with_a_wrong_invitation_is_refused(ana: Visitor, come: Come) -> None:
    code, link = await opened_by(ana)
    host = await ana.sit(code)
    foreign = await come().http.post(link, data={"name": "Eve"}, headers={"Origin": "https://other.example"})
    assert (foreign.status_code, foreign.json()["code"]) == (403, "bad_origin")
    assert (await post(come(), "/j/nowhere", name="Eve")).status_code == 404
    await host.do("rotate_code")
    assert (await post(come(), link, name="Eve")).status_code == 404
    assert (await post(come(), f"/j/{host.update['room']['invite']}", name="x" * 70_000)).status_code == 413


async def test_an_absent_player_asks_to_come_back_from_the_form(ana: Visitor, come: Come) -> None:
    code, link = await opened_by(ana, bots=["easy", "easy"])
    host, bob, tablet = await ana.sit(code), come(), come()
    await (await bob.sit(code, "Bob")).close()
    await host.until(lambda update: not person_in(update, "Bob")["present"])
    page = await post(tablet, link, name="Bob")
    assert page.status_code == 409
    assert "Bob is away. Are you Bob on another device?" in page.text
    assert problem_in((await post(tablet, link, name="Dan", ask="seat")).text) == "Nobody of that name is in this room."
    asked = await post(tablet, link, name="Bob", ask="seat")
    assert (asked.status_code, asked.headers["location"]) == (303, f"/r/{code}")
    await host.until(lambda update: person_in(update, "Bob")["seat_requested"])
    assert (await tablet.http.get(link, headers=HTML)).status_code == 303


async def test_a_guest_can_replace_a_bot_of_a_full_table(ana: Visitor, come: Come) -> None:
    code, link = await opened_by(ana, game="big_two", bots=["easy", "easy", "easy"])
    host, bob = await ana.sit(code), come()
    page = (await bob.http.get(link, headers=HTML)).text
    assert "You replace a bot" in page
    bot = re.findall(r'<option value="(\w+)">', page)[0]
    assert (await post(bob, link, name="Bob", chair=bot)).status_code == 303
    people = (await host.until(lambda update: person_in(update, "Bob")["role"] == "seated"))["room"]["people"]
    assert bot not in [person["name"] for person in people]


async def test_the_form_has_the_limits_of_the_socket(settings: Settings) -> None:
    few = Limits(messages_per_second=0.001, messages_at_once=1, seat_requests_per_hour=1, log_bytes_per_hour=3000)
    async with serving(settings.model_copy(update={"limits": few})) as live, visiting(live.base) as come:
        ana, bob, dan = come(), come(), come()
        _, link = await opened_by(ana)
        await bob.http.get(link, headers=HTML)
        for fields, status, said in (
            ({"name": "Ana"}, 409, "Someone here is already called Ana."),
            ({"name": "Bob"}, 429, "Too many requests. Wait a moment."),
        ):
            answer = await post(bob, link, **fields)
            assert (answer.status_code, problem_in(answer.text)[: len(said)]) == (status, said)
        assert (await post(come(), link, name="Ana", ask="seat")).status_code != 429
        answer = await post(come(), link, name="Ana", ask="seat")
        assert (answer.status_code, "for seats" in problem_in(answer.text)) == (429, True)
        assert (await post(dan, link, name="Dan")).status_code == 303
        live.app.site.log_limits.count_bytes("127.0.0.1", 10_000)
        answer = await post(come(), link, name="Cat")
        assert (answer.status_code, "saved too much" in problem_in(answer.text)) == (429, True)
        assert sorted(live.app.site.registry.loaded_rooms()[0].room.members) == ["Ana", "Dan"]
