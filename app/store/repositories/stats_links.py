"""Store secret links to rooms' statistics, for people who were not in the room."""

import secrets
from datetime import datetime

import sqlalchemy as sa

from app.store.db.database import Database
from app.store.db.schema import stats_links
from app.store.db.transactions import dialect_insert
from app.store.db.types import check_text, check_time


class StatsLinks:
    """Stores the secret links with which people who were not in a room can see its statistics.

    Each room has at most one.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create_link(self, room: str, at: datetime) -> None:
        """Create a secret link to the statistics of a room, unless it already has one."""
        row = {"room_id": check_text(room), "token": secrets.token_urlsafe(16), "created_at": check_time(at)}
        statement = dialect_insert(self._database.dialect, stats_links).values(row).on_conflict_do_nothing()
        await self._database.write(lambda connection: connection.execute(statement))

    async def delete_link(self, room: str) -> None:
        """Delete the secret link to a room's statistics, so that it no longer works."""
        statement = stats_links.delete().where(stats_links.c.room_id == check_text(room))
        await self._database.write(lambda connection: connection.execute(statement))

    async def link_secret(self, room: str) -> str | None:
        """Return the secret in the link to a room's statistics, or None if it has no link."""
        query = sa.select(stats_links.c.token).where(stats_links.c.room_id == check_text(room))
        found: str | None = await self._database.read(lambda connection: connection.execute(query).scalar())
        return found

    async def find_room(self, secret: str) -> str | None:
        """Return the id of the room whose statistics link has this secret, or None.

        The secret may be any text.
        """
        if not (secret.isascii() and secret.isprintable()):
            return None
        query = sa.select(stats_links.c.room_id).where(stats_links.c.token == secret)
        found: str | None = await self._database.read(lambda connection: connection.execute(query).scalar())
        return found
