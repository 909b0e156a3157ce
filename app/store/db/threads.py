"""Worker threads for database jobs: a queue and a few threads, with no future for each job."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import TypeAlias

Job: TypeAlias = Callable[[], None]
"""A function for a worker thread. It must catch its own errors."""


class WorkerThreads:
    """Runs jobs in the order of arrival, in threads that share one queue. Call `close` at the end.

    `loop.run_in_executor` makes two futures for each job, one of them with a lock. Jobs here report by
    `call_soon_threadsafe` alone. docs/measurements/server.md says what this saves.
    """

    def __init__(self, name: str, count: int = 1) -> None:
        self._name = name
        self._closed = False
        self._jobs = SimpleQueue[Job | None]()
        # Daemon threads: if the process ends without `close`, the database rolls back the unfinished jobs.
        self._threads = [Thread(target=self._run_jobs, name=f"{name}-{nth}", daemon=True) for nth in range(count)]
        for thread in self._threads:
            thread.start()

    def put(self, job: Job) -> None:
        """Queue a job for one of the threads and return at once. Raises `RuntimeError` after `close`."""
        if self._closed:
            raise RuntimeError(f"{self._name} is closed")
        self._jobs.put(job)

    def close(self) -> None:
        """Finish all queued jobs and end the threads. Blocks until then; later jobs are refused."""
        self._closed = True
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()

    def _run_jobs(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
            del job  # frees the objects that the job refers to
