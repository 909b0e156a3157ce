"""Test deals over real sockets: seeds that arrive or not, a server killed in between, and another node."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from app.cli import main
from app.rooms.model.shuffle_proof import seed_hash
from app.settings import Settings
from tests.web.conftest import two_nodes
from tests.web.test_restart import started
from tests.web.visitors import Come, Desk, Visitor, visiting
from tools.local_server.free_port import free_port


def seed_of(desk: Desk) -> str:
    name: str = desk.update["you"]["name"]
    return name.encode().hex().ljust(32, "0")


async def promise(*desks: Desk) -> None:
    for desk in desks:
        commitment = desk.update["room"]["fair"]["commitment"]
        await desk.do("seed_hash", commitment=commitment, hash=seed_hash(seed_of(desk)))


async def closed(desk: Desk) -> dict[str, Any]:
    """Return the closed list of seed hashes, once it is shown."""
    update = await desk.until(lambda update: update["room"]["fair"]["closed"])
    shown: dict[str, Any] = update["room"]["fair"]["closed"]
    return shown


async def dealt(desk: Desk) -> dict[str, Any]:
    return await desk.until(lambda update: update["room"]["phase"] == "playing")


async def table(come: Come) -> tuple[Visitor, list[Desk]]:
    """Open a room of Ana and two others, in a game with short hands."""
    visitors = [come() for _ in range(3)]
    code = (await visitors[0].open("Ana", game="chase_the_ace"))["code"]
    desks = [await visitor.sit(code, name) for visitor, name in zip(visitors, ("Ana", "Bob", "Cat"), strict=True)]
    return visitors[0], desks


async def play_to_the_end(desks: list[Desk]) -> None:
    while True:
        newest = max((desk.update for desk in desks), key=lambda update: update["seq"])
        if newest["room"]["phase"] != "playing":
            return
        acting = next(desk for desk in desks if desk.update["you"]["name"] in newest["table"]["to_act"])
        update = await acting.until(lambda update, seq=newest["seq"]: update["seq"] >= seq)
        answer = await acting.do("act", action=update["you"]["legal"][0])
        for desk in desks:
            await desk.until(lambda update, seq=answer["seq"]: update["seq"] >= seq)


async def test_verify_proves_a_deal_with_the_closed_list_a_player_saw(come: Come, tmp_path: Path) -> None:
    ana, desks = await table(come)
    await promise(*desks)
    await desks[0].do("start")
    lists = [await closed(desk) for desk in desks]
    assert lists[1:] == lists[:-1]
    for desk in desks:
        await desk.do("seed", value=seed_of(desk))
    update = await dealt(desks[0])
    assert update["room"]["fair"]["left_out"] == []
    match = update["room"]["match_id"]
    await play_to_the_end(desks)
    record = (await ana.http.get(f"/matches/{match}/record.json")).json()
    file, seen = tmp_path / "record.json", tmp_path / "list.json"
    file.write_text(json.dumps(record))
    seen.write_text(json.dumps({"hand": 1, "list": lists[0]}))
    told = CliRunner().invoke(main, ["verify", str(file), "--list", str(seen)])
    assert told.exit_code == 0, told.output
    assert "Hand 1: fair (players’ seeds were fixed before the first was shown)" in told.output
    assert "Hand 1: its closed list is the one that the player saw" in told.output
    for other in ({"commitment": "0" * 64}, {"hashes": {}}, {"order": {}}):
        seen.write_text(json.dumps({"hand": 1, "list": {**lists[0], **other}}))
        told = CliRunner().invoke(main, ["verify", str(file), "--list", str(seen)])
        assert (told.exit_code, "not the list that the player saw" in told.output) == (1, True), told.output
    for nonsense in ("[]", "{", '{"hand": 0, "list": {}}'):
        seen.write_text(nonsense)
        told = CliRunner().invoke(main, ["verify", str(file), "--list", str(seen)])
        assert (told.exit_code, "is not a closed list" in told.output) == (2, True), told.output


async def test_players_whose_seed_never_arrives_are_listed_as_left_out(come: Come) -> None:
    _, desks = await table(come)
    await promise(*desks)
    await desks[0].do("start")
    await closed(desks[0])
    await desks[0].do("seed", value=seed_of(desks[0]))
    refused = await desks[1].ask("ready", ready=True)
    assert (refused["code"], refused["key"]) == ("not_now", "room.is_dealing")
    update = await dealt(desks[0])
    assert update["room"]["fair"]["left_out"] == ["Bob", "Cat"]
    late = await desks[1].ask("seed", value=seed_of(desks[1]))
    assert late["code"] == "not_now"


async def test_a_hand_is_dealt_at_once_if_no_player_committed_a_seed(come: Come) -> None:
    _, desks = await table(come)
    answer = await desks[0].do("start")
    update = await desks[0].until(lambda update: update["seq"] >= answer["seq"])
    assert (update["room"]["phase"], update["room"]["fair"]["closed"]) == ("playing", None)


async def test_a_deal_continues_after_the_server_was_killed(settings: Settings) -> None:
    port = free_port()
    async with visiting(f"http://127.0.0.1:{port}") as come:
        visitors = [come() for _ in range(3)]
        async with started(settings, port) as process:
            code = (await visitors[0].open("Ana", game="chase_the_ace"))["code"]
            desks = [await visitor.sit(code, name) for visitor, name in zip(visitors, "ABC", strict=True)]
            await promise(*desks)
            await desks[0].do("start")
            shown = await closed(desks[0])
            process.send_signal(signal.SIGKILL)
            await process.wait()
            for desk in desks:
                await desk.ended()
        async with started(settings, port):
            desks = [await visitor.sit(code) for visitor in visitors]
            update = await dealt(desks[0])
            assert update["room"]["fair"]["closed"] == shown
            assert set(update["room"]["fair"]["left_out"]) <= {"A", "B", "C"}
            await play_to_the_end(desks)


@pytest.mark.postgres
async def test_another_node_finishes_the_deal_when_the_first_node_leaves(postgres_url: str) -> None:
    async with (
        two_nodes(postgres_url) as (here, there),
        visiting(here.base) as come,
        visiting(there.base) as come_there,
    ):
        ana, bob, cat = come(), come_there(), come_there()
        code = (await ana.open("Ana", game="chase_the_ace"))["code"]
        desks = [await ana.sit(code), await bob.sit(code, "Bob"), await cat.sit(code, "Cat")]
        await desks[0].until(lambda update: len(update["room"]["people"]) == 3)
        await promise(*desks)
        await desks[0].do("start")
        await closed(desks[1])
        await desks[1].do("seed", value=seed_of(desks[1]))
        here.server.start_draining()
        update = await dealt(desks[2])
        assert "Bob" not in update["room"]["fair"]["left_out"]
        assert "Cat" in update["room"]["fair"]["left_out"]
