"""Delete rooms that nobody opens any more, and people without a room.

Deleted with a room: its log (except entries that show who had which name in which match), its snapshot, its statistics
link and its chat. Its addresses stop working and are never reused. Its matches remain, with their deals, actions,
proofs and statistics: they belong to the players, who can still find them. They can still be proven, and a player can
still be deleted from them. Of a room without matches, only its addresses remain.

Of people who were in no room, played nothing and imported nothing, a random id remains.

Rooms are deleted in small transactions, so that others need not wait. Each step can be repeated. The snapshot is
deleted last, so that an interrupted deletion is found again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final

import sqlalchemy as sa

from app.rooms.events import NamesRewritten
from app.store.db.database import Database
from app.store.db.schema import (
    chat_messages,
    device_links,
    devices,
    hands,
    imported_matches,
    match_players,
    matches,
    people,
    room_codes,
    room_events,
    room_snapshots,
    room_visits,
    rooms,
    saved_rules,
    stats_links,
)
from app.store.db.types import check_text
from app.store.deletion import name_references, row_rewrite
from app.store.deletion.deletion_schedule import DeletionSchedule

AT_ONCE: Final = 1000
"""Number of log entries or people deleted in one transaction."""


@dataclass(frozen=True, slots=True)
class RoomSummary:
    """One room in the operator's list of rooms, with its last use and its size."""

    id: str
    code: str
    created_at: datetime
    used_at: datetime
    """Time when its page was last opened or a hand last ended, the later of both."""
    people: int
    """Number of people who were in the room."""
    matches: int
    hands: int
    entries: int


class RoomCleanup:
    """Finds and deletes rooms and people that nobody uses any more, in one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.schedule = DeletionSchedule(database)

    async def list_rooms(self) -> Sequence[RoomSummary]:
        """Return all rooms that can be opened, for the operator's list, most recently used first."""
        query = (
            sa.select(
                rooms.c.id, room_codes.c.code, rooms.c.created_at, _last_used, _visitors, _matches, _hands, _entries
            )
            .join(room_codes, _has_address)
            .order_by(_last_used.desc(), rooms.c.id)
        )
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return [RoomSummary(*row) for row in found]

    async def find_room_id(self, text: str) -> str | None:
        """Return the id of the room that has this code or id; None if the room does not exist or was deleted."""
        check_text(text)
        is_meant = sa.or_(room_codes.c.code == text.upper(), room_codes.c.room_id == text)
        query = sa.select(room_codes.c.room_id).where(is_meant, room_codes.c.valid_until.is_(None))
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def unused_rooms(self, since: datetime) -> Sequence[str]:
        """Return the ids of rooms that were neither opened nor played in since this time."""
        alone = (
            sa.select(rooms.c.id).join(room_codes, _has_address).where(rooms.c.active_at < since, _last_used < since)
        )
        return await self._database.read(lambda connection: list(connection.execute(alone.order_by("id")).scalars()))

    async def half_deleted_rooms(self) -> Sequence[str]:
        """Return the ids of rooms whose deletion was begun but interrupted, so that it can be completed."""
        begun = sa.select(room_snapshots.c.room_id).where(room_snapshots.c.room_id.not_in(_select_open_rooms()))
        return await self._database.read(
            lambda connection: list(connection.execute(begun.order_by("room_id")).scalars())
        )

    async def count_rooms(self) -> int:
        """Return the number of rooms that can be opened, that is, are not deleted."""
        query = sa.select(sa.func.count()).select_from(_select_open_rooms().subquery())
        return await self._database.read(lambda connection: connection.execute(query).scalar_one())

    async def delete_room(self, room: str, at: datetime) -> int:
        """Delete a room in small transactions: address, log, snapshot, chat.

        Its matches and statistics remain. Returns the number of the log entry that tells processes that have it
        loaded. Can be repeated.
        """
        check_text(room)
        last = await self._database.write(partial(_expire_address, room=room, at=at))
        played = await self._database.read(partial(_has_matches, room=room))
        for after in range(0, last, AT_ONCE):
            await self._database.write(partial(_delete_entries, room=room, after=after, played=played))
        await self._database.write(partial(_delete_snapshot_and_visits, room=room, played=played))
        return last

    async def unused_people(self, since: datetime) -> Sequence[str]:
        """Return the ids of people who have no room and no matches, and were not seen since this time."""
        query = _select_unused_people(since).order_by(people.c.id)
        return await self._database.read(lambda connection: list(connection.execute(query).scalars()))

    async def count_people(self) -> int:
        """Return the number of people who are not deleted."""
        query = sa.select(sa.func.count()).select_from(people).where(people.c.deleted_at.is_(None))
        return await self._database.read(lambda connection: connection.execute(query).scalar_one())

    async def delete_unused_people(self, ids: Sequence[str], since: datetime, at: datetime) -> int:
        """Delete names, looks, devices and saved rules of these people, and return the number deleted.

        Skips people who were seen since `since`, or have a room or a match by now.
        """
        gone = 0
        for first in range(0, len(ids), AT_ONCE):
            some = _select_unused_people(since).where(people.c.id.in_(ids[first : first + AT_ONCE]))
            gone += await self._database.write(partial(_anonymise_people, some=some, at=at))
        return gone


def _select_unused_people(since: datetime) -> sa.Select[Any]:
    return sa.select(people.c.id).where(
        people.c.last_seen_at < since,
        people.c.deleted_at.is_(None),
        *(
            ~sa.exists().where(table.c.person_id == people.c.id)
            for table in (room_visits, match_players, imported_matches)
        ),
    )


def _select_open_rooms() -> sa.Select[tuple[str]]:
    """Return the query for the ids of rooms with a current address: all other rooms were deleted."""
    return sa.select(room_codes.c.room_id).where(room_codes.c.valid_until.is_(None))


_has_address = sa.and_(room_codes.c.room_id == rooms.c.id, room_codes.c.valid_until.is_(None))
_of_room = matches.c.room_id == rooms.c.id
_visited = (
    sa.select(sa.func.max(room_visits.c.last_visited_at)).where(room_visits.c.room_id == rooms.c.id).scalar_subquery()
)
_last_used = sa.case((_visited > rooms.c.active_at, _visited), else_=rooms.c.active_at)
_visitors = (
    sa.select(sa.func.count()).select_from(room_visits).where(room_visits.c.room_id == rooms.c.id).scalar_subquery()
)
_matches = sa.select(sa.func.count()).select_from(matches).where(_of_room).scalar_subquery()
_hands = sa.select(sa.func.count()).select_from(hands.join(matches)).where(_of_room).scalar_subquery()
_entries = (
    sa.select(sa.func.coalesce(sa.func.max(room_events.c.seq), 0))
    .where(room_events.c.room_id == rooms.c.id)
    .scalar_subquery()
)


def _expire_address(connection: sa.Connection, room: str, at: datetime) -> int:
    """Begin to delete a room: end its address, its running match, statistics link and chat.

    Returns the number of its last log entry. An entry is appended, so that a process that has the room loaded must
    read it before it can append.
    """
    shut = (
        room_codes.update()
        .where(room_codes.c.room_id == room, room_codes.c.valid_until.is_(None))
        .values(valid_until=at)
    )
    if connection.execute(shut).rowcount:
        # A running match ends with the room's last activity.
        last = sa.select(rooms.c.active_at).where(rooms.c.id == room).scalar_subquery()
        stopped = matches.update().where(matches.c.room_id == room, matches.c.ended_at.is_(None))
        connection.execute(stopped.values(ended_at=last))
        for table in (stats_links, chat_messages):
            connection.execute(table.delete().where(table.c.room_id == room))
        row_rewrite.append_rewrite_entry(connection, room, NamesRewritten(), at)
    return row_rewrite.last_seq(connection, room)


def _has_matches(connection: sa.Connection, room: str) -> bool:
    return connection.execute(sa.select(matches.c.id).where(matches.c.room_id == room).limit(1)).first() is not None


def _delete_entries(connection: sa.Connection, room: str, after: int, *, played: bool) -> None:
    """Delete up to 1000 of a deleted room's log entries after number `after`.

    Entries about the deletion stay and, if the room was `played` in, entries about names in matches.
    """
    kinds = name_references.NAME_ENTRY_KINDS if played else (name_references.REWRITTEN,)
    some = room_events.c.room_id == room, room_events.c.seq.between(after + 1, after + AT_ONCE)
    connection.execute(room_events.delete().where(*some, room_events.c.event_type.not_in(kinds)))


def _delete_snapshot_and_visits(connection: sa.Connection, room: str, *, played: bool) -> None:
    if not played:
        connection.execute(room_visits.delete().where(room_visits.c.room_id == room))
    connection.execute(room_snapshots.delete().where(room_snapshots.c.room_id == room))


def _anonymise_people(connection: sa.Connection, some: sa.Select[tuple[str]], at: datetime) -> int:
    found = list(connection.execute(some).scalars())
    for table in (devices, saved_rules, device_links):
        connection.execute(table.delete().where(table.c.person_id.in_(found)))
    nameless = people.update().where(people.c.id.in_(found))
    connection.execute(nameless.values(name=None, avatar=None, colour=None, deleted_at=at))
    return len(found)
