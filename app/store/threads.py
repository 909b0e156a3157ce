"""Threads that do what may take a while: each one job after the other, handed over in one step."""

import os
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import TypeAlias

Job: TypeAlias = Callable[[], None]
"""It catches what it raises."""


class Threads:
    """Some threads, and the queue that they share. `close` them.

    An executor of the standard library makes a future with a lock for each job, and another one for whoever awaits it,
    which costs more than what is asked of the database.
    """

    def __init__(self, name: str, count: int = 1) -> None:
        self._name = name
        self._closed = False
        self._jobs = SimpleQueue[Job | None]()
        # A process that ends without closing this leaves the jobs under way to the database, which undoes them.
        self._threads = [Thread(target=self._work, name=f"{name}-{nth}", daemon=True) for nth in range(count)]
        for thread in self._threads:
            thread.start()

    def put(self, job: Job) -> None:
        """Have a job done after those that wait."""
        if self._closed:
            raise RuntimeError(f"{self._name} is closed")
        self._jobs.put(job)

    def close(self) -> None:
        """Finish what was asked for, and wait for that."""
        self._closed = True
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        let_others_go_first()
        while (job := self._jobs.get()) is not None:
            job()
            del job  # it holds what it worked for


def let_others_go_first() -> None:
    """Have the system interrupt no other thread for this one, which gets its turn when that waits by itself.

    Else whoever hands a job over is interrupted by it at once, where they share a processor, in the midst of what they
    do, and holds the interpreter that the job needs: so both are interrupted twice. It was a fifth of all that coming
    into a room takes.
    """
    if hasattr(os, "sched_setscheduler"):  # on Linux
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
