"""Two servers on one PostgreSQL: players of one room, some here, some there."""

import asyncio
import json

import pytest

from app.settings import Settings
from tests.web.conftest import serving
from tests.web.visitors import Desk, visiting


@pytest.mark.postgres
async def test_a_room_is_played_on_two_nodes_at_once(postgres_url: str) -> None:
    settings = Settings(database_url=postgres_url, retry_ms=100, drain_seconds=3)
    async with (
        serving(settings) as here,
        serving(settings) as there,
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

        # Ana's node leaves; she goes on at the other one, which knows her by the same cookie.
        here.server.leave()
        assert await desks["Ana"].ended() == 1012
        ana.base = there.base
        again: Desk = await ana.sit(code)
        assert again.update["you"]["name"] == "Ana"
        assert json.dumps(again.update["table"]) in tables
