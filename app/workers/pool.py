"""The workers of one server: a `Thinker` for its rooms.

A worker is another program (worker.py), started afresh and not forked off: it has nothing of the server's memory, files
and secrets. It gets one job after the other and knows no room, person or name of anybody but those at the table. What
happens to it is no harm to anybody: who waits for its answer is told that there is none, and a new one is started.
"""

import asyncio
import logging
import os
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import cast

from msgspec import MsgspecError

import app
from app.bots.search.worker_job import thought_of
from app.rooms.ports.bot_workers import Answer, Drop
from app.settings import names
from app.workers.frames import Frames, framed

QUEUE = 4
"""Jobs that may wait, for each worker."""
JOBS = 1000
"""What a worker does before another takes its place."""
STUCK = 5.0
"""Seconds on one job after which a worker is given up."""
AGAIN = (0.0, 0.5, 2.0, 10.0)
"""Seconds until another worker is started, as more and more of them end before they have done anything."""
COMMAND = (sys.executable, "-m", "app.workers.worker")

logger = logging.getLogger(__name__)


def usual_workers() -> int:
    """All cores but one, which is the server's; at least one."""
    return max(1, (os.cpu_count() or 1) - 1)


@dataclass(eq=False)
class _Job:
    """A job, and who waits for it."""

    job: bytes
    answered: Callable[[Answer], None] | None

    def answer(self, answer: Answer) -> None:
        answered, self.answered = self.answered, None
        if answered is not None:
            answered(answer)


class _Worker(asyncio.SubprocessProtocol):
    """One process, from its start to its end."""

    def __init__(self, pool: "Pool") -> None:
        self._pool = pool
        self._frames = Frames()
        self._stuck: asyncio.TimerHandle | None = None
        self._transport: asyncio.SubprocessTransport | None = None
        self.job: _Job | None = None
        self.ready = False
        self.done = 0
        """Jobs."""

    @property
    def pid(self) -> int | None:
        """The id of the process."""
        return None if self._transport is None else self._transport.get_pid()

    def do(self, job: _Job) -> None:
        """Send it a job; it has none."""
        assert self._transport is not None
        self.job = job
        self._stuck = asyncio.get_running_loop().call_later(STUCK, self._give_up)
        cast("asyncio.WriteTransport", self._transport.get_pipe_transport(0)).write(framed(job.job))

    def kill(self) -> None:
        """End it, in the middle of whatever it does."""
        if self._transport is not None:
            with suppress(ProcessLookupError):
                self._transport.kill()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It is there, and not ready yet."""
        self._transport = cast("asyncio.SubprocessTransport", transport)
        self._pool.came(self)

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """It says something: that it is ready, then what its jobs came to."""
        assert isinstance(data, bytes)
        for message in self._frames.take(data):
            job = self._free()
            if job is not None:
                self.done += 1
                job.answer(_read(message))
            self.ready = True
            self._pool.freed(self)

    def process_exited(self) -> None:
        """It has ended."""
        job = self._free()
        if self._transport is not None:
            self._transport.close()
        self._pool.left(self)
        if job is not None:
            job.answer("gone")

    def _free(self) -> _Job | None:
        if self._stuck is not None:
            self._stuck.cancel()
        job, self.job, self._stuck = self.job, None, None
        return job

    def _give_up(self) -> None:
        logger.warning("a worker has been at one job for %g s, and is given up", STUCK)
        self.kill()


class Pool:
    """So many workers, from the first time that somebody wants one."""

    def __init__(self, workers: int) -> None:
        """`workers`: how many, from one on."""
        self._size = workers
        self._workers: list[_Worker] = []
        self._coming = 0
        """How many are to be started, or are being."""
        self._starts: set[asyncio.Task[None]] = set()
        self._jobs: deque[_Job] = deque()
        self._awake = False
        self._closed = False
        self._failures = 0
        """How many workers in a row ended before they had done anything."""
        self._ended = asyncio.Event()

    @property
    def waiting(self) -> int:
        """How many jobs nobody has begun."""
        return len(self._jobs)

    @property
    def pids(self) -> list[int]:
        """The ids of the processes that there are."""
        return [each.pid for each in self._workers if each.pid is not None]

    # A Thinker -------------------------------------------------------------------------------------------------------

    def wake(self) -> None:
        """Start the workers, if that has not been done."""
        if not self._awake and not self._closed:
            self._awake = True
            for _ in range(self._size):
                self._start()

    def ask(self, job: bytes, answered: Callable[[Answer], None]) -> Drop:
        """Have a job done; `answered` is told once what it came to, perhaps at once."""
        self.wake()
        asked = _Job(job, answered)
        if self._closed or (self._failures and not self._workers):
            asked.answer("gone")
        elif self.waiting >= QUEUE * self._size:
            asked.answer("full")
        else:
            self._jobs.append(asked)
            self._give()
        return partial(self._drop, asked)

    async def close(self) -> None:
        """End all workers, in the middle of whatever they do, and return when they have."""
        self._closed = True
        await asyncio.gather(*self._starts)
        for worker in self._workers:
            worker.kill()
        while self._workers:
            self._ended.clear()
            await self._ended.wait()
        while self._jobs:
            self._jobs.popleft().answer("gone")

    # For its workers -------------------------------------------------------------------------------------------------

    def came(self, worker: _Worker) -> None:
        """A worker is there, and will say when it is ready."""
        self._workers.append(worker)

    def freed(self, worker: _Worker) -> None:
        """A worker is ready, for the first time or again."""
        if worker.done:
            self._failures = 0
        if worker.done == JOBS:
            self._start()
        # Who has done enough goes when somebody is there in its place.
        done = [each for each in self._workers if each.done >= JOBS and each.job is None]
        if done and sum(each.ready for each in self._workers) > self._size:
            done[0].ready = False
            done[0].kill()
        self._give()

    def left(self, worker: _Worker) -> None:
        """A worker has ended, whoever wanted that."""
        self._workers.remove(worker)
        self._ended.set()
        if not worker.done:
            self._failures += 1
        if len(self._workers) + self._coming < self._size:
            self._start()

    def _drop(self, asked: _Job) -> None:
        asked.answered = None
        with suppress(ValueError):
            self._jobs.remove(asked)

    def _give(self) -> None:
        """Give what waits to those who have nothing to do."""
        for worker in self._workers:
            if self._jobs and worker.ready and worker.job is None:
                worker.do(self._jobs.popleft())

    def _start(self) -> None:
        """Start a worker, a while later if others have come to nothing."""
        if self._closed:
            return
        after = AGAIN[min(self._failures, len(AGAIN) - 1)]
        if self._failures:
            logger.warning("a worker has ended before it did anything: another one in %g s", after)
        self._coming += 1
        asyncio.get_running_loop().call_later(after, self._start_now)

    def _start_now(self) -> None:
        if self._closed:
            return
        task = asyncio.get_running_loop().create_task(self._started(), name="worker")
        self._starts.add(task)
        task.add_done_callback(self._starts.discard)

    async def _started(self) -> None:
        try:
            await asyncio.get_running_loop().subprocess_exec(
                lambda: _Worker(self),
                *COMMAND,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=None,
                cwd=Path(app.__file__).parents[1],
                env={name: value for name, value in os.environ.items() if name.upper() not in names()},
                start_new_session=True,  # Ctrl+C is for the server
            )
        except (OSError, NotImplementedError) as error:
            logger.warning("no worker can be started: %s", error)
            self._failures += 1
        finally:
            self._coming -= 1
        if len(self._workers) + self._coming < self._size:
            self._start()


def _read(message: bytes) -> Answer:
    """What a worker says, or why that is nothing."""
    try:
        return thought_of(message) if message else "gone"
    except MsgspecError:
        logger.exception("what a worker has said can't be read")
        return "gone"
