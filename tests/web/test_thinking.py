"""Test hard bots on a real server: stuck or dead workers delay no player, and end with the server."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.rooms.live import bot_thinking
from app.settings import Settings
from app.workers import pool
from tests.e2e.server import Server
from tests.web.conftest import serving
from tests.web.context.test_metrics import samples
from tests.web.visitors import Desk, Visitor, visiting
from tests.workers.test_pool import BROKEN, STUCK


async def sitting(who: Visitor, name: str, **asked: Any) -> Desk:
    """Open a room with three bots, and return the host's socket."""
    opened = await who.open(name, **{"game": "big_two", "bots": ["hard"] * 3, "bots_delay": 0, **asked})
    return await who.sit(opened["code"])


def acted(desk: Desk) -> int:
    """Return the number of actions by bots."""
    plays = {"played", "passed"}
    return sum(event["e"] in plays and event["by"] != desk.update["you"]["name"] for event in told(desk))


def told(desk: Desk) -> list[dict[str, Any]]:
    return [event for update in desk.told for event in update.get("events", ())]


async def play(desk: Desk, until: Callable[[], object]) -> None:
    """Play the first legal action in each turn of this player."""
    while not until():
        seen = await desk.until(lambda update: update["you"].get("legal") or until())
        if seen["you"].get("legal"):
            await desk.ask("act", action=seen["you"]["legal"][0])


async def test_a_stuck_worker_does_not_block_other_players_or_bot_turns(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "COMMAND", STUCK)
    async with serving(settings) as live, visiting(live.base) as come:
        ana, bob = await sitting(come(), "Ana"), await sitting(come(), "Bob", bots=[])
        await ana.do("start")
        await play(ana, lambda: acted(ana) == 0 and not ana.update["you"].get("legal"))
        before, answered = acted(ana), 0
        playing = asyncio.create_task(play(ana, lambda: acted(ana) >= before + 3))
        while not playing.done():
            await bob.do("ready", ready=answered % 2 == 0)
            answered += 1
        await playing
        assert answered > 10, "three turns took the bots half a second each, and nobody else waited for them"
        found = await samples(come())
        without = {labels["reason"]: count for labels, count in found["pecking_order_bot_fallbacks_total"] if count}
        assert without == {"late": pytest.approx(3, abs=1)}
        assert found["pecking_order_bot_worlds_count"][0][1] == 0


async def test_a_hand_with_hard_bots_is_finished_without_any_live_worker(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "COMMAND", BROKEN)
    monkeypatch.setattr(pool, "AGAIN", (0.0, 600.0))
    async with serving(settings) as live, visiting(live.base) as come:
        ana = await sitting(come(), "Ana")
        await ana.do("start")
        await play(ana, lambda: ana.update["room"]["phase"] == "between_hands")


async def test_decisions_of_hard_bots_are_counted_in_metrics(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_thinking, "MIN_WAIT", 60.0)  # don't fail on a slow machine
    async with serving(settings) as live, visiting(live.base) as come:
        ana = await sitting(come(), "Ana")
        await ana.do("start")
        await play(ana, lambda: acted(ana) >= 3)
        found = await samples(come())
        levels = {labels["level"]: value for labels, value in found["pecking_order_bot_decisions_total"]}
        assert levels["hard"] >= 3
        assert found["pecking_order_bot_worlds_sum"][0][1] > 0
        assert found["pecking_order_bot_queue"] == [({}, 0)]


async def test_hard_bots_are_offered_only_if_there_are_workers(settings: Settings) -> None:
    for workers, levels in ((None, ["easy", "medium", "hard"]), (0, ["easy", "medium"])):
        async with serving(settings.model_copy(update={"hard_workers": workers})) as live, visiting(live.base) as come:
            assert (await come().http.get("/api/games")).json()["bots"] == levels


def children(pid: int) -> list[int]:
    """Return the child processes of a process."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()]


def lives(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
async def test_workers_end_when_the_server_stops_or_is_killed(tmp_path: Path, how: signal.Signals) -> None:
    server = Server(tmp_path)
    await asyncio.to_thread(server.start)
    assert server.process is not None
    try:
        async with visiting(server.url) as come:
            ana = await sitting(come(), "Ana")
            await ana.do("start")
            async with asyncio.timeout(30):
                while not (workers := children(server.process.pid)):
                    await asyncio.sleep(0.02)
        os.kill(server.process.pid, how)
        await asyncio.to_thread(server.process.wait, 30)
        async with asyncio.timeout(30):
            while any(map(lives, workers)):
                await asyncio.sleep(0.02)
    finally:
        await asyncio.to_thread(server.stop)
