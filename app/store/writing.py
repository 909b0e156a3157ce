"""The thread that writes: one job after the other, handed over in one step."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import TypeAlias

Job: TypeAlias = Callable[[], None]
"""It catches what it raises."""


class Writing:
    """A thread and its queue. `close` it."""

    def __init__(self, name: str) -> None:
        self._jobs = SimpleQueue[Job | None]()
        # A process that ends without closing this leaves the job under way to the database, which undoes it.
        self._thread = Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def put(self, job: Job) -> None:
        """Have a job done after those that wait."""
        if not self._thread.is_alive():
            raise RuntimeError(f"{self._thread.name} is closed")
        self._jobs.put(job)

    def close(self) -> None:
        """Finish what was asked for, and wait for that."""
        self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
            del job  # it holds the rooms whose entries it wrote
