"""Letting go of rooms that nobody opens any more, and of people who have none.

What goes of a room: its log, but for who had which name in which match; its snapshot, the link to its book, and its
addresses, which lead nowhere then and are never given again. What stays is what was played there: matches with their
deals, actions and proofs, and what they came to in the book. That belongs to those who played, who go on finding it; it
is still proven, and somebody who wishes to be forgotten still is. A room in which nothing was played keeps its
addresses only.

Of people who were in no room, played nothing and brought nothing stays a random id.

Rooms are let go of a little at a time, so that nobody waits for it. Each step may be done twice, and what a server that
stopped had begun is found again: the snapshot goes last.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final

import sqlalchemy as sa

from app.rooms.model.events import Rewritten
from app.store.db.database import Database
from app.store.db.schema import (
    addresses,
    book_links,
    chat_lines,
    devices,
    hands,
    house_rules,
    imported_matches,
    match_players,
    matches,
    people,
    recovery_tokens,
    room_entry,
    room_snapshot,
    rooms,
    visits,
)
from app.store.db.types import check_text
from app.store.deletion import name_references, row_rewrite
from app.store.deletion.deletion_schedule import PlannedDeletions

AT_ONCE: Final = 1000
"""Entries, or people, let go of in one transaction."""


@dataclass(frozen=True, slots=True)
class RoomKept:
    """A room, for whoever runs the server."""

    id: str
    code: str
    created_at: datetime
    used_at: datetime
    """When somebody opened its page, or a hand ended, whatever was last."""
    people: int
    """Who were there."""
    matches: int
    hands: int
    entries: int


class Closing:
    """Lets go of rooms and people in one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.planned = PlannedDeletions(database)

    async def rooms(self) -> Sequence[RoomKept]:
        """All rooms that one can open, those used last first."""
        query = (
            sa.select(rooms.c.id, addresses.c.code, rooms.c.created_at, _used, _visitors, _matches, _hands, _entries)
            .join(addresses, _has_address)
            .order_by(_used.desc(), rooms.c.id)
        )
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return [RoomKept(*row) for row in found]

    async def find(self, text: str) -> str | None:
        """Return the id of the room with this code or id, or None if no such room can be opened."""
        check_text(text)
        is_meant = sa.or_(addresses.c.code == text.upper(), addresses.c.room == text)
        query = sa.select(addresses.c.room).where(is_meant, addresses.c.until.is_(None))
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def unused(self, since: datetime) -> Sequence[str]:
        """Return the ids of rooms that nobody has used since then."""
        alone = sa.select(rooms.c.id).join(addresses, _has_address).where(rooms.c.active_at < since, _used < since)
        return await self._database.read(lambda connection: list(connection.execute(alone.order_by("id")).scalars()))

    async def half_deleted(self) -> Sequence[str]:
        """Return the ids of rooms whose deletion began and did not end."""
        begun = sa.select(room_snapshot.c.room).where(room_snapshot.c.room.not_in(_open_rooms()))
        return await self._database.read(lambda connection: list(connection.execute(begun.order_by("room")).scalars()))

    async def count_rooms(self) -> int:
        """Return the number of rooms that can be opened."""
        query = sa.select(sa.func.count()).select_from(_open_rooms().subquery())
        return await self._database.read(lambda connection: connection.execute(query).scalar_one())

    async def close(self, room: str, at: datetime) -> int:
        """Let go of a room; gives the seq at which whoever has it awake finds out."""
        check_text(room)
        last = await self._database.write(partial(_shut, room=room, at=at))
        played = await self._database.read(partial(_was_played, room=room))
        for after in range(0, last, AT_ONCE):
            await self._database.write(partial(_forget_entries, room=room, after=after, played=played))
        await self._database.write(partial(_finish, room=room, played=played))
        return last

    async def unused_people(self, since: datetime) -> Sequence[str]:
        """Return the ids of people who have no room and were not seen since then."""
        query = _unused_people(since).order_by(people.c.id)
        return await self._database.read(lambda connection: list(connection.execute(query).scalars()))

    async def count_people(self) -> int:
        """Return the number of people who are not deleted."""
        query = sa.select(sa.func.count()).select_from(people).where(people.c.forgotten_at.is_(None))
        return await self._database.read(lambda connection: connection.execute(query).scalar_one())

    async def let_go_of_people(self, ids: Sequence[str], since: datetime, at: datetime) -> int:
        """Take name, looks, devices and rules of these people, and return how many they were.

        Those who were seen since then, or have a room, are left alone.
        """
        gone = 0
        for first in range(0, len(ids), AT_ONCE):
            some = _unused_people(since).where(people.c.id.in_(ids[first : first + AT_ONCE]))
            gone += await self._database.write(partial(_nobody_any_more, some=some, at=at))
        return gone


def _unused_people(since: datetime) -> sa.Select[Any]:
    return sa.select(people.c.id).where(
        people.c.seen_at < since,
        people.c.forgotten_at.is_(None),
        *(~sa.exists().where(table.c.person_id == people.c.id) for table in (visits, match_players, imported_matches)),
    )


def _open_rooms() -> sa.Select[tuple[str]]:
    """The ids of rooms that have an address: all others were let go of."""
    return sa.select(addresses.c.room).where(addresses.c.until.is_(None))


_has_address = sa.and_(addresses.c.room == rooms.c.id, addresses.c.until.is_(None))
_of_room = matches.c.room == rooms.c.id
_visited = sa.select(sa.func.max(visits.c.last_at)).where(visits.c.room == rooms.c.id).scalar_subquery()
_used = sa.case((_visited > rooms.c.active_at, _visited), else_=rooms.c.active_at)
_visitors = sa.select(sa.func.count()).select_from(visits).where(visits.c.room == rooms.c.id).scalar_subquery()
_matches = sa.select(sa.func.count()).select_from(matches).where(_of_room).scalar_subquery()
_hands = sa.select(sa.func.count()).select_from(hands.join(matches)).where(_of_room).scalar_subquery()
_entries = (
    sa.select(sa.func.coalesce(sa.func.max(room_entry.c.seq), 0))
    .where(room_entry.c.room == rooms.c.id)
    .scalar_subquery()
)


def _shut(connection: sa.Connection, room: str, at: datetime) -> int:
    """Let no address lead there any more, and say so in the log: who has the room awake reads it before they append."""
    shut = addresses.update().where(addresses.c.room == room, addresses.c.until.is_(None)).values(until=at)
    if connection.execute(shut).rowcount:
        # A match that went on has come to its end.
        last = sa.select(rooms.c.active_at).where(rooms.c.id == room).scalar_subquery()
        stopped = matches.update().where(matches.c.room == room, matches.c.ended_at.is_(None))
        connection.execute(stopped.values(ended_at=last))
        for table in (book_links, chat_lines):
            connection.execute(table.delete().where(table.c.room == room))
        row_rewrite.append(connection, room, Rewritten(), at)
    return row_rewrite.head(connection, room)


def _was_played(connection: sa.Connection, room: str) -> bool:
    return connection.execute(sa.select(matches.c.id).where(matches.c.room == room).limit(1)).first() is not None


def _forget_entries(connection: sa.Connection, room: str, after: int, *, played: bool) -> None:
    """Delete some entries: all but those that say who had which name in which match, and that the room is no more."""
    kept = name_references.TOLD if played else (name_references.REWRITTEN,)
    some = room_entry.c.room == room, room_entry.c.seq.between(after + 1, after + AT_ONCE)
    connection.execute(room_entry.delete().where(*some, room_entry.c.kind.not_in(kept)))


def _finish(connection: sa.Connection, room: str, *, played: bool) -> None:
    if not played:
        connection.execute(visits.delete().where(visits.c.room == room))
    connection.execute(room_snapshot.delete().where(room_snapshot.c.room == room))


def _nobody_any_more(connection: sa.Connection, some: sa.Select[tuple[str]], at: datetime) -> int:
    found = list(connection.execute(some).scalars())
    for table in (devices, house_rules, recovery_tokens):
        connection.execute(table.delete().where(table.c.person_id.in_(found)))
    nameless = people.update().where(people.c.id.in_(found))
    connection.execute(nameless.values(name=None, bird=None, colour=None, forgotten_at=at))
    return len(found)
