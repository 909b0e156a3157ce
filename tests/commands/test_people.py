"""Test the commands about people, sizes and bans beside a running server."""

import asyncio
import json
from ipaddress import ip_network

import pytest
from websockets.exceptions import InvalidStatus

from app.web.http.ban_list import BanList
from app.web.services import operators
from tests.commands.conftest import Site, run
from tests.for_each import for_each


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


async def test_a_ban_closes_sockets_and_refuses_requests_until_it_is_lifted(site: Site) -> None:
    for network in ("127.0.0.1", "0.0.0.0/0", "10.1.2.0/24"):
        assert "contains a private network" in (await site.run("ban", "add", network, status=1)).stderr
    await site.run("ban", "add", "nobody", status=2)
    await site.run("ban", "add", "127.0.0.1", "--force")
    await site.run("ban", "add", "2001:db8::7", "--days", "1")
    told = await site.json("ban", "list")
    assert [each["network"] for each in told] == ["127.0.0.1/32", "2001:db8::/64"]
    assert await site.desk.ended() == 1012
    refused = await site.ana.http.get("/")
    assert (refused.status_code, "blocked your network" in refused.text) == (403, True)
    with pytest.raises(InvalidStatus, match="403"):
        await site.ana.socket(site.code)
    assert '"command": "ban add"' in site.log.getvalue()
    await site.run("ban", "lift", "127.0.0.1/32")
    await site.run("ban", "lift", "127.0.0.1/32", status=1)
    async with asyncio.timeout(20):
        while (await site.ana.http.get("/")).status_code == 403:
            await asyncio.sleep(0.01)
    assert "2001:db8::/64 " in (await site.run("ban", "list")).stdout


def test_a_trusted_proxy_is_not_banned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PECKING_ORDER_TRUSTED_PROXIES", "198.51.100.7")
    refused = run("ban", "add", "198.51.100.0/24")
    assert (refused.exit_code, "trusted proxy" in refused.stderr) == (1, True)


@for_each(
    ("address", "banned"),
    [("192.0.2.7", "192.0.2.0/24"), ("::ffff:192.0.2.7", "192.0.2.0/24"), ("2001:db8::1", "2001:db8::/64")],
)
def test_a_ban_covers_the_addresses_of_its_network(address: str, banned: str) -> None:
    bans = BanList()
    assert not bans.covers(address)
    assert bans.replace([ip_network(banned), ip_network("203.0.113.0/24")])
    assert not bans.replace([ip_network("203.0.113.0/24"), ip_network(banned)])
    assert bans.covers(address)
    assert not any(bans.covers(other) for other in ("192.0.3.7", "2001:db9::1", "", "testclient"))
