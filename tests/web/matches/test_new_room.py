"""Test new rooms from a finished match: variations, replayed deals and the comparison of both."""

import json
import re
from dataclasses import replace
from pathlib import Path

from click.testing import CliRunner

from app.cli import main
from tests.store import samples
from tests.web.conftest import Live
from tests.web.matches.test_replay import played
from tests.web.visitors import Come, Visitor

HTML = {"Accept": "text/html"}


async def test_a_variation_continues_a_match_from_a_chosen_move_in_a_new_room(
    ana: Visitor, come: Come, tmp_path: Path
) -> None:
    bob = come()
    match_id = await played(ana)
    hand = (await ana.http.get(f"/api/matches/{match_id}/hands/1")).json()
    frame = hand["frames"][5]
    path = f"/api/matches/{match_id}/hands/1/variations"
    opened = await ana.http.post(path, json={"move": 5, "seat": "Ana"})
    assert opened.status_code == 201, opened.text
    desk = await ana.sit(opened.json()["code"])
    update = next(each for each in desk.updates if each["table"] is not None)
    assert update["table"]["trick"] == frame["table"]["trick"]
    assert sorted(update["you"]["cards"].split()) == sorted(frame["cards"]["Ana"].split())
    assert update["room"]["known_cards"] == {"how": "variation", "hand": 1, "move": 5, "by": [], "players": None}
    assert match_id not in json.dumps(update), "the other match is for those who have its link"
    await desk.do("stop")
    variation = update["room"]["match_id"]

    record = (await ana.http.get(f"/matches/{variation}/record.json")).json()
    assert record["hands"][0]["actions"][:5] == [each["action"] for each in hand["frames"][1:6]]
    again = (await ana.http.get(f"/api/matches/{variation}/hands/0")).json()
    assert again["corrected"] is False
    assert [each["cards"] for each in again["frames"][:6]] == [each["cards"] for each in hand["frames"][:6]]
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    assert "not shuffled" in CliRunner().invoke(main, ["verify", str(file)]).output

    line = (await ana.http.get(f"/api/matches/{variation}")).json()["match"]
    assert line["origin"] == {"how": "variation", "hand": 1, "move": 5, "match": match_id}
    other = (await bob.http.get(f"/api/matches/{variation}")).json()["match"]
    assert other["origin"]["match"] is None
    assert (
        "Variation from hand 2, move 5 of another match."
        in (await bob.http.get(f"/matches/{variation}", headers=HTML)).text
    )

    # The match page links to the variation only for its players.
    for visitor, led in ((ana, True), (bob, False), (come(), False)):
        page = (await visitor.http.get(f"/matches/{match_id}", headers=HTML)).text
        assert ("Variation from hand 2, move 5: " in page, variation in page) == (led, led)
    assert variation not in (await ana.http.get(f"/matches/{match_id}?from=1", headers=HTML)).text

    for asked, status in (({"move": 999, "seat": "Ana"}, 409), ({"move": 1, "seat": "Zoe"}, 404), ({"move": 1}, 422)):
        refused = await ana.http.post(path, json=asked)
        assert refused.status_code == status, refused.text
    nowhere = await ana.http.post("/api/matches/none/hands/0/variations", json={"move": 0, "seat": "A"})
    assert nowhere.status_code == 404


async def test_the_deals_of_a_match_can_be_played_again_and_compared(ana: Visitor, come: Come) -> None:
    bob = come()
    match_id = await played(ana, hands=1)
    opened = await bob.http.post(f"/api/matches/{match_id}/again", json={"name": "Bob"})
    desk = await bob.sit(opened.json()["code"])
    await desk.do("configure", bots_delay=0)
    for _ in range(2):
        await desk.do("add_bot", kind="easy")
    await desk.do("start")
    update = await desk.until(lambda update: update["table"] is not None and update["you"].get("legal"))
    assert update["room"]["known_cards"] == {"how": "deals", "hand": 0, "move": 0, "by": [], "players": None}
    while update["room"]["phase"] == "playing":
        if update["you"].get("legal"):
            answer = await desk.do("act", action=update["you"]["legal"][0])
            await desk.until(lambda update, seq=answer["seq"]: update["seq"] >= seq)
        update = await desk.until(lambda update: update["room"]["phase"] != "playing" or update["you"].get("legal"))
    page = await bob.http.get(f"/matches/{update['room']['match_id']}/compare", headers=HTML)
    assert page.status_code == 200
    for name in ("Ana", "Bob"):
        assert f"<b>{name}</b>" in page.text
    assert f'href="/matches/{update["room"]["match_id"]}"' in page.text
    first, now, more = page.text.partition("<tbody>")[2].partition("</tr>")[0].replace("−", "-").split("</td>")[:3]
    points = [int(cell.rpartition(" · ")[2].partition("<")[0]) for cell in (first, now)]
    assert int(more.rpartition(">")[2]) == points[1] - points[0]
    assert (await bob.http.get(f"/matches/{match_id}/compare", headers=HTML)).status_code == 404
    # Bob played the second match and has the link of the first, whose page links to the comparison. Ana sees no link.
    link = f'href="/matches/{update["room"]["match_id"]}/compare"'
    for visitor, led in ((bob, True), (ana, False), (come(), False)):
        assert (link in (await visitor.http.get(f"/matches/{match_id}", headers=HTML)).text) == led


async def test_the_comparison_of_a_long_match_is_paginated(live: Live, ana: Visitor) -> None:
    first, again = (samples.started(match_id, "room") for match_id in ("first", "again"))
    again = replace(again, origin={"match": "first", "how": "deals", "hand": 0, "move": 0})
    hands = [samples.hand(match.match_id, number, room="room") for match in (first, again) for number in range(60)]
    counted = [replace(each, counts=each.match_id == "first") for each in hands]
    opened = [samples.entry("opened")]
    await live.app.site.store.log.create("room", samples.address("CODE22"), opened, [first, again, *counted])
    for asked, shown, ways in (
        ("", range(1, 26), {"next": "?from=25"}),
        ("?from=25", range(26, 51), {"prev": "", "next": "?from=50"}),
        ("?from=50", range(51, 61), {"prev": "?from=25"}),
    ):
        page = (await ana.http.get(f"/matches/again/compare{asked}", headers=HTML)).text
        assert re.findall(r"<caption>Hand (\d+)", page) == [str(number) for number in shown]
        assert f'aria-current="page">Hands {shown[0]}–{shown[-1]}<' in page
        assert dict(re.findall(r'"/matches/again/compare(\S*)" rel="(\w+)"', page)) == {
            to: way for way, to in ways.items()
        }
    assert (await ana.http.get("/matches/again/compare?from=60", headers=HTML)).status_code == 404
