"""Everything that is kept, opened and closed in the right order."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

from app.background_tasks import Failed, not_counted
from app.rooms.ports.bus import Bus, MemoryBus
from app.rooms.ports.storage import Unavailable
from app.store.cluster.heartbeat import PATIENCE, Heart
from app.store.cluster.pg_bus import PostgresBus
from app.store.db.database import Database
from app.store.deletion.room_cleanup import Closing
from app.store.event_log.event_log import ALONE, RoomLog
from app.store.event_log.write_check import try_saving
from app.store.history.match_history import History
from app.store.history.match_list import Matches
from app.store.history.match_stories import Stories
from app.store.history.person_stats import PersonBooks
from app.store.history.room_stats import RoomBooks
from app.store.maintenance import open_database
from app.store.maintenance.open_database import opened_by_server
from app.store.repositories.chat import ChatLines
from app.store.repositories.imported_matches import Imports
from app.store.repositories.people import People
from app.store.repositories.push_subscriptions import Subscriptions
from app.store.repositories.saved_rules import HouseRules
from app.store.repositories.stats_links import SharedBooks


@dataclass(frozen=True, slots=True)
class Store:
    """What a server needs of one database."""

    database: Database
    log: RoomLog
    bus: Bus
    people: People
    history: History
    matches: Matches
    imports: Imports
    books: RoomBooks
    persons: PersonBooks
    stories: Stories
    shared_books: SharedBooks
    chat_lines: ChatLines
    house_rules: HouseRules
    closing: Closing
    subscriptions: Subscriptions
    heart: Heart | None = None
    """None where there is one process only, or one that just looks."""


@asynccontextmanager
async def open_store(
    url: str,
    written: Callable[[float], None] = lambda seconds: None,
    together: AbstractContextManager[object] = ALONE,
    *,
    place: str | None = None,
    heartbeat: float = 5.0,
    failed: Failed = not_counted,
) -> AsyncIterator[Store]:
    """Bring the database up to date and open it; at the end, commit what was asked for and let go.

    `written` is told how long each commit took, in seconds; `together` is entered while the rooms that
    share one hear of it; see `RoomLog`.
    `place` and `heartbeat` (in seconds) are this node's among those that share the database, see `Heart`.
    `failed` counts unexpected errors of background tasks, by name.

    Raises `BadUrl`, `InUse` and `Unavailable`.
    """
    async with AsyncExitStack() as stack:
        release = await asyncio.to_thread(stack.enter_context, opened_by_server(url))
        opened = _opened(Database(url, written, failed=failed, probe=try_saving), together)
        store = await stack.enter_async_context(opened)
        if not isinstance(store.bus, PostgresBus):
            yield store
            return
        try:
            await asyncio.wait_for(store.bus.listening.wait(), PATIENCE)
        except TimeoutError:
            raise Unavailable("the database gives no lock") from None
        release()  # the connection that listens has the lock now
        heart = Heart(store.database, place, heartbeat)
        try:
            yield replace(store, heart=await heart.began())
        finally:
            await heart.close()


@asynccontextmanager
async def visiting(url: str) -> AsyncIterator[Store]:
    """Open a database that a server may be using, as it is; `BadUrl` if it is not up to date."""
    with open_database.opened(url, "beside"):
        async with _opened(Database(url, visiting=True)) as store:
            yield store


@asynccontextmanager
async def _opened(database: Database, together: AbstractContextManager[object] = ALONE) -> AsyncIterator[Store]:
    try:
        log = RoomLog(database, together)
        bus = PostgresBus(database) if database.dialect == "postgresql" else None
        try:
            yield Store(
                database,
                log,
                bus or MemoryBus(),
                People(database),
                History(database),
                Matches(database),
                Imports(database),
                RoomBooks(database),
                PersonBooks(database),
                Stories(database),
                SharedBooks(database),
                ChatLines(database),
                HouseRules(database),
                Closing(database),
                Subscriptions(database),
            )
        finally:
            await log.close()  # first: what is being written needs the lock, which the bus holds
            if bus is not None:
                await bus.close()
    finally:
        await database.close()
