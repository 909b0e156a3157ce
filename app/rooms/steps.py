"""What many do at the same moment, in step: the first step of all of them, then the second of all.

An action goes through so much code that a processor has lost the beginning of it by the end. Whoever does one thing for
all rooms of a commit, and then the next, has each still at hand: what follows a commit takes a quarter less.
"""

import logging
from collections.abc import Iterable, Iterator
from typing import TypeAlias

logger = logging.getLogger(__name__)

Steps: TypeAlias = Iterable[None]
"""Something that is done in steps, each until the next `yield`. Between two of them nothing happens but steps of others
that are done at the same moment."""


def in_step(some: Iterable[Steps]) -> None:
    """Do all of these, to their ends."""
    going = [iter(steps) for steps in some]
    while going:
        going = [steps for steps in going if _go_on(steps)]


def _go_on(steps: Iterator[None]) -> bool:
    """Do the next step; tell whether there may be another."""
    try:
        return next(steps, _OVER) is not _OVER
    except Exception:  # the others must not suffer
        logger.exception("a step failed")
        return False


_OVER = object()
