"""Taking somebody out of all that is kept: their name goes from logs, matches and the book; what they did stays.

A room is rewritten in three steps. First, in one transaction, what opening it reads, with an entry that says so: who
has the room awake, in whatever process, can append nothing after it before they have read it again. Then what is
older, a little at a time, so that nobody waits for it. Then the history. What is to become what stands in that entry
until all of it is done, so that another server may finish it. The person goes last.
"""

from datetime import datetime
from functools import partial
from typing import Final

import sqlalchemy as sa

from app.rooms.log.name_rewrite import NAMING
from app.store.db.database import Database
from app.store.db.schema import (
    chat_lines,
    devices,
    house_rules,
    imported_matches,
    people,
    recovery_tokens,
    room_entry,
    visits,
)
from app.store.db.types import check_text
from app.store.deletion import name_references, row_rewrite
from app.store.deletion.name_references import Todo

TRIES: Final = 20
"""How often the first step is tried while others append."""


class Forgetting:
    """One person, who is to be forgotten."""

    def __init__(self, database: Database, person_id: str) -> None:
        self._database = database
        self._person = check_text(person_id)

    async def begin(self, at: datetime) -> None:
        """Note that they are to be forgotten, so that it is done even if the server stops in the middle."""
        noted = people.update().where(people.c.id == self._person).values(forgotten_at=at)
        await self._database.write(lambda connection: connection.execute(noted))

    async def rooms(self) -> list[str]:
        """The rooms in whose log they stand."""
        said = (
            room_entry.c.kind.in_([*NAMING, name_references.REWRITTEN]),
            sa.cast(room_entry.c.data, sa.Text).contains(self._person, autoescape=True),
        )
        query = sa.select(room_entry.c.room).distinct().where(*said).order_by(room_entry.c.room)
        return await self._database.read(lambda connection: list(connection.execute(query).scalars()))

    async def everywhere(self) -> list[str]:
        """The rooms in which their name may stand, in the order in which they are to be rewritten: those of variations
        before those that these come from."""
        found: dict[str, None] = {}
        some = await self.rooms()
        while some:
            for room in some:
                found.pop(room, None)
                found[room] = None
            some = await self._database.read(partial(name_references.come_from, rooms=some))
        return list(reversed(found))

    async def rewrite(self, room: str, at: datetime) -> int | None:
        """Take them out of a room and its matches; gives the seq of the entry that says so, if anything was theirs."""
        left = await self._database.read(partial(name_references.begun, room=room, person=self._person))
        if left is not None:
            await self._carry_out(room, *left)
        new = await self._begin_in(room, at)
        if new is not None:
            await self._carry_out(room, *new)
        return next((seq for seq, _ in filter(None, (new, left))), None)

    async def finish(self, at: datetime) -> None:
        """Let nothing of them be left but that there was somebody."""
        gone = people.update().where(people.c.id == self._person)
        gone = gone.values(name=None, bird=None, colour=None, forgotten_at=at)

        def work(connection: sa.Connection) -> None:
            for table in (chat_lines, devices, house_rules, imported_matches, recovery_tokens, visits):
                connection.execute(table.delete().where(table.c.person_id == self._person))
            connection.execute(gone)

        await self._database.write(work)

    async def _begin_in(self, room: str, at: datetime) -> tuple[int, Todo] | None:
        """Rewrite what opening the room reads; from then on it is kept what is to be done, too."""
        for left in reversed(range(TRIES)):
            seen, todo = await self._database.read(
                lambda c: (row_rewrite.head(c, room), name_references.planned(c, room, self._person))
            )
            if todo is None:
                return None
            try:
                seq = await self._database.write(
                    partial(row_rewrite.what_is_open, room=room, todo=todo, seen=seen, at=at)
                )
            except sa.exc.IntegrityError:  # another process was faster
                if not left:
                    raise
            else:
                if seq is not None:
                    return seq, todo
        raise RuntimeError(f"room {room}: others were begun with {TRIES} times")

    async def _carry_out(self, room: str, seq: int, todo: Todo) -> None:
        write = self._database.write
        for after in range(0, seq, row_rewrite.AT_ONCE):
            await write(partial(row_rewrite.older, room=room, todo=todo, after=after))
        for match_id, renaming in await self._database.read(partial(name_references.in_matches, room=room, todo=todo)):
            count = await write(partial(row_rewrite.match_head, match_id=match_id, renaming=renaming))
            for first in range(0, count, row_rewrite.AT_ONCE):
                await write(partial(row_rewrite.match_hands, match_id=match_id, first=first, renaming=renaming))
        await write(partial(row_rewrite.book, room=room, todo=todo))
        await write(partial(row_rewrite.done, room=room, seq=seq))


async def unfinished(database: Database) -> list[str]:
    """Those who were to be forgotten when a server stopped, by their ids."""
    theirs = sa.exists().where(devices.c.person_id == people.c.id)
    query = sa.select(people.c.id).where(people.c.forgotten_at.is_not(None), sa.or_(people.c.name.is_not(None), theirs))
    return await database.read(lambda connection: list(connection.execute(query).scalars()))
