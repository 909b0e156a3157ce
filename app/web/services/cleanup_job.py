"""Delete unused rooms, and people without a room, if the settings say so.

Both are listed first and deleted after 24 more hours of running time, see `app/store/deletion/deletion_schedule.py`.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

import structlog

from app.web.context.site import AppContext

CHECK_INTERVAL_SECONDS = 600
"""Seconds between two looks. A server that stops loses at most this much of its running time."""
SHOWN = 50
"""Most ids in one line of the log."""

logger = structlog.get_logger("web")


async def run_cleanup_loop(site: AppContext, now: Callable[[], datetime]) -> None:
    """Delete unused rooms and people now and then every ten minutes, until the server stops.

    Returns at once if the settings keep all rooms and people. Errors are logged, and the loop goes on.
    """
    loop = asyncio.get_running_loop()
    last = loop.time()
    while site.settings.keep_rooms_days is not None or site.settings.keep_people_days is not None:
        elapsed, last = loop.time() - last, loop.time()
        try:
            await run_cleanup(site, now(), elapsed)
        except Exception:  # the server goes on, and tries again
            logger.exception("cleanup failed")
        await asyncio.sleep(CHECK_INTERVAL_SECONDS)


async def run_cleanup(site: AppContext, now: datetime, elapsed: float) -> None:
    """List rooms and people unused for longer than the settings allow, and delete those listed for 24 running hours.

    `elapsed` is the running time since the last call, in seconds. Of several nodes only one works, so that time counts
    once.
    """
    heart = site.store.heart
    if heart is not None and heart.node != min(heart.alive_nodes):
        return
    if site.settings.keep_rooms_days is not None:
        await _delete_unused_rooms(site, now, elapsed, timedelta(days=site.settings.keep_rooms_days))
    if site.settings.keep_people_days is not None:
        await _delete_unused_people(site, now, elapsed, timedelta(days=site.settings.keep_people_days))


async def _delete_unused_rooms(site: AppContext, now: datetime, elapsed: float, max_idle: timedelta) -> None:
    closing = site.store.room_cleanup
    in_use = {actor.id for actor in site.registry.loaded_rooms() if actor.connection_count}
    unused = [room for room in await closing.unused_rooms(now - max_idle) if room not in in_use]
    plan = await closing.schedule.update_schedule("rooms", unused, await closing.count_rooms(), elapsed)
    if plan.listed:
        logger.warning(
            "unused rooms listed for deletion after 24 hours of running time; `rooms list` shows them",
            count=len(plan.listed),
            rooms=list(plan.listed[:SHOWN]),
        )
    # Deletions that a stopped server left half done are finished first.
    for room in (*await closing.half_deleted_rooms(), *plan.due):
        seq = await closing.delete_room(room, now)
        site.registry.on_hint(room, seq)
        site.store.bus.publish(room, seq)
        site.must_empty_log.set()
        logger.info("room deleted", room=room)


async def _delete_unused_people(site: AppContext, now: datetime, elapsed: float, max_idle: timedelta) -> None:
    closing = site.store.room_cleanup
    unused = await closing.unused_people(now - max_idle)
    plan = await closing.schedule.update_schedule("people", unused, await closing.count_people(), elapsed)
    if plan.listed:
        logger.warning(
            "people without a room listed for deletion after 24 hours of running time", count=len(plan.listed)
        )
    if plan.due:
        logger.info("people deleted", count=await closing.delete_unused_people(plan.due, now - max_idle, now))
        site.must_empty_log.set()
