"""Open all parts of the storage in the right order, and close them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

from app.background_tasks import CountFailure, ignore_failure
from app.rooms.ports.bus import Bus, MemoryBus
from app.rooms.ports.storage import StorageUnavailable
from app.store.cluster.heartbeat import BEAT_TIMEOUT, Heartbeat
from app.store.cluster.pg_bus import PostgresBus
from app.store.db.cancelling import NEVER, StopSignal
from app.store.db.database import Database
from app.store.deletion.room_cleanup import RoomCleanup
from app.store.evenings import Evenings
from app.store.event_log.event_log import NO_CONTEXT, EventLog
from app.store.event_log.write_check import try_saving
from app.store.history.match_export import MatchExport
from app.store.history.match_history import MatchHistory
from app.store.history.match_list import MatchList
from app.store.history.match_stories import MatchStories
from app.store.history.person_stats import PersonStatsQueries
from app.store.history.room_stats import RoomStatsQueries
from app.store.history.sums_cache import SumsCache
from app.store.maintenance import open_database
from app.store.maintenance.migrations import Report
from app.store.maintenance.open_database import open_for_server
from app.store.repositories.chat import ChatStore
from app.store.repositories.imported_matches import ImportedMatches
from app.store.repositories.operations import Operations
from app.store.repositories.people import People
from app.store.repositories.push_subscriptions import PushSubscriptions
from app.store.repositories.saved_rules import SavedRulesStore
from app.store.repositories.static_files import StaticFileStore
from app.store.repositories.stats_links import StatsLinks


@dataclass(frozen=True, slots=True)
class Store:
    """All storage that a server uses, for one database: logs, people, history, statistics and more."""

    database: Database
    log: EventLog
    bus: Bus
    people: People
    history: MatchHistory
    match_list: MatchList
    match_export: MatchExport
    evenings: Evenings
    imported_matches: ImportedMatches
    room_stats: RoomStatsQueries
    person_stats: PersonStatsQueries
    match_stories: MatchStories
    stats_links: StatsLinks
    chat: ChatStore
    saved_rules: SavedRulesStore
    room_cleanup: RoomCleanup
    subscriptions: PushSubscriptions
    static_files: StaticFileStore
    operations: Operations
    sums_cache: SumsCache
    heart: Heartbeat | None = None
    """None with a single process, or if the process only reads."""


@asynccontextmanager
async def open_store(
    url: str,
    on_write_time: Callable[[float], None] = lambda seconds: None,
    batch_context: AbstractContextManager[object] = NO_CONTEXT,
    *,
    direct_url: str | None = None,
    place: str | None = None,
    heartbeat: float = 5.0,
    failed: CountFailure = ignore_failure,
    report: Report = lambda progress: None,
    stop: StopSignal = NEVER,
) -> AsyncIterator[Store]:
    """Bring the database up to date and open it; on exit, commit all submitted writes and close it.

    `on_write_time` gets the duration of each commit in seconds. `batch_context` is entered while the rooms that share
    a commit are notified (see `EventLog`). `direct_url`: the address without the connection pooler to which `url`
    leads; None: it leads to none. `place` and `heartbeat` (seconds) are this node's address among the nodes of the
    database, and the time between heartbeats (see `Heartbeat`). `failed` counts unexpected errors of background tasks
    by name. `report` gets the progress of migrations, in their thread, and `stop` ends them. Raises `BadUrl`,
    `DatabaseLocked`, `StorageUnavailable` and `MigrationStopped`.
    """
    async with AsyncExitStack() as stack:
        opening = open_for_server(url, direct_url, report=report, stop=stop)
        release = await asyncio.to_thread(stack.enter_context, opening)
        database = Database(url, on_write_time, direct_url=direct_url, failed=failed, probe=try_saving)
        opened = _open_parts(database, batch_context)
        store = await stack.enter_async_context(opened)
        if not isinstance(store.bus, PostgresBus):
            yield store
            return
        try:
            async with asyncio.timeout(BEAT_TIMEOUT):
                await store.bus.listening.wait()
        except TimeoutError:
            raise StorageUnavailable("the database gives no lock") from None
        release()  # the listening connection holds the lock now
        heart = Heartbeat(store.database, place, heartbeat)
        try:
            yield replace(store, heart=await heart.wait_for_first_beat())
        finally:
            await heart.close()


@asynccontextmanager
async def open_beside_server(url: str) -> AsyncIterator[Store]:
    """Open a database for a command while a server may be using it; on exit, close it.

    Nothing is migrated. Raises `BadUrl` if the database is missing or not up to date, `DatabaseLocked` if another
    process uses it alone.
    """
    with open_database.open_for_command(url, "beside"):
        async with _open_parts(Database(url, alongside_server=True)) as store:
            yield store


@asynccontextmanager
async def _open_parts(
    database: Database, batch_context: AbstractContextManager[object] = NO_CONTEXT
) -> AsyncIterator[Store]:
    try:
        log = EventLog(database, batch_context)
        bus = PostgresBus(database) if database.dialect == "postgresql" else None
        sums_cache = SumsCache()
        try:
            yield Store(
                database,
                log,
                bus or MemoryBus(),
                People(database),
                MatchHistory(database),
                MatchList(database),
                MatchExport(database),
                Evenings(database, sums_cache),
                ImportedMatches(database),
                RoomStatsQueries(database),
                PersonStatsQueries(database, sums_cache),
                MatchStories(database),
                StatsLinks(database),
                ChatStore(database),
                SavedRulesStore(database),
                RoomCleanup(database),
                PushSubscriptions(database),
                StaticFileStore(database),
                Operations(database),
                sums_cache,
            )
        finally:
            await log.close()  # first: pending writes need the lock, which the bus holds
            if bus is not None:
                await bus.close()
    finally:
        await database.close()
