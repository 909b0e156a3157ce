"""What people say at a table, as long as their match goes on: for who loads a page again when the server was away."""

from collections.abc import Sequence

import sqlalchemy as sa

from app.rooms.model.state import milliseconds
from app.rooms.people.chat import KEPT, Utterance
from app.store.db.database import Database
from app.store.db.schema import chat_lines
from app.store.db.transactions import upserting
from app.store.db.types import check_text

TRIES = 5
"""To find the next number of a room; somebody else has to be first each time."""


class ChatLines:
    """The lines of running matches, in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, room: str, match_id: str, said: Utterance) -> None:
        """Keep a line of the match that goes on in this room, after those that any node has kept."""
        last = sa.select(sa.func.max(chat_lines.c.id)).where(chat_lines.c.room == check_text(room)).scalar_subquery()
        row = {
            "room": check_text(room),
            "id": sa.func.coalesce(last, 0) + 1,
            "match_id": check_text(match_id),
            "person_id": check_text(said.person),
            "name": check_text(said.by),
            "at": said.when,
            "text": said.text,
            "quick": said.quick,
        }
        kept = upserting(self._database.dialect, chat_lines).values(row).on_conflict_do_nothing()
        statement = kept.returning(chat_lines.c.id)

        def append(connection: sa.Connection) -> None:
            # Where two nodes count alike, the one that comes second has seen the other's line by then.
            for _ in range(TRIES):
                if connection.execute(statement).first() is not None:
                    return

        await self._database.write(append)

    async def read(self, room: str, match_id: str) -> Sequence[Utterance]:
        """The last lines of this match, oldest first: two nodes may have kept theirs in another order."""
        columns = chat_lines.c
        query = (
            sa.select(columns.id, columns.person_id, columns.name, columns.at, columns.text, columns.quick)
            .where(columns.room == check_text(room), columns.match_id == check_text(match_id))
            .order_by(columns.id.desc())
            .limit(KEPT)
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        lines = [
            Utterance(row.id, row.person_id, row.name, milliseconds(row.at), row.text, row.quick)
            for row in reversed(rows)
        ]
        return sorted(lines, key=lambda line: line.when)

    async def drop(self, room: str) -> None:
        """Let go of all that was said in this room."""
        gone = chat_lines.delete().where(chat_lines.c.room == check_text(room))
        await self._database.write(lambda connection: connection.execute(gone))

    async def of(self, person: str) -> Sequence[tuple[str, str | None, str | None]]:
        """What somebody has said and is still kept: when, their own words, or quick ones."""
        columns = chat_lines.c
        query = sa.select(columns.at, columns.text, columns.quick).where(columns.person_id == check_text(person))
        rows = await self._database.read(lambda connection: connection.execute(query.order_by(columns.id)).all())
        return [(row.at.isoformat(timespec="seconds"), row.text, row.quick) for row in rows]
