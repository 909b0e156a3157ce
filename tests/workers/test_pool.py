"""Test worker processes: their answers, and that a broken worker affects only its own job."""

import asyncio
import os
import random
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import pytest

from app.bots.search.monte_carlo import Budget, SearchResult
from app.bots.search.worker_job import decode_search_result, encode_search_job, run_search_job
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.match import Match
from app.rooms.ports.bot_workers import BotAnswer
from app.workers import pool as pools
from app.workers.frames import add_length_prefix
from app.workers.pool import WorkerPool, create_bot_workers
from tests.rooms.live.test_room_actor import until

STUCK = (sys.executable, "-c", f"import os, time; os.write(1, {add_length_prefix(b'')!r}); time.sleep(600)")
"""A worker that says it is ready and then hangs."""
BROKEN = (sys.executable, "-c", "")
"""A worker that ends at once."""


def jobs() -> Iterator[bytes]:
    """Yield jobs of a hand of Big Two."""
    game = GAMES["big_two"]
    match = Match.start(game, game.option_schema.resolve_options(), ("Ana", "Bob", "Cat", "Dan"))
    pack = list(match.deck())
    random.Random(1).shuffle(pack)
    deal = match.deal(tuple(pack), 1)
    begun = match.begin_hand(deal)
    first = begun.match.to_act[0]
    step = begun.match.apply_action(first, next(begun.match.legal_actions())[1])
    name = step.match.to_act[0]
    told = views.visible_events((*begun.events, *step.events), name)
    for seed in count():
        job = encode_search_job(step.match, name, told, deal.cards[name], Budget(seconds=0.002), seed)
        assert job is not None
        yield job


class Asker:
    """A client that collects its answers."""

    def __init__(self, pool: WorkerPool[SearchResult]) -> None:
        self.pool, self.told, self._jobs = pool, list[BotAnswer](), jobs()

    def ask(self) -> Callable[[], None]:
        return self.pool.submit_job(next(self._jobs), self.told.append)

    async def hear(self) -> BotAnswer:
        """Submit a job and wait for its answer."""
        before = len(self.told)
        self.ask()
        await until(lambda: len(self.told) > before)
        return self.told[-1]


@asynccontextmanager
async def asking(workers: int = 1) -> AsyncIterator[Asker]:
    pool = create_bot_workers(workers)
    try:
        yield Asker(pool)
    finally:
        await pool.close()
        assert not pool.pids


def test_a_job_run_in_this_process_returns_one_of_the_tried_actions() -> None:
    job = next(jobs())
    thought = decode_search_result(run_search_job(job))
    assert thought.action in [each.action for each in thought.tries]
    assert thought.worlds > 0


async def test_a_worker_answers_successive_jobs_at_a_lower_priority_than_the_server() -> None:
    async with asking() as asker:
        assert isinstance(await asker.hear(), SearchResult)
        assert isinstance(await asker.hear(), SearchResult)
        (pid,) = asker.pool.pids
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
async def test_a_worker_inherits_no_secrets_and_no_database_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://user:password@localhost/pecking")
    async with asking() as asker:
        await asker.hear()
        (pid,) = asker.pool.pids
        with open(f"/proc/{pid}/environ", "rb") as environment:
            assert b"password" not in environment.read()
        links = [os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")]
        assert not [link for link in links if "sqlite" in link]


async def test_a_worker_that_is_killed_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async with asking() as asker:
        await asker.hear()
        (pid,) = asker.pool.pids
        os.kill(pid, signal.SIGKILL)
        await until(lambda: asker.pool.pids not in ([pid], []))
        assert isinstance(await asker.hear(), SearchResult)


async def test_a_job_of_a_stuck_worker_is_answered_as_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "COMMAND", STUCK)
    monkeypatch.setattr(pools, "STUCK", 0.1)
    async with asking() as asker:
        assert await asker.hear() == "gone"


async def test_a_full_queue_refuses_jobs_until_a_waiting_job_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "COMMAND", STUCK)
    async with asking() as asker:
        asker.pool.prepare_workers()
        drops = [asker.ask() for _ in range(pools.MAX_QUEUED_PER_WORKER)]
        assert asker.told == []
        asker.ask()
        assert asker.told == ["full"]
        assert asker.pool.queued_jobs == pools.MAX_QUEUED_PER_WORKER
        for drop in drops:
            drop()
        assert asker.pool.queued_jobs == 0
        asker.ask()
        assert asker.told == ["full"], "what nobody waits for any more leaves room for others"


async def test_jobs_are_answered_as_gone_if_no_worker_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "COMMAND", BROKEN)
    monkeypatch.setattr(pools, "AGAIN", (0.0, 600.0))
    async with asking() as asker:
        asker.ask()
        gone: list[BotAnswer] = []
        while "gone" not in gone:
            asker.pool.submit_job(b"", gone.append)()
            await asyncio.sleep(0.01)


async def test_jobs_are_answered_as_gone_if_the_worker_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "COMMAND", ("/nonexistent/python",))
    monkeypatch.setattr(pools, "AGAIN", (0.0, 0.0, 600.0))
    async with asking() as asker:
        asker.pool.prepare_workers()
        while await _now(asker) != "gone":
            await asyncio.sleep(0.01)


async def _now(asker: Asker) -> Any:
    told: list[BotAnswer] = []
    drop = asker.pool.submit_job(b"", told.append)
    drop()
    return told[0] if told else None


async def test_an_invalid_job_does_not_stop_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    async with asking() as asker:
        told: list[BotAnswer] = []
        asker.pool.submit_job(b"no job at all", told.append)
        await until(lambda: told)
        assert told == ["gone"]
        (pid,) = asker.pool.pids
        assert isinstance(await asker.hear(), SearchResult)
        assert asker.pool.pids == [pid]


async def test_a_worker_is_replaced_after_a_maximum_number_of_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "JOBS", 2)
    async with asking() as asker:
        await asker.hear()
        first = asker.pool.pids
        await asker.hear()
        await until(lambda: len(asker.pool.pids) == 1 and asker.pool.pids != first)
        assert isinstance(await asker.hear(), SearchResult)


async def test_workers_that_are_idle_end_and_the_next_job_starts_new_ones() -> None:
    pool = WorkerPool(2, "app.workers.worker", decode_search_result, stuck_seconds=60, idle_seconds=0.05)
    asker = Asker(pool)
    try:
        for _ in range(2):
            assert isinstance(await asker.hear(), SearchResult)
            await until(lambda: not pool.pids)
    finally:
        await pool.close()
