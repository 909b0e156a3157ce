"""Remove a person's name from logs, matches and statistics; the results of their play remain.

A room is rewritten in three steps. First, one transaction appends an entry about it, and rewrites the data that opening
the room reads. A process that has the room loaded can append nothing more before it has read that entry. Then older
entries are rewritten in small transactions, so that others need not wait. Then the history is rewritten.

The replacements are stored in that entry until all is done, so that another server can finish. The person's own rows
are deleted last.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

import sqlalchemy as sa

from app.rooms.log.name_rewrite import NAMING
from app.store.db.database import Database
from app.store.db.schema import (
    chat_messages,
    device_links,
    devices,
    imported_matches,
    match_directory,
    people,
    room_events,
    room_visits,
    saved_rules,
)
from app.store.db.types import check_text
from app.store.deletion import name_references, row_rewrite
from app.store.deletion.name_references import RewritePlan

_PERSONAL_TABLES: Final = (
    *(chat_messages, devices, saved_rules, imported_matches, match_directory, device_links, room_visits),
)
"""Tables with rows of a person that are deleted with the person."""
MAX_TRIES: Final = 20
"""Number of attempts at the first step while other processes append to the log."""


@dataclass(frozen=True, slots=True)
class RewrittenRoom:
    """A room from whose stored data a person's names were removed."""

    seq: int
    """The number of the log entry about it, from which loaded rooms learn."""
    said: Mapping[str, str]
    """The replacements in texts of others, by name: the chat in memory needs them."""


class PersonDeletion:
    """The steps that delete one person from a database: their names in rooms and matches, and their own rows."""

    def __init__(self, database: Database, person_id: str) -> None:
        self._database = database
        self._person = check_text(person_id)

    async def mark_as_deleted(self, at: datetime) -> None:
        """Record that the person is to be deleted, so that a restarted server completes an interrupted deletion."""
        noted = people.update().where(people.c.id == self._person).values(deleted_at=at)
        await self._database.write(lambda connection: connection.execute(noted))

    async def rooms_naming_person(self) -> list[str]:
        """Return the ids of rooms whose log mentions the person's id: they have a name there, or were removed."""
        said = (
            room_events.c.event_type.in_([*NAMING, name_references.REWRITTEN, name_references.REMOVED_GUEST]),
            sa.cast(room_events.c.data, sa.Text).contains(self._person, autoescape=True),
        )
        query = sa.select(room_events.c.room_id).distinct().where(*said).order_by(room_events.c.room_id)
        return await self._database.read(lambda connection: list(connection.execute(query).scalars()))

    async def rooms_to_rewrite(self) -> list[str]:
        """Return the ids of rooms that may contain the person's name, in the order in which to rewrite them.

        Rooms with variations come before the rooms of their original matches, which are needed to recognize the names.
        """
        found: dict[str, None] = {}
        some = await self.rooms_naming_person()
        while some:
            for room in some:
                found.pop(room, None)
                found[room] = None
            some = await self._database.read(partial(name_references.rooms_of_variations, rooms=some))
        return list(reversed(found))

    async def rewrite_room(self, room: str, at: datetime) -> RewrittenRoom | None:
        """Remove the person's names from a room's stored data and its matches.

        Finishes an interrupted rewrite first. Returns None if the room does not mention the person.
        """
        left = await self._database.read(partial(name_references.load_unfinished_plan, room=room, person=self._person))
        if left is not None:
            await self._finish_room_rewrite(room, *left)
        new = await self._start_room_rewrite(room, at)
        if new is not None:
            await self._finish_room_rewrite(room, *new)
        done = [each for each in (new, left) if each is not None]
        return RewrittenRoom(done[0][0], {**done[-1][1].said, **done[0][1].said}) if done else None

    async def delete_person_rows(self, at: datetime) -> None:
        """Delete what is stored about the person alone: devices, links, chat, rules, imports, visits, name and looks.

        Only the id remains.
        """
        gone = people.update().where(people.c.id == self._person)
        gone = gone.values(name=None, avatar=None, colour=None, language=None, deleted_at=at)

        def work(connection: sa.Connection) -> None:
            for table in _PERSONAL_TABLES:
                connection.execute(table.delete().where(table.c.person_id == self._person))
            connection.execute(gone)

        await self._database.write(work)

    async def _start_room_rewrite(self, room: str, at: datetime) -> tuple[int, RewritePlan] | None:
        """Replace the person's names in the data from which a room is loaded, and save the plan for the rest.

        Returns the number of the log entry with the plan, and the plan; None if the room does not mention the person.
        Tries again if other processes append meanwhile, and raises an error after 20 times.
        """
        for left in reversed(range(MAX_TRIES)):
            seen, todo = await self._database.read(
                lambda c: (row_rewrite.last_seq(c, room), name_references.build_rewrite_plan(c, room, self._person))
            )
            if todo is None:
                return None
            try:
                seq = await self._database.write(
                    partial(row_rewrite.rewrite_current_state, room=room, todo=todo, seen=seen, at=at)
                )
            except sa.exc.IntegrityError:  # another process was faster
                if not left:
                    raise
            else:
                if seq is not None:
                    return seq, todo
        raise RuntimeError(f"room {room}: others were begun with {MAX_TRIES} times")

    async def _finish_room_rewrite(self, room: str, seq: int, todo: RewritePlan) -> None:
        write = self._database.write
        for after in range(0, seq, row_rewrite.ROWS_PER_TRANSACTION):
            await write(partial(row_rewrite.rewrite_older_entries, room=room, todo=todo, after=after))
        for match_id, renaming in await self._database.read(
            partial(name_references.match_renamings, room=room, todo=todo)
        ):
            count = await write(partial(row_rewrite.rewrite_match, room=room, match_id=match_id, renaming=renaming))
            for first in range(0, count, row_rewrite.ROWS_PER_TRANSACTION):
                some = partial(row_rewrite.rewrite_match_hands, room=room, match_id=match_id, renaming=renaming)
                await write(partial(some, first=first))
        await write(partial(row_rewrite.rewrite_bot_keys, room=room, todo=todo))
        await write(partial(row_rewrite.clear_rewrite_plan, room=room, seq=seq))


async def unfinished_deletions(database: Database) -> list[str]:
    """Return the ids of people whose deletion was begun but interrupted, so that the server can complete it."""
    theirs = sa.exists().where(devices.c.person_id == people.c.id)
    query = sa.select(people.c.id).where(people.c.deleted_at.is_not(None), sa.or_(people.c.name.is_not(None), theirs))
    return await database.read(lambda connection: list(connection.execute(query).scalars()))
