"""Test a server that is suspended for a while, like a sleeping laptop: it does not count against anybody."""

import asyncio
import signal
import time
from typing import Any

from app.settings import Settings
from tests.web.test_restart import started
from tests.web.visitors import Desk, visiting
from tools.local_server.free_port import free_port

TURN = 3
"""Seconds for a turn."""


async def test_a_suspended_server_takes_plays_that_were_sent_in_time_and_gives_the_rest_of_the_turn(
    settings: Settings,
) -> None:
    port = free_port()
    async with started(settings, port) as process, visiting(f"http://127.0.0.1:{port}") as come:
        ana = come()
        opened = await ana.open(bots=["easy"] * 2, bots_delay=0, clock={"turn": TURN})
        desk = await ana.sit(opened["code"])
        await desk.do("start")
        update, left = await suspended(desk, process)
        asked = asyncio.create_task(desk.ask("act", action=update["you"]["legal"][-1]))
        await asyncio.sleep(left + 1)  # until long after the deadline
        process.send_signal(signal.SIGCONT)
        answer = await asked
        assert answer["ok"], answer
        assert (await missed(desk, answer["seq"])) == 0

        update, _ = await suspended(desk, process, answer["seq"])
        await asyncio.sleep(TURN)
        went_on = time.time()
        process.send_signal(signal.SIGCONT)
        update = await desk.until(lambda newer, seq=update["seq"]: newer["seq"] > seq)
        assert update["you"]["deadline"] >= round(1000 * (went_on + TURN))
        assert (await missed(desk, update["seq"])) == 0


async def suspended(desk: Desk, process: asyncio.subprocess.Process, seq: int = 0) -> tuple[dict[str, Any], float]:
    """Suspend the server in Ana's turn after this entry; return her update and the seconds left of the turn."""
    while True:
        update = await desk.until(lambda newer, seq=seq: newer["seq"] > seq and newer["you"].get("legal"))
        process.send_signal(signal.SIGSTOP)
        left: float = update["you"]["deadline"] / 1000 - time.time()
        if left > 0:  # a slow machine may be late
            return update, left
        process.send_signal(signal.SIGCONT)
        seq = update["seq"]


async def missed(desk: Desk, seq: int) -> Any:
    """Return the number of turns that Ana has missed at this state."""
    update = await desk.until(lambda update: update["seq"] >= seq)
    return update["room"]["people"][0]["missed_turns"]
