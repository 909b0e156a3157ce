"""The worker pool that thinks for hard bots, as a room sees it: jobs, answers, and why an answer is missing."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from app.bots.search.monte_carlo import Thought

Missing: TypeAlias = Literal["full", "gone", "late", "hidden", "off"]
"""Why there is no answer: too much is asked for, who thought about it is gone, it takes too long, more is hidden than
can be thought about; nobody thinks here at all."""
Answer: TypeAlias = Thought | Missing
Drop: TypeAlias = Callable[[], None]
"""Ends the wait for an answer: nobody is told it any more, and what was not begun is not."""


class Thinker(Protocol):
    """Whoever does the jobs of bots (app/bots/search/worker_job.py), somewhere else."""

    def wake(self) -> None:
        """Get ready: somebody will ask soon. Does nothing where that has been done."""
        ...

    def ask(self, job: bytes, answered: Callable[[Answer], None]) -> Drop:
        """Have a job done; `answered` is told once what it came to, on the event loop, perhaps at once."""
        ...


@dataclass(frozen=True, slots=True)
class Decided:
    """A bot has chosen what to do."""

    level: str
    """The kind of bot that it is."""
    worlds: int = 0
    """In how many worlds it thought ahead."""
    missing: Missing | None = None
    """Why it did so without what it wanted to think about first."""
