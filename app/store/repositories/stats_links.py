"""Links to the books of rooms, for who was not there: a secret for each room whose host has made one."""

import secrets
from datetime import datetime

import sqlalchemy as sa

from app.store.db.database import Database
from app.store.db.schema import book_links
from app.store.db.transactions import upserting
from app.store.db.types import check_text, check_time


class SharedBooks:
    """Which secrets open which books, in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def share(self, room: str, at: datetime) -> None:
        """Make a link to the book of the room with this id, unless there is one."""
        row = {"room": check_text(room), "secret": secrets.token_urlsafe(16), "since": check_time(at)}
        statement = upserting(self._database.dialect, book_links).values(row).on_conflict_do_nothing()
        await self._database.write(lambda connection: connection.execute(statement))

    async def revoke(self, room: str) -> None:
        """Let the link that there is lead nowhere any more."""
        statement = book_links.delete().where(book_links.c.room == check_text(room))
        await self._database.write(lambda connection: connection.execute(statement))

    async def secret_of(self, room: str) -> str | None:
        """What stands in the link to this room's book; None: there is no link."""
        query = sa.select(book_links.c.secret).where(book_links.c.room == check_text(room))
        found: str | None = await self._database.read(lambda connection: connection.execute(query).scalar())
        return found

    async def room_of(self, secret: str) -> str | None:
        """The id of the room whose book this secret, which may be anything, opens."""
        if not (secret.isascii() and secret.isprintable()):
            return None
        query = sa.select(book_links.c.room).where(book_links.c.secret == secret)
        found: str | None = await self._database.read(lambda connection: connection.execute(query).scalar())
        return found
