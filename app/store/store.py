"""Everything that is kept, opened and closed in the right order."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

from app.rooms.memory_bus import MemoryBus
from app.rooms.ports import Bus, Unavailable
from app.tasks import Failed, not_counted

from . import access
from .access import opened_by_server
from .book import RoomBooks
from .bus import PostgresBus
from .chat_lines import ChatLines
from .closing import Closing
from .database import Database
from .heart import PATIENCE, Heart
from .history import History
from .house_rules import HouseRules
from .imports import Imports
from .matches import Matches
from .people import People
from .person import PersonBooks
from .probe import try_saving
from .room_log import ALONE, RoomLog, Soon
from .shared_books import SharedBooks
from .stories import Stories
from .subscriptions import Subscriptions


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
    soon: Soon | None = None,
    place: str | None = None,
    heartbeat: float = 5.0,
    failed: Failed = not_counted,
) -> AsyncIterator[Store]:
    """Bring the database up to date and open it; at the end, commit what was asked for and let go.

    `written` is told how long each commit took, in seconds; `together` is entered while several are told of one,
    and `soon` has what is to be written in a moment written in one; see `RoomLog`.
    `place` and `heartbeat` (in seconds) are this node's among those that share the database, see `Heart`.
    `failed` counts unexpected errors of background tasks, by name.

    Raises `BadUrl`, `InUse` and `Unavailable`.
    """
    async with AsyncExitStack() as stack:
        release = await asyncio.to_thread(stack.enter_context, opened_by_server(url))
        opened = _opened(Database(url, written, failed=failed, probe=try_saving), together, soon)
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
    with access.opened(url, "beside"):
        async with _opened(Database(url, visiting=True)) as store:
            yield store


@asynccontextmanager
async def _opened(
    database: Database, together: AbstractContextManager[object] = ALONE, soon: Soon | None = None
) -> AsyncIterator[Store]:
    try:
        log = RoomLog(database, together, soon)
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
