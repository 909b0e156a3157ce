"""Test two servers on one PostgreSQL, with players of one room on both."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from app.rooms.views.delta import VERSION
from tests.web.conftest import two_nodes
from tests.web.visitors import Desk, visiting
from tools.local_server.server_process import LocalServer


@pytest.mark.postgres
async def test_players_of_one_room_can_play_on_two_nodes(postgres_url: str) -> None:
    async with (
        two_nodes(postgres_url) as (here, there),
        visiting(here.base) as come,
        visiting(there.base) as come_there,
    ):
        ana, bob, cat = come(), come_there(), come_there()
        opened = await ana.open("Ana", game="president")
        code = opened["code"]
        desks = {"Ana": await ana.sit(code), "Bob": await bob.sit(code, "Bob"), "Cat": await cat.sit(code, "Cat")}
        await desks["Ana"].until(lambda update: len(update["room"]["people"]) == 3)
        await desks["Ana"].do("start")
        for _ in range(12):
            await asyncio.gather(*(desk.until(lambda update: update["table"] is not None) for desk in desks.values()))
            newest = max((desk.update for desk in desks.values()), key=lambda update: update["seq"])
            name = newest["table"]["to_act"][0]
            update = await desks[name].until(lambda update, seq=newest["seq"]: update["seq"] >= seq)
            answer = await desks[name].do("act", action=update["you"]["legal"][0])
            for desk in desks.values():
                await desk.until(lambda update, seq=answer["seq"]: update["seq"] >= seq)
        tables = {json.dumps(desk.update["table"]) for desk in desks.values()}
        assert len(tables) == 1

        # Ana's node stops, and she reconnects to the other one with the same cookie.
        here.server.start_draining()
        assert await desks["Ana"].ended() == 1012
        ana.base = there.base
        again: Desk = await ana.sit(code)
        assert again.update["you"]["name"] == "Ana"
        assert json.dumps(again.update["table"]) in tables


@pytest.mark.postgres
async def test_signing_out_on_one_node_ends_the_session_on_the_other(postgres_url: str) -> None:
    async with (
        two_nodes(postgres_url) as (here, there),
        visiting(here.base) as come,
        visiting(there.base) as come_there,
    ):
        ana, bob = come(), come()
        desk = await bob.sit((await ana.open("Ana"))["code"], "Bob")  # this node has not looked up Ana's session yet
        hers = ana.cookies
        for visitor in (ana, bob):
            elsewhere = come_there()
            elsewhere.http.cookies.update(visitor.http.cookies)
            [device] = (await elsewhere.http.get("/api/me/devices")).json()
            assert (await elsewhere.http.delete(f"/api/me/devices/{device['id']}")).status_code == 204
        assert await desk.ended() == 4401  # this node learns it, for Ana as well
        me = await ana.http.get("/api/me", headers={"Cookie": hers})
        assert me.json()["known"] is False


@pytest.mark.postgres
async def test_a_host_removes_spectators_of_another_node(postgres_url: str) -> None:
    async with (
        two_nodes(postgres_url) as (here, there),
        visiting(here.base) as come,
        visiting(there.base) as come_there,
    ):
        ana, (gus, eve, tv) = come(), (come_there(), come_there(), come_there())
        code = (await ana.open("Ana"))["code"]
        host = await ana.sit(code)
        guests: dict[str, Desk] = {}
        numbers: list[int] = []
        for name, visitor, asks in (("Gus", gus, ""), ("Eve", eve, ""), ("TV", tv, "&watch=1")):
            await visitor.enter(code)
            guests[name] = await visitor.socket(code, asks=f"?protocol={VERSION}{asks}")
            count = len(guests)
            listed = (await host.until(lambda update, n=count: len(update["you"]["guests"]) == n))["you"]["guests"]
            numbers += [each["number"] for each in listed if each["number"] not in numbers]
        assert [each["screen"] for each in listed] == [False, False, True]
        assert "guests" not in guests["Gus"].update["you"]

        await host.do("remove_spectator", number=numbers[0])
        assert await guests["Gus"].ended() == 4405
        again = await gus.sit(code)

        await host.do("remove_spectator", number=numbers[1], ban=True)
        assert await guests["Eve"].ended() == 4403
        for desk in (again, guests["TV"]):
            new = (await desk.until(lambda update: update["room"]["code"] != code))["room"]["code"]
        assert await (await eve.socket(new)).ended() == 4403
        assert await (await eve.socket(code)).ended() == 4404
        # A guest who stayed gets in by the old code after a lost connection, a stranger does not.
        await (await gus.socket(code)).until(lambda update: update["room"]["code"] == new)
        assert (await come().http.get(f"/r/{code}")).status_code == 404


@asynccontextmanager
async def two_processes(database: str) -> AsyncIterator[tuple[LocalServer, LocalServer]]:
    """Run two servers with fast heartbeats."""
    one, two = (LocalServer(database, HEARTBEAT_SECONDS="0.5", RETRY_MS="100") for _ in range(2))
    try:
        await asyncio.to_thread(one.start)  # alone, because it creates the tables
        await asyncio.to_thread(two.start)
        yield one, two
    finally:
        for server in (one, two):
            await asyncio.to_thread(server.stop)


@pytest.mark.postgres
async def test_people_connected_to_a_killed_node_become_absent(postgres_url: str) -> None:
    async with (
        two_processes(postgres_url) as (one, two),
        visiting(f"http://127.0.0.1:{one.port}") as come,
        visiting(f"http://127.0.0.1:{two.port}") as come_there,
    ):
        ana, bob, host, guest = come(), come_there(), come(), come_there()
        playing = (await ana.open("Ana", game="president", bots=["easy", "easy"], clock={"away": 0.2}))["code"]
        waiting = (await host.open("Hugo", clock={"away": 0.2}))["code"]
        hers = await ana.sit(playing)
        table = await bob.sit(playing, "Bob")
        await host.sit(waiting)
        lobby = await guest.sit(waiting, "Guest")
        await table.until(lambda update: len(update["room"]["people"]) == 4)
        await hers.do("start")
        await table.until(lambda update: update["room"]["phase"] == "playing")

        one.kill()

        await table.until(lambda update: "Ana" in {p["name"] for p in update["room"]["people"] if p["stand_in"]})
        update = await lobby.until(lambda update: update["room"]["host"] == "Guest")
        assert {p["name"]: p["present"] for p in update["room"]["people"]} == {"Hugo": False, "Guest": True}
