"""Test that an unexpected error does not end a background task."""

import asyncio
import logging

import pytest

from app.background_tasks import run_with_restarts


async def test_a_failing_task_is_logged_counted_and_restarted(caplog: pytest.LogCaptureFixture) -> None:
    counted: list[str] = []
    runs = 0

    async def fails_twice() -> None:
        nonlocal runs
        runs += 1
        if runs <= 2:
            raise ZeroDivisionError

    async with asyncio.timeout(20):
        await run_with_restarts("heartbeat", fails_twice, counted.append, (0.001, 0.002))
    assert runs == 3
    assert counted == ["heartbeat"] * 2
    lines = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert [line.getMessage() for line in lines] == ["background task failed: heartbeat"] * 2
    assert all(line.exc_info for line in lines)


async def test_a_cancelled_task_ends() -> None:
    async def waits() -> None:
        await asyncio.Event().wait()

    task = asyncio.create_task(run_with_restarts("heartbeat", waits))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
