"""A process that thinks: jobs come in as frames, what they came to goes out as frames, one for one.

The first frame that it sends is empty: it is ready. An empty frame later says that a job could not be done. When the
server is gone, however that ended, so is this, in the middle of a thought, too: a thread does nothing but read.
"""

import logging
import os
import sys
from queue import SimpleQueue
from threading import Thread

from app.bots.search.worker_job import done
from app.workers.frames import Frames, framed

NICE = 10
"""Whoever plays goes before whoever thinks."""
_CHUNK = 1 << 16

logger = logging.getLogger(__name__)


def work() -> None:
    """Do jobs until nobody sends any more."""
    answers = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever is printed is no answer
    if hasattr(os, "nice"):
        os.nice(NICE)
    jobs = SimpleQueue[bytes]()
    Thread(target=_read, args=(jobs,), daemon=True).start()
    _send(answers, b"")
    while True:
        job = jobs.get()
        try:
            answer = done(job)
        except Exception:
            logger.exception("a job could not be done")
            answer = b""
        _send(answers, answer)


def _read(jobs: SimpleQueue[bytes]) -> None:
    frames = Frames()
    while data := os.read(sys.stdin.fileno(), _CHUNK):
        for job in frames.take(data):
            jobs.put(job)
    os._exit(0)


def _send(answers: int, message: bytes) -> None:
    rest = framed(message)
    while rest:
        try:
            rest = rest[os.write(answers, rest) :]
        except BrokenPipeError:
            os._exit(0)


if __name__ == "__main__":
    work()
