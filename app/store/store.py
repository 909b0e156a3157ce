"""Everything that is kept, opened and closed in the right order."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from app.rooms.memory import MemoryBus
from app.rooms.ports import Bus

from .bus import PostgresBus
from .database import Database
from .history import History
from .migrate import migrate
from .people import People
from .room_log import RoomLog


@dataclass(frozen=True, slots=True)
class Store:
    """What a server needs of one database."""

    database: Database
    log: RoomLog
    bus: Bus
    people: People
    history: History


@asynccontextmanager
async def open_store(url: str, written: Callable[[float], None] = lambda seconds: None) -> AsyncIterator[Store]:
    """Bring the database up to date and open it; at the end, commit what was asked for and let go.

    `written` is told how long each commit took, in seconds.

    `BadUrl` and `Unavailable` say why not.
    """
    await migrate(url)
    database = Database(url, written)
    try:
        log = RoomLog(database)
        bus = PostgresBus(database) if database.dialect == "postgresql" else None
        try:
            yield Store(database, log, bus or MemoryBus(), People(database), History(database))
        finally:
            if bus is not None:
                await bus.close()
            await log.close()
    finally:
        await database.close()
