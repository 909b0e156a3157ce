"""Test the queue for long work, in which addresses take turns."""

import asyncio
from typing import Any

import pytest

from app.web.http import work_queue
from app.web.http.errors import HttpError
from app.web.http.work_queue import IN_QUEUE, WorkQueue


class Works:
    """Jobs that run until the test ends them."""

    def __init__(self, **sizes: int) -> None:
        self.queue = WorkQueue(**sizes)
        self.began = list[str]()
        self._may_end = asyncio.Semaphore(0)

    def ask(self, address: str, *, is_large: bool = False) -> "asyncio.Task[None]":
        return asyncio.create_task(self._work(address, is_large=is_large))

    async def _work(self, address: str, *, is_large: bool) -> None:
        async with self.queue.worker_slot(address, is_large=is_large):
            self.began.append(address)
            await self._may_end.acquire()

    async def end_one(self) -> None:
        self._may_end.release()
        await settled()


async def settled() -> None:
    """Let the event loop run until nothing more happens."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_addresses_take_turns_although_one_floods_the_queue() -> None:
    works = Works()
    tasks = [works.ask("flood") for _ in range(work_queue.MOST_OF_ONE)]
    await settled()
    tasks += [works.ask("ana"), works.ask("bob")]
    await settled()
    for _ in tasks:
        await works.end_one()
    assert works.began[:5] == ["flood", "flood", "ana", "bob", "flood"]
    assert works.began.count("flood") == work_queue.MOST_OF_ONE
    await asyncio.gather(*tasks)


async def test_one_address_has_at_most_two_jobs_in_the_queue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(work_queue, "MOST_WAITING", 3)
    works = Works()
    tasks = [works.ask("flood") for _ in range(work_queue.MOST_OF_ONE)]
    await settled()
    # One job runs and one waits, so the queue has space for two more.
    tasks += [works.ask("ana"), works.ask("bob")]
    await settled()
    assert not any(task.done() for task in tasks)
    with pytest.raises(HttpError):
        await works.ask("cat")
    with pytest.raises(HttpError):
        await works.ask("flood")
    for _ in tasks:
        await works.end_one()
    await asyncio.gather(*tasks)
    assert IN_QUEUE == 2


@pytest.mark.parametrize("moment", ["waiting", "just given its turn", "working", "before the queue"])
async def test_cancelling_a_job_does_not_take_the_turn_of_another(moment: str) -> None:
    works = Works()
    first, second, third = works.ask("ana"), works.ask("bob"), works.ask("cat")
    more = [works.ask("bob"), works.ask("bob")]
    await settled()
    if moment == "just given its turn":
        works._may_end.release()
        while len(works.queue._waiting.get("bob", ())) > 1 and works.began == ["ana"]:
            await asyncio.sleep(0)
    leaves: asyncio.Task[Any] = {"working": first, "before the queue": more[1]}.get(moment, second)
    leaves.cancel()
    await settled()
    for _ in range(6):
        await works.end_one()
    done = await asyncio.gather(first, second, third, *more, return_exceptions=True)
    assert [isinstance(each, asyncio.CancelledError) for each in done].count(True) == 1
    assert works.began.count("cat") == 1
    # The queue keeps no reference to them.
    assert (works.queue._waiting, works.queue._addresses, works.queue._running) == ({}, {}, 0)


async def test_large_jobs_leave_a_place_for_small_jobs_and_an_address_has_one_job_at_a_time() -> None:
    works = Works(at_once=2, of_an_address=1)
    tasks = [works.ask(address, is_large=True) for address in ("ana", "ana", "bob")]
    tasks += [works.ask(address) for address in ("ana", "cat", "dan")]
    await settled()
    assert works.began == ["ana", "cat"], "two jobs run, one of them large"
    for _ in tasks:
        await works.end_one()
    assert works.began == ["ana", "cat", "bob", "dan", "ana", "ana"]
    await asyncio.gather(*tasks)
    assert works.queue._large_running == 0
