"""Test the commands about rooms beside a running server."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from app.rooms.events import KINDS, stored_fields
from app.store.db.schema import room_visits, rooms
from app.web.services import operators
from tests.commands.conftest import Site


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let servers look for changes of operators without a pause."""
    monkeypatch.setattr(operators, "POLL_SECONDS", 0.02)


def secrets_of(site: Site) -> list[str]:
    """Return what the operator must not see by accident: link, secret and cards of the room, each as text."""
    (actor,) = site.live.app.site.registry.loaded_rooms()
    room = actor.room
    assert room.run is not None
    assert room.run.hand.dealt is not None
    hidden = [room.invite, room.chance.secret.hex(), *room.chance.seeds.values()]
    cards = [f"{' '.join(each[:2])}" for each in room.run.hand.dealt.deal.cards.values()]
    return [text for text in (*hidden, *cards) if text]


async def until_logged(site: Site, text: str) -> None:
    async with asyncio.timeout(20):
        while text not in site.log.getvalue():
            await asyncio.sleep(0.01)


async def test_show_names_the_turn_the_people_and_the_last_entries(site: Site) -> None:
    await site.desk.until(lambda update: update["table"]["to_act"] in (["Ana"], ["Bob"]))  # no bot is about to act
    told = await site.json("rooms", "show", site.code.lower())
    assert (told["code"], told["id"], told["game"], told["phase"]) == (site.code, site.room, "president", "playing")
    update = site.desk.update
    assert [each["name"] for each in told["awaited"]] == update["table"]["to_act"]
    people = {each["name"]: each for each in told["people"]}
    assert [people[name]["connected_at"] for name in ("Ana", "Bob")] == [list(told["loaded"])] * 2
    assert sorted(each["bot"] or "" for each in told["people"]) == ["", "", "easy", "easy"]
    assert told["last_entries"][-1]["seq"] == told["entries"]
    texts = [each["text"] for each in told["last_entries"]]
    assert "Bob joins the room." in texts
    assert told["bytes"] > 1000

    await site.bob.close()
    await site.desk.until(lambda update: not all(each["present"] for each in update["room"]["people"]))
    said = (await site.run("rooms", "show", site.room)).stdout
    assert "Ana: seated, connected (" in said
    assert "Bob: seated, not connected, since 20" in said
    assert "connections\n" in said
    lost = await site.run("rooms", "show", "NOSUCH", status=1)
    assert "There is no room NOSUCH" in lost.stderr


async def test_the_log_can_be_read_and_its_secrets_only_with_a_trace(site: Site) -> None:
    secrets = secrets_of(site)
    log = (await site.run("rooms", "log", site.room)).stdout
    lines = [json.loads(line) for line in log.splitlines()]
    assert [line["seq"] for line in lines] == [*range(1, len(lines) + 1)]
    assert {"opened", "joined", "dealt"} <= {line["kind"] for line in lines}
    assert {event["e"] for line in lines for event in line["events"]} >= {"entered", "match_started"}
    view = (await site.run("rooms", "log", site.room, "--at", str(len(lines)))).stdout
    shown = (await site.run("rooms", "show", site.room, "--json")).stdout
    assert json.loads(view)["room"]["phase"] == "playing"
    assert [text for text in secrets if text in log + view + shown] == []

    refused = await site.run("rooms", "log", site.room, "--hidden", typed="n\n", status=1)
    assert "Its people are told" in refused.stdout
    assert site.live.app.site.registry.get_loaded(site.room).room.operator_looks == 0  # type: ignore[union-attr]
    said = await site.run("rooms", "log", site.room, "--at", str(len(lines)), "--hidden", "--yes")
    hidden = json.loads(said.stdout)
    assert hidden["seats"]["Ana"]["cards"] == site.desk.update["you"]["cards"]
    await site.desk.until(lambda update: update["room"]["operator_looks"] == 1)
    await until_logged(site, '"command": "rooms log --hidden"')
    with_data = (await site.run("rooms", "log", site.room, "--hidden", typed="y\n")).stdout
    assert secrets[0] in with_data
    await site.run("rooms", "show", site.room, "--hidden", "--yes")
    update = await site.desk.until(lambda update: update["room"]["operator_looks"] == 3)
    assert "hidden_data_shown" in {event["e"] for told in site.desk.told for event in events_of(told)}
    assert update["table"] is not None


def events_of(update: dict[str, Any]) -> list[dict[str, Any]]:
    return update.get("events", [])


def test_fields_of_log_entries_that_are_shown_have_no_secrets() -> None:
    from app.commands.operate.room_report import HARMLESS_FIELDS

    fields = {key for kind in KINDS.values() for key in stored_fields(kind).values()}
    assert fields >= HARMLESS_FIELDS
    assert not HARMLESS_FIELDS & {
        "secret",
        "value",
        "hash",
        "invite",
        "code",
        "digest",
        "deal",
        "action",
        "cards",
        "cmd",
    }


async def test_rooms_are_listed_by_filters_and_deleted_after_a_look(site: Site) -> None:
    other = site.come()
    small = (await other.open("Cat"))["code"]
    old = (await other.open("Cat"))["code"]
    (room,) = (each["id"] for each in await site.json("rooms", "list", old.lower()))
    long_ago = datetime.now(UTC) - timedelta(days=400)

    def age(connection: sa.Connection) -> None:
        connection.execute(rooms.update().where(rooms.c.id == room).values(active_at=long_ago))
        connection.execute(room_visits.update().where(room_visits.c.room_id == room).values(last_visited_at=long_ago))

    await site.live.app.site.store.database.write(age)
    assert [each["code"] for each in await site.json("rooms", "list")][2:] == [old]
    by_size = await site.json("rooms", "list", "--sort", "size")
    assert by_size[0]["code"] == site.code
    assert by_size[0]["bytes"] > by_size[1]["bytes"] > 500
    assert (await site.json("rooms", "list", "--sort", "people"))[0]["code"] == site.code
    assert [each["code"] for each in await site.json("rooms", "list", "--live")] == [site.code]
    assert "1 of 3 rooms." in (await site.run("rooms", "list", "--unused", "365", "--sort", "size")).stderr
    assert "There is no room NOSUCH" in (await site.run("rooms", "list", "NOSUCH", status=1)).stderr

    await site.run("rooms", "delete", status=2)
    kept = await site.run("rooms", "delete", "--unused", "365", typed="n\n", status=1)
    assert (old in kept.stdout, small in kept.stdout) == (True, False)
    assert f"Room {old} deleted." in (await site.run("rooms", "delete", "--unused", "365", typed="y\n")).stdout
    assert "No such rooms" in (await site.run("rooms", "delete", "--unused", "365")).stdout
    await until_logged(site, '"command": "rooms delete"')
    assert room in site.log.getvalue()
    # A room that is open closes its sockets, also with SQLite.
    await site.run("rooms", "delete", site.code, small, "--yes")
    await site.desk.ended()
    assert await site.json("rooms", "list") == []
