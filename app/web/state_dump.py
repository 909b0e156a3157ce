"""On the signal SIGUSR1, write rooms, queues and stacks to the log, also while the event loop stands still."""

import asyncio
import faulthandler
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
import structlog

from app.web.context.site import AppContext
from app.web.live_figures import describe_room

logger = structlog.get_logger("web")


@contextmanager
def dumping_on_signal(site: Callable[[], AppContext | None]) -> Iterator[None]:
    """Answer SIGUSR1 until the context ends. Must be entered in the main thread, in the event loop.

    `site`: returns None while the server starts.

    The stacks of all threads come first, as plain text from the interpreter itself; the rest needs the event loop.
    """
    if not hasattr(signal, "SIGUSR1"):  # Windows
        yield
        return
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, lambda: log_state(site()))
    faulthandler.register(signal.SIGUSR1, sys.stderr, all_threads=True, chain=True)
    try:
        yield
    finally:
        faulthandler.unregister(signal.SIGUSR1)
        loop.remove_signal_handler(signal.SIGUSR1)


def log_state(site: AppContext | None) -> None:
    """Write loaded rooms, queues, and the places where tasks wait to the log. No line has a name or a card."""
    places = Counter(_place_of(task) for task in asyncio.all_tasks())
    logger.info("state: tasks", count=places.total(), places=dict(places.most_common()))
    if site is None:
        return
    rooms = [msgspec.to_builtins(describe_room(actor)) for actor in site.registry.loaded_rooms()]
    for room in rooms:
        room["people"] = len(room["people"])
    logger.info("state: rooms", count=len(rooms), rooms=rooms)
    queues = {"replays": site.work_queue, "imports": site.import_queue, "analyses": site.analysis_queue}
    logger.info("state: queues", **{name: queue.waiting for name, queue in queues.items()})


def _place_of(task: asyncio.Task[object]) -> str:
    frames = task.get_stack(limit=1)
    where = f"{frames[-1].f_code.co_qualname} line {frames[-1].f_lineno}" if frames else "not started"
    return f"{task.get_name()}: {where}" if not task.get_name().startswith("Task-") else where
