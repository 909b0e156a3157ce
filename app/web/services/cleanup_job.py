"""Delete rooms that nobody uses, and people without a room, if the settings say so.

Both are listed first and deleted after 24 more hours of running time, see `app/store/deletion/deletion_schedule.py`.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

import structlog

from app.web.context.site import Site

LOOK_SECONDS = 600
"""Seconds between two looks. A server that stops loses at most this much of its running time."""
SHOWN = 50
"""Most ids in one line of the log."""

logger = structlog.get_logger("web")


async def tidy_daily(site: Site, now: Callable[[], datetime]) -> None:
    """Look for unused rooms and people now and every ten minutes; return at once if everything is kept."""
    loop = asyncio.get_running_loop()
    last = loop.time()
    while site.settings.keep_rooms_days is not None or site.settings.keep_people_days is not None:
        elapsed, last = loop.time() - last, loop.time()
        try:
            await tidy(site, now(), elapsed)
        except Exception:  # the server goes on, and tries again
            logger.exception("cleanup failed")
        await asyncio.sleep(LOOK_SECONDS)


async def tidy(site: Site, now: datetime, elapsed: float) -> None:
    """List unused rooms and people, and delete those that are due.

    `elapsed` is the running time since the last call, in seconds. Of several nodes only one does this, so that running
    time counts once.
    """
    heart = site.store.heart
    if heart is not None and heart.node != min(heart.living):
        return
    if site.settings.keep_rooms_days is not None:
        await _tidy_rooms(site, now, elapsed, timedelta(days=site.settings.keep_rooms_days))
    if site.settings.keep_people_days is not None:
        await _tidy_people(site, now, elapsed, timedelta(days=site.settings.keep_people_days))


async def _tidy_rooms(site: Site, now: datetime, elapsed: float, kept: timedelta) -> None:
    closing = site.store.closing
    in_use = {runner.id for runner in site.registry.awake() if runner.connections}
    unused = [room for room in await closing.unused(now - kept) if room not in in_use]
    plan = await closing.planned.look("rooms", unused, await closing.count_rooms(), elapsed)
    if plan.listed:
        logger.warning(
            "unused rooms will be deleted after 24 hours of running time; `rooms list` shows them",
            count=len(plan.listed),
            rooms=list(plan.listed[:SHOWN]),
        )
    # Deletions that a stopped server left half done are finished first.
    for room in (*await closing.half_deleted(), *plan.due):
        seq = await closing.close(room, now)
        site.registry.hint(room, seq)
        site.store.bus.publish(room, seq)
        logger.info("room deleted", room=room)


async def _tidy_people(site: Site, now: datetime, elapsed: float, kept: timedelta) -> None:
    closing = site.store.closing
    unused = await closing.unused_people(now - kept)
    plan = await closing.planned.look("people", unused, await closing.count_people(), elapsed)
    if plan.listed:
        logger.warning("people without a room will be deleted after 24 hours of running time", count=len(plan.listed))
    if plan.due:
        logger.info("people deleted", count=await closing.let_go_of_people(plan.due, now - kept, now))
