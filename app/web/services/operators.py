"""Take up what operators change by commands beside a running server: log it, and show it on open pages."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Final

import structlog

from app.rooms.ports.bus import CHECK_LOG_SEQ
from app.rooms.ports.storage import StorageUnavailable
from app.web.context.site import AppContext

POLL_SECONDS: Final = 5.0
"""Seconds between two looks into the database. A ban takes effect within twice this time."""

logger = structlog.get_logger("web")


async def follow_operators(site: AppContext, now: Callable[[], datetime]) -> None:
    """Take up bans, log each change by a command, and let the rooms that are meant read their logs, until cancelled.

    Hints between nodes do not reach a server with SQLite, so the database is read every few seconds.
    """
    seen: frozenset[str] | None = None
    while True:
        if site.store.database.health.write_error is not None:  # reading may fail too, and the outage is logged already
            await asyncio.sleep(POLL_SECONDS)
            continue
        try:
            site.ban([each.network for each in await site.store.operations.bans(now())])
            actions = await site.store.operations.recent_actions(now())
        except StorageUnavailable:  # the outage is logged already
            pass
        else:
            for action in actions:
                if seen is not None and action.id not in seen:
                    logger.info("changed by the operator", command=action.command, subject=action.subject)
                    site.registry.on_hint(action.subject, CHECK_LOG_SEQ)
                    if action.command == "people forget":
                        site.close_sockets_of(action.subject)
                        site.must_empty_log.set()
            seen = frozenset(each.id for each in actions)
        await asyncio.sleep(POLL_SECONDS)
