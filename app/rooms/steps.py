"""What many do at the same moment, in step: the first step of all of them, then the second of all.

An action goes through so much code that a processor has lost the beginning of it by the end. Whoever does one thing for
all rooms of a commit, and then the next, has each still at hand: what follows a commit takes a quarter less.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

logger = logging.getLogger(__name__)

Steps: TypeAlias = Iterable[None]
"""Something that is done in steps, each until the next `yield`. Between two of them nothing happens but steps of others
that are done at the same moment."""


def in_step(some: Iterable[Steps]) -> None:
    """Do all of these, to their ends."""
    going = [iter(steps) for steps in some]
    while len(going) > 1:
        going = [steps for steps in going if _go_on(steps)]
    for steps in going:
        _go_on(steps, to_the_end=True)


class NextTurn:
    """What is to be done since the event loop's turn has brought it: with the next turn, one after the other."""

    def __init__(self) -> None:
        self._waiting: list[Callable[[], None]] = []
        self._after: list[Callable[[], None]] = []
        self._is_called = False

    def join(self, work: Callable[[], None]) -> None:
        """Have this done once all is read that has come."""
        self._waiting.append(work)
        self._call()

    def follow(self, work: Callable[[], None]) -> None:
        """Have this done once all of that is done: of what is being done, if this comes of it."""
        self._after.append(work)
        self._call()

    def _call(self) -> None:
        if not self._is_called:
            self._is_called = True
            asyncio.get_running_loop().call_soon(self._go)

    def _go(self) -> None:
        waiting, self._waiting = self._waiting, []
        for work in waiting:
            _do(work)
        after, self._after = self._after, []
        self._is_called = False
        if self._waiting:  # what has joined since is for another turn
            self._call()
        for work in after:
            _do(work)


def _do(work: Callable[[], None]) -> None:
    try:
        work()
    except Exception:  # the others must not suffer
        logger.exception("something of a turn failed")


def at_once(work: Callable[[], None]) -> None:
    """Do this now, where nobody else does the like."""
    work()


def _go_on(steps: Iterator[None], *, to_the_end: bool = False) -> bool:
    """Do the next step, or all that there are; tell whether there may be another."""
    try:
        if to_the_end:
            deque(steps, maxlen=0)
        return next(steps, _OVER) is not _OVER
    except Exception:  # the others must not suffer
        logger.exception("a step failed")
        return False


_OVER = object()
