"""Test a killed server, which keeps every acknowledged action, and an orderly stop."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2

from app.settings import Settings
from tests.web.visitors import PATIENCE, Desk, visiting
from tools.local_server.free_port import free_port

ROOT = Path(__file__).parent.parent.parent


@contextlib.asynccontextmanager
async def started(settings: Settings, port: int) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run `pecking-order serve`, from its first answer."""
    environment = {**os.environ, "PECKING_ORDER_RETRY_MS": "100", "PYTHONPATH": str(ROOT)}
    arguments = ("-m", "app", "serve", "--host", "127.0.0.1", "--port", str(port), "--database", settings.database_url)
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, env=environment, cwd=Path(settings.database_url.removeprefix("sqlite:///")).parent,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        async with asyncio.timeout(4 * PATIENCE), httpx2.AsyncClient() as client:
            while True:
                assert process.returncode is None, (await process.communicate())[1].decode()
                with contextlib.suppress(httpx2.TransportError):
                    if (await client.get(f"http://127.0.0.1:{port}/readyz")).status_code == 200:
                        break
                await asyncio.sleep(0.2)  # each answer takes some of the time that the start needs
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def play(desks: list[Desk], actions: int) -> list[tuple[str, dict[str, Any], int]]:
    """Play this number of actions, and return each with its player and its seq."""
    done = []
    while len(done) < actions:
        newest = max((desk.update for desk in desks), key=lambda update: update["seq"])
        if newest["room"]["phase"] != "playing":
            await asyncio.sleep(0.01)
            continue
        desk = next(desk for desk in desks if desk.update["you"]["name"] in newest["table"]["to_act"])
        update = await desk.until(lambda update, seq=newest["seq"]: update["seq"] >= seq)
        action = update["you"]["legal"][0]
        answer = await desk.do("act", action=action)
        done.append((update["you"]["name"], action, answer["seq"]))
        for each in desks:
            await each.until(lambda update, seq=answer["seq"]: update["seq"] >= seq)
    return done


async def test_every_acknowledged_action_survives_killing_the_server(settings: Settings) -> None:
    port = free_port()
    async with visiting(f"http://127.0.0.1:{port}") as come:
        names = ["Ana", "Bob", "Cat", "Dan"]
        visitors = [come() for _ in names]
        async with started(settings, port) as process:
            opened = await visitors[0].open("Ana", game="president")
            code = opened["code"]
            desks = [await visitors[0].sit(code)]
            desks += [await v.sit(code, name) for v, name in zip(visitors[1:], names[1:], strict=True)]
            await desks[0].do("start")
            for desk in desks:
                await desk.until(lambda update: update["room"]["phase"] == "playing")
            done = await play(desks, 9)
            before = [desk.update for desk in desks]
            process.send_signal(signal.SIGKILL)
            await process.wait()
            for desk in desks:
                await desk.ended()
        async with started(settings, port) as process:
            desks = [await visitor.sit(code) for visitor in visitors]
            for desk, was in zip(desks, before, strict=True):
                update = await desk.until(lambda update: all(person["present"] for person in update["room"]["people"]))
                assert update["seq"] >= done[-1][2]
                assert sorted(update["you"]["cards"].split()) == sorted(was["you"]["cards"].split())
                assert update["table"]["to_act"] == was["table"]["to_act"]
                assert update["table"]["trick"] == was["table"]["trick"]
            await play(desks, 4)

            # An orderly stop sends a goodbye to everybody, and the process exits with 0.
            process.send_signal(signal.SIGTERM)
            for desk in desks:
                assert await desk.ended() == 1012
                assert desk.goodbye is not None
                assert desk.goodbye["reason"] == "restart"
            async with asyncio.timeout(PATIENCE):
                assert await process.wait() == 0
