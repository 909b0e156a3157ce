"""Test the commands about people, sizes and bans beside a running server."""

import asyncio
import json

import pytest

from app.web.services import operators
from tests.commands.conftest import Site


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let servers look for changes of operators without a pause."""
    monkeypatch.setattr(operators, "POLL_SECONDS", 0.02)


async def test_people_are_found_exported_and_forgotten(site: Site) -> None:
    (found,) = await site.json("people", "find", "bob")
    assert (found["found_names"], found["rooms"], found["matches"], found["devices"]) == (["Bob"], [site.code], 1, 1)
    assert await site.json("people", "find", "Nobody") == []
    assert found["id"] in (await site.run("people", "find", "Bob")).stdout
    told = json.loads((await site.run("people", "export", found["id"])).stdout)
    assert (told["person"]["name"], told["matches"][0]["name"]) == ("Bob", "Bob")
    assert "There is no person" in (await site.run("people", "export", "nobody", status=1)).stderr

    await site.run("people", "forget", found["id"], typed="n\n", status=1)
    assert "Delete Bob" in (await site.run("people", "forget", found["id"], typed="y\n")).stdout
    assert await site.bob.ended() == 4401
    update = await site.desk.until(lambda update: all(each["name"] != "Bob" for each in update["room"]["people"]))
    assert update["table"] is not None
    assert await site.json("people", "find", "Bob") == []
    assert "Bob" not in (await site.run("rooms", "log", site.room)).stdout
    async with asyncio.timeout(20):
        while '"command": "people forget"' not in site.log.getvalue():
            await asyncio.sleep(0.01)


async def test_size_shows_tables_and_the_largest_rooms(site: Site) -> None:
    await site.come().open("Cat")
    told = await site.json("size", "--rooms", "1")
    assert list(told["rooms"]) == [site.room]
    assert told["database"] >= told["tables"]["room_events"] > 0
    assert list(told["tables"].values()) == sorted(told["tables"].values(), reverse=True)
    said = (await site.run("size", "--rooms", "2")).stdout
    assert f"  room {site.room}\n" in said
    assert "  in all\n" in said
