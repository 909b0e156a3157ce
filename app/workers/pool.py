"""A pool of worker processes of one server: for hard bots (the `BotWorkers` of its rooms), or for imported files.

A worker is a separate program (worker.py), started as a new process and not forked. So it shares no memory, files
or secrets with the server. It gets one job at a time: for bots, with the names of the players but no other data about
rooms or people. If a worker fails, its job is answered "gone" and a new worker is started.
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
from typing import Generic, Literal, TypeAlias, TypeVar, cast

from msgspec import MsgspecError

import app
from app.bots.search.monte_carlo import SearchResult
from app.bots.search.worker_job import decode_search_result
from app.rooms.ports.bot_workers import CancelJob
from app.settings import known_variable_names
from app.workers.frames import FrameDecoder, add_length_prefix

MAX_QUEUED_PER_WORKER = 4
"""Maximum queued jobs per worker."""
JOBS = 1000
"""Number of jobs after which a worker is replaced."""
STUCK = 5.0
"""Seconds for one search of a hard bot after which its worker is killed."""
AGAIN = (0.0, 0.5, 2.0, 10.0)
"""Seconds until a worker is started, by the number of workers in a row that ended before finishing a job."""
COMMAND = (sys.executable, "-m")
"""The command that starts a worker, without its module."""

Answer = TypeVar("Answer")
NoAnswer: TypeAlias = Literal["full", "gone"]
"""Why a job has no answer. "full": too many jobs wait. "gone": the worker has stopped, or the job has failed."""

logger = logging.getLogger(__name__)


def default_worker_count() -> int:
    """Return the default number of bot workers: CPU cores minus one, which is left to the server; at least 1."""
    return max(1, (os.cpu_count() or 1) - 1)


@dataclass(eq=False)
class _Job(Generic[Answer]):
    """A job for a worker, queued or running, with the callback for its answer.

    `callback` is None after the answer or after the job was cancelled.
    """

    data: bytes
    callback: Callable[[Answer | NoAnswer], None] | None

    def finish(self, answer: Answer | NoAnswer) -> None:
        answered, self.callback = self.callback, None
        if answered is not None:
            answered(answer)


class _Worker(asyncio.SubprocessProtocol, Generic[Answer]):
    """The server's side of one worker process, from start to exit."""

    def __init__(self, pool: "WorkerPool[Answer]") -> None:
        self._pool = pool
        self._frames = FrameDecoder()
        self._stuck_timer: asyncio.TimerHandle | None = None
        self._transport: asyncio.SubprocessTransport | None = None
        self.job: _Job[Answer] | None = None
        self.is_ready = False
        self.is_retired = False
        """Whether the pool has killed it because it is not needed any more."""
        self.jobs_done = 0
        """Number of finished jobs."""

    @property
    def pid(self) -> int | None:
        """The worker's process id, or None before the process has started."""
        return None if self._transport is None else self._transport.get_pid()

    def send_job(self, job: _Job[Answer]) -> None:
        """Send a job to the worker, which must have none; kill the worker if it takes too long."""
        assert self._transport is not None
        self.job = job
        self._stuck_timer = asyncio.get_running_loop().call_later(self._pool.stuck_seconds, self._kill_stuck)
        cast("asyncio.WriteTransport", self._transport.get_pipe_transport(0)).write(add_length_prefix(job.data))

    def retire(self) -> None:
        """Kill the worker process, which must have no job. It gets no further job."""
        self.is_ready, self.is_retired = False, True
        self.kill()

    def kill(self) -> None:
        """Kill the worker process, even during a job; do nothing if it has not started or has exited."""
        if self._transport is not None:
            with suppress(ProcessLookupError):
                self._transport.kill()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Handle the start of the worker process: add it to the pool.

        It gets no job until it reports that it is ready.
        """
        self._transport = cast("asyncio.SubprocessTransport", transport)
        self._pool.worker_started(self)

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Handle output of the worker process: first its empty ready message, then one answer per job.

        An answer goes to the job's callback. After each message the pool may send the worker its next job.
        """
        assert isinstance(data, bytes)
        for message in self._frames.feed(data):
            job = self._take_job()
            if job is not None:
                self.jobs_done += 1
                job.finish(self._pool.decode_answer(message))
            self.is_ready = True
            self._pool.worker_idle(self)

    def process_exited(self) -> None:
        """Handle the exit of the worker process: remove it from the pool, and answer its running job with "gone"."""
        job = self._take_job()
        if self._transport is not None:
            self._transport.close()
        self._pool.worker_exited(self)
        if job is not None:
            job.finish("gone")

    def _take_job(self) -> _Job[Answer] | None:
        if self._stuck_timer is not None:
            self._stuck_timer.cancel()
        job, self.job, self._stuck_timer = self.job, None, None
        return job

    def _kill_stuck(self) -> None:
        logger.warning("worker stopped: one job took longer than %g s", self._pool.stuck_seconds)
        self.kill()


class WorkerPool(Generic[Answer]):
    """A server's pool with a fixed number of worker processes that all do the same kind of job.

    The workers start when the first job is expected, and are replaced when they exit.
    """

    def __init__(
        self,
        workers: int,
        module: str,
        decode: Callable[[bytes], Answer],
        *,
        stuck_seconds: float,
        idle_seconds: float | None = None,
    ) -> None:
        """Create a pool; `workers`: their number, at least 1.

        `module` is the program of a worker, which calls `run_worker`. `decode` reads its answers, and raises
        `MsgspecError` for other bytes. A worker is killed after `stuck_seconds` with one job. All workers end
        `idle_seconds` after the last job; None: never.
        """
        self._size = workers
        self._module = module
        self._decode = decode
        self.stuck_seconds = stuck_seconds
        """Seconds for one job after which a worker is killed."""
        self._idle_seconds = idle_seconds
        self._idle_timer: asyncio.TimerHandle | None = None
        self._workers: list[_Worker[Answer]] = []
        self._starting = 0
        """Number of workers being started or scheduled to start."""
        self._start_tasks: set[asyncio.Task[None]] = set()
        self._jobs: deque[_Job[Answer]] = deque()
        self._is_started = False
        self._closed = False
        self._failures = 0
        """Number of workers in a row that ended before finishing a job."""
        self._worker_exited = asyncio.Event()

    @property
    def size(self) -> int:
        """The number of workers of the pool while it has jobs."""
        return self._size

    @property
    def queued_jobs(self) -> int:
        """The number of jobs that wait for a worker, without those that workers are running."""
        return len(self._jobs)

    @property
    def pids(self) -> list[int]:
        """The process ids of the workers that run now."""
        return [each.pid for each in self._workers if each.pid is not None]

    # For the server (the `BotWorkers` interface) ---------------------------------------------------------------------

    def prepare_workers(self) -> None:
        """Start the pool's workers when a job is expected soon, unless they were started before.

        Does nothing in a closed pool.
        """
        if not self._is_started and not self._closed:
            self._is_started = True
            for _ in range(self._size):
                self._schedule_start()

    def submit_job(self, job: bytes, on_answer: Callable[[Answer | NoAnswer], None]) -> CancelJob:
        """Queue a job, start the workers if needed, and return a function that cancels the job.

        `on_answer` gets the answer once. It is "full" at once if the queue is full, and "gone" if no worker can run the
        job.
        """
        self.prepare_workers()
        self._stop_idle_timer()
        pending: _Job[Answer] = _Job(job, on_answer)
        if self._closed or (self._failures and not self._workers):
            pending.finish("gone")
        elif self.queued_jobs >= MAX_QUEUED_PER_WORKER * self._size:
            pending.finish("full")
        else:
            self._jobs.append(pending)
            self._dispatch_jobs()
        return partial(self._cancel_job, pending)

    async def close(self) -> None:
        """Kill all workers of the pool, even during a job, and wait until they have exited.

        Running and queued jobs are answered with "gone"; later jobs get this answer at once.
        """
        self._closed = True
        self._stop_idle_timer()
        await asyncio.gather(*self._start_tasks)
        for worker in self._workers:
            worker.kill()
        while self._workers:
            self._worker_exited.clear()
            await self._worker_exited.wait()
        while self._jobs:
            self._jobs.popleft().finish("gone")

    # Called by the workers -------------------------------------------------------------------------------------------

    def decode_answer(self, message: bytes) -> Answer | NoAnswer:
        """Decode a worker's answer to a job; "gone" if it is empty (the job failed) or unreadable."""
        try:
            return self._decode(message) if message else "gone"
        except MsgspecError:
            logger.exception("unreadable answer of a worker")
            return "gone"

    def worker_started(self, worker: _Worker[Answer]) -> None:
        """Add a worker whose process has just started to the pool; it gets no job until it is ready."""
        self._workers.append(worker)

    def worker_idle(self, worker: _Worker[Answer]) -> None:
        """Note that a worker is ready, and send queued jobs to idle workers.

        A worker that has finished `JOBS` jobs is replaced: another one is started first, then the old one is killed.
        """
        if worker.jobs_done:
            self._failures = 0
        if worker.jobs_done == JOBS:
            self._schedule_start()
        # Stop a used-up worker as soon as its replacement is ready.
        done = [each for each in self._workers if each.jobs_done >= JOBS and each.job is None]
        if done and sum(each.is_ready for each in self._workers) > self._size:
            done[0].retire()
        self._dispatch_jobs()
        if self._idle_seconds is not None and all(each.job is None for each in self._workers):
            self._stop_idle_timer()
            self._idle_timer = asyncio.get_running_loop().call_later(self._idle_seconds, self._retire_all)

    def worker_exited(self, worker: _Worker[Answer]) -> None:
        """Remove an exited worker from the pool, and schedule a replacement if fewer workers than wanted are left.

        A worker that finished no job counts as a failure, which delays the next start.
        """
        self._workers.remove(worker)
        self._worker_exited.set()
        if not (worker.jobs_done or worker.is_retired):
            self._failures += 1
        if len(self._workers) + self._starting < self._size:
            self._schedule_start()

    def _stop_idle_timer(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
            self._idle_timer = None

    def _retire_all(self) -> None:
        """End all workers, which are idle; the next job starts new ones."""
        self._is_started = False
        for worker in self._workers:
            worker.retire()

    def _cancel_job(self, job: _Job[Answer]) -> None:
        job.callback = None
        with suppress(ValueError):
            self._jobs.remove(job)

    def _dispatch_jobs(self) -> None:
        """Send queued jobs, oldest first, to workers that are ready and have no job, one job each."""
        for worker in self._workers:
            if self._jobs and worker.is_ready and worker.job is None:
                worker.send_job(self._jobs.popleft())

    def _schedule_start(self) -> None:
        """Schedule the start of one worker: at once, or up to ten seconds later if previous workers failed early.

        Does nothing if the pool is closed, or has ended its workers because they were idle.
        """
        if self._closed or not self._is_started:
            return
        after = AGAIN[min(self._failures, len(AGAIN) - 1)]
        if self._failures:
            logger.warning("worker ended before its first job: next start in %g s", after)
        self._starting += 1
        asyncio.get_running_loop().call_later(after, self._create_start_task)

    def _create_start_task(self) -> None:
        if self._closed:
            return
        task = asyncio.get_running_loop().create_task(self._spawn_worker(), name="worker")
        self._start_tasks.add(task)
        task.add_done_callback(self._start_tasks.discard)

    async def _spawn_worker(self) -> None:
        try:
            await asyncio.get_running_loop().subprocess_exec(
                lambda: _Worker(self),
                *COMMAND,
                self._module,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=None,
                cwd=Path(app.__file__).parents[1],
                env={name: value for name, value in os.environ.items() if name.upper() not in known_variable_names()},
                start_new_session=True,  # Ctrl+C is for the server
            )
        except (OSError, NotImplementedError) as error:
            logger.warning("starting a worker failed: %s", error)
            self._failures += 1
        finally:
            self._starting -= 1
        if len(self._workers) + self._starting < self._size:
            self._schedule_start()


def create_bot_workers(workers: int) -> WorkerPool[SearchResult]:
    """Create a pool of workers that search for hard bots; `workers`: their number, at least 1."""
    return WorkerPool(workers, "app.workers.worker", decode_search_result, stuck_seconds=STUCK)
