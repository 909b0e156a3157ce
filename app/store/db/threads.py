"""Worker threads for database jobs: a queue and a few threads, with no future for each job."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import TypeAlias

Job: TypeAlias = Callable[[], None]
"""It catches what it raises."""


class Threads:
    """Run jobs in the order in which they come, in threads that share one queue. `close` it at the end.

    `loop.run_in_executor` makes two futures for each job, one of them with a lock. Jobs here report by
    `call_soon_threadsafe` alone. With an executor a command takes 11.0 % more instructions with one room, where each
    command has its own commit (`python -m tests.load.instructions`, short run of docs/speed.md, 2026-11-27).
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
        while (job := self._jobs.get()) is not None:
            job()
            del job  # it holds what it worked for
