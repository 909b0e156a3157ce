"""Test a server that is suspended for a while, like a sleeping laptop: messages sent in time must count."""

import asyncio
import signal
import time
from typing import Any

from app.settings import Settings
from tests.web.test_restart import free_port, started
from tests.web.visitors import Desk, visiting

TURN = 3
"""Seconds for a turn."""


async def test_a_play_sent_before_the_deadline_counts_after_the_server_was_suspended(settings: Settings) -> None:
    port = free_port()
    async with started(settings, port) as process, visiting(f"http://127.0.0.1:{port}") as come:
        ana = come()
        opened = await ana.open(bots=["easy"] * 2, bots_delay=0, clock={"turn": TURN})
        desk = await ana.sit(opened["code"])
        await desk.do("start")
        while True:
            update = await desk.until(lambda update: update["you"].get("legal"))
            process.send_signal(signal.SIGSTOP)
            left = update["you"]["deadline"] / 1000 - time.time()
            if left > 0:  # a slow machine may be late
                break
            process.send_signal(signal.SIGCONT)
            await desk.until(lambda newer, seq=update["seq"]: newer["seq"] > seq)
        asked = asyncio.create_task(desk.ask("act", action=update["you"]["legal"][-1]))
        await asyncio.sleep(left + 1)  # until long after the deadline
        process.send_signal(signal.SIGCONT)
        answer = await asked
        assert answer["ok"], answer
        assert (await missed(desk, answer["seq"])) == 0


async def missed(desk: Desk, seq: int) -> Any:
    """Return the number of turns that Ana has missed at this state."""
    update = await desk.until(lambda update: update["seq"] >= seq)
    return update["room"]["people"][0]["missed_turns"]
