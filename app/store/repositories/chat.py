"""Store the chat messages of running matches, so that they can be shown again after a restart of the server."""

from collections.abc import Sequence

import sqlalchemy as sa

from app.rooms.model.state import to_milliseconds
from app.rooms.people.chat import MAX_MESSAGES, ChatMessage
from app.store.db.database import Database
from app.store.db.schema import chat_messages
from app.store.db.transactions import dialect_insert
from app.store.db.types import check_text

MAX_TRIES = 5
"""Attempts to find the next message number of a room. An attempt fails only if another node was faster."""


class ChatStore:
    """Stores the chat messages of running matches in one database, for people who load the room later."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save_message(self, room: str, match_id: str, message: ChatMessage) -> None:
        """Save a chat message of the room's current match, numbered after all messages that any node has saved.

        If other nodes were faster five times, the message is not saved.
        """
        last = (
            sa.select(sa.func.max(chat_messages.c.id))
            .where(chat_messages.c.room_id == check_text(room))
            .scalar_subquery()
        )
        row = {
            "room_id": check_text(room),
            "id": sa.func.coalesce(last, 0) + 1,
            "match_id": check_text(match_id),
            "person_id": check_text(message.person),
            "name": check_text(message.by),
            "sent_at": message.sent_at,
            "text": message.text,
            "quick_message": message.quick,
        }
        insert = dialect_insert(self._database.dialect, chat_messages).values(row).on_conflict_do_nothing()
        statement = insert.returning(chat_messages.c.id)

        def append(connection: sa.Connection) -> None:
            # If two nodes pick the same number, the slower node sees the other's message at its next attempt.
            for _ in range(MAX_TRIES):
                if connection.execute(statement).first() is not None:
                    return

        await self._database.write(append)

    async def recent_messages(self, room: str, match_id: str) -> Sequence[ChatMessage]:
        """Return the last 30 saved messages of a match, sorted by the time they were sent.

        Nodes may have saved them in another order.
        """
        columns = chat_messages.c
        query = (
            sa.select(columns.id, columns.person_id, columns.name, columns.sent_at, columns.text, columns.quick_message)
            .where(columns.room_id == check_text(room), columns.match_id == check_text(match_id))
            .order_by(columns.id.desc())
            .limit(MAX_MESSAGES)
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        lines = [
            ChatMessage(row.id, row.person_id, row.name, to_milliseconds(row.sent_at), row.text, row.quick_message)
            for row in reversed(rows)
        ]
        return sorted(lines, key=lambda line: line.sent_at)

    async def delete_room_messages(self, room: str) -> None:
        """Delete all saved chat messages of a room, because its match is over."""
        gone = chat_messages.delete().where(chat_messages.c.room_id == check_text(room))
        await self._database.write(lambda connection: connection.execute(gone))

    async def messages_of_person(self, person: str) -> Sequence[tuple[str, str | None, str | None]]:
        """Return a person's saved chat messages, for the export of their data.

        Each as (ISO time, own text or None, ready-made message or None).
        """
        columns = chat_messages.c
        query = sa.select(columns.sent_at, columns.text, columns.quick_message).where(
            columns.person_id == check_text(person)
        )
        rows = await self._database.read(lambda connection: connection.execute(query.order_by(columns.id)).all())
        return [(row.sent_at.isoformat(timespec="seconds"), row.text, row.quick_message) for row in rows]
