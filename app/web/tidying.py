"""Once a day, if whoever runs the server wants it: rooms that nobody uses are let go of, and people who have none."""

import asyncio
from datetime import UTC, datetime, timedelta

import structlog

from app.web.site import Site

DAY = 24 * 3600
"""Seconds."""

logger = structlog.get_logger("web")


async def tidy_daily(site: Site) -> None:
    """Tidy now and every day; ends when cancelled, or at once where everything is kept for ever."""
    while site.settings.keep_rooms_days is not None or site.settings.keep_people_days is not None:
        try:
            await tidy(site, datetime.now(UTC))
        except Exception:  # tomorrow, then: the server must not suffer
            logger.exception("what nobody uses could not be let go of")
        await asyncio.sleep(DAY)


async def tidy(site: Site, now: datetime) -> None:
    """Let go of rooms, and then of people, by the settings in force."""
    closing, settings = site.store.closing, site.settings
    if settings.keep_rooms_days is not None:
        in_use = {runner.id for runner in site.registry.awake() if runner.connections}
        for room in await closing.unused(now - timedelta(days=settings.keep_rooms_days)):
            if room in in_use:
                continue
            seq = await closing.close(room, now)
            site.registry.hint(room, seq)
            site.store.bus.publish(room, seq)
            logger.info("a room is let go of", room=room)
    if settings.keep_people_days is not None:
        gone = await closing.let_go_of_people(now - timedelta(days=settings.keep_people_days), now)
        logger.info("people without a room are let go of", people=gone)
