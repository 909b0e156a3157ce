"""Something else, done by another thread while this one waits for the disk."""

import logging
import os
from collections.abc import Callable, Iterable
from threading import Lock, Thread
from types import TracebackType

from .threads import let_others_go_first

logger = logging.getLogger(__name__)


class Meanwhile:
    """One thread that does one thing at a time, while whoever asks for it waits for something else. `close` it.

    Nobody but these two is at work, and never both: what is done need not know that it is in another thread, as long as
    it asks nothing of the event loop.
    """

    def __init__(self, name: str) -> None:
        self._work: Callable[[], Iterable[None]] | None = None
        self._asked, self._done = Lock(), Lock()
        self._asked.acquire()
        self._done.acquire()
        self._thread = Thread(target=self._go_on, name=name, daemon=True)
        self._thread.start()

    def doing(self, work: Callable[[], Iterable[None]]) -> "Meanwhile":
        """Have this done within a `with`, whose end waits for it."""
        self._work = work
        return self

    def __enter__(self) -> None:
        """Begin, as soon as the interpreter is free."""
        self._asked.release()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait until it is done."""
        self._done.acquire()

    def close(self) -> None:
        """End the thread."""
        self._work = None
        self._asked.release()
        self._thread.join()

    def _go_on(self) -> None:
        let_others_go_first()
        while True:
            self._asked.acquire()
            work, self._work = self._work, None
            if work is None:
                return
            try:
                for _ in work():
                    _give_way()
            except Exception:  # whoever asked can do without
                logger.exception("something could not be done meanwhile")
            del work  # it holds what it worked for
            self._done.release()


def _give_way() -> None:
    """Let the thread go on that waits, if the disk has something to tell it: a sync has it wait twice."""
    if hasattr(os, "sched_yield"):
        os.sched_yield()
