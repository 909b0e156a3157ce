"""Processes that think: what they come to, and that nothing which happens to one of them is anybody else's trouble."""

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

from app.bots.search.monte_carlo import Budget, Thought
from app.bots.search.worker_job import done, job_of, thought_of
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.match import Match
from app.rooms.ports.bot_workers import Answer
from app.workers import pool as pools
from app.workers.frames import framed
from app.workers.pool import Pool
from tests.rooms.live.test_room_actor import until

STUCK = (sys.executable, "-c", f"import os, time; os.write(1, {framed(b'')!r}); time.sleep(600)")
"""Says that it is ready, and then nothing any more."""
BROKEN = (sys.executable, "-c", "")
"""Ends before it has done anything."""


def jobs() -> Iterator[bytes]:
    """Jobs of a hand of Big Two."""
    game = GAMES["big_two"]
    match = Match.start(game, game.declared.resolve(), ("Ana", "Bob", "Cat", "Dan"))
    pack = list(match.deck())
    random.Random(1).shuffle(pack)
    deal = match.deal(tuple(pack), 1)
    begun = match.begin(deal)
    first = begun.match.to_act[0]
    step = begun.match.act(first, next(begun.match.legal())[1])
    name = step.match.to_act[0]
    told = views.events_for((*begun.events, *step.events), name)
    for seed in count():
        job = job_of(step.match, name, told, deal.cards[name], Budget(seconds=0.002), seed)
        assert job is not None
        yield job


class Asker:
    """Who asks, and what they were told."""

    def __init__(self, pool: Pool) -> None:
        self.pool, self.told, self._jobs = pool, list[Answer](), jobs()

    def ask(self) -> Callable[[], None]:
        return self.pool.ask(next(self._jobs), self.told.append)

    async def hear(self) -> Answer:
        """Ask, and wait for the answer."""
        before = len(self.told)
        self.ask()
        await until(lambda: len(self.told) > before)
        return self.told[-1]


@asynccontextmanager
async def asking(workers: int = 1) -> AsyncIterator[Asker]:
    pool = Pool(workers)
    try:
        yield Asker(pool)
    finally:
        await pool.close()
        assert not pool.pids


def test_a_job_comes_to_what_thinking_here_comes_to() -> None:
    job = next(jobs())
    thought = thought_of(done(job))
    assert thought.action in [each.action for each in thought.tries]
    assert thought.worlds > 0


async def test_a_worker_answers_one_job_after_the_other_and_is_nicer_than_the_server() -> None:
    async with asking() as asker:
        assert isinstance(await asker.hear(), Thought)
        assert isinstance(await asker.hear(), Thought)
        (pid,) = asker.pool.pids
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
async def test_a_worker_is_told_no_secrets_and_keeps_no_file_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
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
        assert isinstance(await asker.hear(), Thought)


async def test_who_is_stuck_is_given_up_and_who_waits_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "COMMAND", STUCK)
    monkeypatch.setattr(pools, "STUCK", 0.1)
    async with asking() as asker:
        assert await asker.hear() == "gone"


async def test_so_many_wait_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "COMMAND", STUCK)
    async with asking() as asker:
        asker.pool.wake()
        drops = [asker.ask() for _ in range(pools.QUEUE)]
        assert asker.told == []
        asker.ask()
        assert asker.told == ["full"]
        assert asker.pool.waiting == pools.QUEUE
        for drop in drops:
            drop()
        assert asker.pool.waiting == 0
        asker.ask()
        assert asker.told == ["full"], "what nobody waits for any more leaves room for others"


async def test_where_no_worker_lives_nobody_waits_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "COMMAND", BROKEN)
    monkeypatch.setattr(pools, "AGAIN", (0.0, 600.0))
    async with asking() as asker:
        asker.ask()
        gone: list[Answer] = []
        while "gone" not in gone:
            asker.pool.ask(b"", gone.append)()
            await asyncio.sleep(0.01)


async def test_what_can_t_be_started_is_no_end_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "COMMAND", ("/nonexistent/python",))
    monkeypatch.setattr(pools, "AGAIN", (0.0, 0.0, 600.0))
    async with asking() as asker:
        asker.pool.wake()
        while await _now(asker) != "gone":
            await asyncio.sleep(0.01)


async def _now(asker: Asker) -> Any:
    told: list[Answer] = []
    drop = asker.pool.ask(b"", told.append)
    drop()
    return told[0] if told else None


async def test_what_a_worker_cannot_do_is_nobody_s_end(monkeypatch: pytest.MonkeyPatch) -> None:
    async with asking() as asker:
        told: list[Answer] = []
        asker.pool.ask(b"no job at all", told.append)
        await until(lambda: told)
        assert told == ["gone"]
        (pid,) = asker.pool.pids
        assert isinstance(await asker.hear(), Thought)
        assert asker.pool.pids == [pid]


async def test_after_so_many_jobs_another_takes_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "JOBS", 2)
    async with asking() as asker:
        await asker.hear()
        first = asker.pool.pids
        await asker.hear()
        await until(lambda: len(asker.pool.pids) == 1 and asker.pool.pids != first)
        assert isinstance(await asker.hear(), Thought)
