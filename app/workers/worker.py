"""A worker process: reads jobs as frames and writes one answer frame for each job. As a program, it searches for bots.

The first frame that it writes is empty: the worker is ready. A later empty frame means that a job failed. A
separate thread reads the input, so the worker exits at once when the server ends, even during a job.
"""

import logging
import os
import sys
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

from app.bots.search.worker_job import run_search_job
from app.workers.frames import FrameDecoder, add_length_prefix

NICE = 10
"""The nice value of workers. The server process has priority."""
_CHUNK = 1 << 16

logger = logging.getLogger(__name__)


def run_worker(run_job: Callable[[bytes], bytes]) -> None:
    """Run a worker process: read jobs from standard input, and write the answer of `run_job` to each.

    A failed job is logged and answered with an empty message. The process ends when its input or output is closed.
    """
    answers = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # so that printed text is not read as an answer
    if hasattr(os, "nice"):
        os.nice(NICE)
    jobs = SimpleQueue[bytes]()
    Thread(target=_read_jobs, args=(jobs,), daemon=True).start()
    _write_frame(answers, b"")
    while True:
        job = jobs.get()
        try:
            answer = run_job(job)
        except Exception:
            logger.exception("job failed")
            answer = b""
        _write_frame(answers, answer)


def _read_jobs(jobs: SimpleQueue[bytes]) -> None:
    frames = FrameDecoder()
    while data := os.read(sys.stdin.fileno(), _CHUNK):
        for job in frames.feed(data):
            jobs.put(job)
    os._exit(0)


def _write_frame(answers: int, message: bytes) -> None:
    rest = add_length_prefix(message)
    while rest:
        try:
            rest = rest[os.write(answers, rest) :]
        except BrokenPipeError:
            os._exit(0)


if __name__ == "__main__":
    run_worker(run_search_job)
