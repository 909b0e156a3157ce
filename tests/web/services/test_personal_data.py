"""Test the deletion and export of personal data over HTTP and in open rooms."""

import asyncio
import csv
import io
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli import main
from app.settings import Settings
from app.store.deletion.person_deletion import PersonDeletion, unfinished_deletions
from app.store.history import match_export
from app.store.history.match_export import MatchExport
from tests.web.conftest import Live, serving, two_nodes
from tests.web.matches.test_replay import played
from tests.web.visitors import Come, Visitor, visiting


async def test_personal_data_can_be_downloaded_as_one_file(ana: Visitor, come: Come) -> None:
    code = (await ana.open("Ana", bots=["easy", "easy"]))["code"]
    desk = await ana.sit(code)
    await desk.do("start")
    await desk.do("stop")
    answer = await ana.http.get("/api/me/data")
    assert "attachment" in answer.headers["Content-Disposition"]
    told = answer.json()
    assert (told["person"]["name"], len(told["devices"]), [room["code"] for room in told["rooms"]]) == (
        "Ana",
        1,
        [code],
    )
    [match] = told["matches"]
    assert (match["name"], match["record"]["game"]) == ("Ana", "president")
    assert "Ana" in match["record"]["players"]
    stranger = come()
    await stranger.open("Eve")
    assert (await stranger.http.get("/api/me/data")).json()["matches"] == []
    assert (await come().http.get("/api/me/data")).status_code == 401


async def test_all_matches_of_a_person_can_be_downloaded_checked_and_imported(
    live: Live, ana: Visitor, come: Come, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_export, "HANDS_READ", 1)
    monkeypatch.setattr(match_export, "MATCHES_READ", 1)
    matches = [await played(ana, hands, name="=Ana()", bots=["easy", "easy"]) for hands in (2, 1)]
    answer = await ana.http.get("/me/matches.json")
    assert "attachment" in answer.headers["Content-Disposition"]
    told = answer.json()
    assert told["format"] == "climbing-room/1"
    assert [(match["id"], match["name"]) for match in told["matches"]] == [(each, "=Ana()") for each in matches]
    for match in told["matches"]:
        assert match["record"] == (await ana.http.get(f"/matches/{match['id']}/record.json")).json()
    checked = await ana.http.post("/api/imports", content=answer.content, headers={"Content-Type": "application/json"})
    assert [len(match["hands"]) for match in checked.json()["matches"]] == [2, 1]
    file = tmp_path / "matches.json"
    file.write_bytes(answer.content)
    verified = await asyncio.to_thread(CliRunner().invoke, main, ["verify", str(file)])
    assert (verified.exit_code, verified.output.count("fair")) == (4, 3), verified.output

    lines = [*csv.DictReader(io.StringIO((await ana.http.get("/me/hands.csv")).content.decode("utf-8-sig")))]
    own = [line for line in lines if line["you"]]
    assert [(line["match"], line["hand"], line["player"]) for line in own] == [
        (match, str(hand), "'=Ana()")
        for match, hands in zip(matches, (2, 1), strict=True)
        for hand in range(1, hands + 1)
    ]
    assert len(lines) == 3 * len(own)
    assert {line["bot"] for line in lines if not line["you"]} == {"yes"}
    first = (await ana.http.get(f"/api/matches/{matches[0]}")).json()["hands"][0]
    of_first = {line["player"].lstrip("'"): line for line in lines[:3]}
    assert {name: int(line["points"]) for name, line in of_first.items()} == first["points"]
    assert [*of_first] == first["standing"]

    # A second file at a time is refused, also if the first one is cut off.
    assert (await come().http.get("/me/hands.csv")).status_code == 401
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def slow(self: MatchExport, person_id: str) -> AsyncIterator[str]:
        begun.set()
        await may_end.wait()
        yield "Ende"

    monkeypatch.setattr(MatchExport, "stream_csv", slow)
    download = asyncio.create_task(ana.http.get("/me/hands.csv"))
    await begun.wait()
    for path in ("/me/hands.csv", "/me/matches.json", "/api/me/data"):
        refused = await ana.http.get(path)
        assert (refused.status_code, refused.json()["code"]) == (409, "not_now")
    download.cancel()
    while live.app.site.exporting:
        await asyncio.sleep(0.01)
    may_end.set()
    assert (await ana.http.get("/me/hands.csv")).text == "Ende"


async def test_a_deleted_person_is_anonymous_in_every_room(ana: Visitor, come: Come) -> None:
    code = (await ana.open("Ana", game="president", bots=["easy"], bots_delay=0))["code"]
    bob = come()
    desks = [await ana.sit(code), await bob.sit(code, "Bob")]
    other = (await bob.open("Bob"))["code"]
    there = await bob.sit(other)
    await ana.sit(other, "Ana")
    await desks[0].do("start")
    refused = await ana.http.post("/api/me/forget", json={"confirm": False})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_now")
    assert (await ana.http.get("/api/me")).json()["name"] == "Ana"

    assert (await ana.http.post("/api/me/forget", json={"confirm": True})).status_code == 204
    assert await desks[0].ended() == 4401
    assert ana.cookies == ""
    # A bot plays the hand to its end. The other room shows no trace of the name.
    seen = await desks[1].until(lambda update: "Somebody 1" in update["table"]["seats"])
    assert "Ana" not in json.dumps(seen)
    assert seen["room"]["host"] == "Bob"
    await there.until(lambda update: [person["name"] for person in update["room"]["people"]] == ["Bob"])
    await desks[1].do("stop")
    [match] = (await bob.http.get("/api/history")).json()["matches"]
    assert {player["name"] for player in match["players"] if not player["bot"]} == {"Bob", "Somebody 1"}
    again = await come().sit(code)
    assert "Ana" not in json.dumps(again.updates[0])
    # The name is free, and its next owner is another person.
    await again.do("join", name="Ana")


async def test_deleting_a_person_anonymizes_variations_played_by_others_at_once(ana: Visitor, come: Come) -> None:
    match_id = await played(ana)
    bob = come()
    path = f"/api/matches/{match_id}/hands/1/variations"
    bird = next(name for name in await players(bob, match_id) if name != "Ana")
    code = (await bob.http.post(path, json={"move": 3, "seat": bird, "friends": True})).json()["code"]
    desk = await bob.sit(code)
    assert "Ana" in desk.update["table"]["seats"]
    assert (await ana.http.post("/api/me/forget", json={"confirm": True})).status_code == 204
    seen = await desk.until(lambda update: "Somebody 1" in update["table"]["seats"])
    assert "Ana" not in json.dumps(seen)
    eve = await come().sit(code)
    assert "Somebody 1" in eve.update["room"]["seat_plan"]["bots"]
    await eve.do("join", name="Somebody 1")
    assert eve.update["you"]["name"] == "Somebody 1"


async def players(visitor: Visitor, match_id: str) -> list[str]:
    """Return the names of the players in a match."""
    found = (await visitor.http.get(f"/api/matches/{match_id}")).json()["match"]["players"]
    return [player["name"] for player in found]


async def test_a_deletion_request_deletes_only_the_requesting_person(ana: Visitor, come: Come) -> None:
    code = (await ana.open("Ana"))["code"]
    await ana.sit(code)
    assert (await come().http.post("/api/me/forget", json={"confirm": True})).status_code == 401
    eve = come()
    await eve.open("Eve")
    assert (await eve.http.post("/api/me/forget", json={"confirm": True})).status_code == 204
    assert (await ana.http.get("/api/me")).json()["name"] == "Ana"


async def test_a_deletion_removes_the_ban_of_a_person_without_a_name(live: Live, ana: Visitor, come: Come) -> None:
    code, eve = (await ana.open("Ana"))["code"], come()
    host, guest = await ana.sit(code), await eve.sit(code)
    [listed] = (await host.until(lambda update: update["you"]["guests"]))["you"]["guests"]
    await host.do("remove_spectator", number=listed["number"], ban=True)
    assert await guest.ended() == 4403
    [actor] = live.app.site.registry.loaded_rooms()
    assert len(actor.room.banned) == 1
    assert (await eve.http.post("/api/me/forget", json={"confirm": True})).status_code == 204
    assert actor.room.banned == frozenset()


@pytest.mark.postgres
async def test_a_deletion_reaches_every_node(postgres_url: str) -> None:
    async with (
        two_nodes(postgres_url) as (here, there),
        visiting(here.base) as come,
        visiting(there.base) as come_there,
    ):
        ana, bob = come(), come_there()
        code = (await ana.open("Ana", game="president", bots=["easy"], bots_delay=0))["code"]
        desks = [await ana.sit(code), await bob.sit(code, "Bob")]
        await desks[0].until(lambda update: len(update["room"]["people"]) == 3)
        await desks[0].do("start")
        await desks[1].until(lambda update: update["table"] is not None)
        await desks[1].do("send_chat", text="Hello Ana")
        assert (await ana.http.post("/api/me/forget", json={"confirm": True})).status_code == 204
        seen = await desks[1].until(lambda update: "Somebody 1" in update["table"]["seats"])
        assert "Ana" not in json.dumps(seen)
        await desks[1].until_said(lambda lines: [line["text"] for line in lines] == ["Hello Somebody 1"])
        while not desks[1].update["you"].get("legal") and desks[1].update["room"]["phase"] == "playing":
            seq = desks[1].update["seq"]
            await desks[1].until(lambda update, seq=seq: update["seq"] > seq)
        if desks[1].update["room"]["phase"] == "playing":
            await desks[1].do("act", action=desks[1].update["you"]["legal"][0])


async def test_a_deletion_interrupted_by_a_restart_is_finished_afterwards(settings: Settings) -> None:
    async with serving(settings) as live, visiting(live.base) as come:
        ana, bob = come(), come()
        code = (await ana.open("Ana"))["code"]
        await bob.sit(code, "Bob")
        [room] = [runner.id for runner in live.app.site.registry.loaded_rooms()]
        state = live.app.site.registry.loaded_rooms()[0].room
        person = state.members["Ana"].person
        assert person is not None
        await PersonDeletion(live.app.site.store.database, person).mark_as_deleted(datetime.now(UTC))
        cookies = bob.cookies
    async with serving(settings) as live, visiting(live.base) as come:
        store = live.app.site.store
        async with asyncio.timeout(10):
            while await unfinished_deletions(store.database):
                await asyncio.sleep(0.01)
        assert "Ana" not in str([entry.data for entry in await store.log.read(room, 0)])
        again = come()
        desk = await again.socket(code, cookies=cookies)
        await desk.until(lambda update: [person["name"] for person in update["room"]["people"]] == ["Bob"])
