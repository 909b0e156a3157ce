"""The worker pool for hard bots, as a room sees it: jobs, answers, and reasons for a missing answer."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from app.bots.search.monte_carlo import SearchResult

MissingReason: TypeAlias = Literal["full", "gone", "late", "hidden", "off"]
"""The reason for a missing answer.

"full": too many jobs. "gone": the worker has stopped. "late": it takes too long. "hidden": too many unknown cards.
"off": hard bots are disabled.
"""
BotAnswer: TypeAlias = SearchResult | MissingReason
CancelJob: TypeAlias = Callable[[], None]
"""Cancels a job: the callback is not called any more, and a queued job is not started."""


class BotWorkers(Protocol):
    """Runs the searches of hard bots in other processes, so that they don't block the server's event loop."""

    def prepare_workers(self) -> None:
        """Start the worker processes now, because searches of hard bots will come soon.

        May be called several times.
        """
        ...

    def submit_job(self, job: bytes, on_answer: Callable[[BotAnswer], None]) -> CancelJob:
        """Queue an encoded search job for a worker process; return a function that cancels it.

        `on_answer` gets the answer once, on the event loop, perhaps at once: the result, or the reason for its absence.
        """
        ...


@dataclass(frozen=True, slots=True)
class BotDecision:
    """One decision of a bot, as the metrics count it."""

    bot_kind: str
    """The kind of bot."""
    worlds_simulated: int = 0
    """The number of sampled deals that were simulated."""
    missing: MissingReason | None = None
    """Why the bot decided without a search; None: it searched, or is not a hard bot."""
