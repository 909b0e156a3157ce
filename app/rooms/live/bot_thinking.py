"""Jobs in worker processes for the hard bots of one room: one job per seat and turn.

A job starts as soon as it is the bot's turn. The bot uses the answer at the end of its bot delay. If the answer is
missing then, the bot waits for it until at least half a second after the start, but no longer.
"""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass

from app.rooms.ports.bot_workers import BotAnswer, BotWorkers, CancelJob

MIN_WAIT = 0.5
"""Minimum time for a worker's answer, in seconds, even if the room's bot delay is shorter."""


@dataclass
class _Job:
    """The state of one job for a worker process: the search of a hard bot for its action in one turn."""

    turn: int
    answer_by: float
    """In seconds of the event loop's clock."""
    cancel: CancelJob = lambda: None
    answer: BotAnswer | None = None
    timer: asyncio.TimerHandle | None = None
    """Fires at `answer_by`. Set only when the bot delay is over and the answer is still missing."""


class BotJobs:
    """The running search jobs of one room's hard bots in worker processes, one per seat and turn."""

    def __init__(self, bot_workers: BotWorkers, act: Callable[[str, int, BotAnswer], None]) -> None:
        """Call `act(seat, turn, answer)` when a bot's delay is over and its answer is there or too late."""
        self._bot_workers = bot_workers
        self._act = act
        self._jobs: dict[str, _Job] = {}

    def wake_workers(self) -> None:
        """Start the worker processes now, because the room has a hard bot that will soon need them."""
        self._bot_workers.prepare_workers()

    def start_job(self, name: str, turn: int, job: bytes | None) -> None:
        """Start a worker's search for this seat and turn, and cancel the seat's earlier job.

        `job` None is answered "hidden" at once. If the bot already waits for the cancelled job, the new one keeps its
        time limit.
        """
        before = self._jobs.pop(name, None)
        if before is not None:
            before.cancel()
        if before is not None and before.timer is not None:
            started = _Job(turn, before.answer_by, timer=before.timer)
        else:
            started = _Job(turn, asyncio.get_running_loop().time() + MIN_WAIT)
        self._jobs[name] = started

        def answered(answer: BotAnswer) -> None:
            started.answer = answer
            if started.timer is not None and self._jobs.get(name) is started:
                self._finish_job(name)

        if job is None:
            answered("hidden")
        else:
            started.cancel = self._bot_workers.submit_job(job, answered)

    def has_job_for_turn(self, name: str, turn: int) -> bool:
        """Return whether a job was started for this seat and turn whose answer was not used yet."""
        job = self._jobs.get(name)
        return job is not None and job.turn == turn

    def act_when_ready(self, name: str) -> None:
        """Let the bot of this seat act as soon as its worker's answer arrives, with "late" after the time limit.

        Called when the bot delay is over. The answer goes to the `act` callback of `BotJobs`.
        """
        job, loop = self._jobs[name], asyncio.get_running_loop()
        if job.answer is not None or loop.time() >= job.answer_by:
            self._finish_job(name)
        elif job.timer is None:
            job.timer = loop.call_at(job.answer_by, self._finish_job, name)

    def cancel_all_except(self, names: Collection[str]) -> None:
        """Cancel the search jobs of all seats except these, because their turns are over or the room closes."""
        for name in self._jobs.keys() - set(names):
            self._remove_job(name)

    def _finish_job(self, name: str) -> None:
        job = self._remove_job(name)
        self._act(name, job.turn, job.answer or "late")

    def _remove_job(self, name: str) -> _Job:
        job = self._jobs.pop(name)
        job.cancel()
        if job.timer is not None:
            job.timer.cancel()
        return job
